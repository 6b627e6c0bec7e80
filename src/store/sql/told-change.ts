/**
 * A change as its event tells it: each member with its old and its new value. Of a list it tells
 * the entries that differ. Long values are cut, since strangers change their own clients too. None
 * of them may hide another one.
 */
import type { Event } from '../../model/event.ts'

/** Limits of what events tell of a change. */
export const eventLimits = {
  /**
   * Characters of one old or new value, and of one event. All redirect URIs and all of a scope that
   * came and went fit together.
   */
  valueCharacters: 1000,
  changeCharacters: 5000,
} as const

type DetailValue = Event['details'][string]
type ToldPairs = readonly (readonly [string, DetailValue])[]

const cut = (text: string, most: number = eventLimits.valueCharacters): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`

/** How long an entry may be. Short ones leave their room to long ones. */
const computeLongest = (entries: readonly string[]): number => {
  let left = eventLimits.valueCharacters - (entries.length - 1)
  let count = entries.length
  for (const { length } of entries.toSorted((a, b) => a.length - b.length)) {
    if (length * count > left) return Math.max(1, Math.floor(left / count))
    left -= length
    count--
  }
  return eventLimits.valueCharacters
}

/** A long entry must not hide those after it, so each is cut by itself. */
const joinEntries = (entries: readonly string[]): string => {
  const most = computeLongest(entries)
  return cut(entries.map((entry) => cut(entry, most)).join(' '))
}

const describeValue = (value: unknown): DetailValue => {
  if (value === undefined || value === null) return null
  if (typeof value === 'number' || typeof value === 'boolean') return value
  return cut(typeof value === 'string' ? value : JSON.stringify(value))
}

const isList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string')

const tellList = (name: string, before: readonly string[], after: readonly string[]): ToldPairs => {
  const went = before.filter((entry) => !after.includes(entry))
  const came = after.filter((entry) => !before.includes(entry))
  return [
    ...(went.length === 0 ? [] : [[`${name}Removed`, joinEntries(went)] as const]),
    ...(came.length === 0 ? [] : [[`${name}Added`, joinEntries(came)] as const]),
  ]
}

const describeMember = (name: string, before: unknown, after: unknown): ToldPairs => {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  const [old, now] = [before ?? [], after ?? []]
  if (isList(old) && isList(now)) return tellList(name, old, now)
  return [
    [`${name}Before`, describeValue(before)],
    [name, describeValue(after)],
  ]
}

/**
 * The members that differ, in their given order, so the important ones have to come first.
 * `changeCut` names the members without room.
 */
export const listChange = (
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Event['details'] => {
  const told: (readonly [string, DetailValue])[] = []
  const leftOut: string[] = []
  let left: number = eventLimits.changeCharacters
  for (const name of Object.keys({ ...before, ...after })) {
    const pairs = describeMember(name, before[name], after[name])
    const length = pairs.reduce((sum, [key, value]) => sum + key.length + String(value).length, 0)
    if (length > left) leftOut.push(name)
    else {
      told.push(...pairs)
      left -= length
    }
  }
  const mark = leftOut.length === 0 ? {} : { changeCut: leftOut.join(' ') }
  return { ...Object.fromEntries(told), ...mark }
}
