/** The CIBA grant (OpenID CIBA section 10.1). */
import {
  definePolledGrant,
  refuseDenied,
  refusePending,
  refuseTooSoon,
} from '../../grants/polled.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { getFamilyEnd } from '../../tokens/issue.ts'

export const backchannelGrantType = 'urn:openid:params:grant-type:ciba'

export const authReqIdPrefix = 'lk_ar_'

const invalidGrant = (reason: string, said: string | null = null): Refusal =>
  new Refusal(
    'invalid_grant',
    reason,
    said ?? 'the auth_req_id is unknown, used, or was issued to another client',
  )

export const backchannel = definePolledGrant({
  type: backchannelGrantType,
  clients: 'confidential',
  parameter: 'auth_req_id',
  prefix: authReqIdPrefix,
  refusals: {
    malformed: (said) => invalidGrant('malformed_auth_req_id', said),
    unknown: () => invalidGrant('unknown_auth_req_id'),
    foreign: () => invalidGrant('auth_req_id_of_other_client'),
    used: () => invalidGrant('used_auth_req_id'),
    ended: () => invalidGrant('auth_req_id_of_ended_authorization'),
    pending: () => refusePending('backchannel_pending'),
    tooSoon: (isRoutine) => refuseTooSoon('backchannel_too_soon', isRoutine),
    denied: () => refuseDenied('backchannel_denied'),
    expired: () =>
      new Refusal(
        'expired_token',
        'backchannel_expired',
        'the request has expired: make another one',
      ),
  },
  find: (id, store) => store.findBackchannel(id),
  /** For one token, unless its owner was shown `offline_access`. */
  async redeem(approved, { authorization, earned }, found, { client, trace }, { store, tokens }) {
    const isOnce = !earned.originally.includes('offline_access')
    const only = { id: found.id, terms: earned.terms }
    const expiresAt = isOnce
      ? (getFamilyEnd({ ...client, grantTypes: [] }, trace.at) ??
        (await tokens.findFormatEnd(client, authorization, only, trace.at)))
      : getFamilyEnd(client, trace.at)
    const endsAt = isOnce ? expiresAt : found.keptUntil
    const redeemed = await store.redeemBackchannel({ ...approved, expiresAt, endsAt }, trace)
    // Its owner may have set another end.
    const isOwn = authorization.expiresAt !== found.expiresAt
    const lasting = isOwn ? authorization : { ...authorization, expiresAt: endsAt }
    const otherwise = { authorization: lasting, ...(isOnce ? { lastsUntil: expiresAt } : {}) }
    return { redeemed, otherwise }
  },
})
