/** A presented token -> what it allows now, or null. Everything it hangs on is read each time. */
import { both } from '../access/permission.ts'
import { learnKey, verifySeal } from '../crypto/seal.ts'
import type { Access } from '../model/access.ts'
import type { Standing } from '../model/authorization.ts'
import type { ClientId, FamilyId } from '../model/ids.ts'
import type { Parts } from '../parts.ts'
import {
  type AccessToken,
  type Presented,
  type RefreshToken,
  readAccessToken,
  readRefreshToken,
  tokenIdOf,
} from './seals.ts'

type Needed = Pick<Parts, 'store' | 'keyring'>

const verifyOfFamily = async (
  { sealed, says }: Presented<AccessToken>,
  familyId: FamilyId,
  at: number,
  { store, keyring }: Needed,
  also?: 'disabled',
): Promise<Access | null> => {
  const standing = await store.findStanding(familyId, at, also)
  if (standing === null) return null
  const { family, authorization } = standing
  if (!verifySeal(sealed, keyring, authorization.salt)) return null
  const tokenId = tokenIdOf(says)
  if (family.hasEndings && (await store.isTokenEnded(tokenId))) return null
  return {
    subject: 'owner',
    ownerId: authorization.ownerId,
    username: standing.username,
    authorizationId: authorization.id,
    authorizationEnd: authorization.expiresAt,
    familyId,
    clientId: authorization.clientId,
    permissions: both(both(says.permissions, authorization.permissions), standing.clientScope),
    tokenId,
    issuedAt: says.issuedAt,
    expiresAt: says.expiresAt,
  }
}

const verifyOfClient = async (
  { sealed, says }: Presented<AccessToken>,
  clientId: ClientId,
  { store, keyring }: Needed,
): Promise<Access | null> => {
  const client = await store.findClient(clientId)
  if (client === null) return null
  if (!verifySeal(sealed, keyring, client.salt)) return null
  const tokenId = tokenIdOf(says)
  if (client.hasEndings && (await store.isTokenEnded(tokenId))) return null
  return {
    subject: 'client',
    clientId,
    permissions: both(says.permissions, client.scope),
    tokenId,
    issuedAt: says.issuedAt,
    expiresAt: says.expiresAt,
  }
}

/**
 * What an access token allows at this moment; null where it is none of ours or has ended.
 *
 * @param also `disabled`: also a token that rests while its client or its owner is disabled
 */
export const verifyAccessToken = async (
  text: string,
  at: number,
  parts: Needed,
  also?: 'disabled',
): Promise<Access | null> => {
  const presented = readAccessToken(text)
  if (presented === null) return null
  const { of, expiresAt } = presented.says
  if (expiresAt !== null && expiresAt <= at) return null
  await learnKey(presented.sealed, parts.keyring)
  return 'familyId' in of
    ? verifyOfFamily(presented, of.familyId, at, parts, also)
    : verifyOfClient(presented, of.clientId, parts)
}

/** What a refresh token says and what it stands on; null where it is none of ours or has ended. */
export const verifyRefreshToken = async (
  text: string,
  at: number,
  { store, keyring }: Needed,
  also?: 'disabled',
): Promise<{ readonly says: RefreshToken; readonly standing: Standing } | null> => {
  const presented = readRefreshToken(text)
  if (presented === null || presented.says.expiresAt <= at) return null
  await learnKey(presented.sealed, keyring)
  const standing = await store.findStanding(presented.says.familyId, at, also)
  if (standing === null) return null
  return verifySeal(presented.sealed, keyring, standing.authorization.salt)
    ? { says: presented.says, standing }
    : null
}
