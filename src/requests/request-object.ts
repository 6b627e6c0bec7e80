/**
 * Request objects (RFC 9101; OpenID Connect Core section 6): the authorization request as a JWT that the
 * client signed. What it says becomes the parameters of the request, and nothing else does.
 */
import { findClient } from '../clients/find.ts'
import type { ClientKeys } from '../clients/keys.ts'
import type { FetchAsker } from '../clients/site-fetch.ts'
import type { RequestObjects } from '../clients/sites.ts'
import type { Settings } from '../config/settings.ts'
import { verifyByKey } from '../crypto/client-jws.ts'
import { readClaimedHeader } from '../crypto/jose.ts'
import type { RefusalCounter } from '../events/refusal-counter.ts'
import { parseExactJson } from '../http/body.ts'
import type { Client } from '../model/client.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import { isSameAlgorithm, signatureAlgorithms } from '../model/key.ts'
import type { Meter } from '../model/metric.ts'
import { mayRepeat, type Parameters } from '../protocol/parameters.ts'
import { getProfile, isForbidden, isStrongAlgorithm, sayForbidden } from '../protocol/profile.ts'
import { invalidRequest, Refusal, refuseForNow } from '../protocol/refusal.ts'
import type { Store } from '../store/store.ts'
import { requestLimits } from './limits.ts'
import { refusedObject } from './mistakes.ts'

interface ObjectParts {
  readonly clientKeys: ClientKeys
  readonly settings: Settings
  readonly meter: Pick<Meter, 'countLax'>
}

const invalid = (reason: string, description: string): Refusal =>
  new Refusal('invalid_request_object', reason, description)

/** Claims about the object itself (RFC 7519 section 4.1). */
const aboutObject = ['iss', 'aud', 'exp', 'nbf', 'iat', 'jti', 'sub']

const readAlgorithm = ({ alg }: JsonObject, client: Client, settings: Settings): string => {
  const { request_object_signing_alg: registered } = client.openid
  const allowed = registered === undefined ? signatureAlgorithms : [registered]
  if (typeof alg === 'string' && allowed.some((one) => isSameAlgorithm(one, alg))) {
    const profile = getProfile(client, settings)
    if (isStrongAlgorithm(alg) || !isForbidden('weak_algorithm', profile)) return alg
    throw invalid('profile_weak_algorithm', sayForbidden('weak_algorithm', profile))
  }
  const names = allowed.join(', ')
  throw invalid('request_object_algorithm', `the request object has to be signed with ${names}`)
}

/** Objects of OpenID Connect have no type of their own, and older libraries send none. */
const checkType = ({ typ }: JsonObject): void => {
  if (typ === undefined) return
  const isTyped = typeof typ === 'string' && /^(application\/)?(oauth-authz-req\+)?jwt$/i.test(typ)
  if (isTyped) return
  const said = 'typ of the request object has to be oauth-authz-req+jwt, JWT or absent'
  throw invalid('request_object_type', said)
}

const verify = async (
  text: string,
  header: JsonObject,
  client: Client,
  asker: FetchAsker,
  { clientKeys, settings }: ObjectParts,
): Promise<JsonObject> => {
  const algorithm = readAlgorithm(header, client, settings)
  const kid = typeof header.kid === 'string' ? header.kid : null
  const found = await clientKeys.find(client, { algorithm, use: 'sig', kid }, asker)
  switch (found.is) {
    case 'unreachable':
      throw invalid('client_keys_unreachable', 'the host of jwks_uri does not answer')
    case 'unusable':
      throw invalid('client_keys_unusable', `jwks_uri cannot be used: ${found.said}`)
    case 'found': {
      const [key, second] = found.keys
      // Anybody may send objects, so each costs one check at most.
      if (second !== undefined) {
        const said = 'several keys of the client fit: kid in the request object has to name one'
        throw invalid('request_object_key', said)
      }
      const claims = key === undefined ? null : await verifyByKey(text, key, algorithm)
      if (claims !== null) return claims
      throw invalid(
        'request_object_signature',
        'no registered key of the client signed the request object',
      )
    }
  }
}

