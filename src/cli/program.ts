/** The tree of commands: `latchkey start`, and commands that also work while a service runs. */
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { nearest } from '../config/nearest.ts'
import { UsageFault } from '../config/remote.ts'
import { addCompletionCommand } from './completion-program.ts'
import { withSettingsFlags } from './flags.ts'
import { addLanguageCommands } from './language-program.ts'
import { addOperationCommands, addRefusalCommands } from './operation-program.ts'
import { addPerformCommands } from './perform-program.ts'
import { start } from './start.ts'
import type { Flags } from './store.ts'
import { addStoreCommands } from './store-program.ts'
import { describe } from './tree.ts'

const packageFile = new URL('../../package.json', import.meta.url)
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }

const addStart = (program: Command): void => {
  const described = {
    does: 'start the service (the default)',
    examples: [
      'latchkey start',
      'LATCHKEY_ISSUER=https://auth.example.com latchkey start --store sqlite:/var/lib/latchkey.db',
    ],
  }
  const command = describe(program, 'start', described, [], true)
  withSettingsFlags(command)
    .allowExcessArguments()
    .action((flags: Flags, { args: [unknown] }: Command) => {
      // Unknown commands end up here, since this is the default one.
      if (unknown === undefined) return start(flags)
      const commands = program.commands.map((one) => one.name())
      const meant = nearest(unknown, [...commands, 'help'])
      const hint = meant === null ? 'latchkey --help lists them' : `did you mean ${meant}?`
      throw new UsageFault(`there is no command ${unknown}; ${hint}`)
    })
}

interface ProgramOptions {
  /** Told of wrong flags and arguments. */
  readonly complain: (text: string) => void
}

export const createProgram = ({ complain }: ProgramOptions): Command => {
  const program = new Command('latchkey')
    .description('OAuth 2.0 authorization server, token service and resource server')
    .version(version)
    .exitOverride()
    .configureOutput({ outputError: complain })
  addStart(program)
  addStoreCommands(program)
  addOperationCommands(program)
  addPerformCommands(program)
  addRefusalCommands(program)
  addLanguageCommands(program)
  addCompletionCommand(program)
  return program
}
