/** Admission to our own protected resources: verifies the token against the store each time. */

import { refuseOtherAudience } from '../../access/audience.ts'
import { findClient } from '../../clients/find.ts'
import { awaitBody } from '../../http/body.ts'
import type { Exchange } from '../../http/exchange.ts'
import { httpLimits } from '../../http/limits.ts'
import type { ClientId } from '../../model/ids.ts'
import type { Access } from '../../model/token.ts'
import type { Used } from '../../model/use.ts'
import { findMixUp } from '../../protocol/kinds.ts'
import { checkProfile, getProfile } from '../../protocol/profile.ts'
import { Refusal, type RefusalDetails } from '../../protocol/refusal.ts'
import type { PresentedToken } from '../../resource/bearer.ts'
import type { ApiNeeds } from './needs.ts'

interface Judged {
  readonly allowed: boolean
  /** What the access log says was used. */
  readonly used: Used
  /** The id of the one item that was asked for; absent without one. */
  readonly target?: string
  readonly scope: string
  /** The audience that a token for this request is for. */
  readonly audience: string
}

export const missingToken = (scope: string): Refusal =>
  new Refusal('invalid_token', 'missing_token', 'an access token is needed', { scope })

/** @param details may tell the scope that the request needs */
export const unknownToken = (
  { token, scheme }: Pick<PresentedToken, 'token' | 'scheme'>,
  details: RefusalDetails = {},
): Refusal => {
  const said = findMixUp(token, 'lk_at_') ?? 'the access token is unknown, expired or revoked'
  const challenged = scheme === 'DPoP' ? { ...details, scheme } : details
  return new Refusal('invalid_token', 'unknown_token', said, challenged)
}

export const missingPermission = ({ permissions }: Access, scope: string): Refusal =>
  new Refusal('insufficient_scope', 'missing_permission', 'the access token does not allow this', {
    scope,
    recorded: { granted: permissions },
  })

/** The client of a token is known only when the token was opened. @throws Refusal that names the profile */
const openQueryCheck =
  ({ settings, store, meter }: ApiNeeds) =>
  async (clientId: ClientId): Promise<void> => {
    const client = await findClient(clientId, { store })
    if (client === null) return
    checkProfile('query_token', getProfile(client, settings))
    meter.countLax(client, 'query_token')
  }

export const openAdmission = (needs: ApiNeeds) => {
  const { settings, tokens, meter, uses, resources } = needs
  const checkQuery = openQueryCheck(needs)
  return {
    /**
     * The access that a presented token gives. The token is verified after the last byte of the body.
     *
     * @param scope what the request needs
     * @throws Refusal `invalid_token`
     */
    async verify(
      presented: PresentedToken | null,
      scope: string,
      exchange: Exchange,
    ): Promise<Access> {
      if (presented === null) throw missingToken(scope)
      if (presented.way === 'query') checkProfile('query_token', settings.profile)
      const { request, peer, at } = exchange
      await awaitBody(request, httpLimits.jsonBytes)
      const { token, scheme } = presented
      // Two spreads would copy fifteen members at each read.
      const access = await tokens.verifyUse({ request, peer, at, token, scheme }, 'paused')
      const isPaused = access?.subject === 'owner' && access.isPaused
      meter.countRead(isPaused ? null : (access?.clientId ?? null))
      if (access === null) throw unknownToken(presented)
      exchange.caller.proven = { type: 'client', clientId: access.clientId }
      if (presented.way === 'query') await checkQuery(access.clientId)
      return access
    },
    /**
     * Lets a request go on, or refuses it as RFC 6750 section 3.1 says. A use of an owner's authorization is
     * noted for the owner, allowed or not. While it is paused, each use is noted as refused.
     *
     * @throws Refusal `invalid_token`, `insufficient_scope`
     */
    admit(
      access: Access,
      presented: PresentedToken | null,
      judged: Judged,
      { address, at }: Exchange,
    ): void {
      const { allowed, used, scope, audience } = judged
      if (access.subject === 'owner') {
        const { authorizationId, isPaused } = access
        const target = judged.target === undefined ? {} : { target: judged.target }
        const isAllowed = allowed && !isPaused
        uses.note({ authorizationId, used, allowed: isAllowed, address, ...target, at })
        if (isPaused && presented !== null) throw unknownToken(presented)
      }
      if (access.audience.length > 0) refuseOtherAudience(access, audience, resources.latest.site)
      if (!allowed) throw missingPermission(access, scope)
    },
  }
}

/** Answers to a token are private, in whichever way it came (RFC 6750 section 2.3). */
export const privately = { 'Cache-Control': 'private, no-store' } as const
