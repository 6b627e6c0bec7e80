/** `latchkey verify`: on a store, also while the service runs, or on a backup. */
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { loadSettings } from '../../config/load.ts'
import { findSqlitePath } from '../../config/places.ts'
import { UsageFault } from '../../config/remote.ts'
import { drawRandom } from '../../crypto/digest.ts'
import {
  joinDelayed,
  joinFindings,
  type SealCounts,
  type SealFinding,
  sealProblems,
} from '../../events/seals/findings.ts'
import { sealLimits } from '../../events/seals/sealer.ts'
import type { SealQuestion } from '../../events/seals/verify.ts'
import { parseTime } from '../../operations/lists.ts'
import {
  type CommandOutput,
  joinTexts,
  renameAll,
  renderTime,
  show,
} from '../../operations/surface/said.ts'
import { openStore } from '../../store/sql/open.ts'
import { restore } from '../../store/transfer/restore.ts'
import { openRootSecret, readSecrets } from '../../tokens/keys/root-secret.ts'
import { removeAtEnd } from '../at-end.ts'
import { useStore } from '../on-store.ts'
import { countOf } from '../progress.ts'
import type { Flags } from '../store.ts'
import { readPage, type SealedPage } from './page.ts'

/** So many findings are told. */
const mostFindings = 200

interface VerifiedEvents extends Omit<SealedPage, 'isExpectedFound' | 'next'> {
  /** Null where no hash was given. */
  readonly isExpectedFound: boolean | null
  /** Unix seconds: when it was verified, or the backup was taken. */
  readonly at: number
}

const addCounts = (a: SealCounts, b: SealCounts): SealCounts => ({
  seals: a.seals + b.seals,
  events: a.events + b.events,
  late: a.late + b.late,
  purged: a.purged + b.purged,
  stripped: a.stripped + b.stripped,
  unused: a.unused + b.unused,
})

type AskSealed = (asked: SealQuestion) => Promise<SealedPage>

const verifyAll = async (
  asked: SealQuestion,
  at: number,
  ask: AskSealed,
): Promise<VerifiedEvents> => {
  let page = await ask(asked)
  const { isExpectedFound } = page
  let { counts, findings, delayed } = page
  while (page.next !== null && findings.length < mostFindings) {
    page = await ask({ ...asked, after: page.next })
    counts = addCounts(counts, page.counts)
    findings = joinFindings(findings, page.findings)
    delayed = joinDelayed(delayed, page.delayed)
  }
  const { newest, publicKey, since, isAnew } = page
  const isExpected = asked.expected === null ? null : isExpectedFound
  return {
    ...{ counts, newest, publicKey, since, isAnew, delayed, at },
    findings: findings.slice(0, mostFindings),
    isExpectedFound: isExpected,
  }
}

/** The copy has all keys, so it lies in a folder for this user alone. */
const verifyBackup = async (
  file: string,
  asked: SealQuestion,
  flags: Flags,
): Promise<VerifiedEvents> => {
  const settings = loadSettings({ flags })
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-verify-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const forget = removeAtEnd(remove)
  try {
    const url = `sqlite:${join(folder, 'copy.db')}`
    const { takenAt } = await restore(url, resolve(file), { tokens: 'keep' })
    const store = await openStore({ ...settings, store: url })
    try {
      const secrets = await readSecrets(settings, findSqlitePath(settings), false, drawRandom)
      const openRoot = () => openRootSecret({ store, random: drawRandom }, secrets)
      const parts = { store, openRoot, clock: () => takenAt * 1000 }
      return await verifyAll(asked, takenAt, (page) => readPage(page, parts))
    } finally {
      await store.close()
    }
  } finally {
    forget()
    remove()
  }
}

const renderFinding = ({ problem, seal, lastSeal, event, at }: SealFinding): string => {
  const seals = lastSeal === undefined || lastSeal === seal ? `${seal}` : `${seal} to ${lastSeal}`
  const where = [
    ...(at === null ? [] : [renderTime(at)]),
    ...(seal === null
      ? []
      : [`${lastSeal === undefined || lastSeal === seal ? 'seal' : 'seals'} ${seals}`]),
    ...(event === undefined ? [] : [`event ${show(event)}`]),
  ]
  return `  ${where.join(', ')}: ${sealProblems[problem]}`
}

