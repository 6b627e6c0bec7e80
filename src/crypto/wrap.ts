/** Secrets at rest: wrapped under a root secret that the database does not hold (AES-256-GCM). */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { KeyUse } from '../model/key.ts'
import { hashText } from './digest.ts'

/** Keeps what the service has to read again, and nobody else may. */
export interface Vault {
  /** @param purpose further data bound to the wrapped text, such as its owner */
  wrap(bytes: Uint8Array, purpose: string): string
  /** Null where it was wrapped under an unknown root secret, or for another purpose. */
  unwrap(wrapped: string, purpose: string): Uint8Array | null
}

export interface RootSecrets {
  /** The wrapping key; null = none, and values are stored in clear. */
  inForce(): string | null
  readonly known: readonly string[]
}

/** Purposes of wrapping: no wrapped value opens for another. */
export const getKeyPurpose = (use: KeyUse): string => `latchkey ${use} keys`
export const getCodesPurpose = (ownerId: string): string => `latchkey one-time codes ${ownerId}`
/** An id may be a long URL, and a purpose has at most 1,024 bytes. */
export const getClientSecretPurpose = (clientId: string): string =>
  `latchkey client secret ${hashText(clientId)}`
export const getStreamPurpose = (streamId: string): string => `latchkey signal stream ${streamId}`
export const pairwiseSubjects = 'latchkey pairwise subjects'
export const eventSeals = 'latchkey event seals'
const check = 'latchkey check of the root secret'

/** A key for each purpose (HKDF, RFC 5869), so that nothing fits where it was not meant for. */
const deriveKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))

/** @param nonce 12 random bytes */
export const wrapKey = (
  bytes: Uint8Array,
  secret: string | null,
  nonce: Uint8Array,
  purpose: string,
): string => {
  if (secret === null) return `plain.${Buffer.from(bytes).toString('base64url')}`
  const cipher = createCipheriv('aes-256-gcm', deriveKey(secret, purpose), nonce)
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  return `gcm.${Buffer.from(nonce).toString('base64url')}.${sealed.toString('base64url')}`
}

/** Whether something lies in the store in clear. */
export const isPlain = (wrapped: string): boolean => wrapped.startsWith('plain.')

/**
 * The bytes, or null if they were wrapped under another secret or for another purpose. A clear
 * value counts only without a secret: anybody may have read it.
 */
export const unwrapKey = (
  wrapped: string,
  secret: string | null,
  purpose: string,
): Uint8Array | null => {
  const [how, first = '', second = ''] = wrapped.split('.')
  if (how === 'plain') return secret === null ? Buffer.from(first, 'base64url') : null
  if (how !== 'gcm' || secret === null) return null
  const sealed = Buffer.from(second, 'base64url')
  const nonce = Buffer.from(first, 'base64url')
  try {
    const opener = createDecipheriv('aes-256-gcm', deriveKey(secret, purpose), nonce)
    opener.setAuthTag(sealed.subarray(-16))
    return Buffer.concat([opener.update(sealed.subarray(0, -16)), opener.final()])
  } catch {
    return null
  }
}

/** A value that shows later whether a root secret is the same. */
export const wrapCheck = (secret: string, nonce: Uint8Array): string =>
  wrapKey(new Uint8Array(32), secret, nonce, check)

export const canUnwrap = (value: string, secret: string): boolean =>
  unwrapKey(value, secret, check) !== null

export const createVault = (
  { inForce, known }: RootSecrets,
  random: (bytes: number) => Uint8Array,
): Vault => ({
  wrap: (bytes, purpose) => wrapKey(bytes, inForce(), random(12), purpose),
  unwrap(wrapped, purpose) {
    if (known.length === 0) return unwrapKey(wrapped, null, purpose)
    for (const secret of known) {
      const bytes = unwrapKey(wrapped, secret, purpose)
      if (bytes !== null) return bytes
    }
    return null
  },
})
