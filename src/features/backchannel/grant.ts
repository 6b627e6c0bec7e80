/** The CIBA grant (OpenID CIBA section 10.1). */
import { equalDigests } from '../../crypto/digest.ts'
import type { Grant, GrantParts, GrantRequest } from '../../grants/grant.ts'
import { findMixUp } from '../../protocol/kinds.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { EarnedFamily } from '../../tokens/issue.ts'
import { getFamilyEnd } from '../../tokens/issue.ts'
import { pausedRefusal } from '../../tokens/paused.ts'
import { findEarned, openPolls, parsePollCode } from '../../tokens/polled-request.ts'
import type { BackchannelRequest } from './contract.ts'

export const backchannelGrantType = 'urn:openid:params:grant-type:ciba'

export const authReqIdPrefix = 'lk_ar_'

const invalidGrant = (reason: string, description: string | null = null): Refusal =>
  new Refusal(
    'invalid_grant',
    reason,
    description ?? 'the auth_req_id is unknown, used, or was issued to another client',
  )

/** The client asks again and again, so this is neither counted nor kept. */
const pending = (): Refusal =>
  new Refusal('authorization_pending', 'backchannel_pending', 'nobody has decided yet: ask again', {
    isRoutine: true,
  })

const tooSoon = (): Refusal =>
  new Refusal(
    'slow_down',
    'backchannel_too_soon',
    'ask again after five more seconds than before',
    {
      isRoutine: true,
    },
  )

const denied = (): Refusal => {
  const said = 'the resource owner denied access'
  return new Refusal('access_denied', 'backchannel_denied', said, { status: 400 })
}

const expired = (): Refusal => {
  const said = 'the request has expired: make another one'
  return new Refusal('expired_token', 'backchannel_expired', said)
}

/** Checks what a stranger could not satisfy. Nothing is changed by failing here. */
const findRequest = async (
  { client, parameters }: GrantRequest,
  { store }: GrantParts,
): Promise<BackchannelRequest> => {
  const text = parameters.require('auth_req_id')
  const presented = parsePollCode(authReqIdPrefix, text)
  if (presented === null) {
    throw invalidGrant('malformed_auth_req_id', findMixUp(text, authReqIdPrefix))
  }
  const found = await store.findBackchannel(presented.id)
  if (found === null || !equalDigests(found.secretDigest, presented.secretDigest)) {
    throw invalidGrant('unknown_auth_req_id')
  }
  if (found.clientId !== client.id) throw invalidGrant('auth_req_id_of_other_client')
  return found
}

/** Redeems an approved request, once: for one token, unless its owner was shown `offline_access`. */
const redeem = async (
  found: BackchannelRequest,
  request: GrantRequest,
  parts: GrantParts,
): Promise<EarnedFamily> => {
  const approval = await findEarned(found, request, parts)
  if (approval === null) throw invalidGrant('auth_req_id_of_ended_authorization')
  const { authorization, salt, earned, login } = approval
  const { client, trace } = request
  const isOnce = !earned.originally.includes('offline_access')
  const expiresAt = getFamilyEnd(isOnce ? { ...client, grantTypes: [] } : client, trace.at)
  const ids = { id: found.id, authorizationId: authorization.id }
  const endsAt = isOnce ? expiresAt : found.keptUntil
  const redeemed = await parts.store.redeemBackchannel(
    { ...ids, salt, expiresAt, endsAt, ...login },
    trace,
  )
  switch (redeemed.outcome) {
    case 'redeemed': {
      const { family } = redeemed
      // Its owner may have set another end.
      const isOwn = authorization.expiresAt !== found.expiresAt
      const lasting = isOwn ? authorization : { ...authorization, expiresAt: endsAt }
      const once = isOnce ? { lastsUntil: expiresAt } : {}
      return { for: 'family', family, authorization: lasting, ...earned, ...once }
    }
    case 'used':
      throw invalidGrant('used_auth_req_id')
    case 'paused':
      throw pausedRefusal()
    case 'ended':
      throw invalidGrant('auth_req_id_of_ended_authorization')
  }
}

export const backchannel: Grant = {
  type: backchannelGrantType,
  clients: 'confidential',
  takesDetails: true,
  open: (parts) => {
    const polls = openPolls(parts.settings.limits.deviceIntervalSeconds)
    return async (request) => {
      const found = await findRequest(request, parts)
      const { at } = request.trace
      if (found.state === 'redeemed') throw invalidGrant('used_auth_req_id')
      if (found.expiresAt <= at) throw expired()
      if (found.state === 'denied') throw denied()
      // Only a client that waits can be told to wait longer: any other answer is the last.
      if (found.state === 'pending') {
        throw polls.isTooSoon(found.id, at) ? tooSoon() : pending()
      }
      const earned = await redeem(found, request, parts)
      polls.forget(found.id)
      return earned
    }
  },
}
