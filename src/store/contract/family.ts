/** The contract about families, and revocations: what codes and refresh tokens earn, once, and how tokens end. */
import type { Authorization, Family, Standing } from '../../model/authorization.ts'
import type { AuthorizationId, ClientId, FamilyId } from '../../model/ids.ts'
import type { FeedHead, Revocation } from '../../model/revocation.ts'
import type { Approval } from './authorization.ts'
import type { ClientLogin } from './queue.ts'
import type { Trace } from './trace.ts'

/** A code to redeem, which starts a family. */
export interface Redemption {
  /** The id inside the code; the primary key of the family, which makes redeeming exactly-once. */
  readonly familyId: FamilyId
  readonly authorizationId: AuthorizationId
  /** The salt that the code was sealed with: if the authorization has another by now, it has ended. */
  readonly salt: string
  /** Unix seconds; for as long as the code could be presented, its family is remembered. */
  readonly codeIssuedAt: number
  /** True where the PKCE verifier was wrong: the code is used up and earns nothing. */
  readonly burn: boolean
  /** Unix seconds after which no token of the family lives; null = unlimited. */
  readonly expiresAt: number | null
  /** What the redemption lets the client know; only if it wants to hear of the end of this login. */
  readonly login?: ClientLogin
}

/** The outcome of a redemption. */
export type Redeemed =
  | { readonly outcome: 'redeemed'; readonly family: Family }
  | { readonly outcome: 'burned' }
  /** The code was used before: what it earned has ended now. */
  | { readonly outcome: 'replayed' }
  /** The authorization is paused. The code is not used up. */
  | { readonly outcome: 'paused' }
  /** The authorization, its client or its owner has ended or is disabled, or the salt has changed. */
  | { readonly outcome: 'ended' }

/** A refresh token to rotate. */
export interface Rotation {
  readonly familyId: FamilyId
  /** The salt that the refresh token was sealed with. */
  readonly salt: string
  /** The generation inside the presented refresh token. */
  readonly generation: number
  /** The new end of the family (unix seconds); null = unlimited. */
  readonly expiresAt: number | null
  /** For how long a repeated request gets the same successor. */
  readonly retrySeconds: number
  /**
   * The family as the cache in front of the embedded store has it: with this generation, and all it
   * depends on is in force. The step then looks at nothing but the family. Nobody else sets it.
   */
  readonly known?: Family | null
}

/** The outcome of a rotation. */
export type Rotated =
  /** First use: `family.generation` is now one higher. */
  | { readonly outcome: 'rotated'; readonly family: Family }
  /** The same request again, shortly after, successor unused: the tokens are the same. Told as an event. */
  | { readonly outcome: 'repeated'; readonly family: Family }
  /** Older than that, or repeated in the generation before as well: theft, the whole family has ended now. */
  | { readonly outcome: 'reused' }
  /** The authorization is paused. The refresh token is not used up, and the family is as it was. */
  | { readonly outcome: 'paused' }
  | { readonly outcome: 'ended' }

/** An access token that ends before its time. */
export interface EndedToken {
  readonly of:
    | { readonly familyId: FamilyId; readonly authorizationId: AuthorizationId }
    | { readonly clientId: ClientId }
  /** Names it among the tokens of its family, or of its client. */
  readonly tokenId: string
  /** Until when the ending must be remembered; unix seconds, null = for good. */
  readonly expiresAt: number | null
}

/** A family that began without a code. */
export interface StartedFamily extends Pick<Standing, 'authorization' | 'family'> {}

/** A token that has to live while it is exchanged, with all that it hangs on. */
export interface LivingToken {
  readonly familyId: FamilyId
  /** Names it among the endings. */
  readonly tokenId: string
  /** Of its authorization. */
  readonly salt: string
}

/** A token exchange: what the exchanger gets under the authorization of the subject token. */
export interface Delegation extends Pick<Authorization, 'clientId' | 'permissions' | 'details'> {
  /** The id to use if this becomes a new authorization. */
  readonly id: AuthorizationId
  readonly familyId: FamilyId
  readonly parent: Pick<Authorization, 'id' | 'ownerId' | 'clientId'>
  /** The subject token, and what it was itself exchanged for; the last is that of a login. */
  readonly chain: readonly LivingToken[]
  /** When the owner logged in behind the chain: only a later login lifts what was taken. Null: no login was seen. */
  readonly loggedInAt: number | null
  /** Salt for a new authorization. */
  readonly salt: string
  /** The end of the family. */
  readonly expiresAt: number | null
}

/** Steps on families: redemptions, refreshes and revocations. */
export interface FamilySteps {
  redeemCode(redemption: Redemption, trace: Trace): Promise<Redeemed>
  /** Whether a code with this id was redeemed or burned already. */
  isRedeemed(familyId: FamilyId): Promise<boolean>
  /**
   * Begins a family without a code, once. With an approval, it approves first. The approval stands
   * even if no family can begin, because the client was disabled meanwhile. With an earlier
   * authorization, it begins only while that has the same salt. `paused`: nothing was written.
   */
  startFamily(
    start: {
      readonly familyId: FamilyId
      readonly under: Pick<Authorization, 'id' | 'salt'> | Approval
      readonly expiresAt: number | null
    },
    trace: Trace,
  ): Promise<StartedFamily | 'paused' | null>
  /**
   * Begins a family for the exchanger, under its one delegation below the parent. The delegation begins with
   * the first exchange, and a later one may add to it. `paused`: that delegation is paused. `taken`: owner
   * or operator ended it, or took all that is asked for. A login of the owner after that begins anew. Null
   * where a token of the chain has ended, or anything it hangs on.
   */
  delegate(delegation: Delegation, trace: Trace): Promise<StartedFamily | 'paused' | 'taken' | null>
  /** `also`: even while its client or its owner is disabled, so that it can be ended meanwhile. */
  findStanding(familyId: FamilyId, now: number, also?: 'disabled'): Promise<Standing | null>
  rotateRefreshToken(rotation: Rotation, trace: Trace): Promise<Rotated>
  /** Tells `family.revoked`. False where it had ended before. */
  endFamily(familyId: FamilyId, trace: Trace): Promise<boolean>
  /** Ends one single access token. */
  endToken(token: EndedToken, trace: Trace): Promise<void>
  isTokenEnded(tokenId: string): Promise<boolean>
}

/**
 * Steps on revocations. A step that revokes writes them in its own transaction, without a position: on
 * several nodes transactions end in another order than they began. Another step gives committed ones their
 * positions, so a reader that goes on from a position misses none.
 */
export interface RevocationSteps {
  /** Whether any has no position yet. */
  isRevocationWaiting(): Promise<boolean>
  /**
   * Gives positions to at most so many that wait, and answers how many.
   *
   * @param epoch names the feed if it begins now
   */
  placeRevocations(epoch: string, most: number): Promise<number>
  /** Null before the first `placeRevocations`. */
  findFeedHead(): Promise<FeedHead | null>
  /** Revocations after a position, in the order of the feed. */
  listRevocations(after: number, limit: number): Promise<readonly Revocation[]>
}
