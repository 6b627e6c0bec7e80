/**
 * Signed JSON Web Tokens (RFC 7515, RFC 7519) of others, by the library `jose`. The guard of an API uses
 * it too, without `node:crypto`. What the service signs itself is in `own-jws.ts`.
 */

import {
  type CryptoKey,
  compactVerify,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  importJWK,
} from 'jose'
import { isObject, type JsonObject, parseJson } from '../model/json.ts'
import type { JwsAlgorithm, PublicKey, SigningAlgorithm } from '../model/key.ts'

/** The algorithm of the key that makes a signature. */
export const getKeyAlgorithm = (algorithm: JwsAlgorithm): SigningAlgorithm =>
  algorithm === 'Ed25519' ? 'EdDSA' : algorithm

const publicMembers = ['kty', 'n', 'e', 'crv', 'x', 'y'] as const

/** A new key pair. The randomness is that of the cryptography library. */
export const makeKeyPair = async (
  algorithm: SigningAlgorithm,
): Promise<{ readonly secret: Uint8Array; readonly publicKey: PublicKey }> => {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true })
  const exported = await exportJWK(publicKey)
  const members = publicMembers.flatMap((name) => {
    const value = exported[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const secret = Buffer.from(await exportPKCS8(privateKey))
  return { secret, publicKey: Object.fromEntries(members) }
}

/** The header of a text that looks like a JWS in compact form. A header alone proves nothing. */
export const readClaimedHeader = (text: string): JsonObject | null => {
  const parts = text.split('.')
  if (parts.length !== 3) return null
  const header = parseJson(Buffer.from(parts[0] ?? '', 'base64url').toString())
  return isObject(header) ? header : null
}

export type VerifyingKey = CryptoKey | Uint8Array

export const openPublicKey = (publicKey: PublicKey, algorithm: string): Promise<VerifyingKey> =>
  importJWK({ ...publicKey }, algorithm)

const verifyBy = async (
  text: string,
  key: VerifyingKey | Promise<VerifyingKey>,
  algorithms: readonly string[],
): Promise<JsonObject | null> => {
  try {
    const { payload } = await compactVerify(text, await key, { algorithms: [...algorithms] })
    const claims = parseJson(Buffer.from(payload).toString())
    return isObject(claims) ? claims : null
  } catch {
    return null
  }
}

const listAliases = (algorithm: SigningAlgorithm): readonly string[] =>
  algorithm === 'EdDSA' ? ['EdDSA', 'Ed25519'] : [algorithm]

/**
 * The claims of a JWT if this key signed it. The algorithms are those of the key, whatever the header
 * says. Null for everything else.
 */
export const verifyWith = (
  text: string,
  key: VerifyingKey,
  algorithm: SigningAlgorithm,
): Promise<JsonObject | null> => verifyBy(text, key, listAliases(algorithm))

/** The same with a key as it is published. */
export const verifyJwt = (
  text: string,
  publicKey: PublicKey,
  algorithm: SigningAlgorithm,
): Promise<JsonObject | null> =>
  verifyBy(text, openPublicKey(publicKey, algorithm), listAliases(algorithm))

/** The claims of a JWT if this key of somebody else signed it, with this very algorithm. */
export const verifyWithKey = (
  text: string,
  key: VerifyingKey,
  algorithm: string,
): Promise<JsonObject | null> => verifyBy(text, key, [algorithm])

/** The same with a key as it is published. */
export const verifyJws = (
  text: string,
  publicKey: PublicKey,
  algorithm: string,
): Promise<JsonObject | null> => verifyBy(text, openPublicKey(publicKey, algorithm), [algorithm])
