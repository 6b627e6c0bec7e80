/**
 * JWTs under the service's own keys (RFC 7515), by `node:crypto`. A signature is made on the thread
 * pool. Checking one takes less than a way to the pool and back.
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { promisify } from 'node:util'
import type { JsonObject } from '../model/json.ts'
import {
  getKeyAlgorithm,
  type JwsAlgorithm,
  type PublicKey,
  type SigningAlgorithm,
} from '../model/key.ts'

export type { KeyObject } from 'node:crypto'

interface KeyObjects {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

const generate = promisify(generateKeyPair)

/** How a key is generated. The hash is null where the algorithm has its own. */
const ways: Readonly<
  Record<
    SigningAlgorithm,
    { readonly hash: 'sha256' | null; readonly make: () => Promise<KeyObjects> }
  >
> = {
  RS256: { hash: 'sha256', make: () => generate('rsa', { modulusLength: 2048 }) },
  ES256: { hash: 'sha256', make: () => generate('ec', { namedCurve: 'P-256' }) },
  // The way to the thread pool takes longer than such a key.
  EdDSA: { hash: null, make: async () => generateKeyPairSync('ed25519') },
  'ML-DSA-44': { hash: null, make: () => generate('ml-dsa-44') },
  'ML-DSA-65': { hash: null, make: () => generate('ml-dsa-65') },
  'ML-DSA-87': { hash: null, make: () => generate('ml-dsa-87') },
}

/**
 * A new key pair. The randomness is that of the cryptography library. Of an ML-DSA key the secret is its
 * seed.
 *
 * @throws Error on a Node without the algorithm
 */
export const makeKeyPair = async (
  algorithm: SigningAlgorithm,
): Promise<{ readonly secret: Uint8Array; readonly publicKey: PublicKey }> => {
  const { privateKey, publicKey } = await ways[algorithm].make().catch((fault: unknown) => {
    const said = `this Node cannot make a key for ${algorithm}: ML-DSA needs Node 24.6 or later, with OpenSSL 3.5 or later`
    throw new Error(said, { cause: fault })
  })
  const secret = Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return { secret, publicKey: publicKey.export({ format: 'jwk' }) as PublicKey }
}

/** A JWS holds the two numbers of an ECDSA signature as they are (RFC 7518 section 3.4). */
const prepareKey = (key: KeyObject) => ({ key, dsaEncoding: 'ieee-p1363' }) as const

/** @param secret PKCS #8 as PEM */
export const openPrivateKey = (secret: Uint8Array): KeyObject =>
  createPrivateKey(Buffer.from(secret))

export const openOwnPublicKey = (publicKey: PublicKey): KeyObject =>
  createPublicKey({ key: publicKey, format: 'jwk' })

/** The public half of a private key. */
export const exportPublicKey = (privateKey: KeyObject): PublicKey =>
  createPublicKey(privateKey).export({ format: 'jwk' }) as PublicKey

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

interface OwnHeader {
  readonly alg: JwsAlgorithm
  readonly kid: string
  readonly typ: string
}

/** The signed bytes, their hash, and the end of the text (RFC 7515 section 7.1). */
const prepareJwt = (claims: JsonObject, header: OwnHeader) => {
  const text = `${encode(header)}.${encode(claims)}`
  const { hash } = ways[getKeyAlgorithm(header.alg)]
  const finish = (signature: Buffer): string => `${text}.${signature.toString('base64url')}`
  return { bytes: Buffer.from(text), hash, finish }
}

/** A signed JWT in compact form. */
export const signJwt = async (
  claims: JsonObject,
  header: OwnHeader,
  key: KeyObject,
): Promise<string> => {
  const { bytes, hash, finish } = prepareJwt(claims, header)
  return finish(await promisify(sign)(hash, bytes, prepareKey(key)))
}

/** The same on this thread: for a seldom job. A simulation then repeats its order. */
export const signJwtAtOnce = (claims: JsonObject, header: OwnHeader, key: KeyObject): string => {
  const { bytes, hash, finish } = prepareJwt(claims, header)
  return finish(sign(hash, bytes, prepareKey(key)))
}

/**
 * The claims of a JWT in compact form if this key of the service signed it; null otherwise. The
 * algorithm is that of the key, whatever the header says. Only the canonical spelling is taken.
 */
export const verifyOwnJwt = (
  text: string,
  key: KeyObject,
  algorithm: SigningAlgorithm,
): JsonObject | null => {
  const end = text.lastIndexOf('.')
  const signature = Buffer.from(text.slice(end + 1), 'base64url')
  if (signature.toString('base64url') !== text.slice(end + 1)) return null
  const signed = text.slice(0, end)
  if (!verify(ways[algorithm].hash, Buffer.from(signed), prepareKey(key), signature)) return null
  return JSON.parse(Buffer.from(signed.slice(signed.indexOf('.') + 1), 'base64url').toString())
}
