/**
 * Client assertions (RFC 7521 section 4.2, RFC 7523 section 3): a JWT in place of a secret. Whoever sees one on
 * its way cannot use it again, or elsewhere.
 */
import { hashText } from '../../crypto/digest.ts'
import { readClaimedHeader, readClaims } from '../../crypto/jose.ts'
import type { Client } from '../../model/client.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import { getProfile, isForbidden, isStrongAlgorithm, sayForbidden } from '../../protocol/profile.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import {
  type AssertionKind,
  checkAge,
  checkTimes,
  checkType,
  isTime,
  type JwtAssertion,
} from '../jwt-assertion.ts'
import { assertionLimits } from '../limits.ts'
import { invalidClient, type ProvingParts } from './method.ts'

/** The one type of assertion that is taken. */
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

export const clientAssertion: AssertionKind = {
  called: 'client assertion',
  refuse: invalidClient,
}

export interface ClientAssertion extends JwtAssertion {
  /** The client that is claimed to have sent it. */
  readonly id: string
}

const headers = new WeakMap<Parameters, JsonObject>()

/** The methods of assertions look at the same header, one after the other. */
const readHeader = (parameters: Parameters, text: string): JsonObject | null => {
  const isLong = text.length > assertionLimits.characters
  const header = headers.get(parameters) ?? (isLong ? null : readClaimedHeader(text))
  if (header !== null) headers.set(parameters, header)
  return header
}

/**
 * The assertion of a request. Null without one, and for one that is signed in another way.
 *
 * @param takes whether the method takes the algorithm
 */
export const readAssertion = (
  parameters: Parameters,
  takes: (algorithm: string) => boolean,
): ClientAssertion | Refusal | null => {
  const text = parameters.find('client_assertion')
  const type = parameters.find('client_assertion_type')
  if (text === null && type === null) return null
  if (text === null || type !== assertionType) {
    const said = `client_assertion needs the client_assertion_type ${assertionType}`
    return invalidClient('assertion_type', said)
  }
  const header = readHeader(parameters, text)
  if (typeof header?.alg === 'string' && !takes(header.alg)) return null
  const claims = header && readClaims(text)
  const { alg, kid } = header ?? {}
  const id = parameters.find('client_id') ?? claims?.sub
  if (header === null || claims === null || typeof alg !== 'string' || typeof id !== 'string') {
    const said = 'client_assertion has to be a signed JWT that names the client in iss and sub'
    return invalidClient('assertion_form', said)
  }
  return { text, algorithm: alg, kid: typeof kid === 'string' ? kid : null, id, header, claims }
}

/** Null where the profile of the client allows the algorithm of its assertion. */
export const checkAlgorithm = (
  { algorithm }: ClientAssertion,
  client: Client,
  settings: ProvingParts['settings'],
): Refusal | null => {
  const profile = getProfile(client, settings)
  if (isStrongAlgorithm(algorithm) || !isForbidden('weak_algorithm', profile)) return null
  return invalidClient('profile_weak_algorithm', sayForbidden('weak_algorithm', profile))
}

/** What a proven assertion did that a stricter profile forbids. */
export const countLaxAssertion = (
  { algorithm, claims }: ClientAssertion,
  audience: string,
  client: Client,
  { meter }: ProvingParts,
): void => {
  if (claims.aud !== audience) meter.countLax(client, 'audience_list')
  if (!isStrongAlgorithm(algorithm)) meter.countLax(client, 'weak_algorithm')
}

const checkSubject = ({ iss, sub }: JsonObject, { id }: Client): Refusal | null => {
  if (iss === id && sub === id) return null
  const said = 'iss and sub of the client assertion have to be the client_id'
  return invalidClient('assertion_subject', said)
}

/** FAPI 2.0 Security Profile section 5.3.2.1. @param audience the issuer, or the one that a platform is told */
export const checkAudienceProfile = (
  { aud }: JsonObject,
  audience: string,
  client: Client,
  settings: ProvingParts['settings'],
): Refusal | null => {
  const profile = getProfile(client, settings)
  if (aud === audience || !isForbidden('audience_list', profile)) return null
  return invalidClient('profile_audience_list', sayForbidden('audience_list', profile))
}

/**
 * The issuer alone, so that no other server can pass the assertion on (draft-ietf-oauth-rfc7523bis section 3).
 * Older libraries name the token endpoint, or both.
 */
const checkAudience = (
  { aud }: JsonObject,
  client: Client,
  settings: ProvingParts['settings'],
): Refusal | null => {
  const { issuer } = settings
  const { identity } = client
  const tokenEndpoint = `${issuer}/token`
  const audience = Array.isArray(aud) ? aud : [aud]
  const isOld = audience.includes(tokenEndpoint)
  const allowed =
    identity.accept_token_endpoint_audience === true ? [issuer, tokenEndpoint] : [issuer]
  const isRight =
    audience.length > 0 &&
    audience.length <= allowed.length &&
    audience.every((one) => allowed.some((name) => name === one))
  if (isRight) return null
  return isOld
    ? invalidClient(
        'assertion_token_endpoint',
        `aud of the client assertion has to be ${issuer} alone: the token endpoint is not taken`,
      )
    : invalidClient('assertion_audience', `aud of the client assertion has to be ${issuer} alone`)
}

const usedRefusals = {
  again: () =>
    invalidClient(
      'assertion_replayed',
      'the client assertion was used before: make a new one for each request',
    ),
  unsure: () =>
    invalidClient(
      'assertion_unsure',
      'the client assertion was made before a crash or a restore of this service, and may have been used: make a new one',
    ),
} as const

/**
 * Checks what a client said about itself, under a signature of it. The assertion is then used up, whatever becomes
 * of its request.
 *
 * @param assertion proven by its signature
 * @throws Refusal `too_many_requests`
 */
export const checkOwnAssertion = async (
  assertion: ClientAssertion,
  client: Client,
  at: number,
  parts: ProvingParts,
): Promise<Refusal | null> => {
  const { header, claims } = assertion
  const { store, settings, usedUp } = parts
  const fault =
    checkType(header, ['jwt', 'client-authentication+jwt'], clientAssertion) ??
    checkSubject(claims, client) ??
    checkTimes(claims, at, clientAssertion) ??
    checkAge(claims, at, clientAssertion) ??
    checkAudienceProfile(claims, settings.issuer, client, settings) ??
    checkAudience(claims, client, settings)
  if (fault !== null) return fault
  const { jti, exp, iat } = claims
  if (typeof jti !== 'string' || jti === '') {
    return invalidClient('assertion_id', 'the client assertion needs a jti')
  }
  const id = hashText(JSON.stringify(['client assertion', client.id, jti]))
  const expiresAt = Math.ceil(Number(exp))
  const used = { id, madeAt: isTime(iat) ? Math.floor(iat) : null, expiresAt }
  const claimed = await usedUp.claim('assertion', client, at, () => store.claimId(used, at))
  if (claimed !== 'first') return usedRefusals[claimed]()
  countLaxAssertion(assertion, settings.issuer, client, parts)
  return null
}
