/**
 * JWTs of clients and of their platforms. Importing a key takes longer than checking a signature, so the keys behind
 * right signatures are cached.
 */
import type { JsonObject } from '../model/json.ts'
import type { ClientKey } from '../model/key.ts'
import { hashText, Verified } from './digest.ts'
import { openPublicKey, type VerifyingKey, verifyJws } from './jose.ts'

const imported = new Verified<VerifyingKey>()

/** The claims of a JWT if this key signed it, with this very algorithm. */
export const verifyByKey = async (
  text: string,
  { x5c: _, kid: _kid, ...members }: ClientKey,
  algorithm: string,
): Promise<JsonObject | null> => {
  const id = hashText(JSON.stringify([algorithm, members]))
  const known = imported.find(id)
  const key = known ?? (await openPublicKey(members, algorithm).catch(() => null))
  const claims = key && (await verifyJws(text, key, algorithm))
  if (key !== null && claims !== null && known === undefined) imported.keep(id, key)
  return claims
}

/** The same with the bytes of a secret, by HMAC (RFC 7518 section 3.2). */
export const verifyBySecret = (
  text: string,
  secret: string,
  algorithm: string,
): Promise<JsonObject | null> => verifyJws(text, Buffer.from(secret), algorithm)
