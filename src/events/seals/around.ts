/** Verifies what is outside of all seals: other events, and lost seals and keys. */
import { getFirstId, isId } from '../../model/ids.ts'
import type { LastSeal } from '../../store/contract/seal.ts'
import { readEntries } from './entries.ts'
import { type SealPage, timeOf, type VerifyingParts, verifyLimits } from './findings.ts'
import { sealLimits } from './sealer.ts'

/** Late events by id, with the number of their seal, or infinity before they are sealed. */
export const listLate = async (
  after: number,
  last: LastSeal,
  { store, key, tell }: SealPage,
  isFirst: boolean,
): Promise<ReadonlyMap<string, number>> => {
  const seals = new Map<string, number>()
  let isWhole = true
  const add = (ids: readonly string[], seal: number): void => {
    for (const id of ids) seals.set(id, seal)
    isWhole &&= seals.size < verifyLimits.lateEvents
  }
  for (let number = after; isWhole && key !== null; ) {
    const [seal] = await store.listSeals(number, 1, 'late')
    if (seal === undefined) break
    number = seal.number
    const ids = readEntries(seal, key).late.map(([id]) => id)
    add(ids, number)
  }
  let from = last.position
  for (let pages = 0; isWhole && pages < verifyLimits.latePages; pages++) {
    const { rows, position } = await store.listLateEvents(from, last.until, verifyLimits.rows)
    const ids = rows.map(({ id }) => id)
    for (const id of isFirst ? ids : []) {
      const age = (timeOf(last.until) ?? 0) - (timeOf(id) ?? 0)
      if (!isId(id)) tell({ problem: 'form', seal: null, event: id, at: timeOf(id) })
      else if (age > sealLimits.segmentSeconds + sealLimits.backdatedSeconds) {
        tell({ problem: 'backdated', seal: null, event: id, at: timeOf(id) })
      }
    }
    add(ids, Number.POSITIVE_INFINITY)
    if (position === from) break
    from = position
  }
  if (!isWhole) tell({ problem: 'late', seal: after, at: null })
  return seals
}

/** Events before the first segment are gone, but for those that wait for the purge. */
export const verifyBeforeAll = async (
  late: ReadonlyMap<string, number>,
  keptFrom: number,
  page: SealPage,
): Promise<void> => {
  const { store, key, tell } = page
  const [first] = await store.listSeals(0, 1)
  const end = (first && key?.read(first.statement)?.after) ?? ''
  // Otherwise seals are missing, which is told by itself.
  if ((timeOf(end) ?? 0) >= keptFrom) return
  for (let reached: string | null = ''; reached !== null && !page.isFull(); ) {
    const rows = await store.listStoredEvents(reached, end, verifyLimits.rows)
    for (const { id, at } of rows) {
      if (at < keptFrom || late.has(id)) continue
      tell({ problem: 'added', seal: null, event: id, at: timeOf(id) })
    }
    reached = rows.length < verifyLimits.rows ? null : (rows.at(-1)?.id ?? null)
  }
}

export const verifyAround = async (
  last: LastSeal | null,
  key: VerifyingParts['key'],
  { store, now, tell }: SealPage,
): Promise<void> => {
  const { overdueSeconds } = sealLimits
  if (key === 'lost') tell({ problem: 'key', seal: null, at: null })
  const ahead = getFirstId((now + overdueSeconds) * 1000)
  const [future] = await store.listStoredEvents(ahead, null, 1)
  if (future !== undefined) {
    tell({ problem: 'future', seal: null, event: future.id, at: timeOf(future.id) })
  }
  // No other id sorts before all ids.
  const [blank] = await store.listStoredEventsOf([''])
  if (blank !== undefined) tell({ problem: 'form', seal: null, event: '', at: null })
  if (last !== null) return
  // A key without a seal has lost its seals. A running service has sealed what is that old.
  const settled = getFirstId((now - overdueSeconds) * 1000)
  const [old] = await store.listStoredEvents('', settled, 1)
  if (key !== null) tell({ problem: 'seal missing', seal: 1, at: old ? timeOf(old.id) : null })
  else if (old !== undefined) tell({ problem: 'never sealed', seal: null, at: timeOf(old.id) })
}
