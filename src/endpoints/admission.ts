/** Who is let in to a protected resource of our own: tokens are verified against the store each time. */
import type { Exchange } from '../http/exchange.ts'
import type { Access } from '../model/access.ts'
import type { Parts } from '../parts.ts'
import type { PresentedToken } from '../resource/bearer.ts'
import { type Admitted, admit } from '../resource/guard.ts'
import { verifyAccessToken } from '../tokens/verify.ts'

/**
 * Admits a request and notes that the authorization behind its token was used.
 *
 * @throws Refusal as `admit` does
 */
export const admitBearer = async (
  { request, at }: Exchange,
  needs: string | ((presented: PresentedToken | null) => string),
  parts: Parts,
): Promise<Admitted<Access>> => {
  const admitted = await admit(request, needs, (token) => verifyAccessToken(token, at, parts))
  const { access } = admitted
  if (access.subject === 'owner') parts.uses.note(access.authorizationId, at)
  return admitted
}

/** Answers to a token are for whoever holds it, in whichever way it came (RFC 6750 section 2.3). */
export const privately = { 'Cache-Control': 'private, no-store' } as const
