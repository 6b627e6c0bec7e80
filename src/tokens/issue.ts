/** What was earned -> the token response (RFC 6749 section 5.1). The only place that mints tokens. */

import type { Resources } from '../access/known-resources.ts'
import { difference, grantableNames, intersection } from '../access/permission.ts'
import type { Settings } from '../config/settings.ts'
import { newSalt } from '../crypto/digest.ts'
import type { Authorization, Family } from '../model/authorization.ts'
import { type Client, ownTokensEnd } from '../model/client.ts'
import {
  type AuthorizationId,
  type Clock,
  type FamilyId,
  makeId,
  type OwnerId,
  type Random,
} from '../model/ids.ts'
import type { JsonObject } from '../model/json.ts'
import type { Meter } from '../model/meter.ts'
import type { Permissions } from '../model/resource.ts'
import { allowsNothing } from '../model/scope-word.ts'
import { type OtherTerms, type Terms, termsOf } from '../model/terms.ts'
import type { AccessToken } from '../model/token.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Approval, Proof } from '../store/contract/approval.ts'
import type { Store, Trace } from '../store/store.ts'
import { earlier, pausedRefusal, shortenedEnd } from './end.ts'
import type { FormatParts, TokenHolder } from './formats/format.ts'
import type { IdTokenParts } from './id-token.ts'
import { type Issued, type TokenResponseMember, tokenResponse } from './members.ts'
import { sealRefreshToken } from './seals.ts'

/** A grant may add these to its permissions. */
interface AlsoEarned {
  readonly terms?: Partial<OtherTerms>
  /** Members of the token response, by the names that the grant declares. */
  readonly members?: JsonObject
}

/** The result of a grant: the tokens that may be issued. */
export type Earned =
  /** A token of the client itself; nothing is written for it. */
  | ({ readonly for: 'client'; readonly permissions: Permissions } & AlsoEarned)
  /** A token for an owner who approved, here and now, by means that the grant vouches for. */
  | ({
      readonly for: 'owner'
      readonly ownerId: OwnerId
      readonly permissions: Permissions
      /** Has to hold still when the tokens are issued. */
      readonly proof?: Proof
    } & AlsoEarned)
  /** A family that a redemption or a rotation has already committed. */
  | {
      readonly for: 'family'
      readonly family: Family
      readonly authorization: Authorization
      /** Its permissions and its audience are those of this access token. */
      readonly terms: Terms
      /** The permissions before `resource` narrowed them: of these the ID token tells. */
      readonly told: Permissions
      /** The part of the grant that its owner has not taken back. A later refresh may ask for any of it. */
      readonly granted: Permissions
      /** The audience of the grant; a later access token may be for any of it. */
      readonly audience: readonly string[]
      /** All that it was granted. */
      readonly originally: Permissions
      readonly members?: JsonObject
    }

/** The parts that issue tokens. */
export interface IssueParts extends FormatParts, IdTokenParts {
  readonly settings: Settings
  readonly store: Store
  readonly resources: Resources
  readonly clock: Clock
  readonly random: Random
  readonly meter: Meter
  readonly registries: FormatParts['registries'] & {
    readonly responseMembers: readonly TokenResponseMember[]
  }
}

const mayRefresh = (client: Client): boolean => client.grantTypes.includes('refresh_token')

/**
 * The end of the last token of a family after a refresh at `at`. Its row can be deleted then. The later
 * end of access token and refresh token counts. The end of the authorization is not included: its owner
 * may change that, and each use reads it.
 */
export const familyEnd = (client: Client, at: number): number | null => {
  if (client.accessTokenSeconds === null) return null
  const refresh = mayRefresh(client) ? client.refreshTokenSeconds : 0
  return at + Math.max(client.accessTokenSeconds, refresh)
}

/** The last format of the registry that takes a token writes it. */
const writeAccessToken = async (
  token: AccessToken,
  holder: TokenHolder,
  parts: FormatParts,
): Promise<Pick<Issued, 'accessToken' | 'expiresAt'>> => {
  const format = parts.registries.tokenFormats.findLast(
    (known) => known.takes === undefined || known.takes(token, parts),
  )
  if (format === undefined) throw new Error('no format takes the token')
  const expiresAt =
    format.endOf === undefined ? token.expiresAt : await format.endOf(token, holder, parts)
  return { accessToken: await format.write({ ...token, expiresAt }, holder, parts), expiresAt }
}

const issueForClient = async (
  parts: IssueParts,
  client: Client,
  { permissions, terms: others }: Extract<Earned, { for: 'client' }>,
  at: number,
): Promise<Issued> => {
  const seconds = client.accessTokenSeconds
  const end = earlier(seconds === null ? null : at + seconds, ownTokensEnd(client))
  const of = { clientId: client.id, tokenId: makeId<string>(parts) }
  const terms = termsOf(permissions, others)
  const token = { of, terms, issuedAt: at, expiresAt: end }
  const holder = { client, authorization: null, salt: client.salt }
  const written = await writeAccessToken(token, holder, parts)
  const alone = { ownerId: null, refreshToken: null, authorizationEnd: null }
  return { ...alone, ...written, client, terms, told: [], at }
}

