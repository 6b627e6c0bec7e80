/** Key sets of clients (RFC 7517): public keys only, and only those that this service can use. */
import { isKeyFor, type PublicKey } from '../model/key.ts'
import { clientKeyLimits } from './limits.ts'

/** What a key is looked for. */
export interface WantedKey {
  readonly algorithm: string
  readonly use: 'sig' | 'enc'
  /** Null where the message names none. */
  readonly kid: string | null
}

/** The members of a key that are kept. */
const kept = ['kty', 'kid', 'use', 'alg', 'n', 'e', 'crv', 'x', 'y'] as const

/** Members that only a private or a symmetric key has (RFC 7518 section 6). */
const secret = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSecret = (key: unknown): boolean =>
  isObject(key) && (key.kty === 'oct' || secret.some((name) => name in key))

const isBase64url = (text: string | undefined, most: number, least = 1): boolean =>
  text !== undefined && text.length >= least && text.length <= most && /^[\w-]+$/.test(text)

/** Whether the numbers of a key have a size that is safe, and cheap to calculate with. */
const isSized = ({ kty, n, e, x, y }: PublicKey): boolean => {
  const { least, most } = clientKeyLimits.modulusCharacters
  if (kty === 'RSA')
    return isBase64url(n, most, least) && isBase64url(e, clientKeyLimits.exponentCharacters)
  const { coordinateCharacters } = clientKeyLimits
  if (!isBase64url(x, coordinateCharacters)) return false
  return kty === 'OKP' || isBase64url(y, coordinateCharacters)
}

const isKnown = (key: PublicKey): boolean =>
  ['RS256', 'ES256', 'EdDSA', 'ECDH-ES'].some((algorithm) => isKeyFor(key, algorithm))

const isSafe = (key: PublicKey): boolean =>
  isSized(key) && (key.kid ?? '').length <= clientKeyLimits.kidCharacters

/** The public members; null for a key of another kind. */
const keyIn = (given: unknown): PublicKey | null => {
  if (!isObject(given)) return null
  const members = kept.flatMap((name) => {
    const value = given[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  if (members.some(([, value]) => typeof value !== 'string')) return null
  const key = Object.fromEntries(members) as PublicKey
  return isKnown(key) ? key : null
}

export const keySetWords = `a set of at most ${clientKeyLimits.keys} public keys (RSA of 2,048 to 4,096 bits, EC, Ed25519, X25519), without private or symmetric ones`

/**
 * The keys of a set, without unknown ones (RFC 7517 section 5). Null for no set, for too long a set, and
 * for one with a private or symmetric key. Such a key is no secret any more.
 *
 * @param unsafe known keys of a wrong size: `refused` with the whole set, or `ignored`
 */
export const keysIn = (
  given: unknown,
  unsafe: 'refused' | 'ignored',
): readonly PublicKey[] | null => {
  const list = isObject(given) ? given.keys : null
  if (!Array.isArray(list) || list.length > clientKeyLimits.keys || list.some(isSecret)) return null
  const known = list.map(keyIn).filter((key) => key !== null)
  const keys = known.filter(isSafe)
  return unsafe === 'refused' && keys.length < known.length ? null : keys
}

const isSameName = (a: string, b: string): boolean =>
  a === b || [a, b].every((name) => name === 'EdDSA' || name === 'Ed25519')

export const keysFor = (
  keys: readonly PublicKey[],
  { algorithm, use, kid }: WantedKey,
): readonly PublicKey[] =>
  keys.filter(
    (key) =>
      isKeyFor(key, algorithm) &&
      (key.use === undefined || key.use === use) &&
      (key.alg === undefined || isSameName(key.alg, algorithm)) &&
      (kid === null || key.kid === kid),
  )
