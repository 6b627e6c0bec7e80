/**
 * Asks directories for the people who are linked to them (`disable_owners`). Beside requests, by one node at a time.
 * Nothing changes for people of whom a directory says nothing. Nobody is disabled where far more are missing than usual.
 */
import { createJob } from '../../housekeeping.ts'
import type { OwnerId } from '../../model/ids.ts'
import type { ServiceParts } from '../../registries.ts'
import { makeServiceTrace } from '../../store/trace.ts'
import {
  type PasswordUpstream,
  type SubjectsThere,
  UpstreamFault,
} from '../../upstreams/upstream.ts'
import type { LinkedPerson } from './contract.ts'
import { leaverLimits } from './limits.ts'

type CheckNeeds = Pick<ServiceParts, 'store' | 'upstreams' | 'clock' | 'random' | 'tell'>

interface CheckedDirectory {
  readonly findActive: NonNullable<PasswordUpstream['findActive']>
  readonly upstream: string
  /** Of its accounts. */
  readonly issuer: string
}

const listDirectories = ({ upstreams }: CheckNeeds): readonly CheckedDirectory[] =>
  upstreams.list().flatMap(({ open, settings }) => {
    if (settings.type !== 'ldap' || open.by !== 'password' || open.findActive === null) return []
    return [{ findActive: open.findActive, upstream: settings.id, issuer: settings.baseDn }]
  })

/** How many may be disabled within a day. @param people enabled, or disabled by the directory within the day */
export const deriveMostLeavers = (people: number): number => {
  const { share, few, mostInDay } = leaverLimits
  return Math.min(Math.floor(people / 2), Math.max(few, Math.floor(people * share)), mostInDay)
}

type Presence = 'there' | 'missing' | 'undecided'

const decide = ({ subject }: LinkedPerson, found: SubjectsThere | UpstreamFault): Presence => {
  if (found instanceof UpstreamFault) return 'undecided'
  const key = subject.toLowerCase()
  if (found.active.has(key)) return 'there'
  return found.undecided.has(key) ? 'undecided' : 'missing'
}

/** @param since unix seconds: a day before the check */
const startTally = (since: number) => {
  let [people, recent, missing, undecided] = [0, 0, 0, 0]
  let odd: OwnerId | null = null
  let witness: LinkedPerson | null = null
  let back = 0
  const [leavers, returners]: [LinkedPerson[], LinkedPerson[]] = [[], []]
  return {
    add(person: LinkedPerson, presence: Presence): void {
      if (presence === 'there' || (presence === 'undecided' && witness === null)) witness = person
      if (presence === 'there' && person.disabledAt !== null) {
        back++
        if (returners.length <= leaverLimits.mostInDay) returners.push(person)
      }
      const { disabledAt } = person
      const isRecent = disabledAt !== null && disabledAt > since
      if (disabledAt === null || presence === 'there' || isRecent) people++
      if (isRecent && presence !== 'there') recent++
      if (presence === 'undecided') undecided++
      if (presence === 'undecided') odd ??= person.ownerId
      if (presence !== 'missing' || disabledAt !== null) return
      missing++
      if (leavers.length <= leaverLimits.mostInDay) leavers.push(person)
    },
    /**
     * `recent` were disabled within the day. `odd` is the first of the undecided. `leavers` may be disabled at once, and
     * `returners` enabled, who are `back`. `witness` has an entry.
     */
    count: () => ({ people, recent, missing, undecided, odd, leavers, back, returners, witness }),
  }
}

interface AskedPeople extends ReturnType<ReturnType<typeof startTally>['count']> {
  /** Of the latest question without an answer; null for none. */
  readonly fault: UpstreamFault | null
}

interface Checking extends CheckNeeds {
  /** Unix seconds. */
  readonly now: () => number
  /** Whether the service ends. */
  readonly isClosed: () => boolean
}

/** A directory that is busy for a moment holds nobody up. */
const askTwice = async (
  { findActive }: CheckedDirectory,
  people: readonly LinkedPerson[],
  { now, isClosed }: Checking,
): Promise<SubjectsThere | UpstreamFault> => {
  const subjects = people.map(({ subject }) => subject)
  if (subjects.length === 0) return { active: new Set(), undecided: new Set() }
  const found = await findActive(subjects, now())
  return found instanceof UpstreamFault && !isClosed() ? findActive(subjects, now()) : found
}

/**
 * Asks a directory for its people.
 *
 * @returns nobody as missing if the directory does not answer; null if the service ends, or another node has begun
 */
const openAskAll = (checking: Checking) => {
  const { store, now, isClosed } = checking
  return async (directory: CheckedDirectory, since: number): Promise<AskedPeople | null> => {
    const { upstream } = directory
    const [tally, claimSeconds] = [startTally(since), leaverLimits.checkSeconds / 2]
    let [claimedAt, inRow] = [now(), 0]
    let fault: UpstreamFault | null = null
    for (let after: string | null = null; ; ) {
      const page = await store.listLinkedPeople(directory, after, leaverLimits.askedAtOnce)
      const found = await askTwice(directory, page.rows, checking)
      if (isClosed()) return null
      if (found instanceof UpstreamFault) fault = found
      inRow = found instanceof UpstreamFault ? inRow + 1 : 0
      if (inRow >= leaverLimits.faultsInRow) {
        return { ...tally.count(), missing: 0, leavers: [], fault }
      }
      for (const person of page.rows) tally.add(person, decide(person, found))
      after = page.next
      if (after === null) return { ...tally.count(), fault }
      if (now() - claimedAt < claimSeconds) continue
      claimedAt = now()
      if (!(await store.claimDirectoryCheck(upstream, claimSeconds, claimedAt))) return null
    }
  }
}

