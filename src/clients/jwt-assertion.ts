/**
 * JWTs that somebody signed for a request (RFC 7523 section 3): assertions of clients, tokens of their platforms, and
 * grants of trusted issuers. The same checks, and the refusals of whoever asks.
 */
import { readClaimed, readClaimedHeader } from '../crypto/jose.ts'
import type { RefusalCounter } from '../events/refusal-counter.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Client } from '../model/client.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { ClientKey } from '../model/key.ts'
import { Refusal, refuseForNow } from '../protocol/refusal.ts'
import type { ClientKeys } from './keys.ts'
import { assertionLimits } from './limits.ts'

/** The algorithms of platforms and of trusted issuers. */
export const issuerAlgorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const

/** A JWT as it came: nothing of it is proven before a check of its signature. */
export interface JwtAssertion {
  readonly text: string
  readonly algorithm: string
  readonly kid: string | null
  readonly header: JsonObject
  readonly claims: JsonObject
}

/** Null for a text that is no signed JWT, or too long. */
export const readJwt = (text: string): JwtAssertion | null => {
  const isLong = text.length > assertionLimits.characters
  const claimed = isLong || readClaimedHeader(text) === null ? null : readClaimed(text)
  const { alg, kid } = claimed?.header ?? {}
  if (claimed === null || typeof alg !== 'string') return null
  return { text, algorithm: alg, kid: typeof kid === 'string' ? kid : null, ...claimed }
}

export type AssertionFault =
  | 'assertion_key'
  | 'assertion_keys'
  | 'assertion_keys_unreachable'
  | 'assertion_keys_unusable'
  | 'assertion_purpose'
  | 'assertion_times'
  | 'assertion_expired'
  | 'assertion_early'
  | 'assertion_far'

/** What a checked JWT is called, and its refusals. */
export interface AssertionKind {
  readonly called: string
  /** Without words, a stranger learns no more than that. */
  refuse(fault: AssertionFault, description?: string): Refusal
}

/**
 * Checking a signature takes longer than making a wrong one. Only such checks count, and each client by itself: at a
 * shared address nobody else is kept out.
 *
 * @param check begins with the signature, of an assertion or of a certificate
 * @param called what is counted by itself: wrong grants keep no client from authenticating
 */
export const boundAssertions = async <Proven>(
  client: Pick<Client, 'id'>,
  { address, at }: Pick<Exchange, 'address' | 'at'>,
  { refusedAssertions }: { readonly refusedAssertions: RefusalCounter },
  check: () => Promise<Proven | Refusal>,
  called: 'authentications' | 'assertions' = 'authentications',
): Promise<Proven | Refusal> => {
  const of = `${called}\n${client.id}`
  const seconds = refusedAssertions.secondsOver(address, at, of)
  if (seconds > 0) {
    const said = `too many refused ${called} of this client: slow down`
    return refuseForNow('too_many_refusals', said, seconds)
  }
  const outcome = await check()
  if (outcome instanceof Refusal) refusedAssertions.count(address, at, of)
  return outcome
}

/**
 * The one key to check with. Anybody may send assertions, so each costs one check at most. Who has no key learns
 * no more than that.
 */
export const pickKey = (
  found: Awaited<ReturnType<ClientKeys['find']>>,
  { refuse }: AssertionKind,
): ClientKey | Refusal => {
  if (found.is === 'unreachable') return refuse('assertion_keys_unreachable')
  if (found.is === 'unusable') return refuse('assertion_keys_unusable')
  const [key, second] = found.keys
  if (key === undefined) return refuse('assertion_key')
  return second === undefined ? key : refuse('assertion_keys')
}

/** The `typ` of a header, without what RFC 7515 section 4.1.9 leaves out; undefined without one. */
export const readType = ({ typ }: JsonObject): JsonValue | undefined =>
  typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ

/** A JWT of another type was made for something else. */
export const checkType = (
  header: JsonObject,
  types: readonly string[],
  { called, refuse }: AssertionKind,
): Refusal | null => {
  const type = readType(header)
  if (type === undefined || types.some((known) => known === type)) return null
  const said = `typ of the ${called} has to be absent or ${types.join(' or ')}`
  return refuse('assertion_purpose', said)
}

export const isTime = (value: JsonValue | undefined): value is number =>
  typeof value === 'number' && Number.isFinite(value)

/** @param at unix seconds */
export const checkTimes = (
  { exp, nbf, iat }: JsonObject,
  at: number,
  { called, refuse }: AssertionKind,
): Refusal | null => {
  const { skewSeconds } = assertionLimits
  if (!isTime(exp) || [nbf, iat].some((time) => time !== undefined && !isTime(time))) {
    const said = `the ${called} needs exp, and exp, nbf and iat have to be numbers`
    return refuse('assertion_times', said)
  }
  if (exp <= at) return refuse('assertion_expired', `the ${called} has expired`)
  if ([nbf, iat].some((time) => isTime(time) && time > at + skewSeconds)) {
    return refuse('assertion_early', `the ${called} is not valid yet`)
  }
  return null
}

/** @param at unix seconds */
export const checkAge = (
  { exp }: JsonObject,
  at: number,
  { called, refuse }: AssertionKind,
): Refusal | null => {
  const { seconds } = assertionLimits
  if (isTime(exp) && exp <= at + seconds) return null
  const said = `exp of the ${called} has to be at most ${seconds} seconds ahead`
  return refuse('assertion_far', said)
}
