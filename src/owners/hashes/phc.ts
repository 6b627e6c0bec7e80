/** PHC strings, bcrypt as everybody writes it (Auth0 among them), and PBKDF2 as passlib writes it. */
import { isPbkdf2Name } from '../../crypto/hashes/pbkdf2.ts'
import { parsePhc, renderPhc } from '../../crypto/hashes/phc.ts'
import { bytesOf, type HashNotation, incomplete, type ReadHash } from './notation.ts'

/** `$2a$`, `$2b$` and `$2y$` are the same algorithm. So they become one kind. */
export const readBcrypt = (text: string): ReadHash | null => {
  const [, wrapped = '', rest] = /^(\$django-bcrypt-sha256)?\$2[aby](\$.*)$/s.exec(text) ?? []
  return rest === undefined ? null : { hash: `${wrapped}$2b${rest}` }
}

/** @param salt as bytes; all of it is base64 in the end */
export const pbkdf2Of = (
  name: string,
  iterations: unknown,
  salt: Buffer | null,
  hash: Buffer | null,
): ReadHash => {
  if (!isPbkdf2Name(name) || salt === null || hash === null) return incomplete
  if (!Number.isSafeInteger(iterations)) return incomplete
  const parameters = { i: Number(iterations), l: hash.length }
  return { hash: renderPhc({ name, version: null, parameters, salt, hash }) }
}

/** `$pbkdf2-sha256$29000$salt$hash` */
const readPasslib = (text: string): ReadHash | null => {
  const [, name = '', iterations, salt, hash] =
    /^\$(pbkdf2(?:-[a-z0-9]+)?)\$(\d{1,10})\$([^$]*)\$([^$]*)$/.exec(text) ?? []
  if (iterations === undefined) return null
  const full = name === 'pbkdf2' ? 'pbkdf2-sha1' : name
  return pbkdf2Of(full, Number(iterations), bytesOf(salt), bytesOf(hash))
}

export const phcNotation: HashNotation = {
  title: 'a PHC string or bcrypt',
  read(given) {
    if (typeof given !== 'string' || !given.startsWith('$')) return null
    const bcrypt = readBcrypt(given) ?? readPasslib(given)
    if (bcrypt !== null) return bcrypt
    const parsed = parsePhc(given.replace(/=+(?=\$|$)/g, ''))
    if (parsed === null) return incomplete
    const { name, parameters, hash } = parsed
    const isWithoutLength = isPbkdf2Name(name) && parameters.l === undefined
    const whole = isWithoutLength ? { ...parameters, l: hash.length } : parameters
    // The first version of argon2 is not named.
    const version = name.startsWith('argon2') ? (parsed.version ?? 16) : parsed.version
    return { hash: renderPhc({ ...parsed, version, parameters: whole }) }
  },
}
