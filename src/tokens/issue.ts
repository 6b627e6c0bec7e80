/** What was earned -> the token response (RFC 6749 section 5.1). The only place that mints tokens. */

import { intersect, listGrantable, subtract } from '../access/permission.ts'
import type { Resources } from '../access/resources.ts'
import { makeSalt } from '../crypto/digest.ts'
import type { Keyring } from '../crypto/seal.ts'
import type { Authorization, Family } from '../model/authorization.ts'
import { type Client, isPublic, ownTokensEnd } from '../model/client.ts'
import type { Detail } from '../model/detail.ts'
import { type AuthorizationId, type FamilyId, makeId, type OwnerId } from '../model/ids.ts'
import type { JsonObject } from '../model/json.ts'
import type { Meter } from '../model/metric.ts'
import type { Permissions } from '../model/resource.ts'
import { isOnlyOffline } from '../model/scope-word.ts'
import { type Confirmation, fillTerms, type OtherTerms, type Terms } from '../model/terms.ts'
import { type AccessToken, pickEnd } from '../model/token.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Approval, Proof } from '../store/contract/authorization.ts'
import type { Trace } from '../store/contract/trace.ts'
import { makeOwnedId, type OwnedGiven } from '../store/placed-id.ts'
import type { Store } from '../store/store.ts'
import type { OpenFormat, TokenHolder } from './formats/format.ts'
import type { IssueIdToken } from './id-token.ts'
import { type Issued, makeTokenResponse, type TokenResponseMember } from './members.ts'
import { pausedRefusal } from './paused.ts'
import { getShortenedEnd, sealRefreshToken } from './verify.ts'

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
  | EarnedFamily

/** A family that a redemption or a rotation has already committed. */
export interface EarnedFamily {
  readonly for: 'family'
  readonly family: Family
  readonly authorization: Authorization
  /** Its permissions, its details and its audience are those of this access token. */
  readonly terms: Terms
  /** The permissions before `resource` narrowed them: of these the ID token tells. */
  readonly told: Permissions
  /** The part of the grant that its owner has not taken back. A later refresh may ask for any of it. */
  readonly granted: Permissions
  /** The details of the grant; a later access token may have any of them. */
  readonly grantedDetails: readonly Detail[]
  /** The audience of the grant; a later access token may be for any of it. */
  readonly audience: readonly string[]
  /** All that it was granted. */
  readonly originally: Permissions
  readonly members?: JsonObject
  /** The latest end of the tokens, where something else limits it: unix seconds. No refresh token then. */
  readonly lastsUntil?: number | null
}

interface IssuerParts extends OwnedGiven {
  readonly store: Store
  readonly resources: Resources
  readonly keyring: Keyring
  readonly meter: Meter
  /** In the order of the registry. */
  readonly formats: readonly OpenFormat[]
  readonly members: readonly TokenResponseMember[]
  readonly issueIdToken: IssueIdToken
}

const mayRefresh = (client: Client): boolean => client.grantTypes.includes('refresh_token')

/**
 * The end of the last token of a family after a refresh at `at`. Its row can be deleted then. The later
 * end of access token and refresh token counts. The end of the authorization is not included: its owner
 * may change that, and each use reads it.
 */
export const getFamilyEnd = (client: Client, at: number): number | null => {
  if (client.accessTokenSeconds === null) return null
  const refresh = mayRefresh(client) ? client.refreshTokenSeconds : 0
  return at + Math.max(client.accessTokenSeconds, refresh)
}

/** The last format of the registry that takes a token writes it. */
const writeAccessToken = async (
  token: AccessToken,
  holder: TokenHolder,
  { formats }: IssuerParts,
): Promise<Pick<Issued, 'accessToken' | 'expiresAt'>> => {
  const format = formats.findLast((known) => known.takes === undefined || known.takes(token))
  if (format === undefined) throw new Error('no format takes the token')
  const expiresAt = format.endOf ? await format.endOf(token, holder) : token.expiresAt
  return { accessToken: await format.write({ ...token, expiresAt }, holder), expiresAt }
}

const issueForClient = async (
  client: Client,
  { permissions, terms: others }: Extract<Earned, { for: 'client' }>,
  at: number,
  parts: IssuerParts,
): Promise<Issued> => {
  const seconds = client.accessTokenSeconds
  const end = pickEnd(seconds === null ? null : at + seconds, ownTokensEnd(client))
  const of = { clientId: client.id, tokenId: makeId<string>(parts) }
  const terms = fillTerms(permissions, others)
  const token = { of, terms, issuedAt: at, expiresAt: end }
  const holder = { client, authorization: null, salt: client.salt }
  const written = await writeAccessToken(token, holder, parts)
  const alone = { ownerId: null, authorizationId: null, refreshToken: null, authorizationEnd: null }
  return { ...alone, ...written, client, terms, told: [], at }
}

/** `offline_access` means a refresh token, so a response without one does not name it. */
const stripRefresh = (terms: Terms): Terms => ({
  ...terms,
  permissions: terms.permissions.filter((name) => name !== 'offline_access'),
})

/**
 * The tokens of a family as of its latest redemption or refresh. Everything in them follows from
 * the row, so a repeated request gets the same tokens.
 */
