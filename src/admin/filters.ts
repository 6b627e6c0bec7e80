/** The filters of lists, as query parameters. */
import { didYouMean } from '../config/nearest.ts'
import { actorTypes, parseActorFilter } from '../events/actor-filter.ts'
import { type EventType, eventTypes } from '../model/event.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { ActorFilter, EventOrder } from '../store/store.ts'

const refused = (name: string, expected: string): Refusal =>
  new Refusal('invalid_request', `bad_${name}`, `${name} has to be ${expected}`)

const listed = (words: readonly string[]): string =>
  `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

/**
 * One of the words, or the first of them where the query has none.
 *
 * @throws Refusal `invalid_request`
 */
export const wordOf = <Word extends string>(
  query: Parameters,
  name: string,
  words: readonly [Word, ...Word[]],
): Word => {
  const given = query.find(name) ?? words[0]
  const word = words.find((one) => one === given)
  if (word === undefined) throw refused(name, listed(words))
  return word
}

/** No type is as long, so what is longer is near to none. */
const longestTypo = 60

/** @throws Refusal `invalid_request` */
export const eventTypeOf = (query: Parameters): EventType | undefined => {
  const given = query.find('type')
  if (given === null) return undefined
  const type = eventTypes.find((one) => one === given)
  if (type !== undefined) return type
  const meant = didYouMean(given.slice(0, longestTypo), eventTypes)
  throw refused('type', `a type of events, such as login.failed${meant}`)
}

/**
 * `operator`, or one of them: `operator:client:latchkey-admin`.
 *
 * @throws Refusal `invalid_request`
 */
export const actorFilterOf = (query: Parameters): ActorFilter | undefined => {
  const given = query.find('actor')
  if (given === null) return undefined
  const filter = parseActorFilter(given)
  if (filter === null) {
    throw refused('actor', `${listed(actorTypes)}, or one of them such as operator:client:ID`)
  }
  return filter
}

const writtenTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/**
 * Unix seconds, or a time of RFC 3339.
 *
 * @throws Refusal `invalid_request`
 */
export const timeOf = (query: Parameters, name: 'since' | 'until'): number | undefined => {
  const given = query.find(name)
  if (given === null) return undefined
  const time = writtenTime.test(given)
    ? Math.floor(Date.parse(given) / 1000)
    : /^\d{1,11}$/.test(given)
      ? Number(given)
      : Number.NaN
  if (Number.isNaN(time) || time < 0) {
    throw refused(name, 'unix seconds, or a time such as 2026-11-22T10:00:00Z')
  }
  return time
}

const orders = {
  newest: 'newest first',
  oldest: 'oldest first',
  committed: 'as committed',
} as const satisfies Readonly<Record<string, EventOrder | 'as committed'>>

/** @throws Refusal `invalid_request` */
export const eventOrderOf = (query: Parameters): EventOrder | 'as committed' =>
  orders[wordOf(query, 'order', ['newest', 'oldest', 'committed'])]