/**
 * Enables people who are back. A directory without its locks has all of them back at once.
 *
 * @returns how many were not enabled
 */
const openEnableAll =
  (checking: Checking) =>
  async (
    { upstream }: CheckedDirectory,
    { people, back, returners }: AskedPeople,
  ): Promise<number> => {
    const { store, now, isClosed, tell } = checking
    const most = Math.max(deriveMostLeavers(people), leaverLimits.few)
    if (back > most) {
      const message = 'a directory has too many people back at once, and nobody was enabled'
      tell({ level: 'warn', message, upstream, back, people, most })
      return back
    }
    for (const person of returners) {
      if (isClosed()) return 0
      await store.enableReturner(person, makeServiceTrace(now(), checking))
    }
    return 0
  }

/** The directory shows less than before. */
const blindFault = new UpstreamFault('wrong', 'directory: a person of before is missing')

const openDisableAll = (checking: Checking) => {
  const { store, now, isClosed, tell } = checking

  /** @returns how many were not disabled */
  const disableSome = async (
    people: readonly LinkedPerson[],
    found: SubjectsThere,
    bound: { readonly most: number; readonly since: number },
  ): Promise<number> => {
    let left = 0
    for (const person of people) {
      if (isClosed()) return left
      if (decide(person, found) !== 'missing') continue
      const outcome = await store.disableLeaver(person, bound, makeServiceTrace(now(), checking))
      if (outcome === 'held' || outcome === 'last_operator') left++
      if (outcome !== 'last_operator') continue
      const message = 'a directory misses the last operator, who was not disabled'
      tell({ level: 'warn', message, upstream: person.upstream, owner: person.ownerId })
    }
    return left
  }

  /** @returns how many were not disabled; with a fault if the directory does not answer any more */
  return async (
    directory: CheckedDirectory,
    { people, recent, missing, leavers, witness }: AskedPeople,
    since: number,
  ) => {
    const { upstream } = directory
    const most = deriveMostLeavers(people)
    if (missing > 0 && missing + recent > most) {
      const message = 'a directory misses too many people at once, and nobody was disabled'
      tell({ level: 'warn', message, upstream, missing, people, most })
      return { left: missing, fault: null }
    }
    let left = 0
    const size = leaverLimits.askedAtOnce - 1
    for (let from = 0; from < leavers.length && !isClosed(); from += size) {
      const some = leavers.slice(from, from + size)
      // A check of many people takes a while. Somebody may be back, or the directory may show nobody any more.
      if (witness === null) return { left, fault: blindFault }
      const found = await askTwice(directory, [...some, witness], checking)
      if (found instanceof UpstreamFault) return { left, fault: found }
      if (decide(witness, found) === 'missing') return { left, fault: blindFault }
      left += await disableSome(some, found, { most, since })
    }
    return { left, fault: null }
  }
}

const openCheck = (checking: Checking) => {
  const { store, now, isClosed, tell } = checking
  const askAll = openAskAll(checking)
  const [enableAll, disableAll] = [openEnableAll(checking), openDisableAll(checking)]

  return async (directory: CheckedDirectory): Promise<void> => {
    const { upstream } = directory
    const at = now()
    if (!(await store.claimDirectoryCheck(upstream, leaverLimits.checkSeconds, at))) return
    const since = at - leaverLimits.daySeconds
    const asked = await askAll(directory, since)
    if (asked === null) return
    const held = await enableAll(directory, asked)
    const { left: missing, ...then } = await disableAll(directory, asked, since)
    if (isClosed()) return
    const { undecided, odd } = asked
    const fault = asked.fault ?? then.fault
    const isWhole = fault === null && undecided === 0 && held === 0
    if (fault !== null || undecided > 0) {
      const message = 'a directory did not say who is still there'
      const why = fault ?? new UpstreamFault('wrong', 'directory: an entry without one id')
      const owner = fault === null ? { owner: odd } : {}
      const told = { upstream, fault: why.kind, detail: why.detail, undecided, ...owner }
      tell({ level: 'warn', message, ...told })
    }
    await store.noteDirectoryCheck({ upstream, missing, checkedAt: isWhole ? at : null })
  }
}

/** Each directory has a job of its own, so that a slow one holds up no other. */
export const openDirectoryChecks = (needs: CheckNeeds) => {
  let isEnding = false
  const now = (): number => Math.floor(needs.clock() / 1000)
  const check = openCheck({ ...needs, now, isClosed: () => isEnding })
  const openJob = (directory: CheckedDirectory) => {
    const { upstream } = directory
    let triedAt = Number.NEGATIVE_INFINITY
    return createJob(async () => {
      const at = now()
      if (at - triedAt < leaverLimits.trySeconds) return
      triedAt = at
      await check(directory).catch((fault: unknown) => {
        const message = 'a directory was not checked'
        needs.tell({ level: 'error', message, upstream, fault: String(fault) })
      })
    }, needs)
  }
  const jobs = listDirectories(needs).map(openJob)
  return {
    async deliver(): Promise<void> {
      await Promise.all(jobs.map(({ deliver }) => deliver()))
    },
    async close(): Promise<void> {
      isEnding = true
      await Promise.all(jobs.map(({ close }) => close()))
    },
  }
}
