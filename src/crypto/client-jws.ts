/**
 * JWTs of clients and of their platforms. Importing a key takes longer than checking a signature, so the keys behind
 * right signatures are kept. A check takes less than a way to the thread pool and back.
 */
import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { JsonObject } from '../model/json.ts'
import type { ClientKey } from '../model/key.ts'
import { readKeys } from '../model/key-set.ts'
import { openPublicKey, readClaimed, verifyJws } from './jose.ts'

/** How `node:crypto` checks an algorithm. The library `jose` checks all others. */
const checks = {
  RS256: { hash: 'sha256', options: { padding: constants.RSA_PKCS1_PADDING } },
  PS256: {
    hash: 'sha256',
    options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
  },
  // A JWS holds the two numbers of an ECDSA signature as they are (RFC 7518 section 3.4).
  ES256: { hash: 'sha256', options: { dsaEncoding: 'ieee-p1363' } },
  EdDSA: { hash: null, options: {} },
  Ed25519: { hash: null, options: {} },
} as const

type NativeAlgorithm = keyof typeof checks

const isNative = (algorithm: string): algorithm is NativeAlgorithm =>
  Object.hasOwn(checks, algorithm)

const leastBits = 2048

/** The keys of right signatures, each for as long as somebody holds its members. */
const imported = new WeakMap<ClientKey, KeyObject>()

/** Null for members that make no key, and for a short one behind leading zeros. */
const importKey = ({ x5c: _, kid: _kid, ...members }: ClientKey): KeyObject | null => {
  try {
    const key = createPublicKey({ key: members, format: 'jwk' })
    const { modulusLength = leastBits } = key.asymmetricKeyDetails ?? {}
    return modulusLength < leastBits ? null : key
  } catch {
    return null
  }
}

/**
 * The keys of a set in a registration: a client or operator learns of a broken key at once. Null if `readKeys` refuses
 * the set, or the numbers of a known key make none. An ML-DSA, Ed25519 or X25519 key has nothing but its length.
 */
export const readGivenKeys = (given: unknown): readonly ClientKey[] | null => {
  const keys = readKeys(given, 'refused')
  return keys?.every((key) => key.kty === 'AKP' || importKey(key) !== null) ? keys : null
}

/** A JWT in base64url without padding (RFC 7515 section 2): decoders take other spellings, too. */
const isSpelledRight = (text: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)

const isSigned = (text: string, key: KeyObject, algorithm: NativeAlgorithm): boolean => {
  const end = text.lastIndexOf('.')
  const signature = Buffer.from(text.slice(end + 1), 'base64url')
  // Only the canonical spelling is taken.
  if (signature.toString('base64url') !== text.slice(end + 1)) return false
  const { hash, options } = checks[algorithm]
  return verify(hash, Buffer.from(text.slice(0, end)), { key, ...options }, signature)
}

/**
 * Whether this key signed a JWT, with this very algorithm. The key has to be for the algorithm.
 *
 * @param jwt the text, and the header in it
 */
export const isSignedByKey = async (
  { text, header }: { readonly text: string; readonly header: JsonObject },
  members: ClientKey,
  algorithm: string,
): Promise<boolean> => {
  if (!isSpelledRight(text)) return false
  if (!isNative(algorithm)) {
    const { x5c: _, kid: _kid, ...rest } = members
    const key = await openPublicKey(rest, algorithm).catch(() => null)
    return key !== null && (await verifyJws(text, key, algorithm)) !== null
  }
  // Nothing that a header calls critical is known here (RFC 7515 section 4.1.11).
  if (header.alg !== algorithm || header.crit !== undefined) return false
  const key = imported.get(members) ?? importKey(members)
  if (key === null || !isSigned(text, key, algorithm)) return false
  imported.set(members, key)
  return true
}

/** The claims of a JWT if this key signed it. */
export const verifyByKey = async (
  text: string,
  key: ClientKey,
  algorithm: string,
): Promise<JsonObject | null> => {
  const claimed = readClaimed(text)
  const { header } = claimed ?? {}
  const isRight = header !== undefined && (await isSignedByKey({ text, header }, key, algorithm))
  return isRight ? (claimed?.claims ?? null) : null
}

/** The same with the bytes of a secret, by HMAC (RFC 7518 section 3.2). */
export const verifyBySecret = async (
  text: string,
  secret: string,
  algorithm: string,
): Promise<JsonObject | null> =>
  isSpelledRight(text) ? verifyJws(text, Buffer.from(secret), algorithm) : null
