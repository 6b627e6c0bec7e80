/** The members of the token response (RFC 6749 section 5.1); a further one is one entry. */
import { formatScope } from '../access/permission.ts'
import type { Client } from '../model/client.ts'
import type { AuthorizationId, OwnerId } from '../model/ids.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { Permissions } from '../model/resource.ts'
import type { Terms } from '../model/terms.ts'
import { pickEnd } from '../model/token.ts'
import { getScheme } from '../resource/proof.ts'
import type { IssueIdToken } from './id-token.ts'

/** Tokens that were issued. All times are unix seconds, and null stands for no end. */
export interface Issued {
  readonly client: Client
  /** Null for a token of the client itself. */
  readonly ownerId: OwnerId | null
  /** Null where no owner approved. */
  readonly authorizationId: AuthorizationId | null
  readonly terms: Terms
  /** What the ID token follows: `resource` narrows the access token alone. */
  readonly told: Permissions
  readonly accessToken: string
  readonly expiresAt: number | null
  readonly refreshToken: { readonly text: string; readonly expiresAt: number } | null
  /** Null also where no authorization stands behind the tokens. */
  readonly authorizationEnd: number | null
  readonly at: number
}

/** From now to an end, such as that of an authorization by the draft below; undefined where there is none. */
export const computeExpiresIn = (end: number | null, at: number): number | undefined =>
  end === null ? undefined : Math.max(0, end - at)

/**
 * How long a refresh token may lie unused (OAuth 2.0 Refresh Token and Authorization Expiration,
 * draft 03, section 6.1); undefined where there is none.
 */
export const refreshTokenTimeout = (
  refreshEnd: number | null,
  authorizationEnd: number | null,
  at: number,
): number | undefined =>
  refreshEnd === null ? undefined : computeExpiresIn(pickEnd(refreshEnd, authorizationEnd), at)

export interface TokenResponseMember {
  readonly name: string
  /** `owner`: only a token for an owner has it. `details`, `grant`: only one with details, or of a managed grant. */
  readonly of?: 'owner' | 'details' | 'grant'
  /** The value; undefined where the response lacks the member. */
  write(
    issued: Issued,
    issueIdToken: IssueIdToken,
  ): JsonValue | undefined | Promise<JsonValue | undefined>
}

export const responseMembers: readonly TokenResponseMember[] = [
  { name: 'access_token', write: ({ accessToken }) => accessToken },
  {
    name: 'token_type',
    write: ({ terms: { confirmation } }) =>
      confirmation === null ? 'Bearer' : getScheme(confirmation),
  },
  { name: 'expires_in', write: ({ expiresAt, at }) => computeExpiresIn(expiresAt, at) },
  { name: 'refresh_token', of: 'owner', write: ({ refreshToken }) => refreshToken?.text },
  {
    name: 'refresh_token_timeout',
    of: 'owner',
    write: ({ refreshToken, authorizationEnd, at }) =>
      refreshTokenTimeout(refreshToken?.expiresAt ?? null, authorizationEnd, at),
  },
  {
    name: 'authorization_expires_in',
    of: 'owner',
    write: ({ authorizationEnd, at }) => computeExpiresIn(authorizationEnd, at),
  },
  { name: 'scope', write: ({ terms }) => formatScope(terms.permissions) },
  // RFC 9396 section 7
  { name: 'authorization_details', of: 'details', write: ({ terms }) => terms.details },
  // Grant Management section 5.4
  { name: 'grant_id', of: 'grant', write: ({ authorizationId }) => authorizationId ?? undefined },
  {
    name: 'id_token',
    of: 'owner',
    write: (issued, issueIdToken) => {
      const { ownerId, told } = issued
      if (ownerId === null || !told.includes('openid')) return undefined
      const terms = { ...issued.terms, permissions: told }
      return issueIdToken({ ...issued, ownerId, terms })
    },
  },
]

const nothing: JsonObject = {}

/** @param added members that the grant adds; it has declared their names */
export const makeTokenResponse = async (
  issued: Issued,
  members: readonly TokenResponseMember[],
  issueIdToken: IssueIdToken,
  added: JsonObject = nothing,
): Promise<JsonObject> => {
  const response: Record<string, JsonValue> = { ...added }
  const { ownerId, terms } = issued
  for (const { name, of, write } of members) {
    if (of === 'owner' && ownerId === null) continue
    if (of === 'details' && terms.details.length === 0) continue
    if (of === 'grant' && !terms.isGrant) continue
    const written = write(issued, issueIdToken)
    const value = written instanceof Promise ? await written : written
    if (value !== undefined) response[name] = value
  }
  return response
}
