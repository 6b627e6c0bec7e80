/** Encrypted JWTs (RFC 7516, RFC 7519 section 5.2), by the library `jose`. */
import { CompactEncrypt, importJWK } from 'jose'
import type { ClientKey } from '../model/key.ts'

export interface Encryption {
  /** Of the key of the content. */
  readonly alg: string
  /** Of the content. */
  readonly enc: string
}

/**
 * A signed JWT, encrypted to one key. Null if the key does not fit the algorithm.
 *
 * @param cty `JWT` for a nested JWT; null for JSON
 */
export const encryptTo = async (
  text: string,
  publicKey: ClientKey,
  { alg, enc }: Encryption,
  cty: 'JWT' | null,
): Promise<string | null> => {
  const { x5c: _, ...members } = publicKey
  const { kid } = members
  const header = {
    alg,
    enc,
    ...(kid === undefined ? {} : { kid }),
    ...(cty === null ? {} : { cty }),
  }
  try {
    const key = await importJWK(members, alg)
    return await new CompactEncrypt(Buffer.from(text)).setProtectedHeader(header).encrypt(key)
  } catch {
    return null
  }
}
