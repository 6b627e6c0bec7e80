/**
 * Seals events some time after they were written (decision 110), so that no request waits for a seal. Nodes may do
 * this at once: the number of a seal is taken once.
 */
import type { Rest } from '../../clock.ts'
import type { Settings } from '../../config/settings.ts'
import type { Vault } from '../../crypto/wrap.ts'
import { getFirstId, isId, timeOfId } from '../../model/ids.ts'
import type { Tell } from '../../model/notice.ts'
import type { EventSeal, LastSeal, StoredEvent } from '../../store/contract/seal.ts'
import { StoreFault } from '../../store/fault.ts'
import type { Store } from '../../store/store.ts'
import { makeEntry, readEntries } from './entries.ts'
import {
  findSealKey,
  hashSeal,
  type SealClaims,
  type SealKey,
  sealFact,
  takeSealKey,
} from './key.ts'

export const sealLimits = {
  /** The search for a segment begins so often. */
  searchSeconds: 60,
  /** A segment is of one hour at most, and has so many events. As many may have come late. */
  segmentSeconds: 3600,
  segmentEvents: 500,
  segmentsInTurn: 4,
  /** An hour is sealed so long after its end. Requests and the clocks of nodes take seconds. */
  settleSeconds: 300,
  /** A service has sealed all that is older. Later than that is told. */
  overdueSeconds: 3 * 3600,
  /** An event was not only slow if its id is so much older than the segment. */
  backdatedSeconds: 3600,
} as const

interface SealerParts {
  readonly store: Store
  readonly settings: Pick<Settings, 'eventSeconds'>
  readonly tell: Tell
  readonly rest: Rest
}

/** The end of the next segment as a time, or null while its hour is not over. @param at unix seconds */
const findEnd = (first: StoredEvent | undefined, at: number): number => {
  const { segmentSeconds: hour, settleSeconds } = sealLimits
  const settled = Math.max(0, Math.floor((at - settleSeconds) / hour) * hour)
  if (first === undefined || !isId(first.id)) return settled
  const seconds = Math.floor(timeOfId(first.id) / 1000)
  // Hours without events share the next seal.
  return Math.min(settled, Math.floor(seconds / hour) * hour + hour)
}

/** What came since the last seal with the id of an earlier time, and was not sealed with that time. */
const listLate = async (position: string, until: string, key: SealKey, store: Store) => {
  const limit = sealLimits.segmentEvents
  const found = await store.listLateEvents(position, until, limit)
  const rows: StoredEvent[] = []
  let [end, sealed] = ['', new Set<string>()]
  for (const row of found.rows) {
    if (row.id > end) {
      const seal = await store.findSealOf(row.id)
      end = seal?.until ?? ''
      sealed = new Set(seal === null ? [] : readEntries(seal, key).all.map(([id]) => id))
    }
    if (!sealed.has(row.id)) rows.push(row)
  }
  return { rows, position: found.position }
}

const makeSeal = async (
  last: LastSeal | null,
  before: SealClaims | null,
  [after, until]: readonly [after: string, until: string],
  late: Awaited<ReturnType<typeof listLate>>,
  events: readonly StoredEvent[],
  at: number,
  key: SealKey,
  { settings }: Pick<SealerParts, 'settings'>,
): Promise<EventSeal> => {
  const rows = [...late.rows, ...events]
  const entries = JSON.stringify(rows.map((row) => makeEntry(row, key)))
  const number = (last?.number ?? 0) + 1
  const statement = key.sign({
    seal: number,
    previous: last === null ? '' : hashSeal(last),
    after,
    until,
    iat: at,
    events: rows.length,
    late: late.rows.length,
    entries: hashSeal({ statement: entries }),
    keptFrom: Math.max(before?.keptFrom ?? 0, at - settings.eventSeconds),
  })
  const { position } = late
  return { number, until, late: late.rows.length, statement, entries, position }
}

/** Where the next segment begins. A seal without a good signature must not stop the sealing. */
const findAfter = (last: LastSeal | null, claims: SealClaims | null, at: number): string => {
  if (last === null || claims !== null) return claims?.until ?? ''
  const settled = getFirstId(findEnd(undefined, at) * 1000)
  return last.until < settled ? last.until : settled
}

export const createSealer = (parts: SealerParts, vault: Vault) => {
  const { store, tell, rest } = parts

  /** Each time anew: another node may have begun a new chain. */
  const openKey = async (last: LastSeal | null, at: number): Promise<SealKey> => {
    if (last === null) return takeSealKey(store, vault, at)
    const key = await findSealKey(store, vault)
    if (key === null) throw new StoreFault('unreadable', sealFact.lost)
    return key
  }

  /** @returns null where nothing is due, or another node was first */
  const sealNext = async (at: number): Promise<EventSeal | null> => {
    const last = await store.findLastSeal()
    const now = getFirstId(at * 1000)
    if (last === null && (await store.listStoredEvents('', now, 1)).length === 0) return null
    const key = await openKey(last, at)
    const claims = last === null ? null : key.read(last.statement)
    const after = findAfter(last, claims, at)
    const [first] = await store.listStoredEvents(after, now, 1)
    const end = getFirstId(findEnd(first, at) * 1000)
    if (end <= after) return null
    // In this order: an event that is committed in between is found by its place later on.
    const late = await listLate(last?.position ?? '', after, key, store)
    const events = await store.listStoredEvents(after, end, sealLimits.segmentEvents)
    const isFull = events.length === sealLimits.segmentEvents
    const until = isFull ? (events.at(-1)?.id ?? end) : end
    const seal = await makeSeal(last, claims, [after, until], late, events, at, key, parts)
    return (await store.addSeal(seal)) ? seal : null
  }

  return {
    /** Seals the next segments that are due. @returns `more` if some are left */
    async sealDue(at: number): Promise<'more' | 'done'> {
      let newest: EventSeal | null = null
      let isLeft = true
      for (let turn = 0; turn < sealLimits.segmentsInTurn && isLeft; turn++) {
        // An embedded store answers at once, and requests want their turn.
        await rest(0)
        const seal = await sealNext(at)
        newest = seal ?? newest
        isLeft = seal !== null
      }
      if (newest !== null) {
        // The log is out of reach for somebody with the database alone.
        tell({
          level: 'info',
          message: 'events sealed',
          seal: newest.number,
          hash: hashSeal(newest),
        })
      }
      return isLeft ? 'more' : 'done'
    },
  }
}
