/** What a presented access token allows at this moment. */
import type { AuthorizationId, ClientId, FamilyId, OwnerId } from './ids.ts'
import { type Holder, holderOfClient, holderOfOwner } from './item.ts'
import type { Permissions } from './resource.ts'
import type { Terms } from './terms.ts'

/** The terms of the token, and more. Of its permissions, only those in force now. */
interface AnyAccess extends Terms {
  readonly clientId: ClientId
  /** What the token carries and the authorization and the client's registration still allow. */
  readonly permissions: Permissions
  /** Names the token among those of its family or client, so that it can be ended alone. */
  readonly tokenId: string
  /** Unix seconds. */
  readonly issuedAt: number
  /** Its own end, or an earlier one that its client's settings bring; unix seconds, null = unlimited. */
  readonly expiresAt: number | null
}

/** A token that an owner's approval stands behind. */
export interface OwnerAccess extends AnyAccess {
  readonly subject: 'owner'
  readonly ownerId: OwnerId
  readonly username: string
  readonly authorizationId: AuthorizationId
  /**
   * Unix seconds, null = none. The authorization may end earlier, and its owner may set another
   * end.
   */
  readonly authorizationEnd: number | null
  /** True only where the caller asked for paused ones as well: then the token allows nothing. */
  readonly isPaused: boolean
  readonly familyId: FamilyId
}

/** A token of the client itself (RFC 6749 section 4.4). */
export interface ClientAccess extends AnyAccess {
  readonly subject: 'client'
}

export type Access = OwnerAccess | ClientAccess

/** Whose items a token reaches. */
export const holderOf = (access: Access): Holder =>
  access.subject === 'owner' ? holderOfOwner(access.ownerId) : holderOfClient(access.clientId)
