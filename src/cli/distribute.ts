/** `latchkey distribute`: the tables of a PostgreSQL database come to lie on many machines. */
import { loadSettings, SettingsFault } from '../config/load.ts'
import { type CommandOutput, joinTexts, renameAll } from '../operations/surface/said.ts'
import { runWhileStopped } from './on-store.ts'
import { countOf, renderCounts, showFraction } from './progress.ts'
import type { Flags } from './store.ts'

const plainNote =
  'The old tables are in the schema latchkey_plain, as they were. Once the service is well, remove them: drop schema latchkey_plain cascade.'

export const distribute = async (flags: Flags): Promise<CommandOutput> => {
  const { store } = loadSettings({ flags })
  if (store.startsWith('sqlite:')) {
    throw new SettingsFault([
      'LATCHKEY_STORE must be postgres://USER@HOST:PORT/DATABASE; latchkey migrate moves a store there',
    ])
  }
  const isTried = flags.dryRun === true
  const { distribute: run } = await import('../store/engines/postgres/distribute.ts')
  const progress = showFraction(process.stderr)
  const doing = isTried ? 'reading' : 'copying'
  const done = await runWhileStopped(() =>
    run(store, isTried, ({ table, fraction }) =>
      progress.tell(`${doing} ${table.replaceAll('_', ' ')}`, fraction),
    ),
  ).finally(progress.end)
  const { ended, renamed } = done
  const sessions = countOf(ended.sessions, 'login', 'logins')
  const families = countOf(ended.families, 'token family', 'token families')
  const text = joinTexts(
    isTried
      ? 'Nothing was written. These rows would be distributed:'
      : 'These rows are distributed, and were counted:',
    renderCounts(done.rows),
    `${sessions} and ${families} ${isTried ? 'end' : 'ended'}, since their ids tell no shard: their people log in again. What owners approved stays. ${countOf(renamed, 'authorization has', 'authorizations have')} a new id, so a client that noted it as grant_id asks anew.`,
    isTried ? null : plainNote,
  )
  return { json: renameAll({ isTried, ...done }), text }
}
