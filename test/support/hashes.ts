/** Counts all computed password hashes: the work behind an answer. */
import { createRequire } from 'node:module'

interface Argon2 {
  verify(stored: string, password: string): Promise<boolean>
}

/** The one object that Node hands to every later importer. */
const argon2: Argon2 = createRequire(import.meta.url)('@node-rs/argon2')

/** What each check cost, as the PHC string says: `argon2id v=19 m=19456,t=2,p=1`. */
export const checked: string[] = []

/** Does the checks; a test may put something quicker in its place. */
export const hashing: Argon2 = { verify: argon2.verify }

argon2.verify = (stored, password) => {
  const [, kind, version, cost] = stored.split('$')
  checked.push(`${kind} ${version} ${cost}`)
  return hashing.verify(stored, password)
}