const renderCounts = ({ seals, events, late, purged, stripped, unused }: SealCounts): string => {
  const some = [
    [late, 'came late, and are in a later seal'],
    [purged, 'were kept long enough, and went'],
    [stripped, 'forgot their deleted owner'],
    [unused, 'went with a client that nobody used'],
  ] as const
  const told = some.filter(([count]) => count > 0).map(([count, words]) => `  ${count} ${words}`)
  const all = `${countOf(events, 'event', 'events')} in ${countOf(seals, 'seal', 'seals')}`
  return [`Verified: ${all}.`, ...told].join('\n')
}

const renderFindings = (findings: readonly SealFinding[]): string | null => {
  if (findings.length === 0) return null
  const atLeast = findings.length < mostFindings ? '' : 'at least '
  const head = `BROKEN: ${atLeast}${countOf(findings.length, 'finding', 'findings')}.`
  return [head, ...findings.map(renderFinding)].join('\n')
}

const renderChain = ({ since, isAnew, delayed }: VerifiedEvents): string | null => {
  if (since === null || since === 0) return null
  const begun = isAnew
    ? `BEWARE: the key of seals was lost, and the chain was begun anew at ${renderTime(since)}. Seals from before cannot be verified.`
    : `The chain of seals was begun at ${renderTime(since)}.`
  if (delayed === null) return begun
  const { first, last, seconds } = delayed
  const [seals, were] =
    first === last ? [`seal ${first}`, 'was'] : [`seals ${first} to ${last}`, 'were']
  const days = countOf(Math.ceil(seconds / 86_400), 'day', 'days')
  return `${begun}\nBEWARE: ${seals} ${were} made up to ${days} late. Until a seal is made, nobody sees a change.`
}

const renderNewest = ({ newest, at }: VerifiedEvents): string => {
  if (newest === null) return 'Nothing is sealed yet.'
  const { seal, hash, until } = newest
  const isOverdue = until === null || at - until > sealLimits.overdueSeconds
  const from = until === null ? 'an unknown time' : renderTime(until)
  return `${isOverdue ? 'BEWARE: events' : 'Events'} from ${from} on are not sealed yet.\nThe newest seal is ${seal}:${hash}\nKeep this elsewhere, and give it later as --expect.`
}

const isEmpty = ({ counts, newest }: VerifiedEvents): boolean =>
  counts.seals === 0 && newest !== null

/** A range without seals proves nothing. Before the first hour is over, nothing can be wrong. */
const isWhole = (verified: VerifiedEvents): boolean =>
  verified.findings.length === 0 && verified.isExpectedFound !== false && !isEmpty(verified)

const renderVerified = (verified: VerifiedEvents): string =>
  joinTexts(
    renderCounts(verified.counts),
    isWhole(verified) && verified.counts.seals > 0
      ? 'Whole: every sealed event is as it was written.'
      : null,
    renderFindings(verified.findings),
    isEmpty(verified) && verified.findings.length === 0
      ? 'BROKEN: nothing of this time is sealed.'
      : null,
    verified.isExpectedFound === false
      ? 'BROKEN: the expected seal is not there. Seals were replaced or taken away, the database is an older one, or the seal was kept for long enough.'
      : null,
    renderChain(verified),
    renderNewest(verified),
  )

const readTime = (flag: '--from' | '--to', given: unknown): number | null => {
  if (given === undefined) return null
  const time = parseTime(String(given))
  if (time !== null) return time
  throw new UsageFault(`${flag} must be unix seconds, or a time such as 2026-11-22T10:00:00Z`)
}

const readHash = (given: unknown): string | null => {
  if (given === undefined) return null
  if (/^[1-9]\d{0,14}:[\w-]{43}$/.test(String(given))) return String(given)
  throw new UsageFault(
    '--expect must be the number and the hash of a seal, 480:..., as verify prints them',
  )
}

/** @returns what to say; the exit code is 1 if anything is not as it was written */
export const runVerify = async (
  flags: Flags,
): Promise<CommandOutput & { readonly exitCode: number }> => {
  const asked = {
    after: null,
    from: readTime('--from', flags.from),
    to: readTime('--to', flags.to),
    expected: readHash(flags.expect),
  }
  const verified =
    typeof flags.backup === 'string'
      ? await verifyBackup(flags.backup, asked, flags)
      : await useStore('verify', flags, (run) =>
          verifyAll(asked, Math.floor(Date.now() / 1000), async (page) =>
            JSON.parse(await run('verify', { ...page })),
          ),
        )
  const { findings, ...others } = verified
  const json = {
    ...renameAll({ isWhole: isWhole(verified), ...others }),
    findings: findings.map(renameAll),
  }
  return { json, text: renderVerified(verified), exitCode: isWhole(verified) ? 0 : 1 }
}
