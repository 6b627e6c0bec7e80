/** Passwords of people: argon2id, in a bounded number at once so that logins cannot starve the rest. */
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { Refusal } from '../protocol/refusal.ts'
import { verifyImported, verifyStrictly } from './hashes.ts'
import { getHashKind, makeBlank, ownCost } from './phc.ts'

export const passwordLimits = {
  /** Passwords that are hashed at the same time, and no more than there are cores. So many wait for that. */
  atOnce: 2,
  waiting: 200,
  /** Further places in the queue, not for strangers; and the part of them for one owner. */
  reserved: 50,
  reservedOfOne: 2,
} as const

export interface Hashing {
  hash(password: string): Promise<string>
  /** `stored` null or '': nobody, or no password yet; takes as long as a wrong one and is wrong. */
  verify(stored: string | null, password: string): Promise<boolean>
}

/** Each method takes a place in the queue of its own: `hash` one that is reserved, `verify` one of a stranger. */
export interface Passwords extends Hashing {
  /**
   * Holds a place in the queue while the work lasts, so that the work may write before it hashes.
   *
   * @param reservedFor the owner, for a known browser or a login; null = a stranger
   * @throws Refusal `temporarily_unavailable` with `Retry-After`, where the queue is full
   */
  inQueue<Result>(
    reservedFor: string | null,
    work: (hashing: Hashing) => Promise<Result>,
  ): Promise<Result>
  /**
   * Milliseconds to verify a hash of this kind, measured once. Null: it fails.
   *
   * @throws Refusal `temporarily_unavailable`, as `inQueue`
   */
  costOf(kind: string): Promise<number | null>
  /** How many hashes run, and how many wait for their turn. */
  load(): { readonly running: number; readonly waiting: number }
}

/** Runs one hash, and may measure it. */
export type Timed = <Result>(hash: () => Promise<Result>) => Promise<Result>

/** The hash of a password that nobody has, for unknown names. */
const nobody =
  '$argon2id$v=19$m=19456,t=2,p=1$bGF0Y2hrZXktbm9ib2R5$eJ0i2H6Sd0TtKTzfFLwTFvQO4BIC6jEwDqZkZ5vhTbY'

/** Spellings of one password that a keyboard may produce are one password (RFC 8265). */
const normalizePassword = (password: string): string => password.normalize('NFC')

const argon2id: Hashing = {
  hash: (password) => hash(normalizePassword(password), ownCost),
  async verify(stored, password) {
    const isChosen = stored !== null && stored !== ''
    // Other servers hashed what was typed, as it was typed.
    if (isChosen && getHashKind(stored) !== '') return verifyImported(stored, password)
    const right = await verify(isChosen ? stored : nobody, normalizePassword(password))
    return right && isChosen
  },
}

/** Begins to measure, and answers with a function that tells the milliseconds since then. */
export type Measure = () => () => number

/**
 * Measures work. Other programs stretch the running time, and other requests add to the processor
 * time of this process. So the smaller one is closer.
 *
 * @param elapsed running time in milliseconds
 */
export const measureWork =
  (elapsed: () => number): Measure =>
  () => {
    const begun = elapsed()
    const before = process.cpuUsage()
    return () => {
      const { user, system } = process.cpuUsage(before)
      return Math.min(elapsed() - begun, (user + system) / 1000)
    }
  }

/** Kinds with a remembered cost: the kinds in the store, and some refused ones. */
const kindsMeasured = 100

const measure = async (kind: string, begin: Measure): Promise<number | null> => {
  const milliseconds = begin()
  const isWrong = await verifyStrictly(makeBlank(kind), 'a wrong one').catch(() => null)
  return isWrong === null ? null : milliseconds()
}

const full = (): Refusal =>
  new Refusal('temporarily_unavailable', 'passwords_busy', 'too many logins at once', {
    headers: { 'Retry-After': '2' },
  })

