/** Background jobs of the service, a little at a time. */

import type { Rest } from './clock.ts'
import { clockSkewSeconds } from './clock.ts'
import { sealLimits } from './events/seals/sealer.ts'
import { watchWorkers } from './events/workers.ts'
import type { ServiceParts } from './registries.ts'
import type { Trace, WordsDue } from './store/contract/trace.ts'
import { StoreFault } from './store/fault.ts'
import { storeLimits } from './store/limits.ts'
import { makeServiceTrace } from './store/trace.ts'

/** How often the jobs run, and how much each does in one turn. Every node has a turn each second. */
export const housekeepingLimits = {
  /** How often the time is noted in the store, for a start after which the clock is behind. */
  clockNoteSeconds: 10,
  /** So many of these clients are checked in one turn of housekeeping. */
  registrationsChecked: 100,
  /** Every node reads the keys so often, and a turn of its housekeeping comes each second. */
  keyReloadSeconds: 5,
  /** Uses are written so often, so many kinds of them in one step: a last use is never five seconds old. */
  usesFlushSeconds: 3,
  purgeSeconds: 10,
  /** Steps at most each time; where more is left, the next time is the next turn of housekeeping. */
  purgeSteps: 50,
  /** Rows of which one step writes the words, and such steps in a turn. Logins wait for a step. */
  wordRows: 40,
  wordSteps: 20,
  wordPauseMilliseconds: 20,
  /** The search for accounts to delete begins so often, and deletes so many in a turn. */
  deletionSeconds: 60,
  deletionsInTurn: 20,
  /** Every node reads the resources so often, and a turn of its housekeeping comes each second. */
  resourceReloadSeconds: 4,
  /** The search for unused applications begins so often, and looks at so many authorizations in a turn. */
  pauseSearchSeconds: 3600,
  pauseRowsInTurn: 500,
  /** What a node counted is written so often. A crash loses at most that. */
  countsFlushSeconds: 15,
  /** Refusals are gathered in memory, and written so often. */
  refusalsFlushSeconds: 2,
} as const

/** A job; it resolves with `more` if some of its work is left. */
type Job = (at: number) => Promise<unknown>

const behind = 'the clock of this node is behind that of another one'

/**
 * Runs a job so many seconds after its last start, or at the next turn if it has more to do. Never
 * runs it twice at once.
 */
const runEvery = (seconds: number, job: Job) => {
  let last = Number.NEGATIVE_INFINITY
  let isUnderWay = false
  return async (at: number): Promise<void> => {
    if (isUnderWay || (at >= last && at - last < seconds)) return
    last = at
    isUnderWay = true
    try {
      if ((await job(at)) === 'more') last = Number.NEGATIVE_INFINITY
    } finally {
      isUnderWay = false
    }
  }
}

interface HousekeptParts
  extends Pick<
    ServiceParts,
    'store' | 'settings' | 'uses' | 'refusals' | 'resources' | 'clock' | 'random' | 'tell'
  > {
  readonly keyring: { refresh(): Promise<void> }
  readonly tooMany: { flush(at: number): void }
  readonly counts: { flush(): Promise<void> }
  readonly rest: Rest
  readonly sealer: { sealDue(at: number): Promise<unknown> }
}

