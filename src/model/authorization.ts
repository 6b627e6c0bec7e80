/** An authorization: what an owner approved for a client. Every code and token hangs on one. */
import type { Client } from './client.ts'
import type { Detail } from './detail.ts'
import type { AuthorizationId, ClientId, FamilyId, OwnerId, SessionId } from './ids.ts'
import type { ApprovedFor } from './requester.ts'
import type { Permissions } from './resource.ts'

/** How long the owner said: this visit, a day, a month, until taken back. */
export type Duration = 'session' | 'day' | 'month' | 'forever'

/** When what is approved now ends, unless it ends with a visit; unix seconds, null = until taken back. */
export const computeEnd = (duration: Exclude<Duration, 'session'>, at: number): number | null =>
  duration === 'forever' ? null : at + (duration === 'day' ? 1 : 30) * 86_400

/** A pause: until it is resumed, no token of the authorization works, and none is lost. */
export interface Pause {
  /** Unix seconds. */
  readonly at: number
  /** The service pauses what was not used for long. */
  readonly by: 'owner' | 'operator' | 'service'
  /** The days without a use that the operator allows; null unless the service paused it. */
  readonly unusedDays: number | null
}

/** An issuer that opened an authorization in place of its owner. */
export interface AllowedBy {
  /** The id that the operator gave the issuer. */
  readonly id: string
  /** The `iss` of its assertions. */
  readonly issuer: string
  /** What pages call it. */
  readonly title: string
}

/** What an owner approved for a client. */
export interface Authorization {
  readonly id: AuthorizationId
  readonly clientId: ClientId
  readonly ownerId: OwnerId
  /**
   * The authorization that a token exchange delegates a part of (RFC 8693): the client acts under it. Null
   * for what the owner approved.
   */
  readonly parentId: AuthorizationId | null
  readonly permissions: Permissions
  /** `authorization_details` that its owner approved, the latest last. */
  readonly details: readonly Detail[]
  /**
   * The approved duration; `chosen` once its end is its own: the owner set it, or approved a part
   * anew. A delegation has it from the beginning.
   */
  readonly duration: Duration | 'chosen'
  /** The login session it ends with; null unless the duration is `session`. */
  readonly sessionId: SessionId | null
  /** Unix seconds; null = until taken back. */
  readonly expiresAt: number | null
  readonly createdAt: number
  /**
   * Goes into the seal of the codes and tokens that hang on it; random, never shown. A new password
   * of the owner brings a new salt, and so can the operator for a client: whatever was sealed before
   * has then ended.
   */
  readonly salt: string
  /** Null without a consent page, or for an approval of an older version. */
  readonly approvedFor: ApprovedFor | null
  /** Null where the owner approved, here and now. */
  readonly allowedBy: AllowedBy | null
  /** Null unless it is paused. */
  readonly paused: Pause | null
}

/** A family: what one redemption earned, so one browser or device (RFC 9700 section 4.14). */
export interface Family {
  readonly id: FamilyId
  readonly authorizationId: AuthorizationId
  /** Counts the refreshes; the refresh token that carries this number is the current one. */
  readonly generation: number
  /** Unix seconds of the redemption or the latest refresh. */
  readonly rotatedAt: number
  /** Unix seconds after which no token of it lives; null = unlimited. */
  readonly expiresAt: number | null
  /** Whether any of its access tokens was revoked singly. */
  readonly hasEndings: boolean
}

/**
 * Everything that a token of an owner depends on, read together, so that ending, narrowing or
 * disabling any of it works on the next request. A store answers it only while all of it lives. A paused
 * authorization lives, so the caller looks at its `paused`.
 */
export interface Standing {
  readonly family: Family
  readonly authorization: Authorization
  /** What the client may ask for at this moment. Null if the client's scope limits nothing. */
  readonly clientScope: Permissions | null
  /** The types of details that the client may have at this moment. Null if nothing limits them. */
  readonly clientDetailTypes: readonly string[] | null
  /** How far the lifetime of the client's access tokens was shortened. */
  readonly clientShortened: Client['shortened']
  readonly username: string
  /** Whether the client or the owner is disabled, or the client is not for the owner. Only who ends tokens is given such a standing. */
  readonly isDisabled: boolean
}
