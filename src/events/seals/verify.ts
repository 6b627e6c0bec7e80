/** Verifies sealed events against the rows, some seals at a time, so that memory stays bounded. */
import { setImmediate as pause } from 'node:timers/promises'
import type { Settings } from '../../config/settings.ts'
import { type ClientId, getFirstId, type OwnerId, timeOfId } from '../../model/ids.ts'
import type { EventSeal, LastSeal, StoredEvent } from '../../store/contract/seal.ts'
import { recordLimits } from '../../store/limits.ts'
import type { Store } from '../../store/store.ts'
import { compareEntry, readEntries, type SealEntry } from './entries.ts'
import { hashSeal, type SealClaims, type SealKey } from './key.ts'
import { sealLimits } from './sealer.ts'

const verifyLimits = {
  /** Seals of one page. */
  seals: 100,
  rows: 500,
  /** Pages of events that came late and wait for the next seal. */
  latePages: 200,
  /** Ids of late events in memory. */
  lateEvents: 100_000,
  /** A retention that was raised since the last seal has let this much go. */
  goneSeconds: 3 * 3600,
} as const

export const sealProblems = {
  changed: 'an event was changed after it was sealed',
  missing: 'an event is missing that was sealed',
  added: 'an event is not in the seal of its time, and in no later one',
  future: 'an event has the id of a time that is yet to come',
  'seal missing': 'seals are missing',
  'seal changed': 'a seal was changed',
  signature: 'a seal is not signed by the key of this service',
  order: 'a seal does not follow on the one before',
  late: 'too many events came late to tell them apart',
} as const

export interface SealFinding {
  readonly problem: keyof typeof sealProblems
  /** Null beside all seals. */
  readonly seal: number | null
  /** The missing seals end here. */
  readonly lastSeal?: number
  /** The id of an event. */
  readonly event?: string
  /** Unix seconds: the time of the event, or of the segment. */
  readonly at: number | null
}

/** What became of sealed events by the rules. */
export interface SealCounts {
  readonly seals: number
  readonly events: number
  /** Events of these that came after the seal of their own time. */
  readonly late: number
  /** Kept long enough, and deleted. */
  readonly purged: number
  /** Their owner is deleted, and they forgot the person. */
  readonly stripped: number
  /** Their client was never used, and they went with it. */
  readonly unused: number
}

export interface VerifiedPage {
  readonly counts: SealCounts
  readonly findings: readonly SealFinding[]
  readonly isExpectedFound: boolean
  /** The last verified seal, if there are more. */
  readonly next: number | null
}

export interface SealQuestion {
  /** The last verified seal, or null to begin. */
  readonly after: number | null
  /** Unix seconds: segments that reach into this time, or null for all. */
  readonly from: number | null
  readonly to: number | null
  /** The hash of a seal that was noted elsewhere. */
  readonly expected: string | null
}

export interface VerifyingParts {
  readonly store: Store
  readonly settings: Pick<Settings, 'eventSeconds'>
  readonly key: SealKey | null
  /** Unix seconds. */
  readonly now: number
  readonly isClient: (id: ClientId) => Promise<boolean>
}

const timeOf = (id: string): number | null =>
  /^[0-7][0-9a-hjkmnp-tv-z]{9}/.test(id) ? Math.floor(timeOfId(id) / 1000) : null

/** Late events by id, with the number of their seal. Events that wait for the next seal have no number yet. */
const listLate = async (after: number, last: LastSeal, { store }: VerifyingParts) => {
  const seals = new Map<string, number>()
  let isWhole = true
  const add = (ids: readonly string[], seal: number): void => {
    for (const id of ids) seals.set(id, seal)
    isWhole &&= seals.size < verifyLimits.lateEvents
  }
  for (let number = after; isWhole; ) {
    const [seal] = await store.listSeals(number, 1, 'late')
    if (seal === undefined) break
    number = seal.number
    const ids = readEntries(seal.entries).map(([id]) => id)
    add(ids.slice(0, seal.late), number)
  }
  let from = last.position
  for (let pages = 0; isWhole && pages < verifyLimits.latePages; pages++) {
    const { rows, position } = await store.listLateEvents(from, last.until, verifyLimits.rows)
    const ids = rows.map(({ id }) => id)
    add(ids, Number.POSITIVE_INFINITY)
    if (position === from) break
    from = position
  }
  return { seals, isWhole }
}

