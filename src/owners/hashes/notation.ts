/** How another server writes a password hash, and what it becomes here: a PHC string. */
import { isPbkdf2Name } from '../../crypto/hashes/pbkdf2.ts'
import { type PhcHash, renderPhc } from '../../crypto/hashes/phc.ts'

/** `problem`: in words for the operator, without any part of the hash. */
export type ReadHash = { readonly hash: string } | { readonly problem: string }

export interface HashNotation {
  /** What errors call it. */
  readonly title: string
  /** Null where the value is in another notation. */
  read(given: unknown): ReadHash | null
}

/** Base64 in any of its alphabets, with or without padding; LDAP writes `.` for `+`. Null = it is none. */
export const bytesOf = (text: unknown): Buffer | null => {
  if (typeof text !== 'string') return null
  const plain = text.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/')
  const usual = plain.replaceAll('.', '+')
  return /^[A-Za-z0-9+/]+$/.test(usual) ? Buffer.from(usual, 'base64') : null
}

export const incomplete: ReadHash = { problem: 'it is not complete' }

export const phcOf = (phc: Omit<PhcHash, 'version'> & { readonly version?: number }): ReadHash => ({
  hash: renderPhc({ version: null, ...phc }),
})

/** @param salt as bytes; all of it is base64 in the end */
export const pbkdf2Of = (
  name: string,
  iterations: unknown,
  salt: Buffer | null,
  hash: Buffer | null,
): ReadHash => {
  if (!isPbkdf2Name(name) || salt === null || hash === null) return incomplete
  if (!Number.isSafeInteger(iterations)) return incomplete
  return phcOf({ name, parameters: { i: Number(iterations), l: hash.length }, salt, hash })
}
