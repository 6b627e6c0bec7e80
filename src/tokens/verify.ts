/** A presented token -> what it allows now, or null. Everything it hangs on is read each time. */
import { permissionsFor, siteOf } from '../access/audience.ts'
import { intersection, withinScope } from '../access/permission.ts'
import { keepKnown } from '../access/resources.ts'
import { findClient } from '../clients/find.ts'
import { type Keyring, learnKey, verifySeal } from '../crypto/seal.ts'
import type { Access } from '../model/access.ts'
import type { Standing } from '../model/authorization.ts'
import { type Client, ownTokensEnd, scopeLimit, withOldSecret } from '../model/client.ts'
import type { ClientId, FamilyId } from '../model/ids.ts'
import type { Permissions } from '../model/resource.ts'
import { isPairwise } from '../model/sector.ts'
import type { Terms } from '../model/terms.ts'
import { type RefreshToken, tokenIdOf } from '../model/token.ts'
import type { Subjects } from '../owners/pairwise-secret.ts'
import { subjectOf } from '../owners/subject.ts'
import type { Store } from '../store/store.ts'
import { earlier, shortenedEnd } from './end.ts'
import type { ClaimedAccessToken, FormatParts } from './formats/format.ts'
import { readRefreshToken } from './seals.ts'

/** The parts that verify access tokens. */
export type VerifyParts = FormatParts

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
  { store }: { readonly store: Store },
  also?: AlsoUnusable,
): Promise<Standing | null> => {
  const found = await store.findStanding(
    familyId,
    at,
    also === 'revocable' ? 'disabled' : undefined,
  )
  return found?.authorization.paused && also === undefined ? null : found
}

const hasEnded = (expiresAt: number | null, at: number): boolean =>
  expiresAt !== null && expiresAt <= at

/** The permissions whose resources still exist and are in the audience of the token. */
const inForce = async (
  granted: Permissions,
  { audience }: Terms,
  parts: VerifyParts,
): Promise<Permissions> => {
  const permissions = await keepKnown(granted, parts)
  return audience.length === 0
    ? permissions
    : permissionsFor({ permissions, audience }, siteOf(parts))
}

const verifyOfFamily = async (
  claimed: ClaimedAccessToken,
  familyId: FamilyId,
  at: number,
  parts: VerifyParts,
  also?: AlsoUnusable,
): Promise<Access | null> => {
  const { store, keyring } = parts
  const standing = await findStanding(familyId, at, parts, also)
  if (standing === null) return null
  const { family, authorization } = standing
  if (!claimed.verify(keyring, authorization.salt)) return null
  const { says } = claimed
  const expiresAt = shortenedEnd(says, standing.clientShortened)
  if (hasEnded(expiresAt, at)) return null
  const tokenId = tokenIdOf(says)
  if (also !== 'revocable' && family.hasEndings && (await store.isTokenEnded(tokenId))) return null
  return {
    ...says.terms,
    subject: 'owner',
    ownerId: authorization.ownerId,
    username: standing.username,
    authorizationId: authorization.id,
    authorizationEnd: authorization.expiresAt,
    isPaused: authorization.paused !== null,
    familyId,
    clientId: authorization.clientId,
    permissions: await inForce(
      withinScope(
        intersection(says.terms.permissions, authorization.permissions),
        standing.clientScope,
      ),
      says.terms,
      parts,
    ),
    tokenId,
    issuedAt: says.issuedAt,
    expiresAt,
  }
}

/** The client with the secret, current or old, behind a token of its own; null if it is neither. */
const holderOf = (claimed: ClaimedAccessToken, client: Client, keyring: Keyring): Client | null => {
  if (claimed.verify(keyring, client.salt)) return client
  const { oldSecret } = client
  if (oldSecret === null || !claimed.verify(keyring, oldSecret.salt)) return null
  return withOldSecret(client, oldSecret)
}

const verifyOfClient = async (
  claimed: ClaimedAccessToken,
  clientId: ClientId,
  at: number,
  parts: VerifyParts,
  also?: AlsoUnusable,
): Promise<Access | null> => {
  const { store, keyring } = parts
  const client = await findClient(clientId, { store })
  if (client === null) return null
  const holder = holderOf(claimed, client, keyring)
  if (holder === null) return null
  const { says } = claimed
  const expiresAt = earlier(says.expiresAt, ownTokensEnd(holder))
  if (hasEnded(expiresAt, at)) return null
  const tokenId = tokenIdOf(says)
  if (also !== 'revocable' && client.hasEndings && (await store.isTokenEnded(tokenId))) return null
  return {
    ...says.terms,
    subject: 'client',
    clientId,
    permissions: await inForce(
      withinScope(says.terms.permissions, scopeLimit(client)),
      says.terms,
      parts,
    ),
    tokenId,
    issuedAt: says.issuedAt,
    expiresAt,
  }
}

/** Null where a text is in none of the formats. */
export const claimedAccessToken = async (
  text: string,
  parts: FormatParts,
): Promise<ClaimedAccessToken | null> => {
  for (const format of parts.registries.tokenFormats) {
    const claimed = await format.read(text, parts)
    if (claimed !== null) return claimed
  }
  return null
}

/**
 * The access that a token gives at this moment; null if it is unknown or has ended.
 *
 * @param also also a token that nobody can use now
 */
export const verifyAccessToken = async (
  text: string,
  at: number,
  parts: VerifyParts,
  also?: AlsoUnusable,
): Promise<Access | null> => {
  const claimed = await claimedAccessToken(text, parts)
  if (claimed === null) return null
  const { of, expiresAt } = claimed.says
  if (hasEnded(expiresAt, at)) return null
  await claimed.learnKey(parts.keyring)
  return 'familyId' in of
    ? verifyOfFamily(claimed, of.familyId, at, parts, also)
    : verifyOfClient(claimed, of.clientId, at, parts, also)
}

/** The content of a refresh token, and the rows behind it; null if it is unknown or has ended. */
export const verifyRefreshToken = async (
  text: string,
  at: number,
  { store, keyring }: { readonly store: Store; readonly keyring: Keyring },
  also?: AlsoUnusable,
): Promise<{ readonly says: RefreshToken; readonly standing: Standing } | null> => {
  const presented = readRefreshToken(text)
  if (presented === null || presented.says.expiresAt <= at) return null
  await learnKey(presented, keyring)
  const standing = await findStanding(presented.says.familyId, at, { store }, also)
  if (standing === null) return null
  return verifySeal(presented, keyring, standing.authorization.salt)
    ? { says: presented.says, standing }
    : null
}

export interface ToldSubject {
  /** Null for a token of the client itself. */
  readonly client: Client | null
  /** The client itself where no owner stands behind the token. */
  readonly sub: string
  /** Null where there is no owner. Null for a pairwise subject, too: the name would give it away. */
  readonly username: string | null
}

/**
 * Null where the client was deleted at this very moment.
 *
 * @throws StoreFault where the secret behind pairwise subjects does not open
 */
export const toldSubject = async (
  access: Access,
  parts: { readonly store: Store; readonly subjects: Subjects },
): Promise<ToldSubject | null> => {
  if (access.subject === 'client') return { client: null, sub: access.clientId, username: null }
  const client = await findClient(access.clientId, parts, 'disabled')
  if (client === null) return null
  const sub = await subjectOf(client, access.ownerId, parts)
  return { client, sub, username: isPairwise(client) ? null : access.username }
}
