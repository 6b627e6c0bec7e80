/** `latchkey doctor`: everything that is weak, from settings to the proxy. The doctor changes nothing. */
import { loadSettings, SettingsFault } from '../../config/load.ts'
import type { Settings } from '../../config/settings.ts'
import type { CommandOutput } from '../../operations/surface/said.ts'
import { FailedCommand } from '../explain.ts'
import { runOnStore } from '../on-store.ts'
import type { Flags } from '../store.ts'
import { checkAround, type Examined } from './examine.ts'
import { type Finding, makeProblem } from './finding.ts'
import { renderProfile } from './profiles.ts'

const explainSettings = ({ faults }: SettingsFault): readonly Finding[] =>
  faults.map((fault) =>
    makeProblem(
      'settings.wrong',
      /[.?]$/.test(fault) ? fault : `${fault}.`,
      'Correct the setting; docs/settings.md lists all of them.',
    ),
  )

/** The service never uses a server with such a setting. */
const lossySetting = /has (fsync|full_page_writes|synchronous_commit) = /

const explainStore = (fault: unknown): Finding => {
  const said = fault instanceof Error ? fault.message : String(fault)
  const [, setting] = lossySetting.exec(said) ?? []
  if (setting === undefined) {
    return makeProblem(
      'database.closed',
      `The store cannot be opened: ${said}`,
      'Correct LATCHKEY_STORE and its password, or what the message names.',
    )
  }
  return makeProblem(
    'database.lossy',
    `The database may lose what it has acknowledged: ${said}`,
    `Run ALTER SYSTEM SET ${setting} = on, and SELECT pg_reload_conf(). Look for the same setting of the role and the database.`,
  )
}

const examineAll = async (flags: Flags): Promise<Examined> => {
  let settings: Settings
  try {
    settings = loadSettings({ flags })
  } catch (fault) {
    if (fault instanceof SettingsFault) return { findings: explainSettings(fault), profiles: [] }
    throw fault
  }
  try {
    return JSON.parse(await runOnStore('doctor', flags)) as Examined
  } catch (fault) {
    const around = await checkAround(settings)
    // A missing database is told already.
    const isTold = around.some(({ id }) => id === 'database.missing')
    const isExplained = isTold && !(fault instanceof FailedCommand)
    return { findings: isExplained ? around : [explainStore(fault), ...around], profiles: [] }
  }
}

const render = ({ level, finding, fix, id }: Finding): string =>
  `${level === 'error' ? 'ERROR' : 'WEAK '}  ${finding}\n       ${fix}  [${id}]`

/** @returns what to say; the exit code is 1 if anything was found */
export const runDoctor = async (
  flags: Flags,
): Promise<CommandOutput & { readonly exitCode: number }> => {
  const { findings: found, profiles } = await examineAll(flags)
  const findings = found.toSorted((a, b) => a.level.localeCompare(b.level))
  const told = findings.length === 0 ? ['Nothing weak was found.'] : findings.map(render)
  const text = [...told, ...profiles.map(renderProfile)].join('\n\n')
  return { json: { findings, profiles }, text, exitCode: findings.length === 0 ? 0 : 1 }
}
