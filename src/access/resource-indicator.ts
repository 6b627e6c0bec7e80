/** Resource indicators (RFC 8707): the parameter `resource` narrows a grant to the APIs that it names. */
import { isOnlyOffline, isTold } from '../model/scope-word.ts'
import type { Extent } from '../model/terms.ts'
import { Refusal } from '../protocol/refusal.ts'
import {
  type AudienceSite,
  expandAudience,
  expandUri,
  filterByAudience,
  filterDetails,
  getUri,
  getUserinfoUri,
  isFor,
  listAudiences,
  listOperatorUris,
} from './audience.ts'
import { addNames, selectWords } from './permission.ts'

/** The distinct values of `resource` in all. These names go into codes and tokens. */
const audienceCharacters = 2048
/** A refused resource: so much is told of those there are. */
const audienceToldCharacters = 1000

const invalidTarget = (reason: string, description: string): Refusal =>
  new Refusal('invalid_target', reason, description)

const listIndicators = ({ issuer, resources }: AudienceSite): readonly string[] => [
  issuer,
  `${issuer}/api`,
  ...resources.map((resource) => getUri(resource, issuer)),
  ...listOperatorUris(issuer),
]

/** Scheme and host in lower case, and no slash as the whole path (RFC 3986 sections 6.2.2.1, 6.2.3). */
export const normalizeUri = (uri: string): string =>
  uri.replace(/^([a-z][a-z\d+.-]*:\/\/[^/?#]*)(?:\/$)?/i, (_, origin: string) =>
    origin.toLowerCase(),
  )

/**
 * The URI that a value of `resource` means, or null. URL libraries write `https://api.example.com` with
 * a slash at its end. MCP wants upper case accepted in scheme and host.
 */
const findIndicator = (given: string, site: AudienceSite): string | null => {
  const uris = listIndicators(site)
  if (uris.includes(given)) return given
  if (given === `${site.issuer}/`) return site.issuer
  return uris.find((uri) => normalizeUri(uri) === normalizeUri(given)) ?? null
}

export const isIndicator = (uri: string, site: AudienceSite): boolean =>
  findIndicator(uri, site) !== null

/** URIs as one text of bounded length, without the characters that no description may hold. */
const tellUris = (uris: readonly string[]): string => {
  const told: string[] = []
  let characters = 0
  for (const uri of uris) {
    characters += uri.length
    if (characters > audienceToldCharacters) return `${told.join(', ')}, ...`
    told.push(uri.replaceAll('"', '%22').replaceAll('\\', '%5C'))
  }
  return told.join(', ')
}

const parseIndicators = (
  given: readonly string[],
  site: AudienceSite,
  named: string,
): readonly string[] => {
  const meant = given.map((uri) => {
    const found = findIndicator(uri, site)
    if (found !== null) return found
    const said = `${named} has to be one of ${tellUris(listIndicators(site))}`
    throw invalidTarget('unknown_resource', said)
  })
  const audience = [...new Set(meant)]
  if (audience.join('').length > audienceCharacters) {
    const said = `${named} names more than ${audienceCharacters} characters of URIs in all`
    throw invalidTarget('audience_too_long', said)
  }
  return audience
}

/** The part of an approved audience that a request asks for. */
const narrowToApproved = (
  asked: readonly string[],
  approved: readonly string[],
  site: AudienceSite,
  named: string,
): readonly string[] => {
  const reached = expandAudience(approved, site)
  return asked.flatMap((one) => {
    if (reached.has(one)) return [one]
    const within = expandUri(one, site)
    const part = approved.filter((uri) => within.includes(uri))
    if (part.length > 0) return part
    throw invalidTarget(
      'resource_beyond_grant',
      `${named} asks for more than was approved: approved is only ${tellUris(approved)}`,
    )
  })
}

/**
 * Narrows to the audiences that `resource` parameters name: `{base_url}` is everything built in,
 * `{base_url}/api` all built-in resources of owners, `{base_url}/admin/api` the admin API. Any other
 * one is one resource. Words are for `/userinfo`, so of all these only `{base_url}` keeps them.
 *
 * @param granted an empty audience: that of its permissions
 * @param named the parameters of the request
 * @throws Refusal `invalid_target`
 */
export const narrowToResources = (
  granted: Extent,
  indicators: readonly string[],
  site: AudienceSite,
  named = 'resource',
): Extent => {
  const { audience: approved } = granted
  if (indicators.length === 0 && approved.length === 0) return granted
  const asked = indicators.length === 0 ? approved : parseIndicators(indicators, site, named)
  const audience = approved.length === 0 ? asked : narrowToApproved(asked, approved, site, named)
  const permissions = filterByAudience({ permissions: granted.permissions, audience }, site)
  const details = filterDetails({ details: granted.details, audience }, site)
  const isNothing = isOnlyOffline(permissions) && details.length === 0
  if (isNothing && granted.permissions.length + granted.details.length > 0) {
    const there = tellUris(listAudiences(granted, site))
    if (granted.permissions.length === 0) {
      const said = `the request asks for nothing at the API that ${named} names: it is for ${there}`
      throw invalidTarget('unreached_resource', said)
    }
    const said = `the scope has no permission on what ${named} names: it is for ${there}`
    throw invalidTarget('unreached_resource', said)
  }
  return { permissions, details, audience: [...new Set(audience)] }
}

/**
 * The same for a request whose code is exchanged for an ID token and for several access tokens. Each
 * may name another `resource`. So words stay, and `/userinfo` is one more audience.
 */
export const narrowWithWords = (
  asked: Extent,
  indicators: readonly string[],
  site: AudienceSite,
): Extent => {
  const narrowed = narrowToResources(asked, indicators, site)
  const words = selectWords(asked.permissions)
  if (words.length === 0) return narrowed
  const { permissions, details, audience } = narrowed
  const userinfo = getUserinfoUri(site.issuer)
  const needsUserinfo = words.some(isTold)
  return {
    permissions: addNames(permissions, words),
    details,
    audience:
      needsUserinfo && !isFor({ audience }, userinfo, site) ? [...audience, userinfo] : audience,
  }
}
