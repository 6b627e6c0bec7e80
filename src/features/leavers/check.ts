/**
 * Asks directories for the people who are linked to them (`disable_owners`). Beside requests, by one node at a time.
 * What a directory does not say changes nothing: no answer, a part of one, or far fewer people than before.
 */
import { createJob } from '../../housekeeping.ts'
import type { ServiceParts } from '../../registries.ts'
import { makeServiceTrace } from '../../store/trace.ts'
import type { AskedUpstream } from '../../upstreams/index.ts'
import { UpstreamFault } from '../../upstreams/upstream.ts'
import type { LinkedPerson } from './contract.ts'
import { leaverLimits } from './limits.ts'

type CheckNeeds = Pick<ServiceParts, 'store' | 'upstreams' | 'clock' | 'random' | 'tell'>

interface CheckedDirectory {
  readonly open: AskedUpstream['open']
  readonly upstream: string
  /** Of its accounts. */
  readonly issuer: string
}

const listDirectories = ({ upstreams }: CheckNeeds): readonly CheckedDirectory[] =>
  upstreams.list().flatMap(({ open, settings }) => {
    const isChecked = settings.type === 'ldap' && settings.peopleFilter !== null
    if (open.by !== 'password' || !isChecked) return []
    return [{ open, upstream: settings.id, issuer: settings.baseDn }]
  })

/** How many may be disabled within a day. @param people enabled, or disabled by the directory within the day */
export const deriveMostLeavers = (people: number): number => {
  const { share, few, mostInDay } = leaverLimits
  return Math.min(Math.floor(people / 2), Math.max(few, Math.floor(people * share)), mostInDay)
}

interface AskedPeople {
  readonly people: number
  /** Of these, disabled by the directory within a day. */
  readonly recent: number
  readonly missing: number
  /** The missing people, up to the number that may be disabled at once. */
  readonly leavers: readonly LinkedPerson[]
}

export const openDirectoryChecks = (needs: CheckNeeds) => {
  const { store, clock, tell } = needs
  const directories = listDirectories(needs)
  const triedAt = new Map<string, number>()
  let isClosed = false
  const now = (): number => Math.floor(clock() / 1000)
  const makeTrace = () => makeServiceTrace(now(), needs)

  /** Enables people who are back. @returns null if the service ends meanwhile */
  const askAll = async (
    { open, ...directory }: CheckedDirectory,
    since: number,
  ): Promise<AskedPeople | UpstreamFault | null> => {
    let [people, recent, missing] = [0, 0, 0]
    const leavers: LinkedPerson[] = []
    for (let after: string | null = null; ; ) {
      const page = await store.listLinkedPeople(directory, after, leaverLimits.askedAtOnce)
      const subjects = page.rows.map(({ subject }) => subject)
      const active = await open.filterActive(subjects, now())
      if (active instanceof UpstreamFault) return active
      for (const person of page.rows) {
        const isActive = active.has(person.subject.toLowerCase())
        const { disabledAt } = person
        if (disabledAt === null || isActive || disabledAt > since) people++
        if (disabledAt !== null && isActive) await store.enableReturner(person, makeTrace())
        if (disabledAt !== null && !isActive && disabledAt > since) recent++
        if (disabledAt !== null || isActive) continue
        missing++
        if (leavers.length <= leaverLimits.mostInDay) leavers.push(person)
      }
      after = page.next
      if (isClosed) return null
      if (after === null) return { people, recent, missing, leavers }
    }
  }

  /** @returns how many were not disabled */
  const disableAll = async (
    { people, recent, missing, leavers }: AskedPeople,
    since: number,
    upstream: string,
  ): Promise<number> => {
    const most = deriveMostLeavers(people)
    if (missing + recent > most) {
      const message = 'a directory misses too many people at once, and nobody was disabled'
      tell({ level: 'warn', message, upstream, missing, people, most })
      return missing
    }
    let left = 0
    for (const person of leavers) {
      const outcome = await store.disableLeaver(person, { most, since }, makeTrace())
      if (outcome === 'held' || outcome === 'last_operator') left++
      if (outcome === 'last_operator') {
        const message = 'a directory misses the last operator, who was not disabled'
        tell({ level: 'warn', message, upstream, owner: person.ownerId })
      }
    }
    return left
  }

  const check = async (directory: CheckedDirectory): Promise<void> => {
    const { upstream } = directory
    const at = now()
    const { trySeconds, checkSeconds, daySeconds } = leaverLimits
    if (at - (triedAt.get(upstream) ?? Number.NEGATIVE_INFINITY) < trySeconds) return
    triedAt.set(upstream, at)
    if (!(await store.claimDirectoryCheck(upstream, checkSeconds, at))) return
    const asked = await askAll(directory, at - daySeconds)
    if (asked instanceof UpstreamFault) {
      const { kind: fault, detail } = asked
      const message = 'a directory did not say who is still there'
      tell({ level: 'warn', message, upstream, fault, detail })
    } else if (asked !== null) {
      const count = await disableAll(asked, at - daySeconds, upstream)
      await store.noteMissingPeople({ upstream, count })
    }
  }

  const noteFault = (fault: unknown): void =>
    tell({ level: 'error', message: 'a directory was not checked', fault: String(fault) })
  const job = createJob(async () => {
    await Promise.all(directories.map((directory) => check(directory).catch(noteFault)))
  }, needs)
  return {
    deliver: job.deliver,
    async close(): Promise<void> {
      isClosed = true
      await job.close()
    },
  }
}
