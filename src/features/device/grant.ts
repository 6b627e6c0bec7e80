/** The device code grant (RFC 8628 sections 3.4 and 3.5). */
import {
  definePolledGrant,
  refuseDenied,
  refusePending,
  refuseTooSoon,
} from '../../grants/polled.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { getFamilyEnd } from '../../tokens/issue.ts'
import { deviceCodePrefix } from './codes.ts'

export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code'

const invalidGrant = (reason: string, said: string | null = null): Refusal =>
  new Refusal(
    'invalid_grant',
    reason,
    said ?? 'the device code is unknown, used, or was issued to another client',
  )

export const deviceCode = definePolledGrant({
  type: deviceGrantType,
  clients: 'any',
  parameter: 'device_code',
  prefix: deviceCodePrefix,
  refusals: {
    malformed: (said) => invalidGrant('malformed_device_code', said),
    unknown: () => invalidGrant('unknown_device_code'),
    foreign: () => invalidGrant('device_code_of_other_client'),
    used: () => invalidGrant('used_device_code'),
    ended: () => invalidGrant('device_code_of_ended_authorization'),
    pending: () => refusePending('device_pending'),
    tooSoon: (isRoutine) => refuseTooSoon('device_too_soon', isRoutine),
    denied: () => refuseDenied('device_denied'),
    expired: () =>
      new Refusal(
        'expired_token',
        'device_code_expired',
        'the device code has expired: ask for another',
      ),
  },
  find: (id, store) => store.findDevice(id),
  async redeem(approved, _approval, _found, { client, trace }, { store }) {
    const redemption = { ...approved, expiresAt: getFamilyEnd(client, trace.at) }
    return { redeemed: await store.redeemDevice(redemption, trace) }
  },
})
