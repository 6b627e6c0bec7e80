/** Compares the rows of a segment with the digests of its seal. */
import { type ClientId, isId, type OwnerId } from '../../model/ids.ts'
import type { EventSeal, StoredEvent } from '../../store/contract/seal.ts'
import { recordLimits } from '../../store/limits.ts'
import { compareEntry, readEntries, type SealEntry } from './entries.ts'
import { type Covers, type SealPage, timeOf, verifyLimits } from './findings.ts'
import type { SealClaims } from './key.ts'
import { sealLimits } from './sealer.ts'

/** What a seal alone does not tell. */
export interface SealSurroundings {
  /** Late events by id, with the number of their seal, or infinity before they are sealed. */
  readonly late: ReadonlyMap<string, number>
  readonly covers: Covers
  /** Events from before that time may be gone. Unix seconds. */
  readonly keptFrom: number
}

const judgeRow = async (
  event: StoredEvent,
  entry: SealEntry,
  seal: number,
  { covers }: SealSurroundings,
  { key, now, counts, tell }: SealPage,
): Promise<void> => {
  const likeness = key === null ? 'changed' : compareEntry(event, entry, key)
  if (likeness === 'same') return
  // Until then an address is whole. The node that shortens it may have another clock.
  const isDue = event.at + recordLimits.addressSeconds < now + sealLimits.settleSeconds
  if (likeness === 'shortened' && isDue) return
  const isForgotten =
    likeness === 'stripped' && (await covers.isForgottenOwner(event.ownerId as OwnerId, event))
  if (isForgotten) counts.stripped++
  else tell({ problem: 'changed', seal, event: event.id, at: timeOf(event.id) })
}

const judgeAbsent = async (
  [id, , , , later]: SealEntry,
  seal: number,
  { covers, keptFrom }: SealSurroundings,
  { counts, tell }: SealPage,
): Promise<void> => {
  const at = timeOf(id)
  if (at !== null && at < keptFrom) counts.purged++
  else if (
    later?.client !== undefined &&
    (await covers.isForgottenClient(later.client as ClientId, id))
  ) {
    counts.unused++
  } else tell({ problem: 'missing', seal, event: id, at })
}

export const verifyRows = async (
  seal: EventSeal,
  claims: SealClaims,
  beside: SealSurroundings,
  page: SealPage,
): Promise<void> => {
  const { store, key, tell } = page
  const { number, until } = seal
  if (key === null) return
  const { all, late } = readEntries(seal, key)
  for (const [id] of late) {
    const age = (timeOf(claims.after) ?? 0) - (timeOf(id) ?? 0)
    if (age > sealLimits.backdatedSeconds) {
      tell({ problem: 'backdated', seal: number, event: id, at: timeOf(id) })
    }
  }
  const absent = new Map(all.map((entry) => [entry[0], entry]))
  const judge = async (event: StoredEvent): Promise<void> => {
    const { id } = event
    const entry = absent.get(id)
    if (!isId(id)) tell({ problem: 'form', seal: number, event: id, at: timeOf(id) })
    if (entry !== undefined) {
      absent.delete(id)
      await judgeRow(event, entry, number, beside, page)
    } else if (!((beside.late.get(id) ?? 0) > number)) {
      tell({ problem: 'added', seal: number, event: id, at: timeOf(id) })
    }
  }
  const before = all.map(([id]) => id).filter((id) => id <= claims.after)
  for (const event of await store.listStoredEventsOf(before)) await judge(event)
  for (let reached: string | null = claims.after; reached !== null; ) {
    const rows = await store.listStoredEvents(reached, until, verifyLimits.rows)
    for (const event of rows) await judge(event)
    reached = rows.length < verifyLimits.rows ? null : (rows.at(-1)?.id ?? null)
    if (page.isFull()) return
  }
  for (const entry of absent.values()) await judgeAbsent(entry, number, beside, page)
}
