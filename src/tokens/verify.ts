/** A presented token -> what it allows now, or null. Everything it hangs on is read each time. */
import { filterByAudience, filterDetails } from '../access/audience.ts'
import { keepDetailsInForce } from '../access/details/narrow.ts'
import { keepOwnDetails } from '../access/details/own.ts'
import { intersect, limitScope } from '../access/permission.ts'
import type { Resources } from '../access/resources.ts'
import { findClient } from '../clients/find.ts'
import { defineStatement, type Keyring, learnKey, verifySeal } from '../crypto/seal.ts'
import type { Standing } from '../model/authorization.ts'
import {
  applyOldSecret,
  type Client,
  getDetailTypes,
  getScopeLimit,
  ownTokensEnd,
} from '../model/client.ts'
import type { Detail } from '../model/detail.ts'
import type { ClientId, FamilyId } from '../model/ids.ts'
import type { Permissions } from '../model/resource.ts'
import { isPairwise } from '../model/sector.ts'
import type { Terms } from '../model/terms.ts'
import {
  type Access,
  getTokenId,
  type OwnerAccess,
  pickEnd,
  type RefreshToken,
  refreshTokenType,
} from '../model/token.ts'
import { getSub, type Subjects, type ToldSubject } from '../owners/pairwise-secret.ts'
import { storeLimits } from '../store/limits.ts'
import type { Store } from '../store/store.ts'
import { type Chain, isHiddenAbove, limitAccess, readChain } from './exchanged.ts'
import type { ClaimedAccessToken, OpenFormat } from './formats/format.ts'
import type { ProvenUse } from './proofs/proof.ts'

/**
 * When an access token ends that was to end at `expiresAt`, now that the lifetimes of its client were
 * shortened; unix seconds, null = never. Nodes' clocks differ, so a token counts as issued before the
 * change for a little longer.
 */
export const getShortenedEnd = (
  { issuedAt, expiresAt }: { readonly issuedAt: number; readonly expiresAt: number | null },
  shortened: Client['shortened'],
): number | null => {
  if (shortened === null || issuedAt > shortened.at + storeLimits.clockSkewSeconds) return expiresAt
  return pickEnd(expiresAt, issuedAt + shortened.seconds)
}

export const { seal: sealRefreshToken, read: readRefreshToken } = defineStatement(
  'lk_rt_',
  refreshTokenType,
)

interface VerifierParts {
  readonly store: Store
  readonly keyring: Keyring
  readonly resources: Resources
  readonly subjects: Subjects
  /** In the order of the registry. */
  readonly formats: readonly OpenFormat[]
  /** @throws Refusal unless the request proves the key of its token */
  holdKey(access: Access, use: ProvenUse): Promise<void>
}

/**
 * Tokens that are verified although nobody can use them now. `paused`: those of a paused
 * authorization. `revocable`: also while the client or the owner is disabled, or the token itself
 * was revoked. Revoking it again changes nothing.
 */
type AlsoUnusable = 'paused' | 'revocable'

/** The standing of a family. A paused one has none, unless asked for. */
const findStanding = async (
  familyId: FamilyId,
  at: number,
  store: Store,
  also?: AlsoUnusable,
): Promise<Standing | null> => {
  const others = also === 'revocable' ? 'disabled' : undefined
  const found = await store.findStanding(familyId, at, others)
  return found?.authorization.paused && also === undefined ? null : found
}

const hasEnded = (expiresAt: number | null, at: number): boolean =>
  expiresAt !== null && expiresAt <= at

/** The permissions whose resources still exist and are in the audience of the token. */
const keepInForce = async (
  granted: Permissions,
  { audience }: Terms,
  resources: Resources,
): Promise<Permissions> => {
  const permissions = await resources.keepKnown(granted)
  return audience.length === 0
    ? permissions
    : filterByAudience({ permissions, audience }, resources.latest.site)
}

/** The details in force of a token, in its audience. */
const keepDetails = (
  terms: Terms,
  approved: readonly Detail[],
  types: readonly string[] | null,
  resources: Resources,
): readonly Detail[] => {
  const details = keepDetailsInForce(terms.details, approved, types, resources)
  return filterDetails({ details, audience: terms.audience }, resources.latest.site)
}

/** The chain of an exchanged token; null where any of it has ended. */
const readChainOf = (
  exchanged: Terms['exchanged'],
  at: number,
  { store }: Pick<VerifierParts, 'store'>,
  also?: AlsoUnusable,
): Promise<Chain | null> =>
  readChain(exchanged, at, {
    findStanding: (familyId) => findStanding(familyId, at, store, also),
    getEnd: getShortenedEnd,
    isEnded: store.isTokenEnded,
  })

const verifyOfFamily = async (
  claimed: ClaimedAccessToken,
  familyId: FamilyId,
  at: number,
  { store, keyring, resources }: VerifierParts,
  also?: AlsoUnusable,
): Promise<Access | null> => {
  const standing = await findStanding(familyId, at, store, also)
  if (standing === null) return null
  const { family, authorization } = standing
  const { says } = claimed
  const { exchanged } = says.terms
  const chain = exchanged.length === 0 ? null : await readChainOf(exchanged, at, { store }, also)
  if (exchanged.length > 0 && chain === null) return null
  if (!claimed.verify(keyring, authorization.salt + (chain?.salt ?? ''))) return null
  const expiresAt = getShortenedEnd(says, standing.clientShortened)
  if (hasEnded(expiresAt, at)) return null
  const tokenId = getTokenId(says)
  if (also !== 'revocable' && family.hasEndings && (await store.isTokenEnded(tokenId))) return null
  const access: OwnerAccess = {
    ...says.terms,
    subject: 'owner',
    ownerId: authorization.ownerId,
    username: standing.username,
    authorizationId: authorization.id,
    authorizationEnd: authorization.expiresAt,
    sessionId: authorization.sessionId,
    isPaused: authorization.paused !== null,
    familyId,
    clientId: authorization.clientId,
    permissions: await keepInForce(
      limitScope(
        intersect(says.terms.permissions, authorization.permissions),
        standing.clientScope,
      ),
      says.terms,
      resources,
    ),
    details:
      says.terms.details.length === 0
        ? says.terms.details
        : keepDetails(says.terms, authorization.details, standing.clientDetailTypes, resources),
    tokenId,
    issuedAt: says.issuedAt,
    expiresAt,
  }
  return chain === null ? access : limitAccess(access, chain, resources)
}

