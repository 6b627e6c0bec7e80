/** Clients of a realm, as the admin API takes them. None gets a permission: its scope has words about people only. */

import { isChosenSecret } from '../../clients/credentials.ts'
import { checkUris } from '../../clients/rules.ts'
import { UsageFault } from '../../config/remote.ts'
import { isChosenClientId } from '../../model/ids.ts'
import { isObject } from '../../model/json.ts'
import type { JsonRow } from '../../operations/surface/said.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { Left } from './left.ts'
import { listObjects, listTexts, readText } from './read.ts'

export interface RealmClient {
  readonly id: string
  readonly members: JsonRow
  /** Null for a public client, and for a secret that cannot be kept. */
  readonly secret: string | null
}

const ofKeycloak = [
  'account',
  'account-console',
  'admin-cli',
  'broker',
  'realm-management',
  'security-admin-console',
]

/** Words of a scope that tell of a person. */
const words = ['openid', 'profile', 'email', 'address', 'phone', 'offline_access']

const methods: Readonly<Record<string, string>> = {
  'client-secret': 'client_secret_basic',
  'client-secret-jwt': 'client_secret_jwt',
}

interface ReadingClient {
  readonly id: string
  readonly given: JsonRow
  readonly attributes: JsonRow
  readonly left: Left
}

/** @param member as a refusal calls the list */
const pickUris = (
  uris: readonly string[],
  member: string,
  { id, left }: ReadingClient,
): readonly string[] =>
  uris.filter((uri) => {
    try {
      if (uri.includes('*')) throw new UsageFault('a wildcard')
      checkUris([uri], member)
      return true
    } catch (fault) {
      if (!(fault instanceof Refusal || fault instanceof UsageFault)) throw fault
      const reason = fault instanceof Refusal ? 'no such URI may be registered' : fault.message
      left.add(`${member}: ${reason}`, `${id}: ${uri}`)
      return false
    }
  })

const listRedirectUris = (reading: ReadingClient): readonly string[] => {
  const { rootUrl, redirectUris } = reading.given
  const root = readText(rootUrl).replace(/\/$/, '')
  const whole = listTexts(redirectUris).map((uri) => (uri.startsWith('/') ? root + uri : uri))
  return pickUris([...new Set(whole)], 'redirect_uris', reading)
}

const listGrants = (
  { id, given, attributes, left }: ReadingClient,
  redirects: readonly string[],
): readonly string[] => {
  const { standardFlowEnabled, serviceAccountsEnabled, implicitFlowEnabled } = given
  if (implicitFlowEnabled === true) left.add('the implicit flow', id)
  if (given.directAccessGrantsEnabled === true) left.add('the password grant', id)
  if (attributes['oidc.ciba.grant.enabled'] === 'true') left.add('the CIBA grant', id)
  const hasDevice = attributes['oauth2.device.authorization.grant.enabled'] === 'true'
  const grants = [
    ...(standardFlowEnabled !== false && redirects.length > 0 ? ['authorization_code'] : []),
    ...(hasDevice ? ['urn:ietf:params:oauth:grant-type:device_code'] : []),
  ]
  return [
    ...grants,
    ...(grants.length > 0 ? ['refresh_token'] : []),
    ...(serviceAccountsEnabled === true ? ['client_credentials'] : []),
  ]
}

const readScope = ({ id, given, left }: ReadingClient): string => {
  const named = [given.defaultClientScopes, given.optionalClientScopes].flatMap(listTexts)
  for (const name of named) {
    const isOfKeycloak = ['roles', 'web-origins', 'acr', 'basic', 'microprofile-jwt'].includes(name)
    if (!words.includes(name) && !isOfKeycloak) left.add('client scopes', `${id}: ${name}`)
  }
  return words.filter((word) => word === 'openid' || named.includes(word)).join(' ')
}

/** What makes a client stricter comes along. */
const readStricter = ({ attributes }: ReadingClient): JsonRow => ({
  ...(attributes['pkce.code.challenge.method'] === 'S256' ? { profile: 'oauth-2.1' } : {}),
  ...(attributes['dpop.bound.access.tokens'] === 'true' ? { dpop_bound_access_tokens: true } : {}),
  ...(attributes['require.pushed.authorization.requests'] === 'true'
    ? { require_pushed_authorization_requests: true }
    : {}),
})

const listLogoutUris = (
  reading: ReadingClient,
  redirects: readonly string[],
): readonly string[] => {
  const given = readText(reading.attributes['post.logout.redirect.uris']).split('##')
  const named = given.flatMap((uri) => (uri === '+' ? redirects : uri === '' ? [] : [uri]))
  return pickUris([...new Set(named)], 'post_logout_redirect_uris', reading)
}

const readSecret = ({ id, given, left }: ReadingClient): string | null => {
  const secret = readText(given.secret)
  if (isChosenSecret(secret)) return secret
  const reason =
    'secrets: masked, or easy to guess. latchkey client rotate-secret makes another one'
  left.add(reason, id)
  return null
}

/** Why a client is left as a whole; null where it comes along. */
const findHindrance = ({ id, given }: ReadingClient): string | null => {
  const { protocol = 'openid-connect', bearerOnly, publicClient, clientAuthenticatorType } = given
  if (ofKeycloak.includes(id) || id.endsWith('-realm')) return 'clients of Keycloak itself'
  if (protocol !== 'openid-connect') return 'clients of another protocol than OpenID Connect'
  if (bearerOnly === true) return 'APIs without logins: a resource is what they are here'
  if (!isChosenClientId(id)) return 'clients whose id is not possible here'
  const hasMethod = Object.hasOwn(methods, readText(clientAuthenticatorType ?? 'client-secret'))
  return publicClient === true || hasMethod ? null : 'clients that prove themselves by keys'
}

const readClient = (reading: ReadingClient): RealmClient | null => {
  const { id, given, left, attributes } = reading
  const hindrance = findHindrance(reading)
  if (hindrance !== null) {
    left.add(hindrance, id)
    return null
  }
  const redirects = listRedirectUris(reading)
  const grants = listGrants(reading, redirects)
  if (grants.length === 0) {
    left.add('clients without a grant or a redirect URI that comes along', id)
    return null
  }
  if (listObjects(given.protocolMappers).length > 0) left.add('protocol mappers', id)
  if (readText(attributes['backchannel.logout.url']) !== '') left.add('back-channel logout', id)
  const isPublic = given.publicClient === true
  const logouts = listLogoutUris(reading, redirects)
  const members = {
    client_id: id,
    client_name: readText(given.name) || id,
    token_endpoint_auth_method: isPublic
      ? 'none'
      : methods[readText(given.clientAuthenticatorType ?? 'client-secret')],
    grant_types: grants.filter((type) => !(isPublic && type === 'client_credentials')),
    response_types: grants.includes('authorization_code') ? ['code'] : [],
    redirect_uris: redirects,
    scope: readScope(reading),
    ...(logouts.length > 0 ? { post_logout_redirect_uris: logouts } : {}),
    ...readStricter(reading),
    ...(given.enabled === false ? { disabled: true } : {}),
  }
  return { id, members, secret: isPublic ? null : readSecret(reading) }
}

export const listRealmClients = (realm: JsonRow, left: Left): readonly RealmClient[] =>
  listObjects(realm.clients).flatMap((given) => {
    const { clientId, attributes } = given
    const id = readText(clientId)
    const client = readClient({
      id,
      given,
      attributes: isObject(attributes) ? attributes : {},
      left,
    })
    return client ?? []
  })
