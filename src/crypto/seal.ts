/** Sealed statements: text that only this service can have written (HMAC-SHA-256, RFC 2104). */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'

export interface SealingKey {
  readonly id: string
  readonly key: KeyObject
}

/** The sealing keys that a node knows. */
export interface Keyring {
  /** The key to seal with now. */
  current(): SealingKey
  /** The key that a seal names, or null: then the seal is refused. */
  find(id: string): SealingKey | null
  /** Looks for a key that another node may have added. */
  learn(id: string): Promise<void>
}

/** What a sealed statement is for; one kind is never taken for another. */
export type SealKind = 'lk_at_' | 'lk_rt_' | 'lk_ac_' | 'journey'

const tagLength = 43
const alphabet = /^[A-Za-z0-9_-]+$/

/** Makes a sealing key of 32 bytes. */
export const sealingKey = (id: string, bytes: Uint8Array): SealingKey => ({
  id,
  key: createSecretKey(bytes),
})

const tagOf = (kind: SealKind, key: SealingKey, salt: string, body: string): Buffer =>
  createHmac('sha256', key.key).update(`${kind}\n${salt}\n${body}`, 'latin1').digest()

/**
 * Seals fields: `prefix + base64url(key id ~ field ~ field ...) + tag`. The salt belongs to the row
 * that the statement speaks of and is not part of it, so that neither a leaked key nor a leaked
 * database is enough to forge one.
 *
 * @param fields text without `~`
 */
export const seal = (
  kind: SealKind,
  key: SealingKey,
  salt: string,
  fields: readonly string[],
): string => {
  const body = Buffer.from(`${key.id}~${fields.join('~')}`, 'utf8').toString('base64url')
  const tag = tagOf(kind, key, salt, body).toString('base64url')
  return kind === 'journey' ? body + tag : kind + body + tag
}

/** A statement whose form is right but whose seal is not yet checked: trust nothing in it. */
export interface Sealed {
  readonly kind: SealKind
  readonly keyId: string
  readonly fields: readonly string[]
  readonly body: string
  readonly tag: string
}

/**
 * Takes a presented statement apart, or null where its form is wrong. Only the one canonical
 * spelling is taken: a token that differs in a bit that base64 ignores is not the same token.
 */
export const readSealed = (kind: SealKind, text: string): Sealed | null => {
  const prefix = kind === 'journey' ? '' : kind
  if (!text.startsWith(prefix)) return null
  const rest = text.slice(prefix.length)
  if (rest.length <= tagLength || !alphabet.test(rest)) return null
  const body = rest.slice(0, -tagLength)
  const tag = rest.slice(-tagLength)
  const bytes = Buffer.from(body, 'base64url')
  if (bytes.toString('base64url') !== body) return null
  const [keyId = '', ...fields] = bytes.toString('utf8').split('~')
  return { kind, keyId, fields, body, tag }
}

/** To be awaited before a seal is checked: its key may be new to this node. */
export const learnKey = async ({ keyId }: Sealed, keyring: Keyring): Promise<void> => {
  if (keyring.find(keyId) === null) await keyring.learn(keyId)
}

/** Checks the seal against the salt of the row it speaks of, in constant time. */
export const verifySeal = (sealed: Sealed, keyring: Keyring, salt: string): boolean => {
  const key = keyring.find(sealed.keyId)
  if (key === null) return false
  const expected = tagOf(sealed.kind, key, salt, sealed.body)
  const given = Buffer.from(sealed.tag, 'base64url')
  return (
    given.length === expected.length &&
    timingSafeEqual(given, expected) &&
    given.toString('base64url') === sealed.tag
  )
}
