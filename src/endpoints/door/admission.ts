/** Who is let in to a protected resource of our own: tokens are verified against the store each time. */
import { limits } from '../../config/limits.ts'
import { awaitBody } from '../../http/body.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Access } from '../../model/access.ts'
import type { Permission } from '../../model/resource.ts'
import type { Parts } from '../../parts.ts'
import type { PresentedToken } from '../../resource/bearer.ts'
import { type Admitted, admit } from '../../resource/guard.ts'
import { verifyAccessToken } from '../../tokens/verify.ts'

/**
 * Admits a request. What an owner's approval stands behind is noted for the owner to see, whether
 * it was allowed or not. The token is verified after the last byte of the body.
 *
 * @throws Refusal as `admit` does
 */
export const admitBearer = (
  { request, at, address, caller }: Exchange,
  needs: Permission | ((presented: PresentedToken | null) => Permission),
  parts: Parts,
): Promise<Admitted<Access>> =>
  admit(request, needs, async (token, needed) => {
    await awaitBody(request, limits.jsonBytes)
    const access = await verifyAccessToken(token, at, parts)
    if (access !== null) caller.proven = { type: 'client', clientId: access.clientId }
    if (access?.subject === 'owner') {
      const { authorizationId, permissions } = access
      const used = needed as Permission
      const allowed = permissions.includes(used)
      parts.uses.note({ authorizationId, used, allowed, address, at })
    }
    return access
  })

/** Answers to a token are for whoever holds it, in whichever way it came (RFC 6750 section 2.3). */
export const privately = { 'Cache-Control': 'private, no-store' } as const