/** Jobs on rows of the store, a few at a time: `more` where there were as many as there may be. */
const openRowJobs = (
  { store, settings, clock, random }: HousekeptParts,
  isClosed: () => boolean,
) => {
  const byItself = (at: number): Trace => makeServiceTrace(at, { clock, random })
  return {
    /** Accounts whose owners deleted them, once the time to undo it is over. */
    async deletions(at: number) {
      const due = await store.listDueOwners(at, housekeepingLimits.deletionsInTurn)
      const faults: unknown[] = []
      // One that fails must not keep the others.
      for (const id of due) {
        await store.deleteDueOwner(id, byItself(at)).catch((fault: unknown) => faults.push(fault))
      }
      if (faults.length > 0) throw faults[0]
      return due.length < housekeepingLimits.deletionsInTurn ? 'done' : 'more'
    },
    /** What is left of deleted clients and owners. */
    async removals(at: number) {
      for (let steps = 0; steps < housekeepingLimits.purgeSteps && !isClosed(); steps++) {
        if ((await store.removeDeleted(storeLimits.purgeRows, byItself(at))) === 0) return 'done'
      }
      return 'more'
    },
    /** What has expired. */
    async purge(at: number) {
      const { eventSeconds, accessLogSeconds } = settings
      const before = { events: at - eventSeconds, accessLog: at - accessLogSeconds }
      let went: number = storeLimits.purgeRows
      for (
        let steps = 0;
        steps < housekeepingLimits.purgeSteps && went > 0 && !isClosed();
        steps++
      ) {
        went = await store.purge(at, before, storeLimits.purgeRows)
      }
      // Where there is much of it, each step finds as many rows as it may.
      return went < storeLimits.purgeRows ? 'done' : 'more'
    },
  }
}

/** Jobs on clients that nobody uses. */
const openUnusedJobs = ({ store, settings, clock, random, tell }: HousekeptParts) => {
  const byItself = (at: number): Trace => makeServiceTrace(at, { clock, random })
  /** The id that the search for unused applications has reached. */
  let searched: string | null = null
  return {
    /** Clients that strangers registered and nobody uses. */
    async registrations(at: number) {
      const due = await store.listDueRegistrations(at, housekeepingLimits.registrationsChecked)
      for (const id of due) {
        await store.removeIdleClient(id, byItself(at)).catch(async (fault: unknown) => {
          // The client must not stay the first that is due.
          tell({ level: 'error', message: 'a client was not removed', fault: String(fault) })
          await store.postponeRegistration(id, at + storeLimits.neverUsedSeconds)
        })
      }
      return due.length < housekeepingLimits.registrationsChecked ? 'done' : 'more'
    },
    async pauses(at: number) {
      const { pauseUnusedDays: unusedDays } = settings
      if (unusedDays === 0) return 'done'
      const { pauseRowsInTurn: rowsInTurn } = housekeepingLimits
      const { rows, next } = await store.listUnusedAuthorizations(
        unusedDays,
        searched,
        rowsInTurn,
        at,
      )
      for (const of of rows) await store.pauseAuthorizations({ ...of, unusedDays }, byItself(at))
      searched = next
      return searched === null ? 'done' : 'more'
    },
  }
}

const isOfRow = (fault: unknown): boolean =>
  !(fault instanceof StoreFault) || ['failed', 'unreadable'].includes(fault.reason)

/** Words of rows that an older version made. A row that fails does not keep the others from theirs. */
const openWordsJob = (
  note: (due: WordsDue) => Promise<number>,
  { tell, rest }: Pick<HousekeptParts, 'tell' | 'rest'>,
  isClosed: () => boolean,
): Job => {
  const { wordRows, wordSteps, wordPauseMilliseconds } = housekeepingLimits
  /** Rows that failed, and how many rows are still tried one by one. */
  let skip = 0
  let alone = 0
  return async () => {
    for (let steps = 0; steps < wordSteps && !isClosed(); steps++) {
      const most = alone > 0 ? 1 : wordRows
      try {
        if ((await note({ most, skip })) === 0) {
          skip = 0
          return 'done'
        }
        alone = Math.max(0, alone - 1)
      } catch (fault) {
        // Of a store that cannot be reached, no row is the reason.
        if (!isOfRow(fault)) throw fault
        if (most === 1) {
          skip++
          tell({ level: 'error', message: 'a row has no words', fault: String(fault) })
        }
        alone = most === 1 ? alone - 1 : wordRows
      }
      await rest(wordPauseMilliseconds)
    }
    return 'more'
  }
}

