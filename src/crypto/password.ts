/** Passwords of people: argon2id, in a bounded number at once so that logins cannot starve the rest. */
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { limits } from '../config/limits.ts'
import { Refusal } from '../protocol/refusal.ts'

export interface Passwords {
  hash(password: string): Promise<string>
  /** `stored` null: nobody of that name; takes as long as a wrong password and is wrong. */
  verify(stored: string | null, password: string): Promise<boolean>
}

/** OWASP's first choice: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19456, timeCost: 2, parallelism: 1 } as const

/** The hash of a password that nobody has, for names that nobody has. */
const nobody =
  '$argon2id$v=19$m=19456,t=2,p=1$bGF0Y2hrZXktbm9ib2R5$eJ0i2H6Sd0TtKTzfFLwTFvQO4BIC6jEwDqZkZ5vhTbY'

/** Spellings of one password that a keyboard may produce are one password (RFC 8265). */
const prepared = (password: string): string => password.normalize('NFC')

/** Runs at most so many jobs at once and refuses where too many wait already. */
const queue = (atOnce: number, mostWaiting: number) => {
  const waiting: (() => void)[] = []
  let running = 0
  return async <Result>(job: () => Promise<Result>): Promise<Result> => {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting) {
        throw new Refusal('temporarily_unavailable', 'passwords_busy', 'too many logins at once', {
          headers: { 'Retry-After': '2' },
        })
      }
      await new Promise<void>((resume) => waiting.push(resume))
    } else running++
    try {
      return await job()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}

/** Two on one core would take twice the memory and be done no sooner. */
export const hashesAtOnce = Math.min(limits.passwordHashesAtOnce, availableParallelism())

export const createPasswords = (): Passwords => {
  const inTurn = queue(hashesAtOnce, limits.passwordHashesWaiting)
  return {
    hash: (password) => inTurn(() => hash(prepared(password), cost)),
    verify: (stored, password) =>
      inTurn(async () => {
        const right = await verify(stored ?? nobody, prepared(password))
        return right && stored !== null
      }),
  }
}
