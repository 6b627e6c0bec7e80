/** Runs a command on the store of the settings: here, or in the service that holds the database. */
import { loadSettings } from '../config/load.ts'
import { sqlitePath } from '../server.ts'
import { type CommandOutcome, sendCommand } from './beside.ts'
import { makesDatabase, type StoreCommandName, storeCommands } from './commands.ts'
import type { ExitMessage } from './explain.ts'
import { checkDatabaseExists, type Flags, openAlone, systemUser } from './store.ts'

/** The service has its own settings: those of this process stay here. */
const withoutSettings = (flags: Flags): Flags => {
  const { store, config, ...others } = flags
  return others
}

const unanswered = (database: string): ExitMessage => ({
  message: `latchkey: the database ${database} is in use by another process that takes no commands, such as a starting service or another command. Try again in a moment`,
  exitCode: 1,
})

/** A command that failed in the service. */
class FailedCommand extends Error {
  readonly outcome: ExitMessage

  constructor(outcome: ExitMessage) {
    super(outcome.message.replace(/^latchkey: /, ''))
    this.outcome = outcome
  }
}

/** Runs one command, and answers with what it says. */
export type RunStoreCommand = (command: StoreCommandName, flags: Flags) => Promise<string>

/** Runs several commands on the same store. `command` says whether the database may be a new one. */
export const withStore = async <Result>(
  command: StoreCommandName,
  flags: Flags,
  work: (run: RunStoreCommand) => Promise<Result>,
): Promise<Result> => {
  const settings = loadSettings({ flags })
  if (!makesDatabase(command)) checkDatabaseExists(settings)
  const parts = await openAlone(settings)
  if (parts !== null) {
    try {
      return await work((name, given) => storeCommands[name](given, parts))
    } finally {
      await parts.close()
    }
  }
  const database = sqlitePath(settings) ?? ''
  return work(async (name, given) => {
    const asked = { command: name, flags: withoutSettings(given), user: systemUser() }
    const outcome = (await sendCommand(database, asked)) ?? unanswered(database)
    if ('said' in outcome) return outcome.said
    throw new FailedCommand(outcome)
  })
}

export const runOnStore = async (
  command: StoreCommandName,
  flags: Flags,
): Promise<CommandOutcome> => {
  try {
    return { said: await withStore(command, flags, (run) => run(command, flags)) }
  } catch (fault) {
    if (fault instanceof FailedCommand) return fault.outcome
    throw fault
  }
}
