/**
 * Hashes that are one text: PHC strings, bcrypt as everybody writes it (Auth0 among them), and PBKDF2
 * as passlib writes it. Also passwords of Django, and `userPassword` of LDAP (RFC 2307 section 5.3).
 */
import { isPbkdf2Name } from '../../crypto/hashes.ts'
import { type PhcHash, parsePhc, renderPhc } from '../../crypto/phc.ts'

/** `problem`: in words for the operator, without any part of the hash. */
export type ReadHash = { readonly hash: string } | { readonly problem: string }

export interface HashNotation {
  /** What errors call it. */
  readonly title: string
  /** Null where the value is in another notation. */
  read(given: unknown): ReadHash | null
}

/** Base64 in any of its alphabets, with or without padding; LDAP writes `.` for `+`. Null = it is none. */
export const decode = (text: unknown): Buffer | null => {
  if (typeof text !== 'string') return null
  const plain = text.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/')
  const usual = plain.replaceAll('.', '+')
  return /^[A-Za-z0-9+/]+$/.test(usual) ? Buffer.from(usual, 'base64') : null
}

export const incomplete: ReadHash = { problem: 'it is not complete' }

export const sayPhc = (of: Omit<PhcHash, 'version'> & { readonly version?: number }): ReadHash => ({
  hash: renderPhc({ version: null, ...of }),
})

/** @param salt as bytes; all of it is base64 in the end */
export const makePbkdf2 = (
  name: string,
  iterations: unknown,
  salt: Buffer | null,
  hash: Buffer | null,
): ReadHash => {
  if (!isPbkdf2Name(name) || salt === null || hash === null) return incomplete
  if (!Number.isSafeInteger(iterations)) return incomplete
  return sayPhc({ name, parameters: { i: Number(iterations), l: hash.length }, salt, hash })
}

/** `$2a$`, `$2b$` and `$2y$` are the same algorithm. So they become one kind. */
const readBcrypt = (text: string): ReadHash | null => {
  const [, wrapped = '', rest] = /^(\$django-bcrypt-sha256)?\$2[aby](\$.*)$/s.exec(text) ?? []
  return rest === undefined ? null : { hash: `${wrapped}$2b${rest}` }
}

/** `iterations$salt$hash` @param saltOf Django's salt is text, all others' is base64 */
const readPbkdf2 =
  (name: string, saltOf: (salt: string) => Buffer | null = decode) =>
  (rest: string): ReadHash => {
    const [, iterations, salt = '', hash] = /^(\d{1,10})\$([^$]*)\$([^$]*)$/.exec(rest) ?? []
    if (iterations === undefined) return incomplete
    return makePbkdf2(name, Number(iterations), saltOf(salt), decode(hash))
  }

export const phc: HashNotation = {
  title: 'a PHC string or bcrypt',
  read(given) {
    if (typeof given !== 'string' || !given.startsWith('$')) return null
    const bcrypt = readBcrypt(given)
    if (bcrypt !== null) return bcrypt
    // `$pbkdf2-sha256$29000$salt$hash`
    const [, kind = '', passlib] =
      /^\$(pbkdf2(?:-[a-z0-9]+)?)\$(\d{1,10}\$[^$]*\$[^$]*)$/.exec(given) ?? []
    if (passlib !== undefined) return readPbkdf2(kind === 'pbkdf2' ? 'pbkdf2-sha1' : kind)(passlib)
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

/** Hashes with the name of their algorithm before them, in lower case here. */
const makeNotation = (
  title: string,
  form: RegExp,
  unknown: string,
  readers: Readonly<Record<string, (rest: string) => ReadHash | null>>,
): HashNotation => ({
  title,
  read(given) {
    if (typeof given !== 'string') return null
    const [, written = '', rest] = form.exec(given) ?? []
    if (rest === undefined) return null
    const name = written.toLowerCase()
    const reader = Object.hasOwn(readers, name) ? readers[name] : undefined
    return reader === undefined ? { problem: unknown } : (reader(rest) ?? incomplete)
  },
})

/** `N$salt$r$p$hash` */
const readDjangoScrypt = (rest: string): ReadHash => {
  const [, n, salt, r, p, encoded] =
    /^(\d{1,10})\$([^$]*)\$(\d{1,5})\$(\d{1,5})\$([^$]*)$/.exec(rest) ?? []
  const hash = decode(encoded)
  const ln = Math.log2(Number(n))
  if (salt === undefined || hash === null || !Number.isInteger(ln)) return incomplete
  const parameters = { ln, r: Number(r), p: Number(p) }
  return sayPhc({ name: 'scrypt', parameters, salt: Buffer.from(salt), hash })
}

/** `algorithm$...`, where the salt of PBKDF2 and scrypt is text */
export const django = makeNotation(
  'a password of Django',
  /^([a-z0-9_]+)\$(.*)$/s,
  'its algorithm is unknown',
  {
    pbkdf2_sha256: readPbkdf2('pbkdf2-sha256', (salt) => Buffer.from(salt)),
    pbkdf2_sha1: readPbkdf2('pbkdf2-sha1', (salt) => Buffer.from(salt)),
    argon2: (rest) => phc.read(`$${rest}`),
    bcrypt: readBcrypt,
    bcrypt_sha256: (rest) => readBcrypt(`$django-bcrypt-sha256${rest}`),
    scrypt: readDjangoScrypt,
  },
)

const onlyBcrypt: ReadHash = { problem: 'of {CRYPT}, only bcrypt ($2a$, $2b$, $2y$) is taken' }

/** `{SCHEME}...` */
export const ldap = makeNotation(
  'a userPassword of LDAP',
  /^\{([A-Za-z0-9-]+)\}(.*)$/s,
  'its scheme is not taken: only PBKDF2, ARGON2 and bcrypt are',
  {
    pbkdf2: readPbkdf2('pbkdf2-sha1'),
    'pbkdf2-sha1': readPbkdf2('pbkdf2-sha1'),
    'pbkdf2-sha256': readPbkdf2('pbkdf2-sha256'),
    'pbkdf2-sha512': readPbkdf2('pbkdf2-sha512'),
    argon2: phc.read,
    crypt: (rest) => readBcrypt(rest) ?? onlyBcrypt,
    bcrypt: readBcrypt,
  },
)
