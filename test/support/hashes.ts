/** Counts all checks of password hashes: the work behind an answer. */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { checks } from './quick-hashes.ts'

/** What each check would cost, as the PHC string says: `argon2id v=19 m=19456,t=2,p=1`. */
export const checked: string[] = []

/** Does the checks; a test may put something quicker in its place. */
export const hashing = { ...checks }

checks.verify = (stored, password) => {
  const [, kind, version, cost] = stored.split('$')
  checked.push(`${kind} ${version} ${cost}`)
  return hashing.verify(stored, password)
}

/** Hashes from elsewhere: `pbkdf2 sha256 1000`. */
const { pbkdf2 } = crypto
crypto.pbkdf2 = (password, salt, iterations, bytes, digest, done) => {
  checked.push(`pbkdf2 ${digest} ${iterations}`)
  pbkdf2(password, salt, iterations, bytes, digest, done)
}
syncBuiltinESMExports()
