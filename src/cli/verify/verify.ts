/** `latchkey verify`: on a store, also while the service runs, or on a backup. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { loadSettings } from '../../config/load.ts'
import { findSqlitePath } from '../../config/places.ts'
import { UsageFault } from '../../config/remote.ts'
import { drawRandom } from '../../crypto/digest.ts'
import { sealLimits } from '../../events/seals/sealer.ts'
import {
  type SealCounts,
  type SealFinding,
  type SealQuestion,
  sealProblems,
} from '../../events/seals/verify.ts'
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
import { useStore } from '../on-store.ts'
import { countOf } from '../progress.ts'
import type { Flags } from '../store.ts'
import { readPage, type SealedPage } from './page.ts'

/** So many findings are told. */
const mostFindings = 200

interface VerifiedEvents extends Pick<SealedPage, 'counts' | 'newest' | 'publicKey'> {
  readonly findings: readonly SealFinding[]
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
  let { counts, findings, isExpectedFound } = page
  while (page.next !== null && findings.length < mostFindings) {
    page = await ask({ ...asked, after: page.next })
    counts = addCounts(counts, page.counts)
    findings = [...findings, ...page.findings]
    isExpectedFound ||= page.isExpectedFound
  }
  const { newest, publicKey } = page
  const isExpected = asked.expected === null ? null : isExpectedFound
  return {
    ...{ counts, newest, publicKey, at },
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
  try {
    const url = `sqlite:${join(folder, 'copy.db')}`
    const { takenAt } = await restore(url, resolve(file), { tokens: 'keep' })
    const store = await openStore({ ...settings, store: url })
    try {
      const secrets = await readSecrets(settings, findSqlitePath(settings), false, drawRandom)
      const openRoot = () => openRootSecret({ store, random: drawRandom }, secrets)
      const parts = { settings, store, openRoot, clock: () => takenAt * 1000 }
      return await verifyAll(asked, takenAt, (page) => readPage(page, parts))
    } finally {
      await store.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const renderFinding = ({ problem, seal, lastSeal, event, at }: SealFinding): string => {
  const seals = lastSeal === undefined || lastSeal === seal ? `${seal}` : `${seal} to ${lastSeal}`
  const where = [
    ...(at === null ? [] : [renderTime(at)]),
    ...(seal === null ? [] : [`seal ${seals}`]),
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

const renderVerified = ({
  counts,
  findings,
  newest,
  isExpectedFound,
  at,
}: VerifiedEvents): string => {
  const isOverdue = newest !== null && at - newest.until > sealLimits.overdueSeconds
  return joinTexts(
    renderCounts(counts),
    findings.length === 0 && isExpectedFound !== false
      ? 'Whole: every sealed event is as it was written.'
      : null,
    findings.length === 0
      ? null
      : [
          `BROKEN: ${findings.length < mostFindings ? '' : 'at least '}${countOf(findings.length, 'finding', 'findings')}.`,
          ...findings.map(renderFinding),
        ].join('\n'),
    isExpectedFound === false
      ? 'BROKEN: the expected seal is not among them. Seals were replaced or taken away, or the database is an older one.'
      : null,
    newest === null
      ? 'Nothing is sealed yet.'
      : `${isOverdue ? 'BEWARE: events' : 'Events'} from ${renderTime(newest.until)} on are not sealed yet.\nThe newest seal is ${newest.seal}: ${newest.hash}\nKeep this hash elsewhere, and give it later as --expect.`,
  )
}

const readTime = (flag: '--from' | '--to', given: unknown): number | null => {
  if (given === undefined) return null
  const time = parseTime(String(given))
  if (time !== null) return time
  throw new UsageFault(`${flag} must be unix seconds, or a time such as 2026-11-22T10:00:00Z`)
}

const readHash = (given: unknown): string | null => {
  if (given === undefined) return null
  if (/^[\w-]{43}$/.test(String(given))) return String(given)
  throw new UsageFault('--expect must be the hash of a seal: 43 characters, as verify prints it')
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
  const isWhole = verified.findings.length === 0 && verified.isExpectedFound !== false
  const { findings, ...others } = verified
  const json = { ...renameAll({ isWhole, ...others }), findings: findings.map(renameAll) }
  return { json, text: renderVerified(verified), exitCode: isWhole ? 0 : 1 }
}
