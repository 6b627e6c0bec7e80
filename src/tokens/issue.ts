/** What was earned -> the token response (RFC 6749 section 5.1). The only place that mints tokens. */
import { formatScope, grantableNames, intersection } from '../access/permission.ts'
import { newSalt } from '../crypto/digest.ts'
import type { Authorization, Family } from '../model/authorization.ts'
import { type Client, ownTokensEnd } from '../model/client.ts'
import type { AuthorizationId, FamilyId, OwnerId } from '../model/ids.ts'
import type { Permissions } from '../model/resource.ts'
import { allowsNothing } from '../model/scope-word.ts'
import { makeId, type Parts } from '../parts.ts'
import { Refusal } from '../protocol/refusal.ts'
import { bearer } from '../resource/proof.ts'
import type { Approval, Proof } from '../store/approval.ts'
import type { Trace } from '../store/store.ts'
import { describeEnds, earlier, type RefreshEnds, shortenedEnd } from './end.ts'
import { sealAccessToken, sealRefreshToken } from './seals.ts'

/** What a grant proved, and so what may be issued. */
export type Earned =
  /** A token of the client itself; nothing is written for it. */
  | { readonly for: 'client'; readonly permissions: Permissions }
  /** A token for an owner who approved, here and now, by means that the grant vouches for. */
  | {
      readonly for: 'owner'
      readonly ownerId: OwnerId
      readonly permissions: Permissions
      /** What has to hold still when the tokens are issued. */
      readonly proof?: Proof
    }
  /** A family that a redemption or a rotation has already committed. */
  | {
      readonly for: 'family'
      readonly family: Family
      readonly authorization: Authorization
      /** What this access token may do. */
      readonly permissions: Permissions
      /** What is left of all that the family was granted; a later refresh may have any of it. */
      readonly granted: Permissions
      /** All that it was granted. */
      readonly originally: Permissions
    }

export interface TokenResponse extends RefreshEnds {
  readonly access_token: string
  readonly token_type: string
  /** Seconds; absent = unlimited. */
  readonly expires_in?: number
  readonly refresh_token?: string
  readonly scope: string
}

const mayRefresh = (client: Client): boolean => client.grantTypes.includes('refresh_token')

/**
 * When the last token of a family that lives on from `at` ends, so that its row can go: with the
 * access token or the refresh token, whichever is later. The end of the authorization is not in it:
 * its owner may set another one, and it is read at each use.
 */
export const familyEnd = (client: Client, at: number): number | null => {
  if (client.accessTokenSeconds === null) return null
  const refresh = mayRefresh(client) ? client.refreshTokenSeconds : 0
  return at + Math.max(client.accessTokenSeconds, refresh)
}

const issueForClient = (
  parts: Parts,
  client: Client,
  permissions: Permissions,
  at: number,
): TokenResponse => {
  const seconds = client.accessTokenSeconds
  const expiresAt = earlier(seconds === null ? null : at + seconds, ownTokensEnd(client))
  const token = sealAccessToken(parts, client.salt, {
    of: { clientId: client.id, nonce: makeId<string>(parts) },
    permissions,
    issuedAt: at,
    expiresAt,
  })
  return {
    access_token: token,
    token_type: bearer.tokenType,
    ...(expiresAt === null ? {} : { expires_in: expiresAt - at }),
    scope: formatScope(permissions),
  }
}

/**
 * The tokens of a family as of its latest redemption or refresh. Everything in them follows from
 * the row, so a repeated request is answered with the very same tokens.
 */