const issueForFamily = async (
  client: Client,
  earned: EarnedFamily,
  at: number,
  refreshable: boolean,
  parts: IssuerParts,
): Promise<Issued> => {
  const { family, authorization, granted, grantedDetails, audience, originally } = earned
  const isRefreshable = refreshable && earned.lastsUntil === undefined
  const terms = isRefreshable ? earned.terms : stripRefresh(earned.terms)
  const issuedAt = family.rotatedAt
  const lifetime = client.accessTokenSeconds
  const full = { issuedAt, expiresAt: lifetime === null ? null : issuedAt + lifetime }
  const most = pickEnd(authorization.expiresAt, earned.lastsUntil ?? null)
  const end = pickEnd(getShortenedEnd(full, client.shortened), most)
  // Of its own: where the owner prolongs the authorization, the refresh token lives on with it.
  const refreshEnd = issuedAt + client.refreshTokenSeconds
  const of = { familyId: family.id, generation: family.generation }
  const { salt } = authorization
  // Any other client authenticates for each refresh, and may have a new key (RFC 9449 section 5).
  const confirmation = isPublic(client) ? terms.confirmation : null
  const sealRefresh = (): string =>
    sealRefreshToken(parts.keyring, salt, {
      ...of,
      issuedAt,
      expiresAt: refreshEnd,
      terms: { ...terms, permissions: granted, details: grantedDetails, audience, confirmation },
      takenBack: subtract(originally, granted),
    })
  const token = { of, terms, issuedAt, expiresAt: end }
  const written = await writeAccessToken(token, { client, authorization, salt }, parts)
  return {
    ...written,
    client,
    ownerId: authorization.ownerId,
    authorizationId: authorization.id,
    terms,
    told: earned.told,
    refreshToken: isRefreshable ? { text: sealRefresh(), expiresAt: refreshEnd } : null,
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
  client: Client,
  familyId: FamilyId,
  under: Authorization | Approval,
  terms: Terms,
  trace: Trace,
  parts: IssuerParts,
): Promise<EarnedFamily | null> => {
  const started = await parts.store.startFamily(
    { familyId, under, expiresAt: getFamilyEnd(client, trace.at) },
    trace,
  )
  if (started === 'paused') throw pausedRefusal()
  const { permissions, details, audience } = terms
  const granted = { told: permissions, granted: permissions, originally: permissions }
  const earned = { terms, ...granted, grantedDetails: details, audience }
  return started && { for: 'family', ...started, ...earned }
}

/** Begins a family for an owner who approved by other means than the consent page. */
const approve = async (
  client: Client,
  { ownerId, proof, ...earned }: Extract<Earned, { for: 'owner' }>,
  trace: Trace,
  parts: IssuerParts,
): Promise<EarnedFamily> => {
  const permissions = filterGrantable(earned.permissions, parts)
  const approval: Approval = {
    id: makeOwnedId<AuthorizationId>(ownerId, parts),
    clientId: client.id,
    ownerId,
    asked: permissions,
    permissions,
    duration: 'forever',
    sessionId: null,
    expiresAt: null,
    salt: makeSalt(parts.random),
    proof: proof ?? null,
  }
  const familyId = makeOwnedId<FamilyId>(ownerId, parts)
  const terms = fillTerms(permissions, earned.terms)
  const family = await startFamily(client, familyId, approval, terms, trace, parts)
  if (family !== null) return { ...family, members: earned.members ?? {} }
  throw new Refusal(
    'invalid_grant',
    'nothing_to_stand_on',
    'owner and client have to be enabled, and the password unchanged',
  )
}

/** An owner cannot grant permissions of the operator, even to a client registered for them. */
const filterGrantable = (permissions: Permissions, { resources }: IssuerParts): Permissions => {
  const owners = intersect(permissions, listGrantable(resources))
  if (!isOnlyOffline(owners)) return owners
  throw new Refusal('invalid_scope', 'nothing_grantable', 'scope names nothing an owner can grant')
}

/** The same, bound to the key that the request has proved. */
const bindTo = <One extends Earned>(confirmation: Confirmation | null, earned: One): One => ({
  ...earned,
  terms: { ...earned.terms, confirmation },
})

/** The only one who issues tokens. */
export const openIssuer = (parts: IssuerParts) => {
  const { members, issueIdToken, meter } = parts
  // Only a response type that names it brings an ID token.
  const membersAlone = members.filter(({ name }) => name !== 'id_token')
  return {
    /** Issues the earned tokens. Tokens of an owner's approval come after the commit of their family. */
    async issue(client: Client, earned: Earned, trace: Trace, key: Confirmation | null) {
      const { at } = trace
      const isSame = key === (earned.terms?.confirmation ?? null)
      const bound = isSame ? earned : bindTo(key, earned)
      const settled = bound.for === 'owner' ? await approve(client, bound, trace, parts) : bound
      const issued =
        settled.for === 'client'
          ? await issueForClient(client, settled, at, parts)
          : await issueForFamily(client, settled, at, mayRefresh(client), parts)
      const response = await makeTokenResponse(issued, members, issueIdToken, settled.members)
      meter.countIssued(response, client.id)
      return response
    },
    /**
     * An access token alone, as the implicit grant hands out (RFC 6749 section 4.2.2).
     *
     * @param familyId the id of the journey, which is so answered once
     * @throws Refusal `invalid_request`
     */
    async issueAlone(
      client: Client,
      familyId: FamilyId,
      authorization: Authorization,
      terms: Terms,
      trace: Trace,
    ): Promise<JsonObject> {
      const family = await startFamily(client, familyId, authorization, terms, trace, parts)
      if (family === null) {
        throw new Refusal(
          'invalid_request',
          'journey_answered',
          'this request was answered already, or its approval has ended: start again at the application',
        )
      }
      const issued = await issueForFamily(client, family, trace.at, false, parts)
      const response = await makeTokenResponse(issued, membersAlone, issueIdToken)
      meter.countIssued(response, client.id)
      return response
    },
  }
}
