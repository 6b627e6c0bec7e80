/** What the load generator is asked to do, and what it answers. */

/** What is measured, in the order of the table. `cold`: asked for by more than the service remembers. */
export const operations = [
  'token',
  'token-jwt',
  'code',
  'id-token-rs256',
  'id-token-es256',
  'refresh',
  'introspect',
  'introspect-cold',
  'revoke',
  'read',
  'read-cold',
  'userinfo',
  'journey',
  'login',
] as const

export type Operation = (typeof operations)[number]

/**
 * What clients with keys of their own ask for. Each is measured beside the same with a secret or a Bearer token.
 * `bare`: the proof has no nonce.
 */
export const keyOperations = ['token-assertion', 'read-dpop', 'read-dpop-bare'] as const

export type KeyOperation = (typeof keyOperations)[number]

/** Code exchanges that bring an ID token, by its algorithm. */
export const idTokenOperations = ['id-token-rs256', 'id-token-es256'] as const

export type IdTokenOperation = (typeof idTokenOperations)[number]

export const isIdTokenOperation = (operation: Work): operation is IdTokenOperation =>
  idTokenOperations.some((one) => one === operation)

export interface Credentials {
  readonly id: string
  readonly secret: string
}

/** A client that exchanges codes. */
export interface Application extends Credentials {
  readonly redirectUri: string
}

/** The API whose tokens are JWTs, and their scope. */
export const jwtResource = { uri: 'https://orders.example.com', scope: 'orders:read' } as const

/** Getting codes is not measured by itself, and a mix of everything is what a soak does. */
export type Work = Operation | KeyOperation | 'authorize' | 'mix'

/** Where a server answers what, and how one has to ask it. */
export interface Target {
  readonly port: number
  /** What a bearer token is shown to. */
  readonly readPath: string
  /** What alice is shown there: texts that each answer has to hold. */
  readonly shows: readonly string[]
  /** Who revokes, since the tokens are its own, and what the body of the answer has to be. */
  readonly revoker: typeof service | typeof application
  readonly revoked: string
  /** The client that asks for codes, and their scope. */
  readonly application: Application
  readonly scope: string
  /** The client whose own tokens are JWTs; null where the server issues none. */
  readonly jwtService: Credentials | null
  /** The client that sends assertions; null where the server takes none. */
  readonly keyClient: string | null
  /** The clients of ID tokens; null where the server issues none. */
  readonly idTokens: Readonly<Record<IdTokenOperation, Application>> | null
  /** The cookies of a browser that is logged in and has allowed everything. */
  readonly cookies: string
  /** What a login form has to carry; null where there is none. */
  readonly loginForm: { readonly csrf: string; readonly cookies: string } | null
}

export interface Job {
  readonly work: Work
  readonly target: Target
  readonly seconds: number
  readonly connections: number
  /** So many and no more; null = as many as the time allows. */
  readonly most: number | null
  /** Requests per second altogether; null = as many as go. */
  readonly rate: number | null
  /**
   * Codes, tokens, chains of refresh tokens, or names of people; dealt out to the connections. Work that uses each
   * once ends when none is left. Behind a token to read with may stand what has to be shown to it, where that is
   * not what alice is shown.
   */
  readonly material: readonly string[]
  /**
   * Whether the generator never sleeps. Waking a core that sleeps costs the server that answers tens
   * of microseconds on a virtual machine, the slower the server the more, and would be measured as
   * its own. Not where its core is wanted by others, such as a database.
   */
  readonly awake: boolean
  /** How much of what was earned is given back at most. */
  readonly keep: number
}

export interface Outcome {
  readonly done: number
  readonly wrong: number
  /** What the first wrong answer was. */
  readonly firstWrong: string | null
  readonly seconds: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
  /** The share of the time in which the generator had something to do: near 1 it was the limit. */
  readonly busy: number
  /** Codes, access tokens, or access and refresh token with a space between: what the work earned. */
  readonly kept: readonly string[]
}

export const service = { id: 'nightly-report', secret: 'nightly-report-secret' } as const
export const application: Application = {
  id: 'photo-printer',
  secret: 'photo-printer-secret',
  redirectUri: 'http://127.0.0.1:6750/callback',
}

/** The scope of codes that bring an ID token. */
export const idTokenScope = 'openid photos:read'

/** The target as one operation asks it. */
export const targetOf = (operation: Operation | KeyOperation, target: Target): Target => {
  if (target.idTokens === null) return target
  const asked = operation === 'userinfo' ? 'id-token-rs256' : operation
  if (!isIdTokenOperation(asked)) return target
  const login = { ...target, application: target.idTokens[asked], scope: idTokenScope }
  return operation === 'userinfo' ? { ...login, readPath: '/userinfo', shows: ['"sub":"'] } : login
}

/** All whom the benchmark added have it. */
export const password = 'a-long-walk-along-the-river'

/** That of alice, whom the demo brings along. */
export const alicePassword = 'wonderland'

/** RFC 7636 appendix B. */
export const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
export const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
