/** The service on another machine that commands work on: `--server` and `--token`, or the environment. */
import { isLoopbackHttp } from './issuer.ts'
import { readContent } from './values.ts'

/** Variables of the command line. The service itself ignores them. */
export const commandVariables: readonly string[] = [
  'LATCHKEY_SERVER',
  'LATCHKEY_TOKEN',
  'LATCHKEY_TOKEN_FILE',
  'LATCHKEY_CLIENT_SECRET',
]

export type Environment = Readonly<Record<string, string | undefined>>

export interface Remote {
  /** The issuer of that service, without a slash at the end. */
  readonly server: string
  /** How it was named: by the flag or the environment. */
  readonly called: string
  /** An access token for its admin API; null where none is given. */
  readonly token: string | null
}

/** The command cannot work as it was called. */
export class UsageFault extends Error {}

const readSecret = (path: string, called: string): string => {
  const content = readContent(path)
  if (content !== null) return content.trim()
  throw new UsageFault(`${called} has to be the path of a file that can be read`)
}

const readToken = (flag: unknown, env: Environment): string => {
  if (typeof flag === 'string') return flag
  if (env.LATCHKEY_TOKEN) return env.LATCHKEY_TOKEN
  return env.LATCHKEY_TOKEN_FILE ? readSecret(env.LATCHKEY_TOKEN_FILE, 'LATCHKEY_TOKEN_FILE') : ''
}

/** @throws UsageFault */
export const parseServer = (given: string): string => {
  const server = given.replace(/\/+$/, '')
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol)) {
    throw new UsageFault(
      '--server has to be the issuer of a service, such as https://auth.example.com',
    )
  }
  // A token in clear would be anybody's on the way.
  if (new URL(server).protocol === 'http:' && !isLoopbackHttp(server)) {
    throw new UsageFault(
      '--server has to be an https URL, since its host is not a loopback address',
    )
  }
  return server
}

/** How the server was named: by the flag or the environment; null if it was not. */
export const findServer = (
  flags: Readonly<Record<string, unknown>>,
  env: Environment = process.env,
): { readonly called: string; readonly value: string } | null => {
  if (typeof flags.server === 'string') return { called: '--server', value: flags.server }
  const value = env.LATCHKEY_SERVER
  return value ? { called: 'LATCHKEY_SERVER', value } : null
}

/**
 * The service that flags and environment name; null for the one of this machine.
 *
 * @throws UsageFault
 */
export const findRemote = (
  flags: Readonly<Record<string, unknown>>,
  env: Environment = process.env,
): Remote | null => {
  const given = findServer(flags, env)
  if (given === null) {
    if (flags.token === undefined) return null
    throw new UsageFault('--token is for the service that --server names: name it')
  }
  if (given.called === '--server' && (flags.store !== undefined || flags.config !== undefined)) {
    throw new UsageFault('--server excludes --store and --config: those are of this machine')
  }
  // A flag of this machine is nearer than a variable.
  if (flags.store !== undefined || flags.config !== undefined) return null
  const token = readToken(flags.token, env)
  return {
    server: parseServer(given.value),
    called: given.called,
    token: token === '' ? null : token,
  }
}

/** The secret of the client of `latchkey perform`; '' without one. */
export const readClientSecret = (path: unknown, env: Environment = process.env): string =>
  typeof path === 'string' ? readSecret(path, '--secret-file') : (env.LATCHKEY_CLIENT_SECRET ?? '')
