/** Secrets at rest: wrapped under a root secret that the database does not hold (AES-256-GCM). */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'

/** Keeps what the service has to read again, and nobody else may. */
export interface Vault {
  /** @param purpose whatever else it has to be opened with, such as whose it is */
  wrap(bytes: Uint8Array, purpose: string): string
  /** Null where it was wrapped under another root secret, or for another purpose. */
  unwrap(wrapped: string, purpose: string): Uint8Array | null
}

const sealingKeys = 'latchkey sealing keys'

/** A key for each purpose (HKDF, RFC 5869), so that nothing fits where it was not meant for. */
const keyOf = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))

/** @param nonce 12 random bytes */
export const wrapKey = (
  bytes: Uint8Array,
  secret: string | null,
  nonce: Uint8Array,
  purpose: string = sealingKeys,
): string => {
  if (secret === null) return `plain.${Buffer.from(bytes).toString('base64url')}`
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret, purpose), nonce)
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  return `gcm.${Buffer.from(nonce).toString('base64url')}.${sealed.toString('base64url')}`
}

/** The key, or null where the root secret or the purpose is not the one it was wrapped under. */
export const unwrapKey = (
  wrapped: string,
  secret: string | null,
  purpose: string = sealingKeys,
): Uint8Array | null => {
  const [how, first = '', second = ''] = wrapped.split('.')
  if (how === 'plain') return Buffer.from(first, 'base64url')
  if (how !== 'gcm' || secret === null) return null
  const sealed = Buffer.from(second, 'base64url')
  const nonce = Buffer.from(first, 'base64url')
  try {
    const opener = createDecipheriv('aes-256-gcm', keyOf(secret, purpose), nonce)
    opener.setAuthTag(sealed.subarray(-16))
    return Buffer.concat([opener.update(sealed.subarray(0, -16)), opener.final()])
  } catch {
    return null
  }
}

export const createVault = (
  secret: string | null,
  random: (bytes: number) => Uint8Array,
): Vault => ({
  wrap: (bytes, purpose) => wrapKey(bytes, secret, random(12), purpose),
  unwrap: (wrapped, purpose) => unwrapKey(wrapped, secret, purpose),
})
