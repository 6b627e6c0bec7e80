/** What a program gives the guard: its options, the needs of a route, and a log. */
import { parseIssuer } from '../config/issuer.ts'
import { guardLimits } from './guard-limits.ts'

/**
 * One permission, a list of permissions that are all needed, or an object with one of them as
 * `scope`. An empty list takes any token for this resource.
 */
export type Needs =
  | string
  | readonly string[]
  | {
      readonly scope: string | readonly string[]
      /** The owner logged in at most so many seconds ago (RFC 9470). */
      readonly maxAge?: number
      /** The login of the owner reaches this `acr`, or one of several, the preferred first (RFC 9470). */
      readonly acr?: string | readonly string[]
    }

/** Needs that were checked. */
export interface Needed {
  readonly permissions: readonly string[]
  /** Seconds; null = whenever the owner logged in. */
  readonly maxAge: number | null
  /** Empty = however the owner logged in. */
  readonly contexts: readonly string[]
}

/** RFC 6749 section 3.3. */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/

const isScopeToken = (name: unknown): boolean => typeof name === 'string' && scopeToken.test(name)

/** Values of `acr`, written as a challenge lists them. */
const parseContexts = (acr: string | readonly string[]): readonly string[] => {
  const contexts = typeof acr === 'string' ? [acr] : acr
  if (Array.isArray(contexts) && contexts.length > 0 && contexts.every(isScopeToken)) {
    return contexts
  }
  throw new TypeError('latchkey/resource: acr has to be a value such as phr, or a list of them')
}

/** @throws TypeError for what no token could have: a mistake of the program */
export const parseNeeds = (needs: Needs): Needed => {
  const asked: Extract<Needs, { readonly scope: unknown }> =
    typeof needs === 'object' && 'scope' in needs ? needs : { scope: needs }
  const { scope, maxAge = null, acr } = asked
  const permissions = typeof scope === 'string' ? [scope] : scope
  for (const permission of permissions) {
    if (isScopeToken(permission)) continue
    throw new TypeError(`latchkey/resource: "${permission}" is no permission such as photos:read`)
  }
  if (maxAge !== null && !(Number.isSafeInteger(maxAge) && maxAge > 0)) {
    throw new TypeError('latchkey/resource: maxAge has to be a whole number of seconds, at least 1')
  }
  return { permissions, maxAge, contexts: acr === undefined ? [] : parseContexts(acr) }
}

/** Takes one line without a secret in it. */
export type TakeLine = (line: string) => void

// biome-ignore lint/suspicious/noConsole: a program that passes no log must still show the problem.
const logToConsole: TakeLine = (line) => console.error(line)

export const createProblemLog = (log: TakeLine) => {
  let last: string | null = null
  return {
    /** Logs the problem unless it was the last one logged. */
    report(problem: string): void {
      if (problem === last) return
      last = problem
      log(`latchkey/resource: ${problem}`)
    },
    /** A check succeeded: the next problem is logged again. */
    clear(): void {
      last = null
    },
  }
}

/** The API to protect, the service that issues its tokens, and the client to ask as. */
export interface ProtectOptions {
  /** The `issuer` of the service's metadata, character by character. */
  readonly issuer: string
  /** The URL of this API, as the service knows it: the audience of its tokens (RFC 8707). */
  readonly resource: string
  /** The client of this API, one of the `introspection_clients` of its resource. */
  readonly clientId: string
  readonly clientSecret: string
  /**
   * How long an answer about a token counts. Default 0: the service is asked for each request, so
   * that a revoked token is refused on the next one.
   */
  readonly cacheSeconds?: number
  /**
   * The permissions for basic use: `scopes_supported` of the metadata. Clients ask for more when a
   * route needs it. Default: the permissions of all guarded routes.
   */
  readonly scopesSupported?: readonly string[]
  /**
   * Verifies JWT access tokens without a question for each request. The guard follows the service's feed
   * of revocations. Opaque tokens are introspected as before.
   */
  readonly offline?: boolean
  /**
   * An offline guard refuses all JWTs once it has known nothing of revocations for so long. Default 60,
   * at least 3.
   */
  readonly staleSeconds?: number
  /** Takes a line for each problem with the service or with these options. Default: standard error. */
  readonly log?: TakeLine
  /** Sends the requests to the service. Default: the global `fetch`. */
  readonly fetch?: typeof fetch
  /** Unix milliseconds. Default: the clock of the machine. */
  readonly clock?: () => number
}

const isAudience = (resource: unknown): boolean =>
  typeof resource === 'string' &&
  URL.canParse(resource) &&
  /^https?:$/.test(new URL(resource).protocol) &&
  !resource.includes('#')

const isWithin = (seconds: number, least: number, most: number): boolean =>
  Number.isFinite(seconds) && seconds >= least && seconds <= most

const isGiven = (text: unknown): boolean => typeof text === 'string' && text !== ''

const listFaults = (options: ProtectOptions): readonly string[] => {
  const issuer = parseIssuer(options.issuer)
  const { least, most, usual } = guardLimits.staleSeconds
  const { cacheSeconds = 0, staleSeconds = usual, scopesSupported = [] } = options
  return [
    'expected' in issuer && `issuer has to be ${issuer.expected}`,
    !isAudience(options.resource) && 'resource has to be the URL of this API, without a fragment',
    !isGiven(options.clientId) && 'clientId is missing',
    !isGiven(options.clientSecret) && 'clientSecret is missing',
    !(Array.isArray(scopesSupported) && scopesSupported.every(isScopeToken)) &&
      'scopesSupported has to be a list of permissions such as photos:read',
    !isWithin(cacheSeconds, 0, guardLimits.cacheSeconds) &&
      `cacheSeconds has to be a number from 0 to ${guardLimits.cacheSeconds}`,
    !isWithin(staleSeconds, least, most) &&
      `staleSeconds has to be a number from ${least} to ${most}`,
  ].filter((fault) => fault !== false)
}

/** Options without a default stay as they were given. */
export type CompleteOptions = Required<Omit<ProtectOptions, 'scopesSupported'>> &
  Pick<ProtectOptions, 'scopesSupported'>

/** @throws TypeError that names each fault */
export const fillOptions = (options: ProtectOptions): CompleteOptions => {
  const faults = listFaults(options)
  if (faults.length > 0) throw new TypeError(`latchkey/resource: ${faults.join('; ')}`)
  return {
    ...options,
    cacheSeconds: options.cacheSeconds ?? 0,
    offline: options.offline ?? false,
    staleSeconds: options.staleSeconds ?? guardLimits.staleSeconds.usual,
    log: options.log ?? logToConsole,
    fetch: options.fetch ?? fetch,
    clock: options.clock ?? Date.now,
  }
}
