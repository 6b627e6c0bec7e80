/**
 * The kind of a password hash: algorithm and cost. They decide how long its verification
 * takes. The kind is the beginning of the text, up to the salt.
 */
import { renderPhc } from './phc.ts'

/** OWASP's first choice: 19 MiB, two passes, one lane. */
export const ownCost = { memoryCost: 19456, timeCost: 2, parallelism: 1 } as const

const own = `$argon2id$v=19$m=${ownCost.memoryCost},t=${ownCost.timeCost},p=${ownCost.parallelism}$`

const bcrypt = /^(?:\$django-bcrypt-sha256)?\$2b\$\d\d\$/
const phc =
  /^\$(?:argon2(?:i|d|id)|pbkdf2-sha(?:1|256|512)|scrypt|firebase-scrypt)(?:\$v=\d+)?\$[a-z]+=\d+(?:,[a-z]+=\d+)*\$/

/** @returns '' for hashes that this service makes itself */
export const kindOfHash = (stored: string): string => {
  const kind = (bcrypt.exec(stored) ?? phc.exec(stored))?.[0] ?? ''
  return kind === own ? '' : kind
}

/** A text of this kind, to spend the same time on. No password has it. */
export const blankOfKind = (kind: string): string => {
  if (bcrypt.test(kind)) return `${kind}${'.'.repeat(53)}`
  const length = Number(/\bl=(\d+)/.exec(kind)?.[1] ?? 32)
  const nothing = { name: '', version: null, parameters: {} }
  const text = renderPhc({ ...nothing, salt: Buffer.alloc(16), hash: Buffer.alloc(length) })
  return kind + text.split('$').slice(-2).join('$')
}
