/**
 * Commands beside a running service. That process holds the database file, so the command goes to
 * it over the control socket and runs there.
 */
import { limits } from '../config/limits.ts'
import type { Tell } from '../model/notice.ts'
import type { OperatedParts } from '../server.ts'
import { isStoreCommand, type StoreCommandName, storeCommands } from './commands.ts'
import { askBeside, listenBeside } from './control-socket.ts'
import { type ExitMessage, explain } from './explain.ts'
import { type Flags, withTraces } from './store.ts'

interface SocketRequest {
  readonly command: StoreCommandName
  readonly flags: Flags
  /** Who typed it, as the system names them. */
  readonly user: string
}

/** The outcome of a command: its output, or the reason of its failure. */
export type CommandOutcome = { readonly said: string } | ExitMessage

const unknownCommand: ExitMessage = {
  message: 'latchkey: the running service is of another version and does not know this command',
  exitCode: 1,
}

/** Access to the socket is access to the store, so only the form is checked. */
const parseAsked = (question: string): SocketRequest | null => {
  const asked: unknown = JSON.parse(question)
  if (typeof asked !== 'object' || asked === null) return null
  if (!('command' in asked && 'flags' in asked && 'user' in asked)) return null
  const { command, flags, user } = asked
  if (!isStoreCommand(command) || typeof flags !== 'object' || flags === null) return null
  return { command, flags: { ...flags }, user: String(user).slice(0, limits.systemUserCharacters) }
}

const perform = async (
  question: string,
  parts: OperatedParts,
  tell: Tell,
): Promise<CommandOutcome> => {
  try {
    const asked = parseAsked(question)
    if (asked === null) return unknownCommand
    // Flags may hold a password.
    const { command, flags, user } = asked
    tell({ level: 'info', message: 'command', command, user })
    return { said: await storeCommands[command](flags, withTraces(parts, user)) }
  } catch (fault) {
    return explain(fault)
  }
}

/**
 * Takes commands for the service of this process. Where there can be no socket, the service runs
 * without.
 *
 * @returns what ends it
 */
export const takeCommands = async (
  database: string,
  parts: OperatedParts,
  tell: Tell,
): Promise<() => void> => {
  try {
    return await listenBeside(database, async (question) =>
      JSON.stringify(await perform(question, parts, tell)),
    )
  } catch (fault) {
    const message =
      'there is no control socket beside the database: commands have to wait for the end'
    tell({ level: 'warn', message, fault: String(fault) })
    return () => {}
  }
}

/** @returns null if the process with the database takes no commands */
export const sendCommand = async (
  database: string,
  asked: SocketRequest,
): Promise<CommandOutcome | null> => {
  const answer = await askBeside(database, JSON.stringify(asked))
  if (answer === null) return null
  if (answer === '') {
    return { message: 'latchkey: the service ended before it answered', exitCode: 1 }
  }
  return JSON.parse(answer) as CommandOutcome
}
