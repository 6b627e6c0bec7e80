/** Admission to our own protected resources: verifies the token against the store each time. */
import { refuseOtherAudience, resourceUri, siteOf, userinfoUri } from '../access/audience.ts'
import { resourceOf } from '../access/permission.ts'
import { limits } from '../config/limits.ts'
import { awaitBody } from '../http/body.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Access } from '../model/access.ts'
import type { Action } from '../model/resource.ts'
import { isScopeWord, isTold, type ScopeWord } from '../model/scope-word.ts'
import type { Used } from '../model/use.ts'
import type { EndpointParts } from '../registries.ts'
import { type Admitted, admit } from '../resource/admit.ts'
import type { PresentedToken } from '../resource/bearer.ts'
import { verifyAccessToken } from '../tokens/verify.ts'

/** Whether a token allows a request, and what the access log says was used. */
interface Judged {
  readonly allowed: boolean
  readonly used: Used
  /** The audience that a token for this request is for. */
  readonly audience: string
}

/**
 * A use of an owner's authorization is noted for the owner, allowed or not. While it is paused, each
 * use is noted as refused. The token is verified after the last byte of the body.
 */
const admitJudged = (
  { request, at, address, caller }: Exchange,
  needs: string | ((presented: PresentedToken | null) => string),
  judge: (access: Access, needed: string) => Judged,
  parts: EndpointParts,
): Promise<Admitted<Access>> =>
  admit(
    request,
    needs,
    async (token, needed) => {
      await awaitBody(request, limits.jsonBytes)
      const access = await verifyAccessToken(token, at, parts, 'paused')
      parts.meter.countRead(access === null ? 'refused' : 'accepted')
      if (access === null) return null
      caller.proven = { type: 'client', clientId: access.clientId }
      const { used, allowed, audience } = judge(access, needed)
      if (access.subject === 'owner') {
        const { authorizationId, isPaused } = access
        parts.uses.note({ authorizationId, used, allowed: allowed && !isPaused, address, at })
        if (isPaused) return null
      }
      refuseOtherAudience(access, audience, siteOf(parts))
      return access
    },
    (access, needed) => judge(access, needed).allowed,
  )

type NeededPermission = `${string}:${Action}`

/**
 * Admits a request that needs one permission.
 *
 * @throws Refusal as `admit` does
 */
export const admitBearer = (
  exchange: Exchange,
  needs: (presented: PresentedToken | null) => NeededPermission,
  parts: EndpointParts,
): Promise<Admitted<Access>> =>
  admitJudged(
    exchange,
    needs,
    ({ permissions }, needed) => ({
      used: needed as NeededPermission,
      allowed: permissions.includes(needed as NeededPermission),
      audience: resourceUri(parts.settings.issuer, resourceOf(needed as NeededPermission)),
    }),
    parts,
  )

/** The words of a token that let `/userinfo` tell something. */
const toldWords = ({ permissions }: Access): readonly ScopeWord[] =>
  permissions.filter(isScopeWord).filter(isTold)

/**
 * Admits a request to `/userinfo`: any of its words suffices. The access log names the words of the
 * token, joined by `+`. No name of a resource has that character.
 *
 * @throws Refusal as `admit` does
 */
export const admitToUserinfo = (
  exchange: Exchange,
  parts: EndpointParts,
): Promise<Admitted<Access>> =>
  admitJudged(
    exchange,
    'openid',
    (access) => {
      const words = toldWords(access)
      const used = `${words.join('+') || 'openid'}:read` as const
      // A client has no claims, whatever its token carries: the endpoint says so.
      const allowed = words.length > 0 || access.subject === 'client'
      return { used, allowed, audience: userinfoUri(parts.settings.issuer) }
    },
    parts,
  )

/** Answers to a token are private, in whichever way it came (RFC 6750 section 2.3). */
export const privately = { 'Cache-Control': 'private, no-store' } as const
