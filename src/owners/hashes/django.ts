/** Django: `algorithm$...`, where the salt of PBKDF2 and scrypt is text. */
import { renderPhc } from '../../crypto/hashes/phc.ts'
import { bytesOf, type HashNotation, incomplete, type ReadHash } from './notation.ts'
import { pbkdf2Of, phcNotation, readBcrypt } from './phc.ts'

/** `iterations$salt$hash` */
const readPbkdf2 = (name: string, rest: string): ReadHash => {
  const [, iterations, salt, hash] = /^(\d{1,10})\$([^$]*)\$([^$]*)$/.exec(rest) ?? []
  if (iterations === undefined || salt === undefined) return incomplete
  return pbkdf2Of(name, Number(iterations), Buffer.from(salt), bytesOf(hash))
}

/** `N$salt$r$p$hash` */
const readScrypt = (rest: string): ReadHash => {
  const [, n, salt, r, p, encoded] =
    /^(\d{1,10})\$([^$]*)\$(\d{1,5})\$(\d{1,5})\$([^$]*)$/.exec(rest) ?? []
  const hash = bytesOf(encoded)
  const ln = Math.log2(Number(n))
  if (salt === undefined || hash === null || !Number.isInteger(ln)) return incomplete
  const parameters = { ln, r: Number(r), p: Number(p) }
  return {
    hash: renderPhc({ name: 'scrypt', version: null, parameters, salt: Buffer.from(salt), hash }),
  }
}

const readers: Readonly<Record<string, (rest: string) => ReadHash | null>> = {
  pbkdf2_sha256: (rest) => readPbkdf2('pbkdf2-sha256', rest),
  pbkdf2_sha1: (rest) => readPbkdf2('pbkdf2-sha1', rest),
  argon2: (rest) => phcNotation.read(`$${rest}`),
  bcrypt: (rest) => readBcrypt(rest),
  bcrypt_sha256: (rest) => readBcrypt(`$django-bcrypt-sha256${rest}`),
  scrypt: readScrypt,
}

export const djangoNotation: HashNotation = {
  title: 'a password of Django',
  read(given) {
    if (typeof given !== 'string') return null
    const [, name = '', rest] = /^([a-z0-9_]+)\$(.*)$/s.exec(given) ?? []
    if (rest === undefined) return null
    const reader = Object.hasOwn(readers, name) ? readers[name] : undefined
    return reader === undefined
      ? { problem: 'its algorithm is unknown' }
      : (reader(rest) ?? incomplete)
  },
}