/** Places in the queue. Reserved ones are taken only if no other is left. */
const createPlaces = (open: number) => {
  const reserved = new Map<string, number>()
  let taken = 0
  let takenReserved = 0
  /** @returns gives the place back */
  return (reservedFor: string | null): (() => void) => {
    if (taken < open) {
      taken++
      return () => {
        taken--
      }
    }
    const own = reservedFor === null ? 0 : (reserved.get(reservedFor) ?? 0)
    const isLeft = takenReserved < passwordLimits.reserved && own < passwordLimits.reservedOfOne
    if (reservedFor === null || !isLeft) throw full()
    takenReserved++
    reserved.set(reservedFor, own + 1)
    return () => {
      takenReserved--
      const left = (reserved.get(reservedFor) ?? 1) - 1
      if (left > 0) reserved.set(reservedFor, left)
      else reserved.delete(reservedFor)
    }
  }
}

/**
 * A queue for password hashes: bounded, so that a flood of logins cannot starve everything else.
 *
 * @param atOnce hashes that run at the same time; so many more may wait
 */
export const createHashQueue = (atOnce: number, waiting: number) => {
  const take = createPlaces(atOnce + waiting)
  const strangers: (() => void)[] = []
  const known: (() => void)[] = []
  let running = 0
  let turn = 0

  /** Takes turns, so that neither line waits for the end of the other. */
  const next = (): (() => void) | undefined => {
    const lines = turn++ % 2 === 0 ? [known, strangers] : [strangers, known]
    return lines.find((line) => line.length > 0)?.shift()
  }

  return {
    load: () => ({ running, waiting: known.length + strangers.length }),
    /**
     * Takes a place for as long as the work lasts. Who takes none must not have written anything yet.
     *
     * @param reservedFor an owner or operator whose place strangers cannot take; null = a stranger
     * @throws Refusal `temporarily_unavailable` with `Retry-After`, where the queue is full
     */
    async enter<Result>(reservedFor: string | null, work: () => Promise<Result>): Promise<Result> {
      const giveBack = take(reservedFor)
      try {
        return await work()
      } finally {
        giveBack()
      }
    },
    /** Runs one hash when it is its turn. */
    async inTurn<Result>(reservedFor: string | null, hash: () => Promise<Result>): Promise<Result> {
      const line = reservedFor === null ? strangers : known
      if (running >= atOnce) await new Promise<void>((resume) => line.push(resume))
      else running++
      try {
        return await hash()
      } finally {
        const resume = next()
        if (resume === undefined) running--
        else resume()
      }
    },
  }
}

/** The place for hashes of new passwords: whoever sets one has logged in, or is the operator. */
const setting = 'a new password'

/**
 * @param hashing for tests and simulations: something quicker
 * @param begin measures the cost of a kind
 */
export const createPasswords = (
  hashing: Hashing = argon2id,
  timed: Timed = (hash) => hash(),
  begin: Measure = () => () => 0,
): Passwords => {
  // Two on one core would take twice the memory and be done no sooner.
  const atOnce = Math.min(passwordLimits.atOnce, availableParallelism())
  const queue = createHashQueue(atOnce, passwordLimits.waiting)
  const inQueue: Passwords['inQueue'] = (reservedFor, work) =>
    queue.enter(reservedFor, () =>
      work({
        hash: (password) => queue.inTurn(reservedFor, () => timed(() => hashing.hash(password))),
        verify: (stored, password) =>
          queue.inTurn(reservedFor, () => timed(() => hashing.verify(stored, password))),
      }),
    )
  const costs = new Map<string, number | null>()
  return {
    inQueue,
    load: queue.load,
    async costOf(kind) {
      const known = costs.get(kind)
      if (known !== undefined) return known
      const inTurn = () => queue.inTurn(setting, () => measure(kind, begin))
      const cost = await queue.enter(setting, inTurn)
      if (costs.size >= kindsMeasured) costs.clear()
      costs.set(kind, cost)
      return cost
    },
    hash: (password) => inQueue(setting, (queued) => queued.hash(password)),
    verify: (stored, password) => inQueue(null, (queued) => queued.verify(stored, password)),
  }
}
