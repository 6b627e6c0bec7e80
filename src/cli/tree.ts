/** Describes a command of the tree: its use, examples, flags and action. */
import type { Command } from 'commander'
import { serverGiven, UsageFault } from '../config/remote.ts'
import type { SettingKey } from '../config/settings.ts'
import { asJson, type CommandOutput, forTerminal } from '../operations/surface/said.ts'
import type { AdminApi } from './api.ts'
import { withSettingsFlags } from './flags.ts'
import { withApi } from './open-api.ts'
import type { Flags } from './store.ts'

export interface Described {
  readonly does: string
  /** Command lines that work as they stand. */
  readonly examples: readonly string[]
}

const withExamples = (command: Command, examples: readonly string[]): Command =>
  command.addHelpText(
    'after',
    `\n${examples.length === 1 ? 'Example' : 'Examples'}:\n${examples.map((line) => `  ${line}`).join('\n')}`,
  )

/** A group of commands. */
export const group = (parent: Command, name: string, { does, examples }: Described): Command =>
  withExamples(parent.command(name).description(does), examples)

/** One command, with the flags of these settings. */
export const describe = (
  parent: Command,
  usage: string,
  { does, examples }: Described,
  settings: readonly SettingKey[] = [],
  isDefault = false,
): Command => {
  const command = withExamples(parent.command(usage, { isDefault }).description(does), examples)
  return settings.length === 0 ? command : withSettingsFlags(command, settings)
}

export const withJson = (command: Command): Command => command.option('--json', 'answer in JSON')

/** The words of a command as they are typed, such as `client add`. */
const nameOf = (command: Command): string =>
  command.parent === null ? '' : `${nameOf(command.parent)} ${command.name()}`.trim()

export const print = ({ json, text }: CommandOutput, flags: Flags): void => {
  process.stdout.write(`${flags.json === true ? asJson(json) : forTerminal(text)}\n`)
}

/** Asks the admin API and answers with what to say. */
export type ApiWork = (
  api: AdminApi,
  flags: Flags,
  names: readonly string[],
) => Promise<CommandOutput>

interface ApiCommandOptions {
  /** May come before the first start. */
  readonly first?: boolean
  /** Reads what the flags refer to, before anything is opened. */
  readonly prepare?: (flags: Flags) => Promise<Flags>
}

/** A command that works through the admin API: here, beside a service, and with `--server`. */
export const apiCommand = (
  parent: Command,
  usage: string,
  described: Described,
  work: ApiWork,
  { first = false, prepare = async (flags) => flags }: ApiCommandOptions = {},
): Command => {
  const command = withServer(withJson(describe(parent, usage, described, ['store'])))
  return command.action(async (..._given: readonly unknown[]) => {
    const flags = await prepare(command.opts<Flags>())
    const options = { command: nameOf(command), first }
    print(await withApi(flags, options, (api) => work(api, flags, command.args)), flags)
  })
}

export const withServer = (command: Command): Command =>
  command
    .option('--server <url>', 'the issuer of a service on another machine (LATCHKEY_SERVER)')
    .option('--token <token>', 'an access token for its admin API (better: LATCHKEY_TOKEN)')

/**
 * A command that no other machine can be asked for.
 *
 * @param why the reason, as the command says it
 */
export const localOnly = (command: Command, why: string): Command => {
  for (const flag of ['--server <url>', '--token <token>']) {
    command.addOption(command.createOption(flag).hideHelp())
  }
  return command.hook('preAction', () => {
    const given = serverGiven(command.opts())
    if (given === null) return
    throw new UsageFault(
      `latchkey ${nameOf(command)} works on this machine only, and ${given.called} is set: ${why}`,
    )
  })
}
