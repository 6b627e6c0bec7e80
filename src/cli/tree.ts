/** The tree of commands, made of rows. A row says the use of a command, its examples, flags and work. */
import type { Argument, Command } from 'commander'
import { findServer, UsageFault } from '../config/remote.ts'
import { type SettingKey, settingsTable } from '../config/settings.ts'
import { describeFallback } from '../config/values.ts'
import type { CommandFlag } from '../operations/surface/cli.ts'
import { type CommandOutput, escapeForTerminal, sayJson } from '../operations/surface/said.ts'
import type { Flags } from './store.ts'

/** The output of a command: a text as it is, or an answer. Null: the command has written by itself. */
type Printed = string | null | (CommandOutput & { readonly exitCode?: number })

interface DescribedCommand {
  readonly does: string
  /** Command lines that work as they stand. */
  readonly examples: readonly string[]
}

export interface CommandLine extends DescribedCommand {
  /** As it is typed after the words of its group: `rotate-secret <id>`. */
  readonly usage: string
  /** Runs where no command is named. */
  readonly isDefault?: true
  readonly argument?: Argument
  /** The settings whose flags it takes. By default it takes the store. */
  readonly settings?: readonly SettingKey[]
  /** Without it, the command takes `--json`. */
  readonly json?: false
  readonly server?: true
  /** Why no other machine can be asked, as the command says it. */
  readonly here?: string
  readonly flags?: readonly CommandFlag[]
  /** @param command the words of the command, such as `client add` */
  readonly run: (flags: Flags, names: readonly string[], command: string) => Promise<Printed>
}

export interface CommandGroup extends DescribedCommand {
  readonly name: string
  readonly commands: readonly CommandLine[]
}

const addExamples = (command: Command, { does, examples }: DescribedCommand): Command =>
  command
    .description(does)
    .addHelpText(
      'after',
      `\n${examples.length === 1 ? 'Example' : 'Examples'}:\n${examples.map((line) => `  ${line}`).join('\n')}`,
    )

/** The flags of settings, as the table of settings has them, and `--config`. */
const addSettingsFlags = (command: Command, settings: readonly SettingKey[]): void => {
  command.option('--config <path>', 'The configuration file. (default: latchkey.config.json)')
  for (const key of settings) {
    const { flag, meaning, environment } = settingsTable[key]
    if (flag === null) continue
    const fallback = describeFallback(settingsTable[key])
    command.option(flag, `${meaning} (${environment}, default: ${fallback})`)
  }
}

/** The words of a command as they are typed, such as `client add`. */
const getName = (command: Command): string =>
  command.parent === null ? '' : `${getName(command.parent)} ${command.name()}`.trim()

const elsewhere: readonly CommandFlag[] = [
  ['--server <url>', 'the issuer of a service on another machine (LATCHKEY_SERVER)'],
  ['--token <token>', 'an access token for its admin API (better: LATCHKEY_TOKEN)'],
]

/** Refuses the flags and variables of another machine. */
const keepHere = (command: Command, why: string): void => {
  for (const [flag] of elsewhere) {
    command.addOption(command.createOption(flag).hideHelp())
  }
  command.hook('preAction', () => {
    const given = findServer(command.opts())
    if (given === null) return
    throw new UsageFault(
      `latchkey ${getName(command)} works on this machine only, and ${given.called} is set: ${why}`,
    )
  })
}

const print = (printed: Printed, flags: Flags): void => {
  if (printed === null) return
  if (typeof printed === 'string') {
    process.stdout.write(`${printed}\n`)
    return
  }
  const { json, text, exitCode } = printed
  process.stdout.write(`${flags.json === true ? sayJson(json) : escapeForTerminal(text)}\n`)
  if (exitCode !== undefined) process.exitCode = exitCode
}

const addLine = (parent: Command, line: CommandLine): void => {
  const { usage, isDefault = false, argument, settings = ['store'], json, here, run } = line
  const command = addExamples(parent.command(usage, { isDefault }), line)
  if (isDefault) command.allowExcessArguments()
  if (argument !== undefined) command.addArgument(argument)
  if (settings.length > 0) addSettingsFlags(command, settings)
  if (json !== false) command.option('--json', 'answer in JSON')
  if (here !== undefined) keepHere(command, here)
  for (const [written, meaning, need] of [
    ...(line.server ? elsewhere : []),
    ...(line.flags ?? []),
  ]) {
    if (need === 'needed') command.requiredOption(written, meaning)
    else command.option(written, meaning)
  }
  command.action(async () => {
    const flags = command.opts<Flags>()
    print(await run(flags, command.args, getName(command)), flags)
  })
}

export const addCommands = (
  program: Command,
  rows: readonly (CommandLine | CommandGroup)[],
): void => {
  for (const row of rows) {
    if ('run' in row) addLine(program, row)
    else {
      const group = addExamples(program.command(row.name), row)
      for (const line of row.commands) addLine(group, line)
    }
  }
}