const issueForFamily = (
  parts: Parts,
  client: Client,
  earned: Extract<Earned, { for: 'family' }>,
  at: number,
  refreshable: boolean,
): TokenResponse => {
  const { family, authorization, granted, originally } = earned
  const permissions = refreshable
    ? earned.permissions
    : earned.permissions.filter((name) => name !== 'offline_access')
  const issuedAt = family.rotatedAt
  const lifetime = client.accessTokenSeconds
  const full = { issuedAt, expiresAt: lifetime === null ? null : issuedAt + lifetime }
  const expiresAt = earlier(shortenedEnd(full, client.shortened), authorization.expiresAt)
  // Of its own: where the owner prolongs the authorization, the refresh token lives on with it.
  const refreshEnd = refreshable ? issuedAt + client.refreshTokenSeconds : null
  const of = { familyId: family.id, generation: family.generation }
  const { salt } = authorization
  return {
    access_token: sealAccessToken(parts, salt, { of, permissions, issuedAt, expiresAt }),
    token_type: bearer.tokenType,
    ...(expiresAt === null ? {} : { expires_in: Math.max(0, expiresAt - at) }),
    ...(refreshEnd !== null
      ? {
          refresh_token: sealRefreshToken(parts, salt, {
            ...of,
            issuedAt,
            expiresAt: refreshEnd,
            permissions: granted,
            originally,
          }),
        }
      : {}),
    ...describeEnds(refreshEnd, authorization.expiresAt, at),
    scope: formatScope(permissions),
  }
}

/** Begins a family without a code; null where there is nothing for it to stand on. */
const startFamily = async (
  parts: Parts,
  client: Client,
  familyId: FamilyId,
  under: Authorization | Approval,
  permissions: Permissions,
  trace: Trace,
): Promise<Extract<Earned, { for: 'family' }> | null> => {
  const started = await parts.store.startFamily(
    { familyId, under, expiresAt: familyEnd(client, trace.at) },
    trace,
  )
  return (
    started && {
      for: 'family',
      ...started,
      permissions,
      granted: permissions,
      originally: permissions,
    }
  )
}

/** Begins a family for an owner who approved by other means than the consent page. */
const approve = async (
  parts: Parts,
  client: Client,
  { ownerId, proof, ...earned }: Extract<Earned, { for: 'owner' }>,
  trace: Trace,
): Promise<Extract<Earned, { for: 'family' }>> => {
  const permissions = grantable(earned.permissions, parts)
  const approval: Approval = {
    id: makeId<AuthorizationId>(parts),
    clientId: client.id,
    ownerId,
    asked: permissions,
    permissions,
    duration: 'forever',
    sessionId: null,
    expiresAt: null,
    salt: newSalt(parts.random),
    proof: proof ?? null,
  }
  const familyId = makeId<FamilyId>(parts)
  const family = await startFamily(parts, client, familyId, approval, permissions, trace)
  if (family !== null) return family
  throw new Refusal(
    'invalid_grant',
    'nothing_to_stand_on',
    'owner and client have to be enabled, and the password unchanged',
  )
}

/** An owner cannot grant what is the operator's, even to a client that is registered for it. */
const grantable = (permissions: Permissions, { resources }: Parts): Permissions => {
  const owners = intersection(permissions, grantableNames(resources.list()))
  if (!allowsNothing(owners)) return owners
  throw new Refusal('invalid_scope', 'nothing_grantable', 'scope names nothing an owner can grant')
}

/** Issues what was earned; for an owner's approval, after the commit that begins its family. */
export const issueTokens = async (
  parts: Parts,
  client: Client,
  earned: Earned,
  trace: Trace,
): Promise<TokenResponse> => {
  if (earned.for === 'client') return issueForClient(parts, client, earned.permissions, trace.at)
  const family = earned.for === 'family' ? earned : await approve(parts, client, earned, trace)
  return issueForFamily(parts, client, family, trace.at, mayRefresh(client))
}

/**
 * An access token alone, as the implicit grant hands out (RFC 6749 section 4.2.2).
 *
 * @param familyId the id of the journey, which is so answered once
 * @throws Refusal `invalid_request`
 */
export const issueWithoutRefresh = async (
  parts: Parts,
  client: Client,
  familyId: FamilyId,
  authorization: Authorization,
  permissions: Permissions,
  trace: Trace,
): Promise<TokenResponse> => {
  const family = await startFamily(parts, client, familyId, authorization, permissions, trace)
  if (family === null) {
    throw new Refusal(
      'invalid_request',
      'journey_answered',
      'this request was answered already, or its approval has ended: start again at the application',
    )
  }
  return issueForFamily(parts, client, family, trace.at, false)
}
