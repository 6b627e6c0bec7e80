/** The login that `latchkey login` keeps for a service, and the access token of a command. */
import { join } from 'node:path'
import { UsageFault } from '../../config/remote.ts'
import { hashText } from '../../crypto/digest.ts'
import { commandLineId } from '../../model/client.ts'
import { isObject, parseJson } from '../../model/json.ts'
import type { JsonRow } from '../../operations/surface/said.ts'
import { ApiFault } from '../api.ts'
import { askToken, findOwnMetadata } from '../perform/requests.ts'
import {
  findFolder,
  lockFile,
  makeFolder,
  readOwnFile,
  removeFile,
  writeOwnFile,
} from './folder.ts'

/** The client of `latchkey login`: whoever has no secret sends none. */
export const commandLine = { id: commandLineId, secret: '' }

interface KeptLogin {
  readonly server: string
  readonly accessToken: string
  readonly refreshToken: string
  /** Unix seconds, by the clock of this machine. */
  readonly expiresAt: number
}

/** A token is renewed so long before its end: the request takes its time. */
const spareSeconds = 30

const getNow = (): number => Math.floor(Date.now() / 1000)

/** The name is a digest, since a URL is no file name. */
const getPlace = (folder: string, server: string): string =>
  join(folder, `login-${hashText(server)}.json`)

/** Null where nobody has logged in anywhere. */
const findPlace = (server: string): string | null => {
  const folder = findFolder()
  return folder && getPlace(folder, server)
}

const readKept = (path: string | null, server: string): KeptLogin | null => {
  const text = path && readOwnFile(path)
  if (text === null) return null
  const kept = parseJson(text)
  if (isObject(kept)) {
    const { accessToken, refreshToken, expiresAt } = kept
    const isWhole = typeof accessToken === 'string' && typeof refreshToken === 'string'
    // The file of another service would send its token here.
    if (isWhole && typeof expiresAt === 'number' && kept.server === server) {
      return { server, accessToken, refreshToken, expiresAt }
    }
  }
  throw new UsageFault(`${path} is damaged: delete it and log in again`)
}

const keep = (path: string, server: string, said: JsonRow): KeptLogin => {
  const { access_token, refresh_token, expires_in } = said
  if (typeof access_token !== 'string' || typeof refresh_token !== 'string') {
    throw new ApiFault(`${server} answered no access token with a refresh token`)
  }
  const login = {
    server,
    accessToken: access_token,
    refreshToken: refresh_token,
    expiresAt: getNow() + (Number(expires_in) || 0),
  }
  writeOwnFile(path, `${JSON.stringify(login)}\n`)
  return login
}

/** What would refuse to keep a login says so before anybody logs in. @throws UsageFault */
export const checkPlace = (server: string): void => {
  readKept(getPlace(makeFolder(), server), server)
}

/** Keeps a new login in place of an earlier one. @returns the refresh token of the earlier one */
export const keepLogin = async (server: string, said: JsonRow): Promise<string | null> => {
  const path = getPlace(makeFolder(), server)
  return lockFile(path, async () => {
    const before = readKept(path, server)
    keep(path, server, said)
    return before?.refreshToken ?? null
  })
}

/**
 * Forgets a login, also where the service does not take it back.
 *
 * @returns why the tokens may live on, null where they have ended; undefined without a login
 */
export const forgetLogin = async (
  server: string,
  revoke: (refreshToken: string) => Promise<void>,
): Promise<string | null | undefined> => {
  const path = findPlace(server)
  if (path === null || readKept(path, server) === null) return undefined
  return lockFile(path, async () => {
    const kept = readKept(path, server)
    if (kept === null) return undefined
    const fault = await revoke(kept.refreshToken).then(
      () => null,
      (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)),
    )
    removeFile(path)
    return fault
  })
}

const isFresh = ({ expiresAt }: KeptLogin): boolean => expiresAt - spareSeconds > getNow()

export const makeEnded = (server: string): UsageFault =>
  new UsageFault(
    `the login at ${server} has ended: latchkey login --server ${server} begins another one`,
  )

/**
 * One command at a time renews, and the others take what it got. A refresh token is used once.
 *
 * @param dead an access token that the service does not take
 */
const refreshLogin = (path: string, server: string, dead?: string): Promise<string> =>
  lockFile(path, async () => {
    const kept = readKept(path, server)
    if (kept === null) throw new UsageFault(`nobody is logged in at ${server} any more`)
    if (isFresh(kept) && kept.accessToken !== dead) return kept.accessToken
    const asked = { grant_type: 'refresh_token', refresh_token: kept.refreshToken }
    const said = await askToken(await findOwnMetadata(server), commandLine, asked).catch(
      (fault: unknown) => {
        if (!(fault instanceof ApiFault) || fault.title !== 'invalid_grant') throw fault
        removeFile(path)
        throw makeEnded(server)
      },
    )
    return keep(path, server, said).accessToken
  })

/** The access tokens of a command. */
export interface TokenSource {
  readonly find: () => Promise<string>
  /** In place of a refused one; null without a login. */
  readonly renew: ((dead: string) => Promise<string>) | null
}

/** Null where nobody is logged in there. */
export const openLogin = (server: string): TokenSource | null => {
  const path = findPlace(server)
  if (path === null || readKept(path, server) === null) return null
  return {
    async find() {
      const kept = readKept(path, server)
      return kept !== null && isFresh(kept) ? kept.accessToken : refreshLogin(path, server)
    },
    renew: (dead) => refreshLogin(path, server, dead),
  }
}
