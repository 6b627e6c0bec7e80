/** Lists and searches (RFC 7644 section 3.4): the parameters of a request, and its page. */

import { type AnswerHeaders, answerJson } from '../../http/answer.ts'
import { readJsonObject } from '../../http/body.ts'
import type { Exchange } from '../../http/exchange.ts'
import { queryOf } from '../../http/request.ts'
import type { ScimLookup, ScimPage } from './contract.ts'
import { badSyntax, badValue, pickType, readWord, tooMany } from './errors.ts'
import { parseFilter, type ScimFilter } from './filter.ts'
import { scimLimits } from './limits.ts'
import { isMet, listEqualities } from './match.ts'
import type { ScimMembers } from './members.ts'
import { pickWanted, readNames, type WantedParts } from './project.ts'
import { isSchemaNamed, type ResourceKind } from './schema.ts'

const names = ['filter', 'startIndex', 'count', 'attributes', 'excludedAttributes'] as const

/** What a request says beside its path: by its query, or by the body of `.search`. */
export interface ListAsked extends WantedParts {
  readonly filter: ScimFilter | null
  readonly startIndex: number
  readonly count: number
}

const message = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'

const readQuery = ({ request }: Exchange): ScimMembers => {
  const query = queryOf(request)
  return Object.fromEntries(names.map((name) => [name, query.find(name)]))
}

export const readSearch = async ({ request }: Exchange): Promise<ScimMembers> => {
  const body = await readJsonObject(request, scimLimits.bodyBytes)
  if (isSchemaNamed(body.schemas, message)) return body
  throw badSyntax(`schemas has to name ${message}`)
}

const readNumber = (given: unknown, name: string, otherwise: number): number => {
  const word = readWord(given, name) ?? ''
  if (word === '') return otherwise
  if (/^-?\d{1,15}$/.test(word)) return Number(word)
  throw badValue(`${name} has to be a whole number`)
}

/** @throws Refusal `invalidFilter`, `invalidValue` */
export const parseAsked = (given: ScimMembers, kind: ResourceKind): ListAsked => {
  const { filter, attributes, excludedAttributes } = given
  const startIndex = Math.max(1, readNumber(given.startIndex, 'startIndex', 1))
  if (startIndex > scimLimits.startIndex) {
    throw badValue(`startIndex has to be at most ${scimLimits.startIndex}: search by a filter`)
  }
  const count = readNumber(given.count, 'count', scimLimits.page)
  const filtered = readWord(filter, 'filter') ?? ''
  return {
    filter: filtered === '' ? null : parseFilter(filtered, kind),
    startIndex,
    count: Math.min(scimLimits.page, Math.max(0, count)),
    attributes: readNames(attributes, 'attributes', kind),
    excluded: readNames(excludedAttributes, 'excludedAttributes', kind) ?? new Set(),
  }
}

export const readAsked = (exchange: Exchange, kind: ResourceKind): ListAsked =>
  parseAsked(readQuery(exchange), kind)

/** The attributes with an index. Engines lower ASCII alike, so `emails.value` is found by that alone. */
const indexes: Readonly<Record<string, ScimLookup['by']>> = {
  'User id': 'id',
  'User userName': 'name',
  'User externalId': 'externalId',
  'User emails.value': 'email',
  'Group id': 'id',
  'Group displayName': 'name',
  'Group externalId': 'externalId',
}

const findLookup = (filter: ScimFilter, { name }: ResourceKind): ScimLookup | null => {
  for (const [attribute, value] of listEqualities(filter)) {
    const by = indexes[`${name} ${attribute}`]
    const isPlain = by !== 'email' || /^[\x21-\x7e]+$/.test(value)
    if (by !== undefined && isPlain) return { by, value }
  }
  return null
}

/** What there is of a kind, for a list. */
export interface ListedKind<Row> {
  readonly list: (page: ScimPage) => Promise<readonly Row[]>
  readonly count: () => Promise<number>
  /** As filters see it. */
  readonly describe: (row: Row) => ScimMembers
}

/** @param found an index that was chosen already @throws Refusal `tooMany` */
export const findPage = async <Row>(
  { filter, startIndex, count }: Pick<ListAsked, 'filter' | 'startIndex' | 'count'>,
  kind: ResourceKind,
  { list, count: countAll, describe }: ListedKind<Row>,
  found: ScimLookup | null = null,
): Promise<{ readonly rows: readonly Row[]; readonly total: number }> => {
  const offset = startIndex - 1
  if (filter === null && found === null) {
    const rows = count === 0 ? [] : await list({ lookup: null, offset, limit: count })
    return { rows, total: await countAll() }
  }
  const lookup = found ?? (filter === null ? null : findLookup(filter, kind))
  const { scanned } = scimLimits
  const looked = await list({ lookup, offset: 0, limit: scanned + 1 })
  if (looked.length > scanned) {
    const said =
      kind.name === 'User' ? 'userName, externalId or emails.value' : 'displayName or externalId'
    throw tooMany(`the filter would look at more than ${scanned} resources: compare ${said} by eq`)
  }
  const met = filter === null ? looked : looked.filter((row) => isMet(filter, describe(row)))
  return { rows: met.slice(offset, offset + count), total: met.length }
}

export const answerScim = (
  body: unknown,
  { request }: Exchange,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
) => answerJson(body, status, { 'Content-Type': pickType(request), ...headers })

/** All of a list. */
export const whole = { startIndex: 1, attributes: null, excluded: new Set<string>() } as const

/** @param total of all pages @param kind null: the resources have all that they have */
export const answerList = (
  resources: readonly ScimMembers[],
  total: number,
  { startIndex, ...wanted }: WantedParts & Pick<ListAsked, 'startIndex'>,
  kind: ResourceKind | null,
  exchange: Exchange,
) =>
  answerScim(
    {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: total,
      startIndex,
      itemsPerPage: resources.length,
      Resources: kind === null ? resources : resources.map((one) => pickWanted(one, wanted, kind)),
    },
    exchange,
  )

/** One resource with its entity tag, and for a new one its URL. */
export const answerResource = (
  resource: ScimMembers,
  wanted: WantedParts,
  kind: ResourceKind,
  exchange: Exchange,
  status = 200,
) => {
  const { version = '', location = '' } = resource.meta as Readonly<Record<string, string>>
  const headers = { ETag: version, ...(status === 201 ? { Location: location } : {}) }
  return answerScim(pickWanted(resource, wanted, kind), exchange, status, headers)
}

/** RFC 9110 section 15.4.5. */
export const answerUnchanged = (version: string) => ({
  status: 304,
  headers: { ETag: `W/"${version}"`, 'Cache-Control': 'no-store' } satisfies AnswerHeaders,
  body: null,
})