/** The client with the secret, current or old, behind a token of its own; null if it is neither. */
const findHolder = (claim: ClaimedAccessToken, client: Client, keyring: Keyring): Client | null => {
  if (claim.verify(keyring, client.salt)) return client
  const { oldSecret } = client
  if (oldSecret === null || !claim.verify(keyring, oldSecret.salt)) return null
  return applyOldSecret(client, oldSecret)
}

const verifyOfClient = async (
  claimed: ClaimedAccessToken,
  clientId: ClientId,
  at: number,
  { store, keyring, resources }: VerifierParts,
  also?: AlsoUnusable,
): Promise<Access | null> => {
  const client = await findClient(clientId, { store })
  if (client === null) return null
  const holder = findHolder(claimed, client, keyring)
  if (holder === null) return null
  const { says } = claimed
  const expiresAt = pickEnd(says.expiresAt, ownTokensEnd(holder))
  if (hasEnded(expiresAt, at)) return null
  const tokenId = getTokenId(says)
  if (also !== 'revocable' && client.hasEndings && (await store.isTokenEnded(tokenId))) return null
  return {
    ...says.terms,
    subject: 'client',
    clientId,
    permissions: await keepInForce(
      limitScope(says.terms.permissions, getScopeLimit(client)),
      says.terms,
      resources,
    ),
    details:
      says.terms.details.length === 0
        ? says.terms.details
        : keepDetails(
            says.terms,
            keepOwnDetails(says.terms.details, client, resources),
            getDetailTypes(client),
            resources,
          ),
    tokenId,
    issuedAt: says.issuedAt,
    expiresAt,
  }
}

/** Null where a text is in none of the formats. */
const openReading =
  ({ formats }: VerifierParts) =>
  async (text: string): Promise<ClaimedAccessToken | null> => {
    for (const format of formats) {
      const claimed = await format.read(text)
      if (claimed !== null) return claimed
    }
    return null
  }

export const openVerifier = (parts: VerifierParts) => {
  const { store, keyring } = parts
  const readClaim = openReading(parts)

  /**
   * The access that a token gives at this moment; null if it is unknown or has ended.
   *
   * @param also also a token that nobody can use now
   */
  const verifyAccess = async (
    text: string,
    at: number,
    also?: AlsoUnusable,
  ): Promise<Access | null> => {
    const claimed = await readClaim(text)
    if (claimed === null) return null
    const { of, expiresAt } = claimed.says
    if (hasEnded(expiresAt, at)) return null
    await claimed.learnKey(keyring)
    return 'familyId' in of
      ? verifyOfFamily(claimed, of.familyId, at, parts, also)
      : verifyOfClient(claimed, of.clientId, at, parts, also)
  }

  return {
    readClaim,
    verifyAccess,
    /** The chain of a token to be exchanged; null where any of it has ended or is paused. */
    readChain: (exchanged: Terms['exchanged'], at: number) => readChainOf(exchanged, at, parts),
    /** The access of a token at an API. @throws Refusal where the token is bound to a key, without that key */
    async verifyUse(use: ProvenUse, also?: 'paused'): Promise<Access | null> {
      const access = await verifyAccess(use.token, use.at, also)
      const isPlain = access?.confirmation === null && use.scheme === 'Bearer'
      if (access !== null && !isPlain) await parts.holdKey(access, use)
      return access
    },
    /** The content of a refresh token, and the rows behind it; null if it is unknown or has ended. */
    async verifyRefresh(
      text: string,
      at: number,
      also?: AlsoUnusable,
    ): Promise<{ readonly says: RefreshToken; readonly standing: Standing } | null> {
      const presented = readRefreshToken(text)
      if (presented === null || presented.says.expiresAt <= at) return null
      await learnKey(presented, keyring)
      const standing = await findStanding(presented.says.familyId, at, store, also)
      if (standing === null) return null
      return verifySeal(presented, keyring, standing.authorization.salt)
        ? { says: presented.says, standing }
        : null
    },
    /**
     * Null where the client was deleted at this very moment.
     *
     * @throws StoreFault where the secret behind pairwise subjects does not open
     */
    async tellSubject(access: Access): Promise<ToldSubject | null> {
      if (access.subject === 'client') return { client: null, sub: access.clientId, username: null }
      const client = await findClient(access.clientId, { store }, 'disabled')
      if (client === null) return null
      const { exchanged, ownerId } = access
      const isHidden = exchanged.length > 0 && (await isHiddenAbove(exchanged, parts))
      const sub = await getSub(client, ownerId, parts, isHidden)
      return { client, sub, username: isHidden || isPairwise(client) ? null : access.username }
    },
  }
}

export type Verifier = ReturnType<typeof openVerifier>
