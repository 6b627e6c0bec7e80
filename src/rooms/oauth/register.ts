/** The client registration endpoint (RFC 7591), and the management of what was registered (RFC 7592). */
import { describeClient, describeSecret } from '../../clients/describe.ts'
import { findClient } from '../../clients/find.ts'
import { getQuota, makeClient, makeClientChange } from '../../clients/registration.ts'
import { equalDigests, hashText, noDigest } from '../../crypto/digest.ts'
import { answerJson, answerNothing } from '../../http/answer.ts'
import { awaitBody, readJsonObject } from '../../http/body.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { Client } from '../../model/client.ts'
import { changeOf } from '../../model/client-change.ts'
import { Refusal, refuseForNow } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import { readBearerHeader } from '../../resource/bearer.ts'
import { type Handler, type MetadataFragment, openJson, type RouteRow } from '../../route.ts'
import { storeLimits } from '../../store/limits.ts'
import { traceOf } from '../../store/trace.ts'

export const registrationBytes = 16 * 1024

/**
 * Stores a client that a stranger registers.
 *
 * @throws Refusal `too_many_requests`
 */
const registerForStranger = async (
  client: Client,
  exchange: Exchange,
  needs: ServiceParts,
): Promise<'created' | 'taken'> => {
  const quota = getQuota(exchange.address, needs)
  const registered = await needs.store.registerClient(client, quota, traceOf(exchange, needs))
  switch (registered.outcome) {
    case 'too_many_of_network':
      throw refuseForNow(
        'registrations_of_network',
        `${registered.most} clients were registered from this network within an hour: wait, or ask the operator for an initial access token`,
        Math.max(1, registered.until - exchange.at),
      )
    case 'too_many_held':
      throw refuseForNow(
        'registrations_held_by_network',
        `${registered.most} clients that registered themselves from this network wait for their first approval. Let an owner approve them, delete some, or ask the operator for an initial access token`,
        storeLimits.registrationWindowSeconds,
      )
    case 'too_many':
      throw refuseForNow(
        'registrations_in_total',
        `this service takes ${quota.mostInTotal} clients that register themselves, and has as many: ask the operator for an initial access token`,
        storeLimits.registrationWindowSeconds,
      )
    default:
      return registered.outcome
  }
}

/** @param token of the request; null without one, and then the challenge names no error */
const invalidToken = (token: string | null, reason: string, description: string): Refusal => {
  const error = token === null ? '' : ', error="invalid_token"'
  return new Refusal('invalid_token', token === null ? 'missing_token' : reason, description, {
    headers: { 'WWW-Authenticate': `Bearer realm="latchkey"${error}` },
  })
}

/**
 * Whether the request has the initial access token (RFC 7591 section 1.2), or comes from a
 * stranger. Strangers may register at some services.
 *
 * @throws Refusal `invalid_token`, `access_denied`
 */
const admit = (request: HttpRequest, { settings }: ServiceParts): 'invited' | 'stranger' => {
  const { registration, registrationToken } = settings
  if (registration === 'off') {
    throw new Refusal(
      'access_denied',
      'registration_off',
      'clients cannot register themselves here: ask the operator',
    )
  }
  const expected = registrationToken === null ? noDigest : hashText(registrationToken)
  const token = readBearerHeader(request)
  const right = equalDigests(hashText(token ?? ''), expected)
  if (right && registrationToken !== null) return 'invited'
  if (registration === 'open') return 'stranger'
  throw invalidToken(
    token,
    'uninvited_registration',
    'registration needs the initial access token that the operator gives out',
  )
}

/** RFC 7591 section 3.2.1 and RFC 7592 section 3. */
const describe = (
  client: Client,
  secret: string | null,
  registrationToken: string,
  { settings }: ServiceParts,
) => ({
  ...describeClient(client),
  ...describeSecret(secret),
  registration_access_token: registrationToken,
  registration_client_uri: `${settings.issuer}/register/${encodeURIComponent(client.id)}`,
})

/** One refusal for every way to fail, so that nobody learns which clients there are. */
const wrongToken = (token: string | null): Refusal =>
  invalidToken(
    token,
    'wrong_registration_token',
    'this is not the registration access token of this client',
  )

/**
 * The client of a registration request, and its registration token. Both are checked after the last
 * byte of the body.
 */
