/** Who did something, as events and the request log tell it. */
import type { ClientId, OwnerId } from './ids.ts'

/** Who a request has proved to be so far. */
export type Proven =
  | { readonly type: 'anyone' }
  /** A client: by its secret, its id where it is public, its registration token, or an access token. */
  | { readonly type: 'client'; readonly clientId: ClientId }
  /** A program of the operator, by an access token of the admin API. Its id opens nothing. */
  | { readonly type: 'operator'; readonly clientId: ClientId; readonly tokenId: string }
  /** An owner, by a login session. */
  | { readonly type: 'owner'; readonly ownerId: OwnerId }

/** Who caused a step. */
export type Actor =
  /** The sender of a request, by network (`networkOf`). */
  | (Proven & { readonly network: string })
  /** The operator at the command line, under this name of the operating system. */
  | { readonly type: 'cli'; readonly user: string }
  /** The service by itself. */
  | { readonly type: 'service' }

/** The caller of one request: `anyone` until a credential was verified. */
export interface Caller {
  readonly network: string
  proven: Proven
}

/** Who acts in a request at this moment. */
export const actorOf = ({ network, proven }: Caller): Actor => ({ ...proven, network })

/** The client that a request has proved to come from, or null. */
export const clientOf = ({ proven }: Caller): ClientId | null =>
  'clientId' in proven ? proven.clientId : null