interface ServiceHousekeeping {
  /** Runs all jobs that are due, and never rejects. Turns follow one another every second or so. */
  turn(): Promise<void>
  /** Waits for the jobs under way, and begins no other. */
  close(): Promise<void>
}

/** Housekeeping by the given clock. */
export const createHousekeeping = (parts: HousekeptParts): ServiceHousekeeping => {
  const { store, keyring, uses, refusals, resources, tooMany, counts, sealer, clock, tell } = parts
  let isClosed = false
  const rows = openRowJobs(parts, () => isClosed)
  const unused = openUnusedJobs(parts)
  const openWords = (note: (due: WordsDue) => Promise<number>): Job =>
    openWordsJob(note, parts, () => isClosed)
  const noteTime = async (at: number): Promise<void> => {
    const ahead = (await store.noteTime(at)) - at
    if (ahead > clockSkewSeconds) tell({ level: 'warn', message: behind, seconds: ahead })
  }
  const jobs = {
    deletions: runEvery(housekeepingLimits.deletionSeconds, rows.deletions),
    removals: runEvery(housekeepingLimits.purgeSeconds, rows.removals),
    clientWords: runEvery(
      housekeepingLimits.purgeSeconds,
      openWords((due) => store.noteClientWords(due)),
    ),
    ownerWords: runEvery(
      housekeepingLimits.purgeSeconds,
      openWords((due) => store.noteOwnerWords(due)),
    ),
    uses: runEvery(housekeepingLimits.usesFlushSeconds, () => uses.flush()),
    counts: runEvery(housekeepingLimits.countsFlushSeconds, () => counts.flush()),
    refusals: runEvery(housekeepingLimits.refusalsFlushSeconds, () => refusals.flush()),
    keys: runEvery(housekeepingLimits.keyReloadSeconds, () => keyring.refresh()),
    resources: runEvery(housekeepingLimits.resourceReloadSeconds, () => resources.refresh()),
    time: runEvery(housekeepingLimits.clockNoteSeconds, noteTime),
    machines: runEvery(housekeepingLimits.clockNoteSeconds, watchWorkers(parts)),
    purge: runEvery(housekeepingLimits.purgeSeconds, rows.purge),
    seals: runEvery(sealLimits.searchSeconds, (at) => sealer.sealDue(at)),
    registrations: runEvery(housekeepingLimits.purgeSeconds, unused.registrations),
    pauses: runEvery(housekeepingLimits.pauseSearchSeconds, unused.pauses),
  }
  const runDue = async (): Promise<void> => {
    const at = Math.floor(clock() / 1000)
    tooMany.flush(at)
    for (const [name, due] of Object.entries(jobs)) {
      if (isClosed) return
      await due(at).catch((fault: unknown) =>
        tell({ level: 'error', message: `housekeeping failed: ${name}`, fault: String(fault) }),
      )
    }
  }
  const underWay = new Set<Promise<void>>()
  return {
    async turn() {
      const run = runDue()
      underWay.add(run)
      await run
      underWay.delete(run)
    },
    async close() {
      isClosed = true
      await Promise.all(underWay)
    },
  }
}

/** A job beside requests, once at a time: other sites may take their time. @param turn may reject */
export const createJob = (turn: () => Promise<void>, { tell }: Pick<ServiceParts, 'tell'>) => {
  let underWay: Promise<void> | null = null
  let isClosed = false
  const noteFault = (fault: unknown): void =>
    tell({ level: 'error', message: 'a job failed', fault: String(fault) })
  return {
    async deliver(): Promise<void> {
      if (isClosed) return
      underWay ??= turn()
        .catch(noteFault)
        .finally(() => {
          underWay = null
        })
      await underWay
    },
    /** Waits for what is under way, and begins nothing more. */
    async close(): Promise<void> {
      isClosed = true
      await underWay
    },
  }
}
