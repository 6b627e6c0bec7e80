/** Verifies tokens by asking their issuer (RFC 7662), for an API that runs apart from it. */
import { limits } from '../config/limits.ts'
import { formType } from '../http/body.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Allowed, Verify } from './guard.ts'
import { consoleLog, createProblemLog, type TakeLine } from './problem-log.ts'

/** An introspection answer about an access token (RFC 7662 section 2.2). */
export interface RemoteAccess extends Allowed {
  readonly clientId: string
  /** Stable and opaque: the owner's id, or the client's own where no owner stands behind the token. */
  readonly subject: string
  /** The owner's name; null for a token of the client itself. */
  readonly username: string | null
  /** Unix seconds; null = unlimited. */
  readonly expiresAt: number | null
}

/** The service to ask, and the client to ask as. */
export interface IntrospectionOptions {
  /** `{base_url}` of the service. */
  readonly issuer: string
  /** The client of this API. The operator has set `may_introspect` for it. */
  readonly clientId: string
  readonly clientSecret: string
  readonly fetch?: typeof fetch
  /** Takes a line for each problem with the issuer or with these options. Default: standard error. */
  readonly log?: TakeLine
}

/** Why no token can be checked: `reason` is for the caller's counters, `text` for the log. */
interface CheckProblem {
  readonly reason: string
  readonly text: string
}

type Checked = { readonly access: RemoteAccess | null } | { readonly problem: CheckProblem }

const problem = (reason: string, text: string): Checked => ({ problem: { reason, text } })

/** No token is accepted without an answer from the issuer (RFC 7662 section 2.3). */
const unavailable = (reason: string): Refusal =>
  new Refusal('temporarily_unavailable', reason, 'access tokens cannot be checked at the moment', {
    headers: { 'Retry-After': '1' },
  })

const textOf = (said: object, name: string): string | null => {
  const value: unknown = Reflect.get(said, name)
  return typeof value === 'string' ? value : null
}

/** Refresh tokens are introspected as well, and are no key to any resource. */
const isAccessToken = (said: object): boolean =>
  textOf(said, 'token_type')?.toLowerCase() === 'bearer'

const read = (said: unknown, issuer: string): Checked => {
  const place = `${issuer}/introspect`
  if (typeof said !== 'object' || said === null) {
    return problem('introspection_not_an_object', `${place} answers no JSON object`)
  }
  if (Reflect.get(said, 'active') !== true || !isAccessToken(said)) return { access: null }
  const found = textOf(said, 'iss')
  if (found !== issuer) {
    return problem(
      'introspection_of_other_issuer',
      `the service at ${issuer} calls itself ${found ?? 'by no name'}: set the option issuer to exactly that`,
    )
  }
  const clientId = textOf(said, 'client_id')
  const subject = textOf(said, 'sub')
  if (clientId === null || subject === null) {
    return problem(
      'introspection_incomplete',
      `${place} names no client_id or no sub for an active token`,
    )
  }
  const expiresAt: unknown = Reflect.get(said, 'exp')
  const access = {
    permissions: (textOf(said, 'scope') ?? '').split(' ').filter((name) => name !== ''),
    clientId,
    subject,
    username: textOf(said, 'username'),
    expiresAt: typeof expiresAt === 'number' ? expiresAt : null,
  }
  return { access }
}

/** HTTP Basic, each half form-encoded first (RFC 6749 section 2.3.1). */
const basic = (clientId: string, clientSecret: string): string => {
  const encoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)
  const pair = `${encoded(clientId)}:${encoded(clientSecret)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

const refused = ({ status }: Response, { issuer, clientId }: IntrospectionOptions): Checked =>
  status === 401
    ? problem(
        'introspection_client_refused',
        `${issuer} refuses the client ${clientId}: check the options clientId and clientSecret`,
      )
    : problem('introspection_refused', `${issuer}/introspect answers ${status}`)

/** The cause of a failed fetch, such as ECONNREFUSED. */
const causeOf = (fault: unknown): string => {
  const cause = fault instanceof Error ? (fault.cause ?? fault) : fault
  const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : null
  if (typeof code === 'string') return code
  return cause instanceof Error ? cause.name : 'unknown'
}

/**
 * A `verify` that asks the issuer at each use, so that a revoked token is refused at the next
 * request. It throws a Refusal (503) where the issuer cannot answer or refuses this API, and logs
 * why.
 */
export const verifyByIntrospection = (options: IntrospectionOptions): Verify<RemoteAccess> => {
  const { issuer, clientId, clientSecret } = options
  const send = options.fetch ?? fetch
  const authorization = basic(clientId, clientSecret)
  const problems = createProblemLog(options.log ?? consoleLog)

  const ask = async (token: string): Promise<Checked> => {
    try {
      const answer = await send(`${issuer}/introspect`, {
        method: 'POST',
        headers: { Authorization: authorization, 'Content-Type': formType },
        body: new URLSearchParams({ token, token_type_hint: 'access_token' }).toString(),
        // The token and the secret go nowhere but to the issuer.
        redirect: 'error',
        signal: AbortSignal.timeout(limits.introspectionSeconds * 1000),
      })
      return answer.status === 200 ? read(await answer.json(), issuer) : refused(answer, options)
    } catch (fault) {
      const cause = causeOf(fault)
      return problem('introspection_failed', `${issuer}/introspect cannot be used: ${cause}`)
    }
  }

  return async (token) => {
    const checked = await ask(token)
    if ('problem' in checked) {
      problems.report(checked.problem.text)
      throw unavailable(checked.problem.reason)
    }
    problems.clear()
    return checked.access
  }
}