const findManaged = async (
  { request, params, caller }: Exchange,
  { store }: ServiceParts,
): Promise<{ readonly client: Client; readonly token: string }> => {
  const token = readBearerHeader(request)
  if (token !== null) await awaitBody(request, registrationBytes)
  const client = await findClient(params.client_id ?? '', { store })
  const right = equalDigests(hashText(token ?? ''), client?.registrationDigest ?? noDigest)
  if (token === null || client === null || client.registrationDigest === null || !right) {
    throw wrongToken(token)
  }
  caller.proven = { type: 'client', clientId: client.id }
  return { client, token }
}

const invalidMetadata = (reason: string, description: string): Refusal =>
  new Refusal('invalid_client_metadata', reason, description)

/** RFC 7592 section 2.2: who it is about is said again, and a secret is never of the client's choosing. */
const refuseOtherIdentity = (given: Readonly<Record<string, unknown>>, client: Client): void => {
  if (given.client_id !== client.id) {
    throw invalidMetadata('other_client_id', 'client_id has to be the one of this client')
  }
  const secret = given.client_secret ?? null
  if (secret === null) return
  const right =
    typeof secret === 'string' && equalDigests(hashText(secret), client.secretDigest ?? noDigest)
  if (right && client.secretDigest !== null) return
  throw invalidMetadata('other_client_secret', 'client_secret, if given, has to be the issued one')
}

const registerMetadata: MetadataFragment = ({ settings }) =>
  settings.registration === 'open' ? { registration_endpoint: `${settings.issuer}/register` } : {}

/** RFC 7591. */
const openRegister = (needs: ServiceParts): Handler => {
  const { store, resources, registries, sectors } = needs
  return async (exchange) => {
    const { request } = exchange
    const by = admit(request, needs)
    const metadata = await readJsonObject(request, registrationBytes)
    await resources.learnScope(metadata.scope)
    const made = makeClient(metadata, { by: 'itself', registries }, needs)
    const { client, secret, registrationToken } = made
    await sectors.check(client, null, exchange)
    const outcome =
      by === 'stranger'
        ? await registerForStranger(client, exchange, needs)
        : await store.createClient(client, traceOf(exchange, needs))
    if (outcome === 'taken') throw new Error('a generated client id is taken')
    return answerJson(describe(client, secret, registrationToken ?? '', needs), 201)
  }
}

/** RFC 7592. */
const openManagement = (needs: ServiceParts) => {
  const { store, registries, sectors } = needs

  const read: Handler = async (exchange) => {
    const { client, token } = await findManaged(exchange, needs)
    return answerJson(describe(client, null, token, needs))
  }

  const change: Handler = async (exchange) => {
    const { client, token } = await findManaged(exchange, needs)
    const given = await readJsonObject(exchange.request, registrationBytes)
    refuseOtherIdentity(given, client)
    const by = { by: 'itself', registries } as const
    const { change: wanted, secret } = makeClientChange(client, given, by, needs)
    const trace = traceOf(exchange, needs)
    await sectors.check(changeOf(client, wanted, exchange.at), client, exchange)
    const changed = await store.changeOwnClient(client.id, hashText(token), wanted, trace)
    switch (changed.outcome) {
      case 'gone':
        throw wrongToken(token)
      case 'held': {
        const said = `${changed.members.join(', ')}: set by the operator, so the client cannot change it`
        throw invalidMetadata('set_by_operator', said)
      }
      // Each change is kept, and told to owners: a client must not fill the one or hide something in the other.
      case 'too_often': {
        const said = `a client changes its registration at most ${storeLimits.ownChanges} times a day`
        throw refuseForNow('own_changes', said, changed.seconds)
      }
      case 'changed':
        return answerJson(describe(changed.client, secret, token, needs))
    }
  }

  const remove: Handler = async (exchange) => {
    const { client, token } = await findManaged(exchange, needs)
    const trace = traceOf(exchange, needs)
    const isDeleted = await store.deleteOwnClient(client.id, hashText(token), trace)
    if (!isDeleted) throw wrongToken(token)
    return answerNothing()
  }

  return { read, change, remove }
}

export const openRegistration = (needs: ServiceParts): readonly RouteRow[] => {
  const register = openRegister(needs)
  const { read, change, remove } = openManagement(needs)
  const metadata = registerMetadata
  return [
    { ...openJson, method: 'POST', path: '/register', handler: register, metadata },
    { ...openJson, method: 'GET', path: '/register/:client_id', handler: read },
    { ...openJson, method: 'PUT', path: '/register/:client_id', handler: change },
    { ...openJson, method: 'DELETE', path: '/register/:client_id', handler: remove },
  ]
}
