/** Which event each revocation is: of CAEP 1.0, RISC 1.0 or the framework itself (SSF 1.0). */
import type { EventType } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Revocation } from '../../model/revocation.ts'
import type { SignalFacts } from './contract.ts'

const schemas = 'https://schemas.openid.net/secevent'

export const signalEvents = {
  sessionRevoked: `${schemas}/caep/event-type/session-revoked`,
  claimsChange: `${schemas}/caep/event-type/token-claims-change`,
  credentialChange: `${schemas}/caep/event-type/credential-change`,
  accountDisabled: `${schemas}/risc/event-type/account-disabled`,
} as const

/** Every stream has it, whatever it asks for. */
export const verificationEvent = `${schemas}/ssf/event-type/verification`

type SignalEvent = keyof typeof signalEvents

/** A revocation, with what else is known of it. */
export interface Signal extends Revocation, Omit<SignalFacts, 'id'> {}

/** Tokens live on and allow something else, or end sooner. */
const changing: readonly EventType[] = [
  'authorization.approved',
  'authorization.narrowed',
  'authorization.end_changed',
  'client.changed',
  'client.changed_itself',
  'owner.email_verified',
]

/** Null for what takes nothing away. */
export const findSignalEvent = ({ event, isFinal }: Signal): SignalEvent | null => {
  const type = event?.type
  if (type === 'authorization.resumed') return null
  if (type === 'owner.password_changed') return 'credentialChange'
  if (type === 'owner.changed') {
    return event?.details.disabled === true ? 'accountDisabled' : 'claimsChange'
  }
  if (isFinal || type === undefined) return isFinal ? 'sessionRevoked' : 'claimsChange'
  return changing.includes(type) ? 'claimsChange' : 'sessionRevoked'
}

/** CAEP 1.0 section 2. */
const findInitiator = ({ event }: Signal): string => {
  const type = event?.actor?.type
  if (type === 'owner') return 'user'
  if (type === 'operator' || type === 'cli') return 'admin'
  return type === 'service' ? 'policy' : 'system'
}

/** The new values of claims that the event tells. An API hears of its own permissions alone. */
const listClaims = ({ event }: Signal, isOwn: (permission: string) => boolean): JsonObject => {
  const { permissions, expiresAt } = event?.details ?? {}
  return {
    ...(typeof permissions === 'string'
      ? { scope: permissions.split(' ').filter(isOwn).join(' ') }
      : {}),
    ...(typeof expiresAt === 'number' ? { exp: expiresAt } : {}),
  }
}

/** The member `events` of a set: exactly one event. */
export const describeSignal = (
  signal: Signal,
  kind: SignalEvent,
  isOwn: (permission: string) => boolean,
): JsonObject => {
  const common = { event_timestamp: signal.at, initiating_entity: findInitiator(signal) }
  switch (kind) {
    case 'claimsChange':
      return { [signalEvents[kind]]: { claims: listClaims(signal, isOwn), ...common } }
    case 'credentialChange': {
      const change = { credential_type: 'password', change_type: 'update' }
      return { [signalEvents[kind]]: { ...change, ...common } }
    }
    case 'accountDisabled':
      return { [signalEvents[kind]]: {} }
    case 'sessionRevoked':
      return { [signalEvents[kind]]: common }
  }
}
