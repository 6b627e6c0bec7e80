/** Runs a command on the store of the settings: here, or in the service that holds the database. */
import { loadSettings } from '../config/load.ts'
import { findSqlitePath } from '../config/places.ts'
import { escapeForTerminal } from '../operations/surface/said.ts'
import { StoreRefusal } from '../store/fault.ts'
import { sendCommand } from './beside.ts'
import { mayMakeDatabase, type StoreCommandName, storeCommands } from './commands.ts'
import { FailedCommand } from './explain.ts'
import { checkDatabaseExists, type Flags, getSystemUser, openAlone } from './store.ts'

/** Explains a store that is in use: there is only one thing to do. */
export const runWhileStopped = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (fault) {
    if (!(fault instanceof StoreRefusal && fault.inUse)) throw fault
    throw new StoreRefusal(`${fault.message}: the service is running; end it first`)
  }
}

export type RunStoreCommand = (command: StoreCommandName, flags: Flags) => Promise<string>

/** Runs several commands on the same store. `command` says whether the database may be a new one. */
export const useStore = async <Result>(
  command: StoreCommandName,
  flags: Flags,
  work: (run: RunStoreCommand) => Promise<Result>,
): Promise<Result> => {
  const settings = loadSettings({ flags })
  if (!mayMakeDatabase(command)) checkDatabaseExists(settings)
  const parts = await openAlone(settings)
  if (parts !== null) {
    try {
      return await work((name, given) => storeCommands[name](given, parts))
    } finally {
      await parts.close()
    }
  }
  const database = findSqlitePath(settings) ?? ''
  // The service has its own settings: those of this process stay here.
  return work(async (command, { store, config, ...others }) => {
    const outcome = await sendCommand(database, { command, flags: others, user: getSystemUser() })
    if ('said' in outcome) return outcome.said
    throw new FailedCommand(outcome)
  })
}

/** Runs one command, and answers with its words for a terminal. In JSON those are the same. */
export const runOnStore = async (command: StoreCommandName, flags: Flags): Promise<string> =>
  escapeForTerminal(await useStore(command, flags, (run) => run(command, flags)))
