/** Runs a command on the store of the settings: here, or in the service that holds the database. */
import { loadSettings } from '../config/load.ts'
import { sqlitePath } from '../server.ts'
import { type CommandOutcome, sendCommand } from './beside.ts'
import { makesDatabase, type StoreCommandName, storeCommands } from './commands.ts'
import { checkDatabaseExists, type Flags, openAlone, systemUser } from './store.ts'

/** The service has its own settings: those of this process stay here. */
const withoutSettings = (flags: Flags): Flags => {
  const { store, config, ...others } = flags
  return others
}

const unanswered = (database: string): CommandOutcome => ({
  message: `latchkey: the database ${database} is in use by another process that takes no commands, such as a starting service or another command. Try again in a moment`,
  exitCode: 1,
})

export const runOnStore = async (
  command: StoreCommandName,
  flags: Flags,
): Promise<CommandOutcome> => {
  const settings = loadSettings({ flags })
  if (!makesDatabase(command)) checkDatabaseExists(settings)
  const parts = await openAlone(settings)
  if (parts !== null) {
    try {
      return { said: await storeCommands[command](flags, parts) }
    } finally {
      await parts.close()
    }
  }
  const database = sqlitePath(settings) ?? ''
  const asked = { command, flags: withoutSettings(flags), user: systemUser() }
  const outcome = await sendCommand(database, asked)
  return outcome ?? unanswered(database)
}
