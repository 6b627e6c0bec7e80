/**
 * Commands beside a running service. That process holds the database file, so the command goes to
 * it over the control socket and runs there.
 */
import { findSqlitePath } from '../config/places.ts'
import { isObject, parseJson } from '../model/json.ts'
import type { Tell } from '../model/notice.ts'
import type { AdminAnswer, AdminRequest } from '../operations/surface/api.ts'
import type { Server, Service } from '../server.ts'
import { isStoreCommand, type StoreCommandName, storeCommands } from './commands.ts'
import { askBeside, listenBeside } from './control-socket.ts'
import { type ExitMessage, explain } from './explain.ts'
import { cliLimits } from './limits.ts'
import { addTraces, type Flags } from './store.ts'

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

export type CommandOutcome = { readonly said: string } | ExitMessage

const makeFailure = (message: string): ExitMessage => ({
  message: `latchkey: ${message}`,
  exitCode: 1,
})

const isAdminRequest = (given: unknown): given is AdminRequest => {
  if (!isObject(given) || typeof given.path !== 'string') return false
  const { method, body, ifMatch } = given
  const isMethod = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(String(method))
  const isCondition = ifMatch === undefined || /^[\w-]{1,100}$/.test(String(ifMatch))
  return isMethod && isCondition && (body === undefined || isObject(body))
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

const perform = async (
  question: string,
  parts: Server['operated'],
  tell: Tell,
): Promise<CommandOutcome | AdminAnswer> => {
  try {
    const asked = parseQuestion(question)
    if (asked === null) {
      return makeFailure('the running service is of another version and does not know this command')
    }
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
    return { said: await storeCommands[asked.command](asked.flags, addTraces(parts, user)) }
  } catch (fault) {
    return explain(fault)
  }
}

/**
 * Takes commands for a service. Only an embedded store has one process, which others have to ask.
 * Where there can be no socket, the service runs without.
 *
 * @returns what ends it
 */
export const takeCommandsOf = async ({
  settings,
  operated,
  tell,
}: Pick<Service, 'settings' | 'operated' | 'tell'>): Promise<() => void> => {
  const database = findSqlitePath(settings)
  if (database === null) return () => {}
  try {
    return await listenBeside(database, async (question) =>
      JSON.stringify(await perform(question, operated, tell)),
    )
  } catch (fault) {
    const message =
      'there is no control socket beside the database: commands have to wait for the end'
    tell({ level: 'warn', message, fault: String(fault) })
    return () => {}
  }
}

/** @param otherwise where the process with the database takes no commands */
const send = async <Answer>(
  database: string,
  question: StoreQuestion | AdminQuestion,
  otherwise: string,
): Promise<Answer | ExitMessage> => {
  const answer = await askBeside(database, JSON.stringify(question))
  if (answer === null) return makeFailure(otherwise)
  // Half an answer is none: the service ended while it wrote.
  const parsed = parseJson(answer) as Answer | undefined
  return parsed ?? makeFailure('the service ended before it answered')
}

const tellInUse = (database: string): string =>
  `the database ${database} is in use by another process that takes no commands. If a service starts or another command runs, try again in a moment. A program may also embed the service without its control socket`

export const sendCommand = (database: string, question: StoreQuestion): Promise<CommandOutcome> =>
  send<CommandOutcome>(database, question, tellInUse(database))

export const sendRequest = (
  database: string,
  question: AdminQuestion,
): Promise<AdminAnswer | ExitMessage> => {
  const isLive = question.command === 'event follow'
  const absent = `no service answers at ${database}.sock`
  return send<AdminAnswer>(database, question, isLive ? absent : tellInUse(database))
}
