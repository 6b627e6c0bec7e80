/** Lists: their filters (the query parameters beside `after` and `limit`, described and parsed), their cursors and their answers. */

import { tellNearest } from '../config/nearest.ts'
import { actorTypes, parseActorFilter } from '../events/describe.ts'
import type { Exchange } from '../http/exchange.ts'
import { queryOf } from '../http/request.ts'
import { type EventType, eventTypes } from '../model/event.ts'
import { type ClientId, isClientId, isId, isOwnerId, type OwnerId } from '../model/ids.ts'
import { ownerLimits } from '../owners/limits.ts'
import { type Parameters, parameterLimits, refuseRepeated } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { ActorFilter } from '../store/contract/event.ts'
import { splitWords, wordLimits } from '../store/contract/search-words.ts'
import type { FoundPage, Page } from '../store/contract/trace.ts'

/** Part of a JSON Schema, as it is written. */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface DescribedParameter {
  readonly description: string
  readonly schema: JsonSchema
  /** Empty: none works everywhere. */
  readonly example: string | number
}

export interface ListFilter<Value> extends DescribedParameter {
  /** @throws Refusal `invalid_request` */
  readonly parse: (given: string, name: string) => Value
}

const refuseFilter = (name: string, expected: string): Refusal =>
  new Refusal('invalid_request', `bad_${name}`, `${name} has to be ${expected}`)

