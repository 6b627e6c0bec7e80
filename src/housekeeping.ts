/** Background jobs of the service, a little at a time. */

import { accountLimits } from './config/account.ts'
import { countLimits } from './config/count-limits.ts'
import { limits } from './config/limits.ts'
import { pauseLimits } from './config/pause.ts'
import { refusalLimits } from './config/refusal-limits.ts'
import { resourceLimits } from './config/resource-limits.ts'
import type { ServiceParts } from './registries.ts'
import type { Trace } from './store/store.ts'
import { serviceTrace } from './store/trace.ts'

/** A job; it resolves with `more` if some of its work is left. */
type Job = (at: number) => Promise<unknown>

const behind = 'the clock of this node is behind that of another one'

/**
 * Runs a job so many seconds after its last start, or at the next turn if it has more to do. Never
 * runs it twice at once.
 */
const every = (seconds: number, job: Job) => {
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
}

/** Jobs on rows of the store, a few at a time: `more` where there were as many as there may be. */
const openRowJobs = (
  { store, settings, clock, random, tell }: HousekeptParts,
  isClosed: () => boolean,
) => {
  const byItself = (at: number): Trace => serviceTrace(at, { clock, random })
  /** The id that the search for unused applications has reached. */
  let searched: string | null = null
  return {
    /** Accounts whose owners deleted them, once the time to undo it is over. */
    async deletions(at: number) {
      const due = await store.listDueOwners(at, accountLimits.deletionsInTurn)
      const faults: unknown[] = []
      // One that fails must not keep the others.
      for (const id of due) {
        await store.deleteDueOwner(id, byItself(at)).catch((fault: unknown) => faults.push(fault))
      }
      if (faults.length > 0) throw faults[0]
      return due.length < accountLimits.deletionsInTurn ? 'done' : 'more'
    },
    /** What is left of deleted clients and owners. */
    async removals(at: number) {
      for (let steps = 0; steps < limits.purgeSteps && !isClosed(); steps++) {
        if ((await store.removeDeleted(limits.purgeRows, byItself(at))) === 0) return 'done'
      }
      return 'more'
    },
    /** What has expired. */
    async purge(at: number) {
      const { eventSeconds, accessLogSeconds } = settings
      const before = { events: at - eventSeconds, accessLog: at - accessLogSeconds }
      let went: number = limits.purgeRows
      for (let steps = 0; steps < limits.purgeSteps && went > 0 && !isClosed(); steps++) {
        went = await store.purge(at, before, limits.purgeRows)
      }
      // Where there is much of it, each step finds as many rows as it may.
      return went < limits.purgeRows ? 'done' : 'more'
    },
    /** Clients that strangers registered and nobody uses. */
    async registrations(at: number) {
      const due = await store.listDueRegistrations(at, limits.registrationsChecked)
      for (const id of due) {
        await store.removeIdleClient(id, byItself(at)).catch(async (fault: unknown) => {
          // The client must not stay the first that is due.
          tell({ level: 'error', message: 'a client was not removed', fault: String(fault) })
          await store.postponeRegistration(id, at + limits.neverUsedSeconds)
        })
      }
      return due.length < limits.registrationsChecked ? 'done' : 'more'
    },
    async pauses(at: number) {
      const { pauseUnusedDays: unusedDays } = settings
      if (unusedDays === 0) return 'done'
      const { rowsInTurn } = pauseLimits
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

interface ServiceHousekeeping {
  /** Runs all jobs that are due, and never rejects. Turns follow one another every second or so. */
  turn(): Promise<void>
  /** Waits for the jobs under way, and begins no other. */
  close(): Promise<void>
}

/** Housekeeping by the given clock. */
export const createHousekeeping = (parts: HousekeptParts): ServiceHousekeeping => {
  const { store, keyring, uses, refusals, resources, tooMany, counts, clock, tell } = parts
  let isClosed = false
  const rows = openRowJobs(parts, () => isClosed)
  const noteTime = async (at: number): Promise<void> => {
    const ahead = (await store.noteTime(at)) - at
    if (ahead > limits.clockSkewSeconds) tell({ level: 'warn', message: behind, seconds: ahead })
  }
  const jobs = {
    deletions: every(accountLimits.deletionSeconds, rows.deletions),
    removals: every(limits.purgeSeconds, rows.removals),
    uses: every(limits.usesFlushSeconds, () => uses.flush()),
    counts: every(countLimits.flushSeconds, () => counts.flush()),
    refusals: every(refusalLimits.flushSeconds, () => refusals.flush()),
    keys: every(limits.keyReloadSeconds, () => keyring.refresh()),
    resources: every(resourceLimits.reloadSeconds, () => resources.refresh()),
    time: every(limits.clockNoteSeconds, noteTime),
    purge: every(limits.purgeSeconds, rows.purge),
    registrations: every(limits.purgeSeconds, rows.registrations),
    pauses: every(pauseLimits.searchSeconds, rows.pauses),
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
