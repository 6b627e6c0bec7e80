/** Verifies sealed events against the rows, some seals at a time, so that memory stays bounded. */
import { setImmediate as pause } from 'node:timers/promises'
import { getFirstId } from '../../model/ids.ts'
import type { EventSeal, LastSeal } from '../../store/contract/seal.ts'
import type { Store } from '../../store/store.ts'
import { listLate, verifyAround, verifyBeforeAll } from './around.ts'
import { openCovers } from './covers.ts'
import {
  type DelayedSeals,
  openPage,
  type SealCounts,
  type SealFinding,
  type SealPage,
  timeOf,
  type VerifyingParts,
  verifyLimits,
} from './findings.ts'
import { hashSeal, type SealClaims } from './key.ts'
import { verifyRows } from './rows.ts'
import { sealLimits } from './sealer.ts'

export interface VerifiedPage {
  readonly counts: SealCounts
  readonly findings: readonly SealFinding[]
  readonly delayed: DelayedSeals | null
  /** Of all seals, whatever the range. */
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
  /** The number and the hash of a seal that was noted elsewhere: `480:hash`. */
  readonly expected: string | null
}

/** How long after its segment a seal was made, in seconds. A service that runs makes one each hour. */
const findDelay = ({ after, until, iat }: SealClaims, since: number): number => {
  const end = timeOf(until) ?? 0
  const due = Math.min(end, (timeOf(after) ?? end) + sealLimits.segmentSeconds)
  // Older segments than the key were sealed in arrears.
  return end <= since ? 0 : iat - Math.max(due, since)
}

/** The seal itself: its number, its signature and what it follows on. Null where its rows tell nothing. @param to unix seconds */
const verifySeal = (
  seal: EventSeal,
  previous: EventSeal | null,
  keptFrom: number,
  to: number | null,
  { key, counts, tell, delay }: SealPage,
): SealClaims | 'beyond' | null => {
  const { number, until } = seal
  const claims = key?.read(seal.statement) ?? null
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
  if (to !== null && (timeOf(claims.after) ?? 0) >= to) return 'beyond'
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
  const late = findDelay(claims, key?.since ?? 0)
  if (late > sealLimits.overdueSeconds) delay(number, late)
  counts.seals++
  counts.events += claims.events
  counts.late += claims.late
  return claims
}

/** The seal behind which the page begins. */
const findStart = async ({ after, from }: SealQuestion, store: Store): Promise<number> => {
  if (after !== null) return after
  if (from === null) return 0
  const seal = await store.findSealOf(getFirstId(from * 1000))
  return seal === null ? Number.MAX_SAFE_INTEGER : seal.number - 1
}

const findExpected = async (expected: string | null, store: Store): Promise<boolean> => {
  const [number, hash] = expected?.split(':') ?? []
  const [seal] = expected === null ? [] : await store.listSeals(Number(number) - 1, 1)
  return seal?.number === Number(number) && hashSeal(seal) === hash
}

/** @returns the last verified seal, if there are more */
const verifyFrom = async (
  asked: SealQuestion,
  last: LastSeal,
  page: SealPage,
): Promise<number | null> => {
  const { store, now, key } = page
  const signed = key?.read(last.statement)
  // What the service itself has said, and the time since. A setting of today could hide a deletion.
  const kept = signed == null ? 0 : signed.keptFrom + Math.max(0, now - signed.iat)
  const keptFrom = kept + verifyLimits.goneSeconds
  let number = await findStart(asked, store)
  const late = await listLate(number, last, page, asked.after === null)
  const isWhole = asked.after === null && asked.from === null
  if (isWhole) await verifyBeforeAll(late, keptFrom, page)
  const beside = { late, keptFrom, covers: openCovers(page, last, late) }
  const [before] = number === 0 ? [] : await store.listSeals(number - 1, 1)
  let previous = before?.number === number ? before : null
  for (let seals = 0; seals < verifyLimits.seals; seals++) {
    const [seal] = await store.listSeals(number, 1)
    if (seal === undefined || page.isFull()) return null
    const claims = verifySeal(seal, previous, keptFrom, asked.to, page)
    if (claims === 'beyond') return null
    if (claims !== null) await verifyRows(seal, claims, beside, page)
    previous = seal
    number = seal.number
    // An embedded store answers at once, and requests want their turn.
    await pause()
  }
  return number
}

/**
 * One page. Give its `next` as `after` to go on. A page with too many findings ends early, and the rest of its
 * findings does not matter any more.
 */
export const verifySeals = async (
  asked: SealQuestion,
  parts: VerifyingParts,
): Promise<VerifiedPage> => {
  const { store, key } = parts
  const page = openPage(parts)
  const last = await store.findLastSeal()
  if (asked.after === null) await verifyAround(last, key, page)
  const next = last === null ? null : await verifyFrom(asked, last, page)
  return { ...page.read(), isExpectedFound: await findExpected(asked.expected, store), next }
}
