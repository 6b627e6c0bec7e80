/** LDAP: the values of `userPassword`, `{SCHEME}...` (RFC 2307 section 5.3). */
import { bytesOf, type HashNotation, incomplete, type ReadHash } from './notation.ts'
import { pbkdf2Of, phcNotation, readBcrypt } from './phc.ts'

/** `10000$salt$hash` */
const readPbkdf2 = (name: string, rest: string): ReadHash => {
  const [, iterations, salt, hash] = /^(\d{1,10})\$([^$]*)\$([^$]*)$/.exec(rest) ?? []
  return iterations === undefined
    ? incomplete
    : pbkdf2Of(name, Number(iterations), bytesOf(salt), bytesOf(hash))
}

const onlyBcrypt: ReadHash = { problem: 'of {CRYPT}, only bcrypt ($2a$, $2b$, $2y$) is taken' }

const readers: Readonly<Record<string, (rest: string) => ReadHash | null>> = {
  PBKDF2: (rest) => readPbkdf2('pbkdf2-sha1', rest),
  'PBKDF2-SHA1': (rest) => readPbkdf2('pbkdf2-sha1', rest),
  'PBKDF2-SHA256': (rest) => readPbkdf2('pbkdf2-sha256', rest),
  'PBKDF2-SHA512': (rest) => readPbkdf2('pbkdf2-sha512', rest),
  ARGON2: (rest) => phcNotation.read(rest),
  CRYPT: (rest) => readBcrypt(rest) ?? onlyBcrypt,
  BCRYPT: (rest) => readBcrypt(rest),
}

export const ldapNotation: HashNotation = {
  title: 'a userPassword of LDAP',
  read(given) {
    if (typeof given !== 'string') return null
    const [, scheme = '', rest] = /^\{([A-Za-z0-9-]+)\}(.*)$/s.exec(given) ?? []
    if (rest === undefined) return null
    const name = scheme.toUpperCase()
    const reader = Object.hasOwn(readers, name) ? readers[name] : undefined
    return reader === undefined
      ? { problem: 'its scheme is not taken: only PBKDF2, ARGON2 and bcrypt are' }
      : (reader(rest) ?? incomplete)
  },
}
