/**
 * Commands beside a running service. That process holds the database file, so the command goes to
 * it over the control socket and runs there.
 */

import { sqlitePath } from '../config/store-url.ts'
import type { Tell } from '../model/notice.ts'
import type { AdminAnswer, AdminRequest } from '../operations/surface/api.ts'
import { isObject } from '../operations/surface/said.ts'
import type { Server, Service } from '../server.ts'
import { isStoreCommand, type StoreCommandName, storeCommands } from './commands.ts'
import { askBeside, listenBeside } from './control-socket.ts'
import { type ExitMessage, explain } from './explain.ts'
import { cliLimits } from './limits.ts'
import { type Flags, withTraces } from './store.ts'

interface StoreQuestion {
  readonly command: StoreCommandName
  readonly flags: Flags
  /** Who typed it, as the system names them. */
  readonly user: string
}

interface AdminQuestion {
  readonly request: AdminRequest
  /** For the log. */
  readonly command: string
  readonly user: string
}

/** The outcome of a command: its output, or the reason of its failure. */
export type CommandOutcome = { readonly said: string } | ExitMessage

const unknownCommand: ExitMessage = {
  message: 'latchkey: the running service is of another version and does not know this command',
  exitCode: 1,
}

const isAdminRequest = (given: unknown): given is AdminRequest => {
  if (!isObject(given) || typeof given.path !== 'string') return false
  const { method, body } = given
  const isMethod = ['GET', 'POST', 'PATCH', 'DELETE'].includes(String(method))
  return isMethod && (body === undefined || isObject(body))
}

/** Access to the socket is access to the store, so only the form is checked. */
const parseQuestion = (question: string): StoreQuestion | AdminQuestion | null => {
  const asked: unknown = JSON.parse(question)
  if (!isObject(asked) || asked.user === undefined) return null
  const { command, flags, request } = asked
  const user = String(asked.user).slice(0, cliLimits.systemUserCharacters)
  if (isAdminRequest(request)) {
    return { request, command: String(command).slice(0, cliLimits.systemUserCharacters), user }
  }
  return isStoreCommand(command) && isObject(flags) ? { command, flags, user } : null
}

type ServedParts = Server['operated']

const perform = async (
  question: string,
  parts: ServedParts,
  tell: Tell,
): Promise<CommandOutcome | AdminAnswer> => {
  try {
    const asked = parseQuestion(question)
    if (asked === null) return unknownCommand
    const { command, user } = asked
    if ('request' in asked) {
      const { request } = asked
      // One command may ask for many pages.
      const level = request.method === 'GET' ? 'debug' : 'info'
      tell({ level, message: 'command', command, user })
      return await parts.operate(request, user)
    }
    // Flags may hold a password.
    tell({ level: 'info', message: 'command', command, user })
    return { said: await storeCommands[asked.command](asked.flags, withTraces(parts, user)) }
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
const takeCommands = async (
  database: string,
  parts: ServedParts,
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

/**
 * Takes commands for a service. Only an embedded store has one process, which others have to ask.
 *
 * @returns what ends it
 */
export const takeCommandsOf = async ({
  settings,
  operated,
  tell,
}: Pick<Service, 'settings' | 'operated' | 'tell'>): Promise<() => void> => {
  const database = sqlitePath(settings)
  return database === null ? () => {} : takeCommands(database, operated, tell)
}

const ended: ExitMessage = {
  message: 'latchkey: the service ended before it answered',
  exitCode: 1,
}

/** @returns null if the process with the database takes no commands */
const send = async (
  database: string,
  question: StoreQuestion | AdminQuestion,
): Promise<unknown> => {
  const answer = await askBeside(database, JSON.stringify(question))
  if (answer === null) return null
  return answer === '' ? ended : JSON.parse(answer)
}

const unanswered = (database: string): ExitMessage => ({
  message: `latchkey: the database ${database} is in use by another process that takes no commands. If a service starts or another command runs, try again in a moment. A program may also embed the service without its control socket`,
  exitCode: 1,
})

const absent = (database: string): ExitMessage => ({
  message: `latchkey: no service answers at ${database}.sock`,
  exitCode: 1,
})

/** Runs a command on the store in the service that holds it. */
export const sendCommand = async (
  database: string,
  question: StoreQuestion,
): Promise<CommandOutcome> =>
  ((await send(database, question)) as CommandOutcome | null) ?? unanswered(database)

/** Asks the admin API of the service that holds the database. */
export const sendRequest = async (
  database: string,
  question: AdminQuestion,
): Promise<AdminAnswer | ExitMessage> =>
  ((await send(database, question)) as AdminAnswer | ExitMessage | null) ??
  (question.command === 'event follow' ? absent(database) : unanswered(database))
