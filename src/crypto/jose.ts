/**
 * Signed JSON Web Tokens (RFC 7515, RFC 7519) of others, by the library `jose`. The guard of an API uses
 * it too, without `node:crypto`. What the service signs itself is in `own-jws.ts`.
 */

import { type CryptoKey, compactVerify, importJWK } from 'jose'
import { isObject, type JsonObject, parseJson } from '../model/json.ts'
import { listSignatureNames, type PublicKey, type SigningAlgorithm } from '../model/key.ts'

const readObject = (part: string): JsonObject | null => {
  const value = parseJson(Buffer.from(part, 'base64url').toString())
  return isObject(value) ? value : null
}

/** The claims of a text in the form of a JWT. Nothing of them is proven. */
export const readClaims = (text: string): JsonObject | null =>
  readObject(text.slice(text.indexOf('.') + 1, text.lastIndexOf('.')))

/** Header and claims of a text in the form of a JWT. Nothing of it is proven. */
export const readClaimed = (
  text: string,
): { readonly header: JsonObject; readonly claims: JsonObject } | null => {
  const [first = '', second = '', ...more] = text.split('.')
  const header = more.length === 1 ? readObject(first) : null
  const claims = header && readObject(second)
  return header && claims && { header, claims }
}

/** The header of a text that looks like a JWS in compact form. A header alone proves nothing. */
export const readClaimedHeader = (text: string): JsonObject | null => {
  const parts = text.split('.')
  if (parts.length !== 3) return null
  return readObject(parts[0] ?? '')
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

/**
 * The claims of a JWT if this key signed it. The algorithms are those of the key, whatever the header
 * says. Null for everything else.
 */
export const verifyWith = (
  text: string,
  key: VerifyingKey,
  algorithm: SigningAlgorithm,
): Promise<JsonObject | null> => verifyBy(text, key, listSignatureNames(algorithm))

/** The same with a key as it is published. */
export const verifyJwt = (
  text: string,
  publicKey: PublicKey,
  algorithm: SigningAlgorithm,
): Promise<JsonObject | null> =>
  verifyBy(text, openPublicKey(publicKey, algorithm), listSignatureNames(algorithm))

/** The claims of a JWT if this key of somebody else signed it, with this very algorithm. */
export const verifyWithKey = (
  text: string,
  key: VerifyingKey,
  algorithm: string,
): Promise<JsonObject | null> => verifyBy(text, key, [algorithm])

/** The same with a key as it is published. */
export const verifyJws = (
  text: string,
  key: VerifyingKey,
  algorithm: string,
): Promise<JsonObject | null> => verifyBy(text, key, [algorithm])
