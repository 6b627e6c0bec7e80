/**
 * Opens the admin API for a command: on the machine of `--server`, in the service that holds the
 * database, or on the store itself.
 */
import { loadSettings } from '../config/load.ts'
import { findSqlitePath } from '../config/places.ts'
import { findRemote, type Remote, UsageFault } from '../config/remote.ts'
import { makeEntityTag } from '../http/conditions.ts'
import { isObject, parseJson } from '../model/json.ts'
import type { AdminAnswer, AdminRequest } from '../operations/surface/api.ts'
import { type AdminApi, ApiFault, type AskAdmin, getCause, makeAdminApi } from './api.ts'
import { sendRequest } from './beside.ts'
import { cliLimits } from './limits.ts'
import { makeEnded, openLogin, type TokenSource } from './login/kept.ts'
import { checkDatabaseExists, type Flags, forgiveInUse, getSystemUser } from './store.ts'

const parse = (text: string, server: string): unknown => {
  const value = text === '' ? null : parseJson(text)
  if (value !== undefined) return value
  throw new ApiFault(
    `${server} answered something that is not JSON: is it the issuer of a Latchkey?`,
  )
}

/** The given access token, or those of the login there. @throws UsageFault without any */
const openTokens = ({ server, called, token }: Remote): TokenSource => {
  if (token !== null) return { find: async () => token, renew: null }
  const login = openLogin(server)
  if (login !== null) return login
  throw new UsageFault(
    `${called} needs a login (latchkey login) or an access token for its admin API: set LATCHKEY_TOKEN, LATCHKEY_TOKEN_FILE or --token (latchkey perform client-credentials gets one)`,
  )
}

const sendRemote = async (
  server: string,
  token: string,
  { method, path, body, ifMatch }: AdminRequest,
): Promise<AdminAnswer> => {
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    ...(ifMatch === undefined ? {} : { 'If-Match': makeEntityTag(ifMatch) }),
  }
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const signal = AbortSignal.timeout(cliLimits.commandSeconds * 1000)
  // A redirect would take the token to another place.
  const options = { method, headers, ...init, signal, redirect: 'error' } as const
  try {
    const answer = await fetch(`${server}/admin/api/${path}`, options)
    const said = {
      status: answer.status,
      body: parse(await answer.text(), server),
      etag: answer.headers.get('etag'),
    }
    const isProblem = answer.headers.get('content-type')?.startsWith('application/problem+json')
    // The admin API tells of every refusal in this form (RFC 9457).
    if (said.status !== 404 || isProblem === true) return said
    throw new ApiFault(`${server} has no admin API: --server has to be the issuer of a service`)
  } catch (fault) {
    if (fault instanceof ApiFault) throw fault
    throw new ApiFault(`${server} does not answer: ${getCause(fault)}`)
  }
}

/** A request with such a token did nothing. */
const isDeadToken = ({ status, body }: AdminAnswer): boolean =>
  status === 401 && isObject(body) && body.title === 'invalid_token'

/** The admin API of a service on another machine. */
export const askRemote = (remote: Remote): AskAdmin => {
  const { server } = remote
  const { find, renew } = openTokens(remote)
  return async (request) => {
    const token = await find()
    const answer = await sendRemote(server, token, request)
    if (renew === null || !isDeadToken(answer)) return answer
    // The clock of this machine may be wrong, or the service was restored.
    const again = await sendRemote(server, await renew(token), request)
    if (isDeadToken(again)) throw makeEnded(server)
    return again
  }
}

interface OpenedApi {
  readonly ask: AskAdmin
  readonly close: () => Promise<void>
}

interface ApiOptions {
  /** The command, as the log of the service names it. */
  readonly command: string
  /** May come before the first start; other commands have no use for an empty database. */
  readonly first?: boolean
  /** Asks a service that runs, and never opens an embedded store itself: it goes on for long. */
  readonly live?: boolean
}

/** The service of this machine, assembled without a listener. Null where another process holds the store. */
const openAlone = async (settings: ReturnType<typeof loadSettings>): Promise<OpenedApi | null> => {
  // A command beside a service needs no service of its own.
  const { createServer } = await import('../server.ts')
  const server = await forgiveInUse(createServer({ settings, tell: () => {} }))
  if (server === null) return null
  return {
    ask: (request) => server.operated.operate(request, getSystemUser()),
    close: () => server.close(),
  }
}

const openBeside = (database: string, command: string): OpenedApi => ({
  async ask(request) {
    const answer = await sendRequest(database, { request, command, user: getSystemUser() })
    if ('body' in answer) return answer
    throw new ApiFault(answer.message.replace(/^latchkey: /, ''))
  },
  close: async () => {},
})

const openApi = async (
  flags: Flags,
  { command, first = false, live = false }: ApiOptions,
): Promise<OpenedApi> => {
  const remote = findRemote(flags)
  if (remote !== null) return { ask: askRemote(remote), close: async () => {} }
  const settings = loadSettings({ flags })
  if (!first) checkDatabaseExists(settings)
  const database = findSqlitePath(settings)
  if (live && database !== null) return openBeside(database, command)
  return (await openAlone(settings)) ?? openBeside(database ?? '', command)
}

export const useApi = async <Result>(
  flags: Flags,
  options: ApiOptions,
  work: (api: AdminApi) => Promise<Result>,
): Promise<Result> => {
  const opened = await openApi(flags, options)
  try {
    return await work(makeAdminApi(opened.ask))
  } finally {
    await opened.close()
  }
}
