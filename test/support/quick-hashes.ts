/**
 * Password hashes for all tests of a process. Each says the cost that the service asked for, and takes
 * a thousandth of it. Real ones took a quarter of the processor time of all flows and attacks.
 */
import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'

interface Cost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

interface Argon2 {
  hash(password: string, options: Cost & { readonly salt?: Uint8Array }): Promise<string>
  verify(stored: string, password: string): Promise<boolean>
}

/** The package itself. The preload gives this module to `src` in its place. */
const argon2: Argon2 = createRequire(import.meta.url)('@node-rs/argon2')

/** The salt of each quick hash begins so, in a whole number of base64 digits. */
const mark = Buffer.from('quickhash')
const saltBytes = 16
const isQuick = (stored: string): boolean => stored.includes(`$${mark.toString('base64')}`)

const least: Cost = { memoryCost: 8, timeCost: 1, parallelism: 1 }
const saying = (stored: string, { memoryCost, timeCost, parallelism }: Cost): string =>
  stored.replace(/\$m=\d+,t=\d+,p=\d+\$/, `$m=${memoryCost},t=${timeCost},p=${parallelism}$`)

export const hash = async (password: string, cost: Cost): Promise<string> => {
  const salt = Buffer.concat([mark, randomBytes(saltBytes - mark.length)])
  return saying(await argon2.hash(password, { ...cost, ...least, salt }), cost)
}

/** Checks quick and real hashes. A test may put a check of its own in its place. */
export const checks: Pick<Argon2, 'verify'> = {
  verify: (stored, password) =>
    argon2.verify(isQuick(stored) ? saying(stored, least) : stored, password),
}

export const verify = (stored: string, password: string): Promise<boolean> =>
  checks.verify(stored, password)
