/** Which events each revocation is: of CAEP 1.0, RISC 1.0 or the framework itself (SSF 1.0). */
import type { Event, EventType } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'
import { operatorPermissions, type ScopeName } from '../../model/resource.ts'
import { listResourceNames, type Revocation } from '../../model/revocation.ts'
import type { SignalFacts } from './contract.ts'

const schemas = 'https://schemas.openid.net/secevent'

export const signalEvents = {
  sessionRevoked: `${schemas}/caep/event-type/session-revoked`,
  claimsChange: `${schemas}/caep/event-type/token-claims-change`,
  credentialChange: `${schemas}/caep/event-type/credential-change`,
  accountDisabled: `${schemas}/risc/event-type/account-disabled`,
  accountEnabled: `${schemas}/risc/event-type/account-enabled`,
} as const

/** Every stream has these, whatever it asks for. */
export const verificationEvent = `${schemas}/ssf/event-type/verification`
export const updateEvent = `${schemas}/ssf/event-type/stream-updated`

export type SignalEvent = keyof typeof signalEvents

/** A revocation, with what else is known of it. */
export interface KnownRevocation extends Revocation, Omit<SignalFacts, 'id'> {}

/** One set about a revocation. */
export interface Signal {
  /** The `jti` of the set. The id of the revocation comes first in it. */
  readonly id: string
  readonly kind: SignalEvent
  readonly about: KnownRevocation
  /** Whether the authorization is known to concern the API. Others hear of its id alone. */
  readonly isOurs: boolean
}

/** Members of a client whose change can end tokens, or make them worth less, as its event names them. */
const endingMembers: readonly string[] = [
  'authenticationMethod',
  'accessTokenSeconds',
  'scopeRemoved',
  'scopeLimits',
  'authorization_details_typesRemoved',
  'jwks',
  'jwks_uri',
  'federated_credentials',
  // Members without room in the event.
  'changeCut',
]

/** During a planned rotation of the secret, earlier tokens live on. */
const mayEndTokens = ({ details }: Event): boolean => {
  const { changed, oldSecretUntil, scopeAdded, disabled } = details
  const isNewSecret = String(changed ?? '')
    .split(' ')
    .includes('secretDigest')
  const added = String(scopeAdded ?? '').split(' ')
  return (
    disabled === true ||
    (isNewSecret && oldSecretUntil === undefined) ||
    // A client that is raised gets a new salt.
    operatorPermissions.some((name) => added.includes(name)) ||
    Object.keys(details).some(
      (name) => endingMembers.includes(name) || name.startsWith('tls_client_auth_'),
    )
  )
}

/** Events that do not always end tokens. All others do. */
const kinds: Partial<Readonly<Record<EventType, (event: Event) => readonly SignalEvent[]>>> = {
  'authorization.resumed': () => [],
  'authorization.narrowed': () => ['claimsChange'],
  'authorization.approved': ({ details }) => [details.sooner ? 'sessionRevoked' : 'claimsChange'],
  'authorization.end_changed': ({ details }) => (details.sooner ? ['sessionRevoked'] : []),
  'client.changed': (event) => (mayEndTokens(event) ? ['sessionRevoked'] : []),
  'client.changed_itself': (event) => (mayEndTokens(event) ? ['sessionRevoked'] : []),
  'client.secret_rotated': (event) => (mayEndTokens(event) ? ['sessionRevoked'] : []),
  'owner.email_verified': () => [],
  'owner.changed': ({ details: { disabled } }) => {
    if (typeof disabled !== 'boolean') return []
    return [disabled ? 'accountDisabled' : 'accountEnabled']
  },
  // A new password ends all tokens. One that is only taken away ends none.
  'owner.password_changed': ({ details }) =>
    details.removed === true ? ['credentialChange'] : ['sessionRevoked', 'credentialChange'],
}

/** None where nothing is taken away. Without its event, a revocation may have ended all. */
const listKinds = ({ event, isFinal }: KnownRevocation): readonly SignalEvent[] => {
  const found = (event && kinds[event.type]?.(event)) ?? ['sessionRevoked']
  return isFinal && !found.includes('sessionRevoked') ? ['sessionRevoked', ...found] : found
}

/** About the owner, whom not every API of an authorization may know. */
const ownerKinds: readonly SignalEvent[] = ['accountDisabled', 'accountEnabled', 'credentialChange']

/**
 * The events for one API.
 *
 * @param isOurs whether the authorization is known to concern the API
 */
export const listSignalEvents = (
  about: KnownRevocation,
  isOurs: boolean,
): readonly SignalEvent[] => {
  const found = listKinds(about)
  if (about.subject !== 'authorization' && about.subject !== 'family') return found
  const isUserTold = isOurs && !about.isDelegation
  const isEnding =
    found.includes('sessionRevoked') ||
    (found.includes('accountDisabled') && !isUserTold) ||
    (found.includes('claimsChange') && !isOurs)
  return [
    ...(isEnding ? (['sessionRevoked'] as const) : []),
    ...found.filter((kind) =>
      ownerKinds.includes(kind) ? isUserTold : kind === 'claimsChange' && isOurs,
    ),
  ]
}

/** CAEP 1.0 section 2. */
const findInitiator = ({ event }: KnownRevocation): string => {
  const type = event?.actor?.type
  if (type === 'owner') return 'user'
  if (type === 'operator' || type === 'cli') return 'admin'
  return type === 'service' ? 'policy' : 'system'
}

/** The new values of claims that the event tells. An API hears of its own permissions and details alone. */
const listClaims = (
  { event, permissions: before, allowed }: KnownRevocation,
  own: readonly string[],
): JsonObject => {
  const { permissions: left = '' } = event?.details ?? {}
  const scope = String(left)
    .split(' ')
    .filter((name) => listResourceNames([name as ScopeName]).some((one) => own.includes(one)))
  const details = allowed?.details.filter(({ type }) => own.includes(type)) ?? []
  return {
    scope: scope.join(' '),
    // Permissions are unknown where there were details (RFC 9396 section 9.1).
    ...(before === null ? { authorization_details: details } : {}),
  }
}

/** The member `events` of a set: exactly one event. @param own the resources of the API */
export const describeSignal = (
  { kind, about }: Pick<Signal, 'kind' | 'about'>,
  own: readonly string[],
): JsonObject => {
  const common = { event_timestamp: about.at, initiating_entity: findInitiator(about) }
  switch (kind) {
    case 'claimsChange':
      return { [signalEvents[kind]]: { claims: listClaims(about, own), ...common } }
    case 'credentialChange': {
      const type = about.event?.details.removed === true ? 'delete' : 'update'
      const change = { credential_type: 'password', change_type: type }
      return { [signalEvents[kind]]: { ...change, ...common } }
    }
    case 'accountDisabled':
    case 'accountEnabled':
      return { [signalEvents[kind]]: {} }
    case 'sessionRevoked':
      return { [signalEvents[kind]]: common }
  }
}
