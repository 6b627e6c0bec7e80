/** The parameter `authorization_details`: text -> details, or a refusal (RFC 9396 section 5). */

import { parseExactJson } from '../../http/body.ts'
import { type Client, getDetailTypes } from '../../model/client.ts'
import { commonMembers, type Detail, makeDetailKey } from '../../model/detail.ts'
import { isObject } from '../../model/json.ts'
import { listActions, type Resource } from '../../model/resource.ts'
import type { Extent } from '../../model/terms.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { getUri } from '../audience.ts'
import { normalizeUri } from '../resource-indicator.ts'
import type { Resources } from '../resources.ts'
import { listNames } from '../scope.ts'
import { detailLimits } from './limits.ts'

/** A description repeats no value of the request: a detail is named by its place. */
export const invalidDetails = (reason: string, description: string): Refusal =>
  new Refusal('invalid_authorization_details', reason, `authorization_details ${description}`)

/** Two texts with control characters, or with halves of characters, may look equal. */
const isPlain = (text: string): boolean => !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text)

const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= most && isPlain(value)

const isValue = (value: unknown): boolean =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value.length <= detailLimits.valueCharacters && isPlain(value))

const parseList = (text: string): readonly unknown[] => {
  if (text.length > detailLimits.characters) {
    const said = `is longer than ${detailLimits.characters} characters`
    throw invalidDetails('details_too_long', said)
  }
  let given: unknown
  try {
    given = parseExactJson(text)
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw invalidDetails('bad_details', 'has to be a JSON list')
    throw invalidDetails(
      'bad_detail_value',
      'holds a number that cannot be kept: send it as a string',
    )
  }
  if (!Array.isArray(given) || given.length === 0) {
    throw invalidDetails('bad_details', 'has to be a JSON list of one object or more')
  }
  if (given.length > detailLimits.details) {
    const said = `is a list of more than ${detailLimits.details} details`
    throw invalidDetails('too_many_details', said)
  }
  return given
}

const parseActions = (given: unknown, resource: Resource, at: string): readonly string[] => {
  const known = listActions(resource)
  const isRight =
    Array.isArray(given) && given.length > 0 && given.every((one) => known.includes(one))
  if (isRight && new Set(given).size === given.length) return given
  const said = `${at} needs actions: a list of one or more of ${listNames(known)}`
  throw invalidDetails('bad_detail_actions', said)
}

/** Of another API than its type it could mean nothing. */
const checkLocations = (given: unknown, uri: string, at: string): void => {
  if (given === undefined) return
  const [only, second] = Array.isArray(given) ? given : []
  const isIts = typeof only === 'string' && normalizeUri(only) === normalizeUri(uri)
  if (isIts && second === undefined) return
  const said = `${at} has locations that are not the uri of its resource: leave locations out`
  throw invalidDetails('bad_detail_locations', said)
}

const checkMembers = (
  detail: Readonly<Record<string, unknown>>,
  resource: Resource,
  at: string,
) => {
  const { identifier } = detail
  if (identifier !== undefined && !isText(identifier, detailLimits.identifierCharacters)) {
    const said = `${at} needs one item as identifier: a text of 1 to ${detailLimits.identifierCharacters} characters`
    throw invalidDetails('bad_detail_identifier', said)
  }
  for (const [name, value] of Object.entries(detail)) {
    if (commonMembers.some((common) => common === name)) continue
    if (!Object.hasOwn(resource.details, name)) {
      const declared = Object.keys(resource.details)
      const there = declared.length === 0 ? '' : ` and ${listNames(declared)}`
      const said = `${at} has an unknown member: there are ${commonMembers.join(', ')}${there}`
      throw invalidDetails('unknown_detail_member', said)
    }
    if (isValue(value)) continue
    const said = `${at} has a member that is no number, no boolean and no text of at most ${detailLimits.valueCharacters} characters`
    throw invalidDetails('bad_detail_value', said)
  }
}

/** @param types null if all resources are */
const findType = async (
  given: unknown,
  types: readonly string[] | null,
  resources: Resources,
  at: string,
): Promise<Resource> => {
  const resource = typeof given === 'string' ? await resources.look(given) : null
  if (resource !== null && (types === null || types.includes(resource.name))) return resource
  const there = resources
    .list()
    .flatMap(({ name }) => ((types?.includes(name) ?? true) ? name : []))
  const said =
    there.length === 0 ? 'this client may ask for none' : `it has to be one of ${listNames(there)}`
  throw invalidDetails('unknown_detail_type', `${at} has an unknown type: ${said}`)
}

/** How many bytes details take as JSON, with the URIs of `resource`. */
export const measureDetails = (
  details: readonly Detail[],
  audience: Extent['audience'] = [],
): number => Buffer.byteLength(JSON.stringify(details)) + audience.join('').length

/**
 * Refuses details that no token of the request could carry: of APIs outside `resource`, or too many
 * beside long URIs there.
 *
 * @param left what `resource` leaves of the request
 */
export const checkCarried = (details: readonly Detail[], left: Extent): void => {
  if (left.details.length < details.length) {
    throw invalidDetails('detail_beyond_resource', 'is about an API that resource does not name')
  }
  if (measureDetails(details, left.audience) > detailLimits.bytes) {
    const said = `has, with the URIs of resource, more than ${detailLimits.bytes} bytes`
    throw invalidDetails('details_too_long', said)
  }
}

/**
 * The details that a client asks for. Each is checked against its type, a resource.
 *
 * @throws Refusal `invalid_authorization_details`
 */
export const parseDetails = async (
  text: string,
  client: Pick<Client, 'scope' | 'scopeLimits' | 'openid'>,
  resources: Resources,
): Promise<readonly Detail[]> => {
  const types = getDetailTypes(client)
  const details: Detail[] = []
  for (const [index, given] of parseList(text).entries()) {
    const at = `[${index}]`
    if (!isObject(given)) throw invalidDetails('bad_details', `${at} has to be an object`)
    const resource = await findType(given.type, types, resources, at)
    parseActions(given.actions, resource, at)
    checkLocations(given.locations, getUri(resource, resources.latest.site.issuer), at)
    checkMembers(given, resource, at)
    details.push(given as Detail)
  }
  if (new Set(details.map(makeDetailKey)).size < details.length) {
    throw invalidDetails('repeated_detail', 'says the same twice')
  }
  if (measureDetails(details) > detailLimits.bytes) {
    throw invalidDetails('details_too_long', `has more than ${detailLimits.bytes} bytes`)
  }
  return details
}
