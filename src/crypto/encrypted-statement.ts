/** Encrypted statements: only this service can have written them, and only it can read them (AES-256-GCM). */
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { malformed, Reader, Writer } from '../model/codec/bytes.ts'
import type { Type } from '../model/codec/types.ts'
import type { Random } from '../model/ids.ts'
import { computeHmac } from './digest.ts'
import type { Keyring, SealingKey } from './seal.ts'

/** The content of one kind of encrypted statement, and its encoding. One kind is never taken for another. */
export interface EncryptedStatement<Says> {
  readonly kind: 'pushed request' | 'user code'
  readonly says: Type<Says>
}

/** The first byte of each statement. Another way to write them gets another number. */
const version = 1

const saltBytes = 32
const tagBytes = 16
/** Each statement has a key of its own, so the nonce may be the same for all. */
const nonce = new Uint8Array(12)

/** @param salt of the statement, random */
const deriveKey = (kind: string, { key }: SealingKey, salt: Uint8Array): Buffer => {
  const text = `encrypted ${kind}\n${Buffer.from(salt).toString('base64url')}`
  return Buffer.from(computeHmac(key, text), 'base64url')
}

const encode = <Says>({ says }: EncryptedStatement<Says>, said: Says): Buffer => {
  const to = new Writer()
  says.write(said, to)
  return Buffer.from(to.toBase64url(), 'base64url')
}

/** `base64url(version, key id, salt, ciphertext and tag)`. */
export const encryptStatement = <Says>(
  statement: EncryptedStatement<Says>,
  { keyring, random }: { readonly keyring: Keyring; readonly random: Random },
  said: Says,
): string => {
  const key = keyring.current()
  const salt = random(saltBytes)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(statement.kind, key, salt), nonce)
  const hidden = Buffer.concat([
    cipher.update(encode(statement, said)),
    cipher.final(),
    cipher.getAuthTag(),
  ])
  const to = new Writer()
  to.number(version)
  to.text(key.id)
  to.text(Buffer.from(salt).toString('latin1'))
  to.text(hidden.toString('latin1'))
  return to.toBase64url()
}

/** The parts of a statement in the right form; null for any other text. */
const readParts = (text: string) => {
  const from = new Reader(text)
  if (from.byte() !== version) return null
  const [keyId, salt, hidden] = [from.text(), from.text(), from.text()]
  if (!from.isAtEnd || salt.length !== saltBytes || hidden.length < tagBytes) return null
  return { keyId, salt: Buffer.from(salt, 'latin1'), hidden: Buffer.from(hidden, 'latin1') }
}

/** Null for bytes of another key, and for changed ones. */
const decrypt = (hidden: Buffer, key: Buffer): Buffer | null => {
  const opener = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  opener.setAuthTag(hidden.subarray(-tagBytes))
  const open = opener.update(hidden.subarray(0, -tagBytes))
  try {
    return Buffer.concat([open, opener.final()])
  } catch {
    return null
  }
}

const readMalformed = <Found>(read: () => Found | null): Found | null => {
  try {
    return read()
  } catch (fault) {
    if (fault === malformed) return null
    throw fault
  }
}

/** What a statement says; null for one of another kind, of another service, and for a changed one. */
export const decryptStatement = async <Says>(
  { kind, says }: EncryptedStatement<Says>,
  text: string,
  keyring: Keyring,
): Promise<Says | null> => {
  const parts = readMalformed(() => readParts(text))
  if (parts === null) return null
  if (keyring.find(parts.keyId) === null) await keyring.learn(parts.keyId)
  const key = keyring.find(parts.keyId)
  const open = key && decrypt(parts.hidden, deriveKey(kind, key, parts.salt))
  return open && readMalformed(() => says.read(new Reader(open.toString('base64url'))))
}
