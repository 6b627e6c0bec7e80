/** Key sets of others (RFC 7517): of clients, and of issuers that the operator trusts. Only public keys are kept. */
import { isObject } from './json.ts'
import { type ClientKey, isKeyKnown } from './key.ts'

const keySetLimits = {
  /** Keys of one set. */
  keys: 20,
  kidCharacters: 200,
  /** An RSA modulus in characters of base64url: 2,048 to 4,096 bits. Checking a longer one takes long. */
  modulusCharacters: { least: 342, most: 683 },
  /** A coordinate on a curve; those of P-521 have 88. */
  coordinateCharacters: 88,
  /** An ML-DSA key has the length of its parameter set (RFC 9964 section 3): 1,312 to 2,592 bytes. */
  latticeCharacters: { 'ML-DSA-44': 1750, 'ML-DSA-65': 2603, 'ML-DSA-87': 3456 } as Readonly<
    Record<string, number>
  >,
  /** The exponent of RSA: usually `AQAB`. A long one makes each check slow. */
  exponentCharacters: 6,
  /** Certificates of one key, and the characters of all of them. */
  certificates: { most: 5, characters: 16 * 1024 },
} as const

const kept = ['kty', 'kid', 'use', 'alg', 'n', 'e', 'crv', 'x', 'y', 'pub'] as const

/** Members that only a private or a symmetric key has (RFC 7518 section 6, RFC 9964 section 3). */
const secret = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']

const isSecret = (key: unknown): boolean =>
  isObject(key) && (key.kty === 'oct' || secret.some((name) => name in key))

const isBase64url = (text: string | undefined, most: number, least = 1): boolean =>
  text !== undefined && text.length >= least && text.length <= most && /^[\w-]+$/.test(text)

/** Whether each looks like DER in base64 (RFC 7517 section 4.7). Only who trusts one reads it. */
const areCertificates = (x5c: readonly unknown[]): boolean => {
  const { most, characters } = keySetLimits.certificates
  const areText = x5c.every((one) => typeof one === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(one))
  return areText && x5c.length <= most && x5c.join('').length <= characters
}

/** Whether the numbers of a key have a size that is safe, and cheap to calculate with. */
const isSafe = ({ kty, kid = '', alg = '', n, e, x, y, pub, x5c = [] }: ClientKey): boolean => {
  if (kid.length > keySetLimits.kidCharacters || !areCertificates(x5c)) return false
  const { least, most } = keySetLimits.modulusCharacters
  if (kty === 'RSA')
    return isBase64url(n, most, least) && isBase64url(e, keySetLimits.exponentCharacters)
  const { coordinateCharacters, latticeCharacters } = keySetLimits
  if (kty === 'AKP') {
    const characters = latticeCharacters[alg] ?? 0
    return isBase64url(pub, characters, characters)
  }
  if (!isBase64url(x, coordinateCharacters)) return false
  return kty === 'OKP' || isBase64url(y, coordinateCharacters)
}

/** The public members; null for a key of another kind. */
const parseKey = (given: unknown): ClientKey | null => {
  if (!isObject(given)) return null
  const members = kept.flatMap((name) => {
    const value = given[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  if (members.some(([, value]) => typeof value !== 'string')) return null
  const { x5c } = given
  const key: ClientKey = {
    ...Object.fromEntries(members),
    ...(Array.isArray(x5c) && x5c.length > 0 ? { x5c } : {}),
  }
  return isKeyKnown(key) ? key : null
}

export const keySetWords = `a set of at most ${keySetLimits.keys} public keys (RSA of 2,048 to 4,096 bits, EC, Ed25519, X25519, ML-DSA), without private or symmetric ones`

/**
 * The keys of a set, without unknown ones (RFC 7517 section 5). Null for no set, for too long a set, and
 * for one with a private or symmetric key. Such a key is no secret any more.
 *
 * @param unsafe known keys of a wrong size: `refused` with the whole set, or `ignored`
 */
export const readKeys = (
  given: unknown,
  unsafe: 'refused' | 'ignored',
): readonly ClientKey[] | null => {
  const list = isObject(given) ? given.keys : null
  if (!Array.isArray(list) || list.length > keySetLimits.keys || list.some(isSecret)) return null
  const known = list.map(parseKey).filter((key) => key !== null)
  const keys = known.filter(isSafe)
  return unsafe === 'refused' && keys.length < known.length ? null : keys
}