const openPage = (parts: VerifyingParts) => {
  const findings: SealFinding[] = []
  const counts = { seals: 0, events: 0, late: 0, purged: 0, stripped: 0, unused: 0 }
  return {
    ...{ parts, findings, counts },
    tell: (finding: SealFinding): void => void findings.push(finding),
  }
}

type SealPage = ReturnType<typeof openPage>

const judgeRow = async (
  event: StoredEvent,
  entry: SealEntry,
  seal: number,
  { parts, counts, tell }: SealPage,
): Promise<void> => {
  const likeness = parts.key === null ? 'changed' : compareEntry(event, entry, parts.key)
  if (likeness === 'same') return
  // Until then an address is whole.
  const isDue = event.at + recordLimits.addressSeconds < parts.now
  if (likeness === 'shortened' && isDue) return
  const isForgotten =
    likeness === 'stripped' && (await parts.store.isDeletedOwner(event.ownerId as OwnerId))
  if (isForgotten) counts.stripped++
  else tell({ problem: 'changed', seal, event: event.id, at: event.at })
}

const judgeAbsent = async (
  [id, , , , later]: SealEntry,
  seal: number,
  keptFrom: number,
  { parts, counts, tell }: SealPage,
): Promise<void> => {
  const at = timeOf(id)
  if (at !== null && at < keptFrom) counts.purged++
  else if (later?.client !== undefined && !(await parts.isClient(later.client as ClientId))) {
    counts.unused++
  } else tell({ problem: 'missing', seal, event: id, at })
}

/** Compares the rows of a segment with the digests of its seal. */
const verifyRows = async (
  { number, until }: EventSeal,
  claims: SealClaims,
  entries: ReadonlyMap<string, SealEntry>,
  late: ReadonlyMap<string, number>,
  keptFrom: number,
  page: SealPage,
): Promise<void> => {
  const { store } = page.parts
  const absent = new Map(entries)
  const judge = async (event: StoredEvent): Promise<void> => {
    const { id, at } = event
    const entry = absent.get(id)
    if (entry !== undefined) {
      absent.delete(id)
      await judgeRow(event, entry, number, page)
    } else if (!((late.get(id) ?? 0) > number))
      page.tell({ problem: 'added', seal: number, event: id, at })
  }
  const before = [...absent.keys()].filter((id) => id <= claims.after)
  for (const event of await store.listStoredEventsOf(before)) await judge(event)
  for (let reached: string | null = claims.after; reached !== null; ) {
    const rows = await store.listStoredEvents(reached, until, verifyLimits.rows)
    for (const event of rows) await judge(event)
    reached = rows.length < verifyLimits.rows ? null : (rows.at(-1)?.id ?? null)
    if (page.findings.length > verifyLimits.rows) return
  }
  for (const entry of absent.values()) await judgeAbsent(entry, number, keptFrom, page)
}

