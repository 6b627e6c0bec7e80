/**
 * The whole store in one file (`latchkey backup FILE`, `latchkey restore FILE`), or on another engine (`latchkey migrate
 * --to postgres://...`). A restore ends the tokens of the time before, and a migration keeps them.
 */
import { resolve } from 'node:path'
import { loadSettings, SettingsFault } from '../config/load.ts'
import { findPasswordFault, findSqlitePath } from '../config/places.ts'
import { readRootSecret } from '../config/root-secret.ts'
import { type Settings, settingsTable } from '../config/settings.ts'
import { drawRandom, makeSalt } from '../crypto/digest.ts'
import { makeId } from '../model/ids.ts'
import { type CommandOutput, joinTexts, renameAll, renderTime } from '../operations/surface/said.ts'
import { StoreFault } from '../store/fault.ts'
import { type Copied, copyStore } from '../store/transfer/copy.ts'
import { type BackedUp, backUp } from '../store/transfer/dump.ts'
import {
  type Restored,
  type Restoring,
  restore as restoreStore,
} from '../store/transfer/restore.ts'
import { runWhileStopped } from './on-store.ts'
import { countOf, renderCounts, showProgress } from './progress.ts'
import { type Flags, getSystemUser } from './store.ts'

const keyNotes = {
  wrapped: (url: string): string =>
    url.startsWith('sqlite:')
      ? `The sealing keys are in it, wrapped under the root secret. The root secret is not: LATCHKEY_SECRET, or the file ${url.slice('sqlite:'.length)}.key. Keep that elsewhere; restore --keep-tokens needs it, and so do one-time codes of owners and secrets of client_secret_jwt.`
      : 'The sealing keys are in it, wrapped under LATCHKEY_SECRET. That secret is not. Keep it elsewhere; restore --keep-tokens needs it, and so do one-time codes of owners and secrets of client_secret_jwt.',
  plain: (): string =>
    'BEWARE: the sealing keys are in it in clear, since the store was started without LATCHKEY_SECRET. A reader of this file can forge tokens.',
  none: (): null => null,
}

const renderBackup = (path: string, url: string, done: BackedUp): string =>
  joinTexts(
    `Backed up to ${path} (${done.bytes.toLocaleString('en')} bytes, SHA-256 of its lines ${done.sha256}):`,
    renderCounts(done.rows),
    keyNotes[done.sealingKeys](url),
  )

export const makeBackup = async (path: string, flags: Flags): Promise<CommandOutput> => {
  const { store } = loadSettings({ flags })
  const done = await backUp(store, resolve(path), Math.floor(Date.now() / 1000))
  const json = renameAll({ file: resolve(path), ...done })
  return { json, text: renderBackup(path, store, done) }
}

const explainTokens = (url: string, { ended, sealingKeys, takenAt }: Restored): string => {
  if (ended !== null) {
    const sessions = countOf(ended.sessions, 'login', 'logins')
    const codes = countOf(ended.recoveryCodes, 'recovery code', 'recovery codes')
    const owners = countOf(ended.recoveryCodeOwners, 'owner', 'owners')
    return `Every token, code and login (${sessions}) from before has ended; what owners approved stays, so applications only send them through a login again. ${codes} of ${owners} ended, since some may have been used since: they make new ones on their account page.`
  }
  const path = findSqlitePath({ store: url })
  const keyFile = path === null ? '' : `, or the file ${path}.key`
  const risk = `BEWARE: tokens from before ${renderTime(takenAt)} are accepted again, even if they were revoked since. So are ended logins and used recovery codes.`
  return sealingKeys === 'wrapped'
    ? `${risk} The service needs the root secret that it had then: LATCHKEY_SECRET${keyFile}.`
    : risk
}

/** Possible losses after the backup, by table. */
const mayBeBack: Readonly<Record<string, string>> = {
  clients: 'deleted or disabled since, or with a secret or redirect URI that was changed since',
  owners: 'deleted or disabled since, or with a password that was changed since',
  passkeys: 'removed since: they log in again',
  one_time_codes: 'removed or set up anew since: the old ones count again',
  authorizations: 'ended or narrowed since: they stand again',
  items: 'deleted or changed since',
}

const countRestored = ({ rows }: Restored): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.keys(mayBeBack).map((table) => [table, rows[table] ?? 0]))

