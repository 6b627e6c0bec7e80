/** The device authorization endpoint (RFC 8628 sections 3.1 and 3.2). */
import { openAuthentication, readClientForm } from '../../clients/authenticate.ts'
import { answerJson } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import { type Client, isPublic } from '../../model/client.ts'
import { type FamilyId, makeId } from '../../model/ids.ts'
import { makeAskCounters } from '../../owners/counters.ts'
import { type Parameters, parseParameters, refuseUnsupported } from '../../protocol/parameters.ts'
import { invalidRequest, Refusal, refuseForNow } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import { parseEndingRequest } from '../../requests/ending-request.ts'
import { unsupportedAtPages } from '../../requests/unsupported.ts'
import { type Handler, openJson, type RouteRow } from '../../route.ts'
import { traceOf } from '../../store/trace.ts'
import { formatUserCode, hideUserCode, makeDeviceCode, makeUserCode } from './codes.ts'
import { deviceGrantType } from './grant.ts'
import { deviceLimits } from './limits.ts'

/** What a device may ask for. Anything else is ignored (RFC 6749 section 3.1). */
const asked = ['scope', 'resource', 'authorization_details', 'claims', 'acr_values', 'max_age']

const formatAsked = (form: Parameters, { id }: Client): string => {
  const request = new URLSearchParams({ client_id: id })
  for (const name of asked) for (const value of form.all(name)) request.append(name, value)
  return request.toString()
}

const requireGrant = ({ grantTypes }: Client): void => {
  if (grantTypes.includes(deviceGrantType)) return
  const said = `the client is not registered for the grant type ${deviceGrantType}`
  throw new Refusal('unauthorized_client', 'device_grant_not_registered', said)
}

/** Anybody can ask as a public client, or register one. Other clients of the operator have proved themselves. */
const isProven = (client: Client): boolean =>
  client.registeredBy === 'operator' && !isPublic(client)

/** How long to wait where strangers have too many codes: some end by then. */
const crowdedSeconds = 60

const refuseCrowd = (outcome: 'too_many' | 'too_many_of_network'): Refusal =>
  outcome === 'too_many'
    ? refuseForNow('devices_in_all', 'too many devices wait for a decision', crowdedSeconds)
    : refuseForNow(
        'devices_of_network',
        'too many devices in this network wait for a decision',
        crowdedSeconds,
      )

/** @throws Refusal `too_many_requests` where an address has asked too often */
const countAsked = async (exchange: Exchange, needs: ServiceParts): Promise<void> => {
  const { deviceCodeSeconds } = needs.settings.limits
  const { ofAddress } = deviceLimits
  const counters = makeAskCounters(
    'device-asked',
    exchange.address,
    ofAddress - 1,
    deviceCodeSeconds,
  )
  const admitted = await needs.store.admitAttempt(counters, traceOf(exchange, needs))
  if (admitted.outcome === 'admitted') return
  const said = 'too many devices at this address have asked'
  throw refuseForNow('devices_of_address', said, admitted.seconds)
}

const openStarting = (needs: ServiceParts) => {
  const { settings, store, random, subjects } = needs
  /** @throws Refusal `too_many_requests` */
  return async (client: Client, parameters: string, exchange: Exchange) => {
    const { at, caller } = exchange
    const id = makeId<FamilyId>(needs)
    const { text, secretDigest } = makeDeviceCode(id, random)
    const bounds = isProven(client) ? null : deviceLimits
    if (bounds !== null) await countAsked(exchange, needs)
    for (let tries = 0; tries < deviceLimits.codesTried; tries++) {
      const code = makeUserCode(random)
      const userCode = await hideUserCode(code, subjects)
      const about = { clientId: client.id, parameters, network: caller.network }
      const times = { createdAt: at, expiresAt: at + settings.limits.deviceCodeSeconds }
      const undecided = { authorizationId: null, salt: null, terms: null }
      const device = { id, secretDigest, userCode, ...about, ...times, ...undecided }
      const started = await store.startDevice({ ...device, state: 'pending' }, bounds)
      if (started === 'started') return { text, code }
      if (started !== 'taken') throw refuseCrowd(started)
    }
    throw new Error('all user codes were taken')
  }
}

export const openDeviceRequest = (given: ServiceParts): readonly RouteRow[] => {
  const needs = { ...given, ...openAuthentication(given) }
  const { settings, resources, authenticate } = needs
  const start = openStarting(needs)

  const request: Handler = async (exchange) => {
    const form = await readClientForm(exchange.request)
    const client = await authenticate(exchange, form)
    requireGrant(client)
    refuseUnsupported(form, unsupportedAtPages)
    const text = formatAsked(form, client)
    if (text.length > deviceLimits.parameterCharacters) {
      const said = `the request has more than ${deviceLimits.parameterCharacters} characters`
      throw invalidRequest('device_request_too_long', said)
    }
    const parameters = parseParameters(text)
    await resources.learnAsked(parameters)
    await parseEndingRequest(parameters, client, needs)
    const { text: device_code, code } = await start(client, text, exchange)
    const user_code = formatUserCode(code)
    const uri = `${settings.issuer}/device`
    return answerJson({
      device_code,
      user_code,
      verification_uri: uri,
      verification_uri_complete: `${uri}?user_code=${user_code}`,
      expires_in: settings.limits.deviceCodeSeconds,
      interval: settings.limits.deviceIntervalSeconds,
    })
  }

  return [
    {
      ...openJson,
      method: 'POST',
      path: '/device_authorization',
      handler: request,
      metadata: () => ({
        device_authorization_endpoint: `${settings.issuer}/device_authorization`,
      }),
    },
  ]
}
