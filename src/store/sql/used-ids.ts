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

/** @param most so many in memory; none where other processes write, too */
export const openUsedIds = ({ read, run }: Pick<Database, 'read' | 'run'>, most: number) => {
  const { longestSeconds, watermarkSeconds, writtenAtEnd, rowsTogether } = usedIdLimits
  const remembered = createRememberedIds(most)
  /** Claims that wait for the store. */
  const pending = new Map<string, Promise<IdClaim>>()
  /** The watermark of an earlier process; null before the first look. Ids that were made by then are unsure. */
  let before: number | null = null
  let watermark = 0
  /** The step that moves the watermark. */
  let moving: Promise<void> | null = null
  let isMoved = false
  /** An id that is not in memory may be a row until then. */
  let rowsUntil = 0
  let latestAt = 0
  let isClosed = false

  const look = async (at: number): Promise<number> => {
    const found = await findWatermark(read)
    const latest = most === 0 ? [] : await read(latestEnd, [])
    if (before !== null) return before
    rowsUntil = Math.min(integerOrNull(findFirst(latest)?.latest ?? null) ?? 0, at + longestSeconds)
    watermark = found
    before = found
    return found
  }

  /** Nothing that ends earlier or later was left to memory by the process of that watermark. */
  const isUnsure = ({ madeAt, expiresAt }: UsedId, until: number): boolean =>
    madeAt !== null &&
    madeAt <= until &&
    expiresAt > until - watermarkSeconds &&
    expiresAt <= until + watermarkSeconds + longestSeconds

  const moveWatermark = (at: number): Promise<void> => {
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

  const claimRow = async ({ id, expiresAt }: UsedId): Promise<IdClaim> =>
    (await run('finishCeremony', { id, expiresAt })) ? 'first' : 'again'

  const hasRow = ({ id }: UsedId): Promise<boolean> => isFinished(read, id)

  /** The watermark has to be that second or later; null: the id has to be a row. */
  const findNeeded = ({ madeAt, expiresAt }: UsedId, at: number): number | null => {
    const isLeft = madeAt !== null && madeAt <= at && expiresAt <= at + longestSeconds
    return isLeft && watermark <= at + watermarkSeconds
      ? Math.max(madeAt, at - watermarkSeconds)
      : null
  }

  /** In memory alone, from the watermark on. */
  const claimInMemory = async (used: UsedId, needed: number, at: number): Promise<IdClaim> => {
    if (at < rowsUntil && (await hasRow(used))) return 'again'
    while (watermark < needed) await moveWatermark(at)
    remembered.add(used, at)
    return 'first'
  }

  const claimBoth = async (used: UsedId, at: number): Promise<IdClaim> => {
    const claimed = await claimRow(used)
    if (claimed === 'first') remembered.add(used, at)
    return claimed
  }

  const claimWithRoom = (used: UsedId, at: number): Promise<IdClaim> => {
    const needed = findNeeded(used, at)
    return needed === null ? claimBoth(used, at) : claimInMemory(used, needed, at)
  }

  const claimKept = async (used: UsedId, at: number): Promise<IdClaim> => {
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
    const claiming = hasRoom ? claimWithRoom(used, at) : claimRow(used)
    pending.set(used.id, claiming)
    try {
      return await claiming
    } finally {
      pending.delete(used.id)
    }
  }

  /** A database takes them best in the order of their ids. */
  const writeRows = async (all: readonly Ceremony[]): Promise<void> => {
    const used = all.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    for (let from = 0; from === 0 || from < used.length; from += rowsTogether) {
      const isLast = from + rowsTogether >= used.length
      await run('noteUsedIds', used.slice(from, from + rowsTogether), isLast ? before : null)
    }
  }

  return {
    async findUnsureUntil(at: number): Promise<number> {
      const until = before ?? (await findWatermark(read))
      return Math.abs(at - until) < watermarkSeconds + longestSeconds ? until : 0
    },
    async claimId(used: UsedId, at: number): Promise<IdClaim> {
      const until = before ?? (await look(at))
      if (isClosed) throw new StoreFault('closed', 'the store is closed')
      if (isUnsure(used, until)) return (await hasRow(used)) ? 'again' : 'unsure'
      return most === 0 ? claimRow(used) : claimKept(used, at)
    },
    /** What memory knows becomes rows, so that the next process knows it. Without them, the watermark stays. */
    async close(): Promise<void> {
      isClosed = true
      await Promise.allSettled(pending.values())
      if (!isMoved) return
      const used = remembered.list(latestAt - clockSkewSeconds)
      if (used.length <= writtenAtEnd) await writeRows(used).catch(() => {})
    },
  }
}
