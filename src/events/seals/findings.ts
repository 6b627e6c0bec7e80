/** What the verification of seals finds and counts. */
import type { ClientId, OwnerId } from '../../model/ids.ts'
import { timeOfId } from '../../model/ids.ts'
import type { Store } from '../../store/store.ts'
import type { SealKey } from './key.ts'

export const verifyLimits = {
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
  backdated: 'an event was written more than an hour after the time of its id',
  form: 'an event has an id that this service does not make',
  future: 'an event has the id of a time that is yet to come',
  'seal missing': 'seals are missing',
  'seal changed': 'a seal was changed',
  signature: 'not signed by the key of this service',
  order: 'a seal does not follow on the one before',
  late: 'too many events came late to tell them apart',
  key: 'the key that seals events cannot be opened with this root secret',
  'never sealed':
    'nothing was ever sealed here: start the service, which seals all events. If it has run, somebody took seals and key away',
} as const

export interface SealFinding {
  readonly problem: keyof typeof sealProblems
  /** Null beside all seals. */
  readonly seal: number | null
  /** The finding is of all seals up to this one. */
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

/** Seals that were made long after their segments, other than those of the time before the key. */
export interface DelayedSeals {
  readonly first: number
  readonly last: number
  /** The longest delay. */
  readonly seconds: number
}

export const joinDelayed = (
  a: DelayedSeals | null,
  b: DelayedSeals | null,
): DelayedSeals | null => {
  if (a === null || b === null) return a ?? b
  const seconds = Math.max(a.seconds, b.seconds)
  return { first: Math.min(a.first, b.first), last: Math.max(a.last, b.last), seconds }
}

/** Seals in a row without a signature are one finding. */
export const joinFindings = (
  found: readonly SealFinding[],
  [next, ...others]: readonly SealFinding[],
): readonly SealFinding[] => {
  const last = found.at(-1)
  if (next === undefined) return found
  const isOne =
    last?.problem === 'signature' &&
    next.problem === 'signature' &&
    (last.lastSeal ?? last.seal ?? 0) + 1 === next.seal
  if (!isOne) return [...found, next, ...others]
  return [...found.slice(0, -1), { ...last, lastSeal: next.lastSeal ?? next.seal }, ...others]
}

export interface VerifyingParts {
  readonly store: Store
  /** Null without a key; `lost` for one under another root secret. */
  readonly key: SealKey | null | 'lost'
  /** Unix seconds. */
  readonly now: number
}

/** Whether other events may be gone or empty, by an event that was sealed. */
export interface Covers {
  isForgottenOwner(
    id: OwnerId,
    of: { readonly id: string; readonly type: string },
  ): Promise<boolean>
  isForgottenClient(id: ClientId, event: string): Promise<boolean>
}

/** Unix seconds; null where an id begins with no time. */
export const timeOf = (id: string): number | null =>
  /^[0-7][0-9a-hjkmnp-tv-z]{9}/.test(id) ? Math.floor(timeOfId(id) / 1000) : null

export const openPage = (parts: VerifyingParts) => {
  let findings: readonly SealFinding[] = []
  let delayed: DelayedSeals | null = null
  const counts = { seals: 0, events: 0, late: 0, purged: 0, stripped: 0, unused: 0 }
  return {
    store: parts.store,
    now: parts.now,
    key: parts.key === 'lost' ? null : parts.key,
    counts,
    tell(finding: SealFinding): void {
      findings = joinFindings(findings, [finding])
    },
    delay(seal: number, seconds: number): void {
      delayed = joinDelayed(delayed, { first: seal, last: seal, seconds })
    },
    read: () => ({ counts, findings, delayed }),
    isFull: () => findings.length > verifyLimits.rows,
  }
}

export type SealPage = ReturnType<typeof openPage>
