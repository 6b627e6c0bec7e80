/** Who did something, as events and the request log tell it. */
import type { ClientId, OwnerId } from './ids.ts'

/** Who a request has proved to be so far. */
export type Proven =
  | { readonly type: 'anyone'; readonly clientId?: never }
  /** A client: by its secret, its id where it is public, its registration token, or an access token. */
  | { readonly type: 'client'; readonly clientId: ClientId }
  /** A program of the operator, by an access token of the admin API or of the named door. Its id opens nothing. */
  | {
      readonly type: 'operator'
      readonly clientId: ClientId
      readonly tokenId: string
      readonly door?: 'scim'
    }
  /** An owner with a role, by a token of `latchkey login`. */
  | {
      readonly type: 'operator'
      readonly ownerId: OwnerId
      readonly clientId: ClientId
      readonly tokenId: string
    }
  /** An owner with a role, in the console. */
  | { readonly type: 'operator'; readonly ownerId: OwnerId; readonly clientId?: never }
  /** An owner, by a login session. */
  | { readonly type: 'owner'; readonly ownerId: OwnerId; readonly clientId?: never }

/** Who caused a step. */
export type Actor =
  /** The sender of a request, by network (`getNetwork`). */
  | (Proven & { readonly network: string })
  /** The operator at the command line, under this name of the operating system. */
  | { readonly type: 'cli'; readonly user: string }
  /** The service by itself. */
  | { readonly type: 'service' }

/** The caller of one request: `anyone` until a credential was verified. */
export interface Caller {
  readonly network: string
  proven: Proven
  /** The user of the system who typed a command. No request over HTTP has it. */
  readonly user?: string
  /** The client that the request names, once it is known that there is one. The name proves nothing. */
  named?: ClientId
  /** The owner whose password or code the request has tried. The try proves nothing. */
  tried?: OwnerId
}

/** The way that an operator came. */
export type Door = 'api' | 'command_line' | 'console' | 'scim'

export const doors: readonly Door[] = ['api', 'command_line', 'console', 'scim']

/** Null for everybody who is no operator. */
export const findDoor = (actor: Actor): Door | null => {
  if (actor.type === 'cli') return 'command_line'
  if (actor.type !== 'operator') return null
  if (!('tokenId' in actor)) return 'console'
  if ('ownerId' in actor) return 'command_line'
  return ('door' in actor && actor.door) || 'api'
}

/** The operator behind a step as one word, to search events by; '' for everybody else. */
export const getOperatorKey = (actor: Actor | null): string => {
  if (actor?.type === 'cli') return `cli:${actor.user}`
  if (actor?.type !== 'operator') return ''
  return 'ownerId' in actor ? `owner:${actor.ownerId}` : `client:${actor.clientId}`
}
