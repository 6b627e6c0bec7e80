/** The device code grant (RFC 8628 sections 3.4 and 3.5). */
import { equalDigests } from '../../crypto/digest.ts'
import type { Grant, GrantParts, GrantRequest } from '../../grants/grant.ts'
import { findMixUp } from '../../protocol/kinds.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { type EarnedFamily, getFamilyEnd } from '../../tokens/issue.ts'
import { pausedRefusal } from '../../tokens/paused.ts'
import { findEarned, openPolls } from '../../tokens/polled-request.ts'
import { deviceCodePrefix, parseDeviceCode } from './codes.ts'
import type { DeviceAuthorization } from './contract.ts'

export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code'

const invalidGrant = (reason: string, description: string | null = null): Refusal =>
  new Refusal(
    'invalid_grant',
    reason,
    description ?? 'the device code is unknown, used, or was issued to another client',
  )

/** The device asks again and again, so this is neither counted nor kept. */
const pending = (): Refusal =>
  new Refusal('authorization_pending', 'device_pending', 'nobody has decided yet: ask again', {
    isRoutine: true,
  })

const tooSoon = (isRoutine: boolean): Refusal => {
  const said = 'ask again after five more seconds than before'
  return new Refusal('slow_down', 'device_too_soon', said, isRoutine ? { isRoutine } : {})
}

const denied = (): Refusal =>
  new Refusal('access_denied', 'device_denied', 'the resource owner denied access', { status: 400 })

const expired = (): Refusal =>
  new Refusal(
    'expired_token',
    'device_code_expired',
    'the device code has expired: ask for another',
  )

/** Checks what a stranger could not satisfy. Nothing is changed by failing here. */
const findDevice = async (
  { client, parameters }: GrantRequest,
  { store }: GrantParts,
): Promise<DeviceAuthorization> => {
  const text = parameters.require('device_code')
  const presented = parseDeviceCode(text)
  if (presented === null) {
    throw invalidGrant('malformed_device_code', findMixUp(text, deviceCodePrefix))
  }
  const device = await store.findDevice(presented.id)
  if (device === null || !equalDigests(device.secretDigest, presented.secretDigest)) {
    throw invalidGrant('unknown_device_code')
  }
  if (device.clientId !== client.id) throw invalidGrant('device_code_of_other_client')
  return device
}

/** Redeems an approved device code, once. */
const redeem = async (
  device: DeviceAuthorization,
  request: GrantRequest,
  parts: GrantParts,
): Promise<EarnedFamily> => {
  const approval = await findEarned(device, request, parts)
  if (approval === null) throw invalidGrant('device_code_of_ended_authorization')
  const { authorization, salt, earned, login } = approval
  const { client, trace } = request
  const expiresAt = getFamilyEnd(client, trace.at)
  const of = { id: device.id, authorizationId: authorization.id, salt, terms: device.terms ?? '' }
  const redemption = { ...of, expiresAt, ...login }
  const redeemed = await parts.store.redeemDevice(redemption, trace)
  switch (redeemed.outcome) {
    case 'redeemed':
      return { for: 'family', family: redeemed.family, authorization, ...earned }
    // The next poll hears what its owner has decided in the place of that.
    case 'changed':
      throw pending()
    case 'used':
      throw invalidGrant('used_device_code')
    case 'paused':
      throw pausedRefusal()
    case 'ended':
      throw invalidGrant('device_code_of_ended_authorization')
  }
}

export const deviceCode: Grant = {
  type: deviceGrantType,
  clients: 'any',
  takesDetails: true,
  isPolled: true,
  open: (parts) => {
    const polls = openPolls(parts.settings.limits.deviceIntervalSeconds)
    return async (request) => {
      const device = await findDevice(request, parts)
      const { at } = request.trace
      if (device.state === 'redeemed') throw invalidGrant('used_device_code')
      if (device.expiresAt <= at) throw expired()
      if (device.state === 'denied') throw denied()
      // Only a device that waits can be told to wait longer: any other answer is the last.
      if (device.state === 'pending') {
        const isTooSoon = polls.isTooSoon(device.id, at)
        throw isTooSoon ? tooSoon(polls.isRoutine(device.id)) : pending()
      }
      const earned = await redeem(device, request, parts)
      polls.forget(device.id)
      return earned
    }
  },
}
