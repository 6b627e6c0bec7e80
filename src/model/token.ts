/** The content of codes and tokens, how it is written (decision 50), and what an access token allows. */
import {
  digest,
  either,
  field,
  id,
  number,
  optional,
  record,
  texts,
  type ValueOf,
} from './codec/types.ts'
import {
  type AuthorizationId,
  type ClientId,
  type FamilyId,
  type Holder,
  holderOfOwner,
  makeClientHolder,
  type OwnerId,
  type SessionId,
} from './ids.ts'
import type { Permissions, ScopeName } from './resource.ts'
import { makeTermsType, type Terms } from './terms.ts'

export const codeType = record({
  /** The id of the family that redeeming it begins. */
  familyId: field(1, id<FamilyId>()),
  authorizationId: field(2, id<AuthorizationId>()),
  clientId: field(3, id<ClientId>()),
  redirectUri: field(4, digest),
  /** Made of the PKCE challenge and the salt; null where there was no challenge. */
  hiddenChallenge: field(5, optional(digest)),
  issuedAt: field(6, number),
  terms: field(7, makeTermsType('code')),
})

/** An authorization code (RFC 6749 section 4.1.2). */
export type Code = ValueOf<typeof codeType>

export const refreshTokenType = record({
  familyId: field(1, id<FamilyId>()),
  generation: field(2, number),
  issuedAt: field(3, number),
  expiresAt: field(4, number),
  /** Its permissions are the part of the grant that is still in force. */
  terms: field(5, makeTermsType('refresh token')),
  /** Parts of the grant that the owner took back. A client may still ask for them. */
  takenBack: field(6, texts<ScopeName>()),
})

/** A refresh token: names a generation of its family, and what the family was granted. */
export type RefreshToken = ValueOf<typeof refreshTokenType>

const ofFamily = record({ familyId: field(1, id<FamilyId>()), generation: field(2, number) })
const ofClient = record({ clientId: field(1, id<ClientId>()), tokenId: field(2, id()) })

type FamilyToken = ValueOf<typeof ofFamily>
type ClientToken = ValueOf<typeof ofClient>

const isOfFamily = (of: FamilyToken | ClientToken): of is FamilyToken => 'familyId' in of

export const accessTokenType = record({
  of: field(1, either(isOfFamily, ofFamily, ofClient)),
  issuedAt: field(2, number),
  /** Null = unlimited. */
  expiresAt: field(3, optional(number)),
  terms: field(4, makeTermsType('access token')),
})

/** An access token, of a family or of a client itself. */
export type AccessToken = ValueOf<typeof accessTokenType>

/** Names an access token among the endings: its family and generation, or its own id. */
export const getTokenId = ({ of }: AccessToken): string =>
  isOfFamily(of) ? `${of.familyId}.${of.generation}` : of.tokenId

/** The id of a token of a family, as the endings know it. */
export const makeTokenId = ({ familyId, generation }: FamilyToken): string =>
  `${familyId}.${generation}`

/** What a presented token allows at this moment: its terms, but only the permissions in force now. */
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
  /** The login session that the authorization ends with; null for none. */
  readonly sessionId: SessionId | null
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
export const getHolder = (access: Access): Holder =>
  access.subject === 'owner' ? holderOfOwner(access.ownerId) : makeClientHolder(access.clientId)

/** The earlier of two ends (unix seconds), null being none. */
export const pickEnd = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b)
