/** Sealing keys at rest: wrapped under a root secret that the database does not hold (AES-256-GCM). */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'

const keyOf = (secret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', 'latchkey sealing keys', 32))

/** @param nonce 12 random bytes */
export const wrapKey = (bytes: Uint8Array, secret: string | null, nonce: Uint8Array): string => {
  if (secret === null) return `plain.${Buffer.from(bytes).toString('base64url')}`
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce)
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  return `gcm.${Buffer.from(nonce).toString('base64url')}.${sealed.toString('base64url')}`
}

/** The key, or null where the root secret is not the one it was wrapped under. */
export const unwrapKey = (wrapped: string, secret: string | null): Uint8Array | null => {
  const [how, first = '', second = ''] = wrapped.split('.')
  if (how === 'plain') return Buffer.from(first, 'base64url')
  if (how !== 'gcm' || secret === null) return null
  const sealed = Buffer.from(second, 'base64url')
  const opener = createDecipheriv('aes-256-gcm', keyOf(secret), Buffer.from(first, 'base64url'))
  opener.setAuthTag(sealed.subarray(-16))
  try {
    return Buffer.concat([opener.update(sealed.subarray(0, -16)), opener.final()])
  } catch {
    return null
  }
}