const isTime = (value: JsonValue | undefined): value is number | undefined =>
  value === undefined || (typeof value === 'number' && Number.isFinite(value))

const checkTimes = ({ exp, nbf }: JsonObject, at: number): void => {
  if (!isTime(exp) || !isTime(nbf)) {
    throw invalid('request_object_times', 'exp and nbf of the request object have to be numbers')
  }
  if (exp !== undefined && exp <= at) {
    throw invalid('request_object_expired', 'the request object has expired')
  }
  if (nbf !== undefined && nbf > at + requestLimits.skewSeconds) {
    throw invalid('request_object_early', 'the request object is not valid yet')
  }
}

/** FAPI 2.0 Message Signing section 5.3.1. */
const isLoose = ({ iss, aud, exp }: JsonObject): boolean =>
  iss === undefined || aud === undefined || exp === undefined

/**
 * Whether the client made the object, for this service, as a request and as nothing else. `iss`, `aud` and
 * `exp` may be absent (RFC 9101 section 4), but for a client that has to send such objects, and in FAPI 2.0.
 */
const checkPurpose = (claims: JsonObject, client: Client, settings: Settings): void => {
  const { iss, aud, exp, sub, client_id: inside } = claims
  const { id, openid } = client
  const { issuer } = settings
  const profile = getProfile(client, settings)
  if (isLoose(claims) && isForbidden('loose_object', profile)) {
    throw invalid('profile_loose_object', sayForbidden('loose_object', profile))
  }
  const isStrict = openid.require_signed_request_object === true
  if (isStrict && exp === undefined) {
    throw invalid('request_object_times', 'the request object of this client needs exp')
  }
  if ((isStrict || iss !== undefined) && iss !== id) {
    throw invalid('request_object_issuer', 'iss of the request object has to be the client_id')
  }
  const audience = Array.isArray(aud) ? aud : [aud]
  if ((isStrict || aud !== undefined) && !audience.includes(issuer)) {
    throw invalid('request_object_audience', `aud of the request object has to be ${issuer}`)
  }
  if (inside !== undefined && inside !== id) {
    throw invalid('request_object_client', 'client_id has to be the same in the request object')
  }
  // Such a JWT proves who the client is: it may have been made for the token endpoint (RFC 9101 section 10.8).
  if (sub === id) {
    throw invalid('request_object_subject', 'sub of a request object must not be the client_id')
  }
}

const listTexts = (name: string, value: JsonValue): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)]
  const isList = Array.isArray(value) && mayRepeat.some((known) => known === name)
  if (isList && value.every((one) => typeof one === 'string')) return value
  if (value === null) throw invalid('request_object_null', `${name} must not be null`)
  return [JSON.stringify(value)]
}

/** The owner approves the numbers that the client signed. A rounded one would be another. */
const checkNumbers = (text: string): void => {
  try {
    parseExactJson(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString())
  } catch {
    const said = 'the request object holds a number that cannot be kept: send it as a string'
    throw invalid('request_object_number', said)
  }
}

/** What the object says, form-encoded like a request without one. */
const formatParameters = (claims: JsonObject, { id }: Client): string => {
  if (claims.request !== undefined || claims.request_uri !== undefined) {
    throw invalid('request_object_nested', 'a request object names no other one')
  }
  const parameters = new URLSearchParams({ client_id: id })
  for (const [name, value] of Object.entries(claims)) {
    if (name === 'client_id' || aboutObject.includes(name)) continue
    for (const text of listTexts(name, value)) parameters.append(name, text)
  }
  return parameters.toString()
}

/**
 * The parameters in a request object, form-encoded.
 *
 * @throws Refusal `invalid_request_object`
 */
