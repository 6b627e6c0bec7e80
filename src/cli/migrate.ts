/** `latchkey migrate --to postgres://...`: a whole store goes to another engine, tokens and all. */
import { resolve } from 'node:path'
import { loadSettings, SettingsFault } from '../config/load.ts'
import { passwordFault } from '../config/places.ts'
import { rootSecretBeside } from '../config/root-secret.ts'
import { type Settings, settingsTable } from '../config/settings.ts'
import { systemRandom } from '../crypto/digest.ts'
import { apiNames, asJson, paragraphs } from '../operations/surface/said.ts'
import { StoreFault } from '../store/fault.ts'
import { type Copied, copyStore } from '../store/transfer/copy.ts'
import { whileStopped } from './on-store.ts'
import { renderCounts, showProgress } from './progress.ts'
import type { Flags } from './store.ts'

const sqlitePath = ({ store }: Settings): string => {
  if (store.startsWith('sqlite:')) return store.slice('sqlite:'.length)
  throw new SettingsFault([
    'LATCHKEY_STORE must be sqlite:PATH, the store to migrate from; or give it as --store sqlite:PATH',
  ])
}

const targetUrl = (to: unknown): string => {
  const fault = passwordFault('--to', to, '')
  if (fault !== null) throw new SettingsFault([fault])
  const parsed = settingsTable.store.parse(to, process.cwd())
  if ('value' in parsed && !parsed.value.startsWith('sqlite:')) return parsed.value
  throw new SettingsFault(['--to must be postgres://USER@HOST:PORT/DATABASE'])
}

/** The secret is shown only on request; otherwise the place of it. */
const secretNote = (settings: Settings, path: string, secret: string | null): string => {
  if (settings.secret !== null) return 'as it is now'
  if (secret !== null) return secret
  const file = resolve(`${path}.key`)
  return `the content of ${file}, which migrate --show-secret prints\n                   (or LATCHKEY_SECRET_FILE, the path of that file or of a copy of it)`
}

const render = (settings: Settings, path: string, secret: string | null, done: Copied): string => {
  const note =
    done.sealingKeys === 'wrapped'
      ? secretNote(settings, path, secret)
      : 'a new one of at least 32 characters, such as openssl rand -base64 32 gives'
  return paragraphs(
    'Everything is in the new database, and was compared row by row:',
    renderCounts(done.rows),
    `Start the service with these, the same on every node:\n  LATCHKEY_STORE   the URL that you gave as --to\n  LATCHKEY_SECRET  ${note}`,
    'Tokens stay valid. The old database is as it was: do not start a service on it again, for the two would go different ways.',
  )
}

/** Whatever broke off, nothing is lost by it. */
const goOnLater = (fault: unknown): unknown =>
  fault instanceof StoreFault
    ? new Error(`${fault.message}; run migrate again: it goes on where it stopped`)
    : fault

export const migrate = async (flags: Flags): Promise<string> => {
  const settings = loadSettings({ flags })
  const path = sqlitePath(settings)
  const to = targetUrl(flags.to)
  const asked = flags.showSecret === true
  const secret = asked
    ? (settings.secret ?? (await rootSecretBeside(path, false, systemRandom)))
    : null
  const progress = showProgress(process.stderr)
  const done = await whileStopped(() =>
    copyStore(settings.store, to, progress.tell).catch((fault: unknown) => {
      throw goOnLater(fault)
    }),
  ).finally(progress.end)
  return flags.json === true
    ? asJson(apiNames({ ...done, ...(secret === null ? {} : { secret }) }))
    : render(settings, path, secret, done)
}
