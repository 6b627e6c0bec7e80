/** The audience of a token: the APIs that it is for (RFC 8707, and `aud` in RFC 7662 section 2.2). */
import { featureApis } from '../features/apis.ts'
import type { Detail } from '../model/detail.ts'
import {
  adminPermissions,
  type Permissions,
  type Resource,
  type ScopeName,
} from '../model/resource.ts'
import { isClientPermission, isScopeWord } from '../model/scope-word.ts'
import type { Extent } from '../model/terms.ts'
import { Refusal } from '../protocol/refusal.ts'
import { dropWords, getResource } from './permission.ts'

export const getResourceUri = (issuer: string, name: string): string => `${issuer}/api/${name}`

/** The admin API is one audience, whichever of its permissions a token has. */
export const getAdminUri = (issuer: string): string => `${issuer}/admin/api`

/** An API of a feature: its own audience. */
export const getApiUri = ({ path }: { readonly path: string }, issuer: string): string =>
  issuer + path

/** The audiences of programs of the operator. */
export const listOperatorUris = (issuer: string): readonly string[] => [
  getAdminUri(issuer),
  ...featureApis.map((api) => getApiUri(api, issuer)),
]

export const getUserinfoUri = (issuer: string): string => `${issuer}/userinfo`

/** The URI of a resource: the value of `resource`, and the `aud` of its tokens. */
export const getUri = ({ name, uri }: Pick<Resource, 'name' | 'uri'>, issuer: string): string =>
  uri ?? getResourceUri(issuer, name)

/** The service, as the audiences of its tokens depend on it. */
export interface AudienceSite {
  readonly issuer: string
  readonly resources: readonly Pick<Resource, 'name' | 'uri'>[]
}

const findAudience = (name: ScopeName, { issuer, resources }: AudienceSite): string | null => {
  if (name === 'offline_access') return null
  if (isScopeWord(name)) return getUserinfoUri(issuer)
  if (adminPermissions.includes(name)) return getAdminUri(issuer)
  const api = featureApis.find(({ permission }) => permission === name)
  if (api !== undefined) return getApiUri(api, issuer)
  const resource = resources.find((known) => known.name === getResource(name))
  if (resource !== undefined) return getUri(resource, issuer)
  return isClientPermission(name) ? issuer : null
}

/** The audience of a detail; null if its resource is gone. */
const findDetailAudience = (
  { type }: Detail,
  { issuer, resources }: AudienceSite,
): string | null => {
  const resource = resources.find(({ name }) => name === type)
  return resource === undefined ? null : getUri(resource, issuer)
}

/** What a token allows: permissions, and details. */
export type Allowed = Pick<Extent, 'permissions' | 'details'>

/** The audiences of a token that allows this: `aud` (RFC 7662 section 2.2). */
export const listAudiences = (
  { permissions, details }: Allowed,
  site: AudienceSite,
): readonly string[] => {
  const uris = permissions.map((name) => findAudience(name, site))
  if (details.length > 0) uris.push(...details.map((detail) => findDetailAudience(detail, site)))
  return [...new Set(uris.filter((uri) => uri !== null))]
}

/** The audiences within one: `{base_url}` and `{base_url}/api` stand for what is built in. */
export const expandUri = (
  audience: string,
  { issuer, resources }: AudienceSite,
): readonly string[] => {
  const api = `${issuer}/api`
  if (audience !== issuer && audience !== api) return [audience]
  const builtIn = resources.filter(({ uri }) => uri === null)
  const owned = [api, ...builtIn.map(({ name }) => getResourceUri(issuer, name))]
  return audience === api
    ? owned
    : [issuer, ...owned, ...listOperatorUris(issuer), getUserinfoUri(issuer)]
}

export const expandAudience = (
  audience: readonly string[],
  site: AudienceSite,
): ReadonlySet<string> => new Set(audience.flatMap((one) => expandUri(one, site)))

/** Whether a token is for an API. Without an audience of its own, its permissions alone say so. */
export const isFor = (
  { audience }: Pick<Extent, 'audience'>,
  uri: string,
  site: AudienceSite,
): boolean => audience.length === 0 || expandAudience(audience, site).has(uri)

/**
 * The permissions that count in an audience. `offline_access` stays: it is about the refresh token,
 * which no `resource` narrows.
 */
export const filterByAudience = (
  { permissions, audience }: Pick<Extent, 'permissions' | 'audience'>,
  site: AudienceSite,
): Permissions => {
  if (audience.length === 0) return permissions
  const reached = expandAudience(audience, site)
  return permissions.filter((name) => {
    const uri = findAudience(name, site)
    return uri === null ? name === 'offline_access' : reached.has(uri)
  })
}

/** The details that count in an audience. */
export const filterDetails = (
  { details, audience }: Pick<Extent, 'details' | 'audience'>,
  site: AudienceSite,
): readonly Detail[] => {
  if (details.length === 0 || audience.length === 0) return details
  const reached = expandAudience(audience, site)
  return details.filter((detail) => reached.has(findDetailAudience(detail, site) ?? ''))
}

/** The part of a token that concerns some resources; null if it is for none of them. */
export const findPart = (
  { permissions, details }: Allowed,
  resources: readonly Pick<Resource, 'name'>[],
): Allowed | null => {
  const names = resources.map(({ name }) => name)
  const part = {
    permissions: dropWords(permissions).filter((one) => names.includes(getResource(one))),
    details: details.length === 0 ? details : details.filter(({ type }) => names.includes(type)),
  }
  return part.permissions.length + part.details.length === 0 ? null : part
}

/**
 * Refuses a token that was asked for with the `resource` of another API. One without a `resource` lacks
 * scope only, and is not refused here.
 *
 * @throws Refusal `invalid_token`
 */
export const refuseOtherAudience = (
  access: Pick<Extent, 'audience'>,
  uri: string,
  site: AudienceSite,
): void => {
  if (isFor(access, uri, site)) return
  // `/userinfo` is no value of `resource`: the whole service is asked for.
  const resource = uri === getUserinfoUri(site.issuer) ? site.issuer : uri
  throw new Refusal(
    'invalid_token',
    'other_audience',
    `the access token is for another resource: ask for one with resource=${resource}`,
  )
}
