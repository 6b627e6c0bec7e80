/**
 * Opens the admin API for a command: on the machine of `--server`, in the service that holds the
 * database, or on the store itself.
 */
import { loadSettings } from '../config/load.ts'
import { sqlitePath } from '../config/places.ts'
import { remoteOf } from '../config/remote.ts'
import { createServer } from '../server.ts'
import { StoreRefusal } from '../store/fault.ts'
import { type AdminApi, ApiFault, type AskAdmin, adminApi } from './api.ts'
import { sendRequest } from './beside.ts'
import { askRemote } from './remote.ts'
import { checkDatabaseExists, type Flags, systemUser } from './store.ts'

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
  const server = await createServer({ settings, tell: () => {} }).catch((fault: unknown) => {
    if (fault instanceof StoreRefusal && fault.inUse) return null
    throw fault
  })
  if (server === null) return null
  return {
    ask: (request) => server.operated.operate(request, systemUser()),
    close: () => server.close(),
  }
}

const openBeside = (database: string, command: string): OpenedApi => ({
  async ask(request) {
    const answer = await sendRequest(database, { request, command, user: systemUser() })
    if ('body' in answer) return answer
    throw new ApiFault(answer.message.replace(/^latchkey: /, ''))
  },
  close: async () => {},
})

const openApi = async (
  flags: Flags,
  { command, first = false, live = false }: ApiOptions,
): Promise<OpenedApi> => {
  const remote = remoteOf(flags)
  if (remote !== null) return { ask: askRemote(remote), close: async () => {} }
  const settings = loadSettings({ flags })
  if (!first) checkDatabaseExists(settings)
  const database = sqlitePath(settings)
  if (live && database !== null) return openBeside(database, command)
  return (await openAlone(settings)) ?? openBeside(database ?? '', command)
}

/** Opens the admin API for some work, and closes it after that. */
export const withApi = async <Result>(
  flags: Flags,
  options: ApiOptions,
  work: (api: AdminApi) => Promise<Result>,
): Promise<Result> => {
  const opened = await openApi(flags, options)
  try {
    return await work(adminApi(opened.ask))
  } finally {
    await opened.close()
  }
}