const listWords = (words: readonly string[]): string =>
  `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

/** The value of a filter, or null where it is not one. */
type ParseFilter<Value> = (given: string) => Value | null

const makeTextFilter = <Value>(
  description: string,
  example: string,
  parse: ParseFilter<Value>,
  expected: string,
): ListFilter<Value> => ({
  description,
  schema: { type: 'string' },
  example,
  parse(given, name) {
    const value = parse(given)
    if (value === null) throw refuseFilter(name, expected)
    return value
  },
})

/** One of a few words. */
export const allow = <const Word extends string>(
  words: readonly [Word, ...Word[]],
  description: string,
): ListFilter<Word> => ({
  ...makeTextFilter(
    description,
    words[0],
    (given) => words.find((word) => word === given) ?? null,
    listWords(words),
  ),
  schema: { type: 'string', enum: words },
})

/** Only keys that an answer could have held. */
export const filterId = <Key extends string>(
  description: string,
  example: string,
  isKey: (text: string) => boolean,
  expected = 'an id',
): ListFilter<Key> =>
  makeTextFilter(description, example, (given) => (isKey(given) ? (given as Key) : null), expected)

export const owner = filterId<OwnerId>('the id of an owner', 'alice', isOwnerId)

export const client = filterId<ClientId>('the client_id of a client', 'photo-printer', isClientId)

/** A text as an earlier answer had it. */
export const makeAnswered = (
  description: string,
  example: string,
  pattern: RegExp,
): ListFilter<string> =>
  filterId(description, example, (given) => pattern.test(given), 'one of an earlier answer')

export const search: ListFilter<string> = {
  ...makeTextFilter(
    'what the text begins with',
    'p',
    (given) => (given.length <= ownerLimits.usernameCharacters && given.trim()) || null,
    `text of 1 to ${ownerLimits.usernameCharacters} characters`,
  ),
  schema: { type: 'string', minLength: 1, maxLength: ownerLimits.usernameCharacters },
}

/** See `listWords`. */
export const searchWords: ListFilter<string> = {
  ...search,
  description: 'words, each the beginning of a word that is found',
  example: 'ada okoro',
  parse(given, name) {
    const asked = search.parse(given, name)
    const words = splitWords(asked)
    if (words.length === 0) throw refuseFilter(name, 'text with a letter or a digit')
    const most = wordLimits.words
    // A whole address may have more.
    if (words.length > most && /\s/.test(asked.trim())) {
      throw refuseFilter(name, `at most ${most} words of ${wordLimits.characters} characters`)
    }
    return asked
  },
}

/** No type is as long, so what is longer is near to none. */
const longestTypo = 60

export const eventType: ListFilter<EventType> = {
  description: 'the type of the event',
  schema: { type: 'string', enum: eventTypes },
  example: eventTypes[0],
  parse(given) {
    const type = eventTypes.find((one) => one === given)
    if (type !== undefined) return type
    const meant = tellNearest(given.slice(0, longestTypo), eventTypes)
    throw refuseFilter('type', `a type of events, such as login.failed${meant}`)
  },
}

/** `operator`, or one of them: `operator:client:latchkey-admin`. */
export const actor: ListFilter<ActorFilter> = makeTextFilter(
  'who acted: a type of actors, or one of them',
  'operator:client:latchkey-admin',
  parseActorFilter,
  `${listWords(actorTypes)}, or one of them such as operator:client:ID`,
)

const writtenTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** Unix seconds, or a time of RFC 3339; null for other texts. */
export const parseTime = (given: string): number | null => {
  const time = writtenTime.test(given)
    ? Math.floor(Date.parse(given) / 1000)
    : /^\d{1,11}$/.test(given)
      ? Number(given)
      : Number.NaN
  return Number.isNaN(time) || time < 0 ? null : time
}

export const timeFilter = (description: string): ListFilter<number> => ({
  ...makeTextFilter(
    description,
    '2026-11-22T10:00:00Z',
    parseTime,
    'unix seconds, or a time such as 2026-11-22T10:00:00Z',
  ),
  schema: { type: 'string', pattern: '^(\\d{1,11}|\\d{4}-\\d\\d-\\d\\dT.*)$' },
})

export const span = {
  since: timeFilter('not before this time: unix seconds, or RFC 3339'),
  until: timeFilter('before this time'),
}

/** Every list takes these. */
export const pageParameters: Readonly<Record<string, DescribedParameter>> = {
  after: { description: 'the next of the page before', schema: { type: 'string' }, example: '' },
  limit: {
    description: 'how many items a page has at most',
    schema: {
      type: 'integer',
      minimum: 1,
      maximum: parameterLimits.pageRows,
      default: parameterLimits.pageRowsDefault,
    },
    example: 10,
  },
}

/** The members that are there, for filters of the store. */
export const pickPresent = <Members extends object>(
  members: Members,
): { readonly [Name in keyof Members]?: Exclude<Members[Name], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    readonly [Name in keyof Members]?: Exclude<Members[Name], undefined>
  }

/** The parameters of a list, those beside `after` and `limit` being named. */
export const readListQuery = (exchange: Exchange, also: readonly string[]): Parameters => {
  const query = refuseRepeated(queryOf(exchange.request))
  const known = ['after', 'limit', ...also]
  for (const name of query.names()) {
    if (known.includes(name)) continue
    throw new Refusal(
      'invalid_request',
      'unknown_parameter',
      `a parameter is not known here: this list takes ${known.join(', ')}`,
    )
  }
  return query
}

const refusedCursor = (): Refusal =>
  new Refusal('invalid_request', 'bad_after', 'after has to be a next of an earlier answer')

/**
 * The key in `after`, or null. An answer could have held every such key.
 *
 * @throws Refusal `invalid_request`
 */
export const findCursor = <Key extends string>(
  query: Parameters,
  isKey: (text: string) => boolean = isId,
): Key | null => {
  const text = query.find('after')
  if (text === null || isKey(text)) return text as Key | null
  throw refusedCursor()
}

const writeCursor = (cursor: string): string => Buffer.from(cursor).toString('base64url')

/**
 * The cursor of a list in the order of texts: lines without control characters. In URLs it is base64url.
 *
 * @throws Refusal `invalid_request`
 */
export const findTextCursor = (query: Parameters): string | null => {
  const given = query.find('after')
  if (given === null) return null
  const cursor = Buffer.from(given, 'base64url').toString()
  if (!/^(\P{Cc}+\n(\P{Cc}*\n)?)?\P{Cc}+$/u.test(cursor) || writeCursor(cursor) !== given)
    throw refusedCursor()
  return cursor
}

/** The body of a page of a search. @throws Refusal `invalid_request` for a cursor of another list */
export const describeFound = <Row>(found: FoundPage<Row>, describe: (row: Row) => object) => {
  const { rows, next, isPartial = false, isForeign = false } = found
  if (isForeign) throw refusedCursor()
  const page = describePage({ rows, next: next === null ? null : writeCursor(next) }, describe)
  return isPartial ? { ...page, partial: true } : page
}

/** The body of a list. */
export const describePage = <Row>({ rows, next }: Page<Row>, describe: (row: Row) => object) => ({
  items: rows.map(describe),
  next,
})

/**
 * A page of a list that lies in memory as a whole. Nothing is so long that the store would page it.
 *
 * @throws Refusal `invalid_request`
 */
export const pageInMemory = <Row>(
  all: readonly Row[],
  query: Parameters,
  limit: number,
  keyOf: (row: Row) => string,
): Page<Row> => {
  const after = query.find('after')
  const from = after === null ? 0 : all.findIndex((row) => keyOf(row) === after) + 1
  if (after !== null && from === 0) throw refusedCursor()
  const rows = all.slice(from, from + limit)
  const last = rows.at(-1)
  return { rows, next: all.length > from + limit && last !== undefined ? keyOf(last) : null }
}
