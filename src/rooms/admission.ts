/** Admission to our own protected resources: verifies the token against the store each time. */
import { refuseOtherAudience, siteOf, userinfoUri } from '../access/audience.ts'
import { awaitBody } from '../http/body.ts'
import type { Exchange } from '../http/exchange.ts'
import { httpLimits } from '../http/limits.ts'
import { isScopeWord, isTold } from '../model/scope-word.ts'
import type { Access } from '../model/token.ts'
import type { Used } from '../model/use.ts'
import { mixedUp } from '../protocol/kinds.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { ServiceParts } from '../registries.ts'
import { type PresentedToken, readBearer } from '../resource/bearer.ts'
import { verifyAccessToken } from '../tokens/verify.ts'

/** @param scope what the request needs @throws Refusal `invalid_token` */
export const requireToken = (presented: PresentedToken | null, scope: string): PresentedToken => {
  if (presented !== null) return presented
  throw new Refusal('invalid_token', 'missing_token', 'an access token is needed', { scope })
}

/**
 * The access that a presented token gives. It is verified after the last byte of the body.
 *
 * @throws Refusal `invalid_token`
 */
export const verifyPresented = async (
  presented: PresentedToken,
  { request, at, caller }: Exchange,
  parts: ServiceParts,
): Promise<Access> => {
  await awaitBody(request, httpLimits.jsonBytes)
  const access = await verifyAccessToken(presented.token, at, parts, 'paused')
  parts.meter.countRead(access === null ? 'refused' : 'accepted')
  if (access === null) throw unknownToken(presented)
  caller.proven = { type: 'client', clientId: access.clientId }
  return access
}

const unknownToken = ({ token }: PresentedToken): Refusal => {
  const unknown = 'the access token is unknown, expired or revoked'
  return new Refusal('invalid_token', 'unknown_token', mixedUp(token, 'lk_at_') ?? unknown)
}

/** What a token allows of a request. */
interface Judged {
  readonly allowed: boolean
  /** What the access log says was used. */
  readonly used: Used
  /** What the request needs. */
  readonly scope: string
  /** The audience that a token for this request is for. */
  readonly audience: string
}

/**
 * Lets a request go on, or refuses it as RFC 6750 section 3.1 says. A use of an owner's authorization is
 * noted for the owner, allowed or not. While it is paused, each use is noted as refused.
 *
 * @throws Refusal `invalid_token`, `insufficient_scope`
 */
export const admitUse = (
  access: Access,
  presented: PresentedToken,
  { allowed, used, scope, audience }: Judged,
  { address, at }: Exchange,
  parts: ServiceParts,
): void => {
  if (access.subject === 'owner') {
    const { authorizationId, isPaused } = access
    parts.uses.note({ authorizationId, used, allowed: allowed && !isPaused, address, at })
    if (isPaused) throw unknownToken(presented)
  }
  if (access.audience.length > 0) refuseOtherAudience(access, audience, siteOf(parts))
  if (allowed) return
  throw new Refusal(
    'insufficient_scope',
    'missing_permission',
    'the access token does not allow this',
    { scope, recorded: { granted: access.permissions } },
  )
}

/**
 * Admits a request to `/userinfo`: any of its words suffices. The access log names the words of the
 * token, joined by `+`. No name of a resource has that character.
 *
 * @throws Refusal `invalid_request`, `invalid_token`, `insufficient_scope`
 */
export const admitToUserinfo = async (exchange: Exchange, parts: ServiceParts): Promise<Access> => {
  const scope = 'openid'
  const presented = requireToken(await readBearer(exchange.request), scope)
  const access = await verifyPresented(presented, exchange, parts)
  const words = access.permissions.filter(isScopeWord).filter(isTold)
  const used = `${words.join('+') || 'openid'}:read` as const
  // A client has no claims, whatever its token carries: the endpoint says so.
  const allowed = words.length > 0 || access.subject === 'client'
  const audience = userinfoUri(parts.settings.issuer)
  admitUse(access, presented, { allowed, used, scope, audience }, exchange, parts)
  return access
}

/** Answers to a token are private, in whichever way it came (RFC 6750 section 2.3). */
export const privately = { 'Cache-Control': 'private, no-store' } as const