const explainRest = (done: Restored): string => {
  const back = Object.entries(countRestored(done)).filter(([, rows]) => rows > 0)
  const last =
    done.lastEventAt === null ? '' : ` The last event in it is of ${renderTime(done.lastEventAt)}.`
  return joinTexts(
    `The backup knows no changes after ${renderTime(done.takenAt)}.${last} These rows came back, and may have changed since:`,
    back
      .map(
        ([table, rows]) =>
          `  ${table.replaceAll('_', ' ')} (of ${rows.toLocaleString('en')}) ${mayBeBack[table]}`,
      )
      .join('\n'),
    'Do again what must not wait, before the service starts: latchkey client list, latchkey owner reset-factors.',
  )
}

const renderRestore = (path: string, url: string, done: Restored): string =>
  joinTexts(
    `Restored ${path}, taken at ${renderTime(done.takenAt)}:`,
    renderCounts(done.rows),
    explainTokens(url, done),
    explainRest(done),
  )

const makeRestoring = ({ keepTokens }: Flags): Restoring => {
  if (keepTokens === true) return { tokens: 'keep' }
  const made = { clock: Date.now, random: drawRandom }
  return {
    tokens: 'end',
    newSalt: () => makeSalt(drawRandom),
    trace: () => ({
      eventId: makeId(made),
      at: Math.floor(Date.now() / 1000),
      requestId: null,
      actor: { type: 'cli', user: getSystemUser() },
    }),
  }
}

export const restore = async (path: string, flags: Flags): Promise<CommandOutput> => {
  const { store } = loadSettings({ flags })
  const restoring = makeRestoring(flags)
  const done = await runWhileStopped(() => restoreStore(store, resolve(path), restoring))
  const { tokens } = restoring
  const json = renameAll({ file: resolve(path), tokens, ...done, cameBack: countRestored(done) })
  return { json, text: renderRestore(path, store, done) }
}

const parseTarget = (to: unknown): string => {
  const fault = findPasswordFault('--to', to, '')
  if (fault !== null) throw new SettingsFault([fault])
  const parsed = settingsTable.store.parse(to, process.cwd())
  if ('value' in parsed && !parsed.value.startsWith('sqlite:')) return parsed.value
  throw new SettingsFault(['--to must be postgres://USER@HOST:PORT/DATABASE'])
}

/** The secret is shown only on request; otherwise the place of it. */
const tellSecret = (settings: Settings, path: string, secret: string | null): string => {
  if (settings.secret !== null) return 'as it is now'
  if (secret !== null) return secret
  const file = resolve(`${path}.key`)
  return `the content of ${file}, which migrate --show-secret prints\n                   (or LATCHKEY_SECRET_FILE, the path of that file or of a copy of it)`
}

const render = (settings: Settings, path: string, secret: string | null, done: Copied): string => {
  const note =
    done.sealingKeys === 'wrapped'
      ? tellSecret(settings, path, secret)
      : 'a new one of at least 32 characters, such as openssl rand -base64 32 gives'
  return joinTexts(
    'Everything is in the new database, and was compared row by row:',
    renderCounts(done.rows),
    `Start the service with these, the same on every node:\n  LATCHKEY_STORE   the URL that you gave as --to\n  LATCHKEY_SECRET  ${note}`,
    'Tokens stay valid. The old database is as it was: do not start a service on it again, for the two would go different ways.',
  )
}

export const migrate = async (flags: Flags): Promise<CommandOutput> => {
  const settings = loadSettings({ flags })
  const path = findSqlitePath(settings)
  if (path === null) {
    throw new SettingsFault([
      'LATCHKEY_STORE must be sqlite:PATH, the store to migrate from; or give it as --store sqlite:PATH',
    ])
  }
  const to = parseTarget(flags.to)
  const asked = flags.showSecret === true
  const secret = asked ? (settings.secret ?? (await readRootSecret(path, false, drawRandom))) : null
  const progress = showProgress(process.stderr)
  const done = await runWhileStopped(() =>
    copyStore(settings.store, to, progress.tell).catch((fault: unknown) => {
      if (!(fault instanceof StoreFault)) throw fault
      throw new Error(`${fault.message}; run migrate again: it goes on where it stopped`)
    }),
  ).finally(progress.end)
  const json = renameAll({ ...done, ...(secret === null ? {} : { secret }) })
  return { json, text: render(settings, path, secret, done) }
}
