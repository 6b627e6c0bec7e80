/** The device code grant (RFC 8628 sections 3.4 and 3.5). */
import { equalDigests } from '../../crypto/digest.ts'
import type { Grant, GrantParts, GrantRequest } from '../../grants/grant.ts'
import type { FamilyId } from '../../model/ids.ts'
import { findMixUp } from '../../protocol/kinds.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { narrowTerms } from '../../tokens/code.ts'
import { findClientLogin } from '../../tokens/id-token.ts'
import { type EarnedFamily, getFamilyEnd } from '../../tokens/issue.ts'
import { pausedRefusal } from '../../tokens/paused.ts'
import { deviceCodePrefix, parseDeviceCode } from './codes.ts'
import type { DeviceAuthorization } from './contract.ts'
import { deviceLimits } from './limits.ts'
import { parseTerms } from './terms.ts'

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

const tooSoon = (): Refusal =>
  new Refusal('slow_down', 'device_too_soon', 'ask again after five more seconds than before', {
    isRoutine: true,
  })

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
  { id, authorizationId, salt, terms }: DeviceAuthorization,
  { client, parameters, key, trace }: GrantRequest,
  { store, resources }: GrantParts,
): Promise<EarnedFamily> => {
  const authorization =
    authorizationId === null ? null : await store.findAuthorization(authorizationId, trace.at)
  const approved = terms === null ? null : parseTerms(terms)
  if (authorization === null || salt === null || approved === null) {
    throw invalidGrant('device_code_of_ended_authorization')
  }
  const asked = {
    indicators: parameters.all('resource'),
    details: parameters.find('authorization_details'),
  }
  const earned = await narrowTerms(approved, authorization, asked, client, resources)
  await key?.claim()
  const told = { ...earned.terms, permissions: earned.told }
  const login = await findClientLogin(client, authorization.ownerId, told, trace.at, store)
  const redeemed = await store.redeemDevice(
    {
      id,
      authorizationId: authorization.id,
      salt,
      expiresAt: getFamilyEnd(client, trace.at),
      ...(login === undefined ? {} : { login }),
    },
    trace,
  )
  switch (redeemed.outcome) {
    case 'redeemed':
      return { for: 'family', family: redeemed.family, authorization, ...earned }
    case 'used':
      throw invalidGrant('used_device_code')
    case 'paused':
      throw pausedRefusal()
    case 'ended':
      throw invalidGrant('device_code_of_ended_authorization')
  }
}

interface Poll {
  readonly nextAt: number
  readonly interval: number
}

/**
 * How often a device may ask, in bounded memory of the node: polling writes nothing.
 *
 * @param interval the seconds between two polls, unless one came too soon
 */
const openPolls = (interval: number) => {
  const polls = new Map<FamilyId, Poll>()
  return {
    /** Notes a poll. True where it came too soon: from then on the interval is longer. */
    isTooSoon(id: FamilyId, at: number): boolean {
      const last = polls.get(id) ?? { nextAt: 0, interval }
      const isTooSoon = at < last.nextAt
      const next = last.interval + (isTooSoon ? deviceLimits.slowDownSeconds : 0)
      const [oldest] = polls.size < deviceLimits.pollsKept ? [] : polls.keys()
      if (oldest !== undefined) polls.delete(oldest)
      // The one that asked last goes last.
      polls.delete(id)
      polls.set(id, { nextAt: at + next, interval: next })
      return isTooSoon
    },
    forget: (id: FamilyId): boolean => polls.delete(id),
  }
}

export const deviceCode: Grant = {
  type: deviceGrantType,
  clients: 'any',
  takesDetails: true,
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
        throw polls.isTooSoon(device.id, at) ? tooSoon() : pending()
      }
      const earned = await redeem(device, request, parts)
      polls.forget(device.id)
      return earned
    }
  },
}
