/**
 * JWTs under the service's own keys (RFC 7515), by `node:crypto`. A signature is made on the thread
 * pool. Checking one takes less than a way to the pool and back.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { promisify } from 'node:util'
import type { JsonObject } from '../model/json.ts'
import type { JwsAlgorithm, PublicKey, SigningAlgorithm } from '../model/key.ts'
import { getKeyAlgorithm } from './jose.ts'

export type { KeyObject } from 'node:crypto'

/** The hash of an algorithm. Ed25519 has its own. */
const hashes = { RS256: 'sha256', ES256: 'sha256', EdDSA: null } as const

/** A JWS holds the two numbers of an ECDSA signature as they are (RFC 7518 section 3.4). */
const prepareKey = (key: KeyObject) => ({ key, dsaEncoding: 'ieee-p1363' }) as const

/** @param secret PKCS #8 as PEM */
export const openPrivateKey = (secret: Uint8Array): KeyObject =>
  createPrivateKey(Buffer.from(secret))

export const openOwnPublicKey = (publicKey: PublicKey): KeyObject =>
  createPublicKey({ key: publicKey, format: 'jwk' })

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A signed JWT in compact form (RFC 7515 section 7.1). */
export const signJwt = async (
  claims: JsonObject,
  header: { readonly alg: JwsAlgorithm; readonly kid: string; readonly typ: string },
  key: KeyObject,
): Promise<string> => {
  const text = `${encode(header)}.${encode(claims)}`
  const hash = hashes[getKeyAlgorithm(header.alg)]
  const signature = await promisify(sign)(hash, Buffer.from(text), prepareKey(key))
  return `${text}.${signature.toString('base64url')}`
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
  if (!verify(hashes[algorithm], Buffer.from(signed), prepareKey(key), signature)) return null
  return JSON.parse(Buffer.from(signed.slice(signed.indexOf('.') + 1), 'base64url').toString())
}
