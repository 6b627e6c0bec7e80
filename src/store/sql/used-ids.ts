/**
 * Ids that count once: of assertions and proofs (decision 0117). Where one process alone has the store, its memory
 * knows them. The store has a watermark: each used id without a row was made at or before that second.
 */

import { clockSkewSeconds } from '../../clock.ts'
import type { Ceremony, IdClaim, UsedId } from '../contract/factor.ts'
import { StoreFault } from '../fault.ts'
import { engineLimits } from '../limits.ts'
import { isFinished } from '../records/factor/proof.ts'
import { findWatermark, usedIdLimits } from '../records/used.ts'
import type { Database } from './database.ts'
import { createRememberedIds } from './remembered-ids.ts'
import { findFirst, integerOrNull } from './row.ts'

const latestEnd = 'select max(expires_at) as latest from finished_ceremonies'

type UsedIdSteps = Pick<Database, 'read' | 'run'>

const { longestSeconds, watermarkSeconds, writtenAtEnd, rowsTogether } = usedIdLimits

/** Nothing that ends earlier or later was left to memory by the process of that watermark. */
const isUnsure = ({ madeAt, expiresAt }: UsedId, until: number): boolean =>
  madeAt !== null &&
  madeAt <= until &&
  expiresAt > until - watermarkSeconds &&
  expiresAt <= until + watermarkSeconds + longestSeconds

/** The watermark of this process, and that of the process before. */
const openWatermark = ({ read, run }: UsedIdSteps) => {
  /** Null before the first look. Ids that were made by then are unsure. */
  let before: number | null = null
  let watermark = 0
  /** The step that moves the watermark. */
  let moving: Promise<void> | null = null
  let isMoved = false

  const move = (at: number): Promise<void> => {
    isMoved = true
    moving ??= run('noteUsedIds', [], at)
      .then(() => {
        watermark = at
      })
      .finally(() => {
        moving = null
      })
    return moving
  }

  return {
    getBefore: (): number | null => before,
    isMoved: (): boolean => isMoved,
    async look(): Promise<number> {
      const found = await findWatermark(read)
      if (before !== null) return before
      watermark = found
      before = found
      return found
    },
    /** The watermark has to be that second or later; null: the id has to be a row. */
    findNeeded({ madeAt, expiresAt }: UsedId, at: number): number | null {
      const isLeft = madeAt !== null && madeAt <= at && expiresAt <= at + longestSeconds
      return isLeft && watermark <= at + watermarkSeconds
        ? Math.max(madeAt, at - watermarkSeconds)
        : null
    },
    async reach(needed: number, at: number): Promise<void> {
      while (watermark < needed) await move(at)
    },
  }
}

const claimRow = async ({ id, expiresAt }: UsedId, run: UsedIdSteps['run']): Promise<IdClaim> =>
  (await run('finishCeremony', { id, expiresAt })) ? 'first' : 'again'

/** A database takes them best in the order of their ids. @param watermark of the last step; null: it stays */
const writeRows = async (
  all: readonly Ceremony[],
  watermark: number | null,
  run: UsedIdSteps['run'],
): Promise<void> => {
  const used = all.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  for (let from = 0; from === 0 || from < used.length; from += rowsTogether) {
    const isLast = from + rowsTogether >= used.length
    await run('noteUsedIds', used.slice(from, from + rowsTogether), isLast ? watermark : null)
  }
}

/** Claims in memory. @param most so many ids */
const openMemory = (
  { read, run }: UsedIdSteps,
  { isMoved, getBefore, findNeeded, reach }: ReturnType<typeof openWatermark>,
  most: number,
) => {
  const remembered = createRememberedIds(most)
  /** Claims that wait for the store. */
  const pending = new Map<string, Promise<IdClaim>>()
  /** An id that is not in memory may be a row until then. */
  let rowsUntil = 0
  let latestAt = 0

  /** In memory alone, from the watermark on; without one as a row, too. */
  const claimWithRoom = async (used: UsedId, at: number): Promise<IdClaim> => {
    const needed = findNeeded(used, at)
    if (needed === null) {
      const claimed = await claimRow(used, run)
      if (claimed === 'first') remembered.add(used, at)
      return claimed
    }
    if (at < rowsUntil && (await isFinished(read, used.id))) return 'again'
    await reach(needed, at)
    remembered.add(used, at)
    return 'first'
  }

  return {
    /** Ids of an earlier process may be rows. */
    async look(at: number): Promise<void> {
      const latest = integerOrNull(findFirst(await read(latestEnd, []))?.latest ?? null) ?? 0
      rowsUntil = Math.max(rowsUntil, Math.min(latest, at + longestSeconds))
    },
    async claim(used: UsedId, at: number): Promise<IdClaim> {
      // The next process may begin so much earlier, if the clock is set back (decision 0011).
      remembered.forgetEnded(at - clockSkewSeconds)
      // Who is second learns so before the first one knows whether the store took it.
      if (remembered.has(used) || pending.has(used.id)) return 'again'
      if (pending.size >= engineLimits.stepsWaiting) {
        throw new StoreFault('busy', 'too many assertions and proofs wait for the store')
      }
      latestAt = Math.max(latestAt, at)
      const hasRoom = remembered.hasRoom(used, at, pending.size)
      if (!hasRoom) rowsUntil = Math.max(rowsUntil, used.expiresAt)
      const claiming = hasRoom ? claimWithRoom(used, at) : claimRow(used, run)
      pending.set(used.id, claiming)
      try {
        return await claiming
      } finally {
        pending.delete(used.id)
      }
    },
    /** What memory knows becomes rows, so that the next process knows it. Without them, the watermark stays. */
    async close(): Promise<void> {
      await Promise.allSettled(pending.values())
      if (!isMoved()) return
      const used = remembered.list(latestAt - clockSkewSeconds)
      if (used.length <= writtenAtEnd) await writeRows(used, getBefore(), run).catch(() => {})
    },
  }
}

/** @param most so many in memory; none where other processes write, too */
export const openUsedIds = (steps: UsedIdSteps, most: number) => {
  const { read, run } = steps
  const watermark = openWatermark(steps)
  const memory = most === 0 ? null : openMemory(steps, watermark, most)
  let isClosed = false

  const look = async (at: number): Promise<number> => {
    // Rows first: a claim that finds the watermark may go on at once.
    await memory?.look(at)
    return watermark.look()
  }

  return {
    async findUnsureUntil(at: number): Promise<number> {
      const until = watermark.getBefore() ?? (await findWatermark(read))
      return Math.abs(at - until) < watermarkSeconds + longestSeconds ? until : 0
    },
    async claimId(used: UsedId, at: number): Promise<IdClaim> {
      const until = watermark.getBefore() ?? (await look(at))
      if (isClosed) throw new StoreFault('closed', 'the store is closed')
      if (isUnsure(used, until)) return (await isFinished(read, used.id)) ? 'again' : 'unsure'
      return memory === null ? claimRow(used, run) : memory.claim(used, at)
    },
    async close(): Promise<void> {
      isClosed = true
      await memory?.close()
    },
  }
}
