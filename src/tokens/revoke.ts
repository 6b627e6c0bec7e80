/** Revocation of a presented token (RFC 7009 section 2.1), whatever kind it is. */
import type { Client } from '../model/client.ts'
import type { Parts } from '../parts.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Trace } from '../store/store.ts'
import { verifyAccessToken, verifyRefreshToken } from './verify.ts'

const refuseForeign = (owner: string, client: Client): void => {
  if (owner === client.id) return
  throw new Refusal(
    'unauthorized_client',
    'token_of_other_client',
    'the token was issued to another client',
  )
}

/**
 * Ends a token: an access token alone, a refresh token with its whole family. A token that is
 * unknown, expired or ended already is nothing to do (RFC 7009 section 2.2).
 *
 * @throws Refusal `unauthorized_client` where the token is another client's
 */
export const revokeToken = async (
  token: string,
  client: Client,
  trace: Trace,
  parts: Parts,
): Promise<void> => {
  const { store } = parts
  const refresh = await verifyRefreshToken(token, trace.at, parts)
  if (refresh !== null) {
    refuseForeign(refresh.standing.authorization.clientId, client)
    await store.endFamily(refresh.says.familyId, trace)
    return
  }
  const access = await verifyAccessToken(token, trace.at, parts)
  if (access !== null) {
    refuseForeign(access.clientId, client)
    const { tokenId, expiresAt } = access
    const of =
      access.subject === 'owner' ? { familyId: access.familyId } : { clientId: access.clientId }
    await store.endToken({ of, tokenId, expiresAt }, trace)
  }
}
