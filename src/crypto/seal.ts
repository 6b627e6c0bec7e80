/** Sealed statements: text that only this service can have written (HMAC-SHA-256, RFC 2104). */
import { hkdfSync } from 'node:crypto'
import { malformed, Reader, Writer } from '../model/codec/bytes.ts'
import type { Type } from '../model/codec/types.ts'
import { parameterLimits } from '../protocol/parameters.ts'
import { computeHmac, equalDigests, type HmacKey, makeHmacKey, tagLength } from './digest.ts'

export interface SealingKey {
  readonly id: string
  readonly key: HmacKey
}

export interface Keyring {
  current(): SealingKey
  /** The key that a seal names, or null: then the seal is refused. */
  find(id: string): SealingKey | null
  /** Looks for a key that another node may have added. */
  learn(id: string): Promise<void>
}

/** Codes and tokens have their kind as their prefix. Statements inside our own pages have no prefix. */
const prefixes = {
  lk_at_: 'lk_at_',
  lk_rt_: 'lk_rt_',
  lk_ac_: 'lk_ac_',
  lk_op_: 'lk_op_',
  lk_ln_: 'lk_ln_',
  journey: '',
  ceremony: '',
  operator: '',
  'known browser': '',
  'sent mails': '',
  jwt: '',
  'dpop nonce': '',
} as const

/** The use of a sealed statement. One kind is never taken for another. */
export type SealKind = keyof typeof prefixes

/**
 * Makes the sealing key of one issuer out of 32 stored bytes (HKDF, RFC 5869). Another service on a copy
 * of the database has another issuer, so it accepts nothing that was sealed here.
 */
export const makeSealingKey = (id: string, bytes: Uint8Array, issuer: string): SealingKey => ({
  id,
  key: makeHmacKey(Buffer.from(hkdfSync('sha256', bytes, '', `latchkey seals of ${issuer}`, 32))),
})

const tagOf = (kind: SealKind, { key }: SealingKey, salt: string, body: string): string =>
  computeHmac(key, `${kind}\n${salt}\n${body}`)

/** The content of one kind of statement, and its encoding. A kind has one. */
export interface SealedStatement<Says> {
  readonly kind: SealKind
  readonly says: Type<Says>
}

/** The first byte of each statement. Another way to write them gets another number. */
const version = 1

/**
 * Seals a statement: `prefix + base64url(version, key id, fields) + tag`. The salt belongs to the row
 * that the statement is about. The statement does not hold it, so nobody can forge one with a leaked
 * key alone, or with a leaked database alone.
 */
export const seal = <Says>(
  { kind, says }: SealedStatement<Says>,
  key: SealingKey,
  salt: string,
  said: Says,
): string => {
  const to = new Writer()
  to.number(version)
  to.text(key.id)
  says.write(said, to)
  const body = to.toBase64url()
  return prefixes[kind] + body + tagOf(kind, key, salt, body)
}

/** A statement in the right form. Its seal is not checked yet: trust nothing in it. */
export interface Sealed<Says = unknown> {
  readonly kind: SealKind
  readonly keyId: string
  readonly says: Says
  readonly body: string
  readonly tag: string
  /** With what the seal was found right, so that it is not checked twice; null before that. */
  right: { readonly key: SealingKey; readonly salt: string } | null
}

/**
 * Takes a presented statement apart; null if its form is wrong. Only the canonical spelling is taken:
 * base64 ignores some bits, and a token with other bits there is another token.
 */
export const readSealed = <Says>(
  { kind, says }: SealedStatement<Says>,
  text: string,
): Sealed<Says> | null => {
  const prefix = prefixes[kind]
  if (!text.startsWith(prefix)) return null
  const body = text.slice(prefix.length, -tagLength)
  const tag = text.slice(-tagLength)
  try {
    const from = new Reader(body)
    if (from.byte() !== version) return null
    const found = { kind, keyId: from.text(), says: says.read(from), body, tag, right: null }
    return from.isAtEnd ? found : null
  } catch (fault) {
    if (fault === malformed) return null
    throw fault
  }
}

/** The statements of one kind: sealed with the current key, and read. */
export const defineStatement = <Says>(kind: SealKind, says: Type<Says>) => {
  const statement = { kind, says }
  return {
    seal: (keyring: Keyring, salt: string, said: Says): string =>
      seal(statement, keyring.current(), salt, said),
    read: (text: string): Sealed<Says> | null => readSealed(statement, text),
  }
}

/** To be awaited before a seal is checked: its key may be new to this node. */
export const learnKey = async ({ keyId }: Sealed, keyring: Keyring): Promise<void> => {
  if (keyring.find(keyId) === null) await keyring.learn(keyId)
}

/**
 * Checks the seal against the salt of the row it speaks of, in constant time. Tags are compared as
 * texts, so that this too has one spelling only.
 */
export const verifySeal = (sealed: Sealed, keyring: Keyring, salt: string): boolean => {
  const key = keyring.find(sealed.keyId)
  if (key === null) return false
  const { right } = sealed
  if (right !== null && right.key === key && right.salt === salt) return true
  const isRight = equalDigests(sealed.tag, tagOf(sealed.kind, key, salt, sealed.body))
  if (isRight) sealed.right = { key, salt }
  return isRight
}

/** Opens a statement whose salt is known before. Null where its form or its seal is wrong. */
export const openSealed = async <Says>(
  statement: SealedStatement<Says>,
  text: string,
  salt: string,
  keyring: Keyring,
): Promise<Says | null> => {
  const sealed = readSealed(statement, text)
  if (sealed === null) return null
  await learnKey(sealed, keyring)
  return verifySeal(sealed, keyring, salt) ? sealed.says : null
}

/** The same for one that ends. Nobody has a longer one than a token. @param at unix seconds */
export const openInTime = async <Says extends { readonly expiresAt: number }>(
  statement: SealedStatement<Says>,
  text: string,
  salt: string,
  at: number,
  keyring: Keyring,
): Promise<Says | null> => {
  if (text.length > parameterLimits.tokenCharacters) return null
  const says = await openSealed(statement, text, salt, keyring)
  return says !== null && says.expiresAt > at ? says : null
}