/** The seal itself: its number, its signature and what it follows on. Null where its rows tell nothing. */
const verifySeal = (
  seal: EventSeal,
  previous: EventSeal | null,
  keptFrom: number,
  { parts, counts, tell }: SealPage,
): SealClaims | null => {
  const { number, until } = seal
  const claims = parts.key?.read(seal.statement) ?? null
  const at = timeOf(until)
  if (claims === null) {
    tell({ problem: 'signature', seal: number, at })
    return null
  }
  const first = (previous?.number ?? 0) + 1
  // The oldest seals go after their events.
  const isStart = previous === null && (timeOf(claims.after) ?? 0) < keptFrom
  if (number !== first && !isStart) {
    tell({ problem: 'seal missing', seal: first, lastSeal: number - 1, at: timeOf(claims.after) })
  }
  const isSame =
    claims.seal === number &&
    claims.until === until &&
    claims.late === seal.late &&
    claims.entries === hashSeal({ statement: seal.entries })
  if (!isSame) {
    tell({ problem: 'seal changed', seal: number, at })
    return null
  }
  if (number === first) {
    const { previous: hash = '', after = '' } =
      previous === null ? {} : { previous: hashSeal(previous), after: previous.until }
    if (claims.previous !== hash || claims.after !== after) {
      tell({ problem: 'order', seal: number, at })
    }
  }
  counts.seals++
  counts.events += claims.events
  counts.late += claims.late
  return claims
}

/** The seal behind which the page begins. */
const findStart = async (
  { after, from }: SealQuestion,
  { store }: VerifyingParts,
): Promise<number> => {
  if (after !== null) return after
  if (from === null) return 0
  const seal = await store.findSealOf(getFirstId(from * 1000))
  return seal === null ? Number.MAX_SAFE_INTEGER : seal.number - 1
}

/** What no seal can tell of. */
const verifyAround = async (last: LastSeal | null, page: SealPage): Promise<void> => {
  const { store, now, key } = page.parts
  const { overdueSeconds } = sealLimits
  const ahead = getFirstId((now + overdueSeconds) * 1000)
  const [future] = await store.listStoredEvents(ahead, '~', 1)
  if (future !== undefined) {
    page.tell({ problem: 'future', seal: null, event: future.id, at: future.at })
  }
  if (last !== null) return
  // A key without a seal has lost its seals. A running service has sealed what is that old.
  const settled = getFirstId((now - overdueSeconds) * 1000)
  const [old] = await store.listStoredEvents('', settled, 1)
  if (key !== null || old !== undefined) {
    page.tell({ problem: 'seal missing', seal: 1, at: old?.at ?? null })
  }
}

/**
 * One page. Give its `next` as `after` to go on. A page with too many findings ends early, and the rest of its
 * findings does not matter any more.
 */
export const verifySeals = async (
  asked: SealQuestion,
  parts: VerifyingParts,
): Promise<VerifiedPage> => {
  const { store, now, settings, key } = parts
  const page = openPage(parts)
  const { findings, counts } = page
  const last = await store.findLastSeal()
  if (asked.after === null) await verifyAround(last, page)
  if (last === null) return { counts, findings, isExpectedFound: false, next: null }
  const kept = Math.max(key?.read(last.statement)?.keptFrom ?? 0, now - settings.eventSeconds)
  const keptFrom = kept + verifyLimits.goneSeconds
  let number = await findStart(asked, parts)
  const [before] = number === 0 ? [] : await store.listSeals(number - 1, 1)
  let previous = before?.number === number ? before : null
  const late = await listLate(number, last, parts)
  if (!late.isWhole) page.tell({ problem: 'late', seal: number, at: null })
  let isExpectedFound = false
  for (let seals = 0; seals < verifyLimits.seals; seals++) {
    const [seal] = await store.listSeals(number, 1)
    if (seal === undefined || findings.length > verifyLimits.rows) {
      return { counts, findings, isExpectedFound, next: null }
    }
    const claims = verifySeal(seal, previous, keptFrom, page)
    if (asked.to !== null && claims !== null && (timeOf(claims.after) ?? 0) >= asked.to) {
      return { counts, findings, isExpectedFound, next: null }
    }
    isExpectedFound ||= hashSeal(seal) === asked.expected
    if (claims !== null) {
      const entries = new Map(readEntries(seal.entries).map((entry) => [entry[0], entry]))
      await verifyRows(seal, claims, entries, late.seals, keptFrom, page)
    }
    previous = seal
    number = seal.number
    // An embedded store answers at once, and requests want their turn.
    await pause()
  }
  return { counts, findings, isExpectedFound, next: number }
}