export const readRequestObject = async (
  text: string,
  client: Client,
  asker: FetchAsker,
  parts: ObjectParts,
): Promise<string> => {
  const header = readClaimedHeader(text)
  if (header === null) throw invalid('request_object_form', 'request has to be a signed JWT')
  const claims = await verify(text, header, client, asker, parts)
  checkType(header)
  checkPurpose(claims, client, parts.settings)
  checkTimes(claims, asker.at)
  if (claims.authorization_details !== undefined) checkNumbers(text)
  if (isLoose(claims)) parts.meter.countLax(client, 'loose_object')
  if (!isStrongAlgorithm(String(header.alg))) parts.meter.countLax(client, 'weak_algorithm')
  return formatParameters(claims, client)
}

export interface ResolvingParts {
  readonly store: Store
  readonly settings: Settings
  readonly clientKeys: ClientKeys
  readonly requestObjects: RequestObjects
  readonly meter: Pick<Meter, 'countLax'>
  readonly refusedObjects: RefusalCounter
}

/** Checking a signature costs more than making a wrong one. */
const refuseFlood = ({ address, at }: FetchAsker, { refusedObjects }: ResolvingParts): void => {
  const seconds = address === null ? 0 : refusedObjects.secondsOver(address, at)
  if (seconds === 0) return
  throw refuseForNow('too_many_refusals', 'too many refused request objects: slow down', seconds)
}

const invalidUri = (reason: string, description: string): Refusal =>
  new Refusal('invalid_request_uri', reason, description)

const stripFragment = (uri: string): string => uri.replace(/#.*$/s, '')

const fetchObject = async (
  uri: string,
  client: Client,
  asker: FetchAsker,
  { requestObjects }: ResolvingParts,
): Promise<string> => {
  const registered = client.openid.request_uris ?? []
  // The fragment is a hash for caches (OpenID Connect Core section 6.2), and never sent.
  if (!registered.map(stripFragment).includes(stripFragment(uri))) {
    throw invalidUri('unregistered_request_uri', 'request_uri is not registered for this client')
  }
  const answer = await requestObjects.find(stripFragment(uri), client, asker)
  switch (answer.is) {
    case 'fetched':
      return answer.text.trim()
    case 'unusable':
      throw invalidUri('request_uri_unusable', `request_uri cannot be used: ${answer.said}`)
    case 'unreachable':
      throw invalidUri('request_uri_unreachable', 'the host of request_uri does not answer')
  }
}

const readOne = (values: readonly string[], name: string): string | null => {
  const [first = null, second] = values
  if (second === undefined) return first
  const said = `parameter ${name} came more than once`
  throw invalidRequest('repeated_parameter', said)
}

/**
 * The parameters of the request object, form-encoded; null for a request without one. A request
 * without one known client is left to the refusals of an ordinary one.
 *
 * @throws Refusal `invalid_request`, `invalid_request_object`, `invalid_request_uri`, `too_many_requests`
 */
export const resolveRequest = async (
  outer: Parameters,
  asker: FetchAsker,
  parts: ResolvingParts,
): Promise<string | null> => {
  const [id = '', second] = outer.all('client_id')
  const client = second === undefined ? await findClient(id, parts) : null
  if (client === null) return null
  const object = readOne(outer.all('request'), 'request')
  const uri = readOne(outer.all('request_uri'), 'request_uri')
  if (object !== null && uri !== null) {
    const said = 'request and request_uri exclude each other'
    throw invalidRequest('two_request_objects', said)
  }
  if (object === null && uri === null) {
    if (client.openid.require_signed_request_object !== true) return null
    const said = 'the client is registered for signed request objects only'
    throw invalidRequest('missing_request_object', said)
  }
  refuseFlood(asker, parts)
  try {
    const text = object ?? (await fetchObject(uri ?? '', client, asker, parts))
    return await readRequestObject(text, client, asker, parts)
  } catch (fault) {
    if (asker.address !== null) parts.refusedObjects.count(asker.address, asker.at)
    throw fault instanceof Refusal ? refusedObject(fault, object ?? uri ?? '') : fault
  }
}
