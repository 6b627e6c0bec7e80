/** Revocation of a presented token (RFC 7009 section 2.1), whatever kind it is. */
import { limits } from '../config/limits.ts'
import type { Client } from '../model/client.ts'
import type { TokenKind } from '../model/meter.ts'
import { earlier } from '../model/token.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Store, Trace } from '../store/store.ts'
import type { Verifier } from './verify.ts'

const refuseForeign = (owner: string, by: Client | 'operator'): void => {
  if (by === 'operator' || owner === by.id) return
  throw new Refusal(
    'unauthorized_client',
    'token_of_other_client',
    'the token was issued to another client',
  )
}

/**
 * A time before the end of a token that has just expired by our clock. The clock of another node may be
 * behind ours, and there the token has to be dead from now on.
 */
const whileAlive = (trace: Trace, expiresAt: number | null): Trace =>
  expiresAt === null ? trace : { ...trace, at: Math.min(trace.at, expiresAt - 1) }

/**
 * Ends a token: an access token alone, a refresh token with its whole family. One that only rests,
 * because its owner is disabled, has to be dead when the owner may act again. A token that is
 * unknown, expired or ended already is nothing to do (RFC 7009 section 2.2).
 *
 * @returns what ended, or null
 * @throws Refusal `unauthorized_client` where the token is another client's
 */
export const revokeToken = async (
  token: string,
  by: Client | 'operator',
  trace: Trace,
  store: Store,
  { verifyAccess, verifyRefresh }: Verifier,
): Promise<TokenKind | null> => {
  const slowestClock = trace.at - limits.clockSkewSeconds
  const refresh = await verifyRefresh(token, slowestClock, 'revocable')
  if (refresh !== null) {
    refuseForeign(refresh.standing.authorization.clientId, by)
    const { says, standing } = refresh
    const end = earlier(says.expiresAt, standing.authorization.expiresAt)
    await store.endFamily(says.familyId, whileAlive(trace, end))
    return 'refresh_token'
  }
  const access = await verifyAccess(token, slowestClock, 'revocable')
  if (access === null) return null
  refuseForeign(access.clientId, by)
  const { clientId, tokenId, expiresAt } = access
  const of =
    access.subject === 'owner'
      ? { familyId: access.familyId, authorizationId: access.authorizationId }
      : { clientId }
  await store.endToken({ of, tokenId, expiresAt }, trace)
  return 'access_token'
}
