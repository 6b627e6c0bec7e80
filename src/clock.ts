/** A clock that never goes back (decision 0011): nothing expired becomes valid again. */

import { setTimeout } from 'node:timers/promises'

/** The clocks of two nodes may differ by so much. */
export const clockSkewSeconds = 10

type Milliseconds = () => number

/** How long this process has run. */
export const readRunningTime: Milliseconds = () => Math.floor(performance.now())

/**
 * Follows the clock of the machine for as long as that goes forward. Set back by a little, as when
 * it is put right, it is waited for; set back by more, time goes on by itself.
 *
 * @param wall what the machine takes for the time (unix milliseconds)
 * @param elapsed how long the process has run, whatever the wall says
 * @param latest a time that has been already
 */
export const forwardClock = (
  wall: Milliseconds,
  elapsed: Milliseconds,
  latest: number,
): Milliseconds => {
  let told = latest
  let ran = elapsed()
  return () => {
    const before = ran
    ran = elapsed()
    const due = told + ran - before
    const at = wall()
    const isFarBehind = due - at > clockSkewSeconds * 1000
    told = isFarBehind ? due : Math.max(told, at)
    return told
  }
}

/** What a store knows of times before this process, in unix seconds. */
interface KnownTimes {
  noteTime(at: number): Promise<number>
  findUnsureUntil(at: number): Promise<number>
}

/**
 * A clock that goes on from the latest noted time of all nodes. Nodes note theirs every ten seconds, so a watermark
 * may be a little later.
 *
 * @param given in place of that of the machine
 */
export const startClock = async (
  given: Milliseconds | null,
  elapsed: Milliseconds,
  store: KnownTimes,
): Promise<Milliseconds> => {
  const wall = given ?? Date.now
  const noted = await store.noteTime(Math.floor(wall() / 1000))
  // By then, an assertion or a nonce of this process would be refused like those of the one before.
  const next = (await store.findUnsureUntil(noted)) + 1
  const isNear = next > noted && next <= noted + 2 * clockSkewSeconds
  const wait = next * 1000 - wall()
  const isWaitedFor = given === null && isNear && wait > 0 && wait <= clockSkewSeconds * 1000
  if (isWaitedFor) await setTimeout(wait)
  return forwardClock(wall, elapsed, (isNear ? next : noted) * 1000)
}

/**
 * Loads something at most once a second, however often it is asked. Whoever asks meanwhile shares the
 * answer. A failure is no answer: the next one asks again.
 */
export const throttleLoad = (
  clock: Milliseconds,
  load: () => Promise<void>,
): (() => Promise<void>) => {
  let loadedAt = Number.NEGATIVE_INFINITY
  let loading: Promise<void> = Promise.resolve()
  return () => {
    const at = Math.floor(clock() / 1000)
    if (at !== loadedAt) {
      loadedAt = at
      loading = load().catch((fault: unknown) => {
        loadedAt = Number.NEGATIVE_INFINITY
        throw fault
      })
      loading.catch(() => {})
    }
    return loading
  }
}

/** Lets requests go first for so many milliseconds: for jobs of several steps. */
export type Rest = (milliseconds: number) => Promise<unknown>

export const rest: Rest = (milliseconds) => setTimeout(milliseconds, null, { ref: false })

/** Where a clock is given, no job waits for real time. */
export const restNever: Rest = () => Promise.resolve()
