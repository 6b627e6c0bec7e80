/** The difference between two states of an item, line by line. */
import { isObject } from '../../model/json.ts'
import type { JsonRow } from '../../operations/surface/said.ts'

/** Members with names between blanks. */
const named = ['scope', 'required_scope']

/** Lists whose first value counts most (OpenID Connect Dynamic Client Registration 1.0 section 2). */
const ordered = ['default_acr_values']

/** The same text for the same value, in whichever order its members come. */
const writeSorted = (value: unknown): string =>
  JSON.stringify(value, (_name, one) =>
    isObject(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )

/** No name makes a line of its own. */
const writeName = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name))

const listLines = (name: string, value: unknown): readonly string[] => {
  if (value === undefined) return []
  if (ordered.includes(name) && Array.isArray(value)) {
    return value.length === 0 ? [] : [`${name}: ${writeSorted(value)}`]
  }
  if (named.includes(name) && typeof value === 'string') {
    return value
      .split(' ')
      .flatMap((word) => (word === '' ? [] : [`${name}[]: ${writeSorted(word)}`]))
  }
  if (Array.isArray(value)) return value.map((one) => `${name}[]: ${writeSorted(one)}`)
  if (!isObject(value)) return [`${name}: ${writeSorted(value)}`]
  return Object.entries(value).flatMap(([member, one]) =>
    listLines(`${name}.${writeName(member)}`, one),
  )
}

/** One line for each value. Lists and objects have no order. */
export const listItemLines = (item: JsonRow): readonly string[] =>
  Object.entries(item).flatMap(([name, value]) => listLines(name, value))

/** A member that is off is as good as absent. */
const isOff = (value: unknown): boolean =>
  value === undefined || value === null || value === false || value === ''

const tellValue = (name: string, value: unknown): string => {
  const lines = isOff(value) ? [] : listLines(name, value)
  return JSON.stringify([...new Set(lines)].sort())
}

/** The members of `after` that are otherwise in `before`. Other members of `before` do not count. */
export const pickDiffering = (before: JsonRow, after: JsonRow): JsonRow =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => tellValue(name, value) !== tellValue(name, before[name]),
    ),
  )

/** Lines with `-` are gone, and lines with `+` are new. */
export const listDifference = (before: JsonRow, after: JsonRow): readonly string[] => {
  const [old, now] = [new Set(listItemLines(before)), new Set(listItemLines(after))]
  return [
    ...[...old].filter((line) => !now.has(line)).map((line) => `- ${line}`),
    ...[...now].filter((line) => !old.has(line)).map((line) => `+ ${line}`),
  ]
}
