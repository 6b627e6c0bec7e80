/** Background jobs of the service, a little at a time. */

import { accountLimits } from './config/account.ts'
import { countLimits } from './config/count-limits.ts'
import { limits } from './config/limits.ts'
import { pauseLimits } from './config/pause.ts'
import { refusalLimits } from './config/refusal-limits.ts'
import { resourceLimits } from './config/resource-limits.ts'
import type { ServiceParts } from './registries.ts'
import type { Store, Trace } from './store/store.ts'
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

/** Accounts whose owners deleted them, once the time to undo it is over. */
const deleteOwners = async (
  at: number,
  store: Pick<Store, 'listDueOwners' | 'deleteDueOwner'>,
  traceAt: (at: number) => Trace,
): Promise<'done' | 'more'> => {
  const due = await store.listDueOwners(at, accountLimits.deletionsInTurn)
  const faults: unknown[] = []
  // One that fails must not keep the others.
  for (const id of due) {
    await store.deleteDueOwner(id, traceAt(at)).catch((fault: unknown) => faults.push(fault))
  }
  if (faults.length > 0) throw faults[0]
  return due.length < accountLimits.deletionsInTurn ? 'done' : 'more'
}

/** What has expired, a few rows at a time. */
const purgeIn =
  ({ store, settings }: Pick<ServiceParts, 'store' | 'settings'>, isClosed: () => boolean): Job =>
  async (at) => {
    const before = { events: at - settings.eventSeconds, accessLog: at - settings.accessLogSeconds }
    let went: number = limits.purgeRows
    for (let steps = 0; steps < limits.purgeSteps && went > 0 && !isClosed(); steps++) {
      went = await store.purge(at, before, limits.purgeRows)
    }
    // Where there is much of it, each step finds as many rows as it may.
    return went < limits.purgeRows ? 'done' : 'more'
  }

/** What is left of deleted clients and owners, a few rows at a time. */
const removeDeletedIn =
  (
    store: Pick<Store, 'removeDeleted'>,
    traceAt: (at: number) => Trace,
    isClosed: () => boolean,
  ): Job =>
  async (at) => {
    for (let steps = 0; steps < limits.purgeSteps && !isClosed(); steps++) {
      if ((await store.removeDeleted(limits.purgeRows, traceAt(at))) === 0) return 'done'
    }
    return 'more'
  }

/** Clients that strangers registered and nobody uses. */
const removeIdleIn =
  ({ store, tell }: Pick<ServiceParts, 'store' | 'tell'>, traceAt: (at: number) => Trace): Job =>
  async (at) => {
    const due = await store.listDueRegistrations(at, limits.registrationsChecked)
    for (const id of due) {
      try {
        await store.removeIdleClient(id, traceAt(at))
      } catch (fault) {
        // The client must not stay the first that is due.
        tell({ level: 'error', message: 'a client was not removed', fault: String(fault) })
        await store.postponeRegistration(id, at + limits.neverUsedSeconds)
      }
    }
    return due.length < limits.registrationsChecked ? 'done' : 'more'
  }

type HousekeptParts = Pick<
  ServiceParts,
  'store' | 'settings' | 'uses' | 'refusals' | 'resources' | 'clock' | 'random' | 'tell'
>

interface ServiceHousekeeping {
  /** Runs all jobs that are due, and never rejects. Turns follow one another every second or so. */
  turn(): Promise<void>
  /** Waits for the jobs under way, and begins no other. */
  close(): Promise<void>
}

/** Housekeeping by the given clock. */
export const createHousekeeping = ({
  store,
  settings,
  keyring,
  uses,
  refusals,
  resources,
  tooMany,
  counts,
  clock,
  random,
  tell,
}: HousekeptParts & {
  readonly keyring: { refresh(): Promise<void> }
  readonly tooMany: { flush(at: number): void }
  readonly counts: { flush(): Promise<void> }
}): ServiceHousekeeping => {
  let isClosed = false
  const purge = purgeIn({ store, settings }, () => isClosed)
  const noteTime = async (at: number): Promise<void> => {
    const ahead = (await store.noteTime(at)) - at
    if (ahead > limits.clockSkewSeconds) tell({ level: 'warn', message: behind, seconds: ahead })
  }
  const byItself = (at: number): Trace => serviceTrace(at, { clock, random })
  const removeRest = removeDeletedIn(store, byItself, () => isClosed)
  /** The id that the search for unused applications has reached. */
  let searched: string | null = null
  const pauseUnused: Job = async (at) => {
    const { pauseUnusedDays: unusedDays } = settings
    if (unusedDays === 0) return 'done'
    const { rowsInTurn } = pauseLimits
    const page = await store.listUnusedAuthorizations(unusedDays, searched, rowsInTurn, at)
    for (const of of page.rows) await store.pauseAuthorizations({ ...of, unusedDays }, byItself(at))
    searched = page.next
    return searched === null ? 'done' : 'more'
  }
  const jobs = {
    deletions: every(accountLimits.deletionSeconds, (at) => deleteOwners(at, store, byItself)),
    removals: every(limits.purgeSeconds, removeRest),
    uses: every(limits.usesFlushSeconds, () => uses.flush()),
    counts: every(countLimits.flushSeconds, () => counts.flush()),
    refusals: every(refusalLimits.flushSeconds, () => refusals.flush()),
    keys: every(limits.keyReloadSeconds, () => keyring.refresh()),
    resources: every(resourceLimits.reloadSeconds, () => resources.refresh()),
    time: every(limits.clockNoteSeconds, noteTime),
    purge: every(limits.purgeSeconds, purge),
    registrations: every(limits.purgeSeconds, removeIdleIn({ store, tell }, byItself)),
    pauses: every(pauseLimits.searchSeconds, pauseUnused),
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