/** `offline_access` means a refresh token, so a response without one does not name it. */
const withoutRefresh = (terms: Terms): Terms => ({
  ...terms,
  permissions: terms.permissions.filter((name) => name !== 'offline_access'),
})

/**
 * The tokens of a family as of its latest redemption or refresh. Everything in them follows from
 * the row, so a repeated request gets the same tokens.
 */
const issueForFamily = async (
  parts: IssueParts,
  client: Client,
  earned: Extract<Earned, { for: 'family' }>,
  at: number,
  refreshable: boolean,
): Promise<Issued> => {
  const { family, authorization, granted, audience, originally } = earned
  const terms = refreshable ? earned.terms : withoutRefresh(earned.terms)
  const issuedAt = family.rotatedAt
  const lifetime = client.accessTokenSeconds
  const full = { issuedAt, expiresAt: lifetime === null ? null : issuedAt + lifetime }
  const end = earlier(shortenedEnd(full, client.shortened), authorization.expiresAt)
  // Of its own: where the owner prolongs the authorization, the refresh token lives on with it.
  const refreshEnd = issuedAt + client.refreshTokenSeconds
  const of = { familyId: family.id, generation: family.generation }
  const { salt } = authorization
  const sealRefresh = (): string =>
    sealRefreshToken(parts, salt, {
      ...of,
      issuedAt,
      expiresAt: refreshEnd,
      terms: { ...terms, permissions: granted, audience },
      takenBack: difference(originally, granted),
    })
  const token = { of, terms, issuedAt, expiresAt: end }
  const written = await writeAccessToken(token, { client, authorization, salt }, parts)
  return {
    ...written,
    client,
    ownerId: authorization.ownerId,
    terms,
    told: earned.told,
    refreshToken: refreshable ? { text: sealRefresh(), expiresAt: refreshEnd } : null,
    authorizationEnd: authorization.expiresAt,
    at,
  }
}

/**
 * Begins a family without a code; null where there is nothing for it to stand on.
 *
 * @throws Refusal `temporarily_unavailable`
 */
const startFamily = async (
  parts: IssueParts,
  client: Client,
  familyId: FamilyId,
  under: Authorization | Approval,
  terms: Terms,
  trace: Trace,
): Promise<Extract<Earned, { for: 'family' }> | null> => {
  const started = await parts.store.startFamily(
    { familyId, under, expiresAt: familyEnd(client, trace.at) },
    trace,
  )
  if (started === 'paused') throw pausedRefusal()
  const { permissions, audience } = terms
  const earned = {
    terms,
    told: permissions,
    granted: permissions,
    audience,
    originally: permissions,
  }
  return started && { for: 'family', ...started, ...earned }
}

/** Begins a family for an owner who approved by other means than the consent page. */
const approve = async (
  parts: IssueParts,
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
  const terms = termsOf(permissions, earned.terms)
  const family = await startFamily(parts, client, familyId, approval, terms, trace)
  if (family !== null) return { ...family, members: earned.members ?? {} }
  throw new Refusal(
    'invalid_grant',
    'nothing_to_stand_on',
    'owner and client have to be enabled, and the password unchanged',
  )
}

/** An owner cannot grant permissions of the operator, even to a client registered for them. */
const grantable = (
  permissions: Permissions,
  { resources }: Pick<IssueParts, 'resources'>,
): Permissions => {
  const owners = intersection(permissions, grantableNames(resources))
  if (!allowsNothing(owners)) return owners
  throw new Refusal('invalid_scope', 'nothing_grantable', 'scope names nothing an owner can grant')
}

/** Issues the earned tokens. Those of an owner's approval come after the commit of their family. */
export const issueTokens = async (
  parts: IssueParts,
  client: Client,
  earned: Earned,
  trace: Trace,
): Promise<JsonObject> => {
  const { at } = trace
  const settled = earned.for === 'owner' ? await approve(parts, client, earned, trace) : earned
  const issued =
    settled.for === 'client'
      ? await issueForClient(parts, client, settled, at)
      : await issueForFamily(parts, client, settled, at, mayRefresh(client))
  const { responseMembers } = parts.registries
  const response = await tokenResponse(issued, responseMembers, parts, settled.members)
  parts.meter.countIssued(response)
  return response
}

/**
 * An access token alone, as the implicit grant hands out (RFC 6749 section 4.2.2).
 *
 * @param familyId the id of the journey, which is so answered once
 * @throws Refusal `invalid_request`
 */
export const issueWithoutRefresh = async (
  parts: IssueParts,
  client: Client,
  familyId: FamilyId,
  authorization: Authorization,
  terms: Terms,
  trace: Trace,
): Promise<JsonObject> => {
  const family = await startFamily(parts, client, familyId, authorization, terms, trace)
  if (family === null) {
    throw new Refusal(
      'invalid_request',
      'journey_answered',
      'this request was answered already, or its approval has ended: start again at the application',
    )
  }
  const issued = await issueForFamily(parts, client, family, trace.at, false)
  // Only a response type that names it brings an ID token.
  const members = parts.registries.responseMembers.filter(({ name }) => name !== 'id_token')
  const response = await tokenResponse(issued, members, parts)
  parts.meter.countIssued(response)
  return response
}
