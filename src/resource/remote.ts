/** Verifies tokens by asking their issuer (RFC 7662), for an API that runs apart from it. */
import { limits } from '../config/limits.ts'
import { formType } from '../http/body.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Allowed, Verify } from './guard.ts'

/** What the issuer says of a token. */
export interface RemoteAccess extends Allowed {
  readonly clientId: string
  /** Stable and opaque: the owner's id, or the client's own where no owner stands behind the token. */
  readonly subject: string
  /** The owner's name; null for a token of the client itself. */
  readonly username: string | null
  /** Unix seconds; null = unlimited. */
  readonly expiresAt: number | null
}

export interface IntrospectionOptions {
  /** `{base_url}` of the service. */
  readonly issuer: string
  /** A client of the API's own that the operator has set `may_introspect` for. */
  readonly clientId: string
  readonly clientSecret: string
  readonly fetch?: typeof fetch
}

/** Whoever cannot ask must not guess: no token is let through on a fault (RFC 7662 section 2.3). */
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

const accessOf = (said: unknown, issuer: string): RemoteAccess | null => {
  if (typeof said !== 'object' || said === null) throw unavailable('introspection_not_an_object')
  if (Reflect.get(said, 'active') !== true || !isAccessToken(said)) return null
  if (textOf(said, 'iss') !== issuer) return null
  const clientId = textOf(said, 'client_id')
  const subject = textOf(said, 'sub')
  if (clientId === null || subject === null) throw unavailable('introspection_incomplete')
  const expiresAt: unknown = Reflect.get(said, 'exp')
  return {
    permissions: (textOf(said, 'scope') ?? '').split(' ').filter((name) => name !== ''),
    clientId,
    subject,
    username: textOf(said, 'username'),
    expiresAt: typeof expiresAt === 'number' ? expiresAt : null,
  }
}

/** HTTP Basic, each half form-encoded first (RFC 6749 section 2.3.1). */
const basic = (clientId: string, clientSecret: string): string => {
  const encoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)
  const pair = `${encoded(clientId)}:${encoded(clientSecret)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

/**
 * A `verify` that asks the issuer at each use, so that a revoked token is refused at the next
 * request. It throws a Refusal (503) where the issuer cannot be asked or does not know this API.
 */
export const verifyByIntrospection = (options: IntrospectionOptions): Verify<RemoteAccess> => {
  const { issuer, clientId, clientSecret } = options
  const send = options.fetch ?? fetch
  const authorization = basic(clientId, clientSecret)
  return async (token) => {
    let said: unknown
    try {
      const answer = await send(`${issuer}/introspect`, {
        method: 'POST',
        headers: { Authorization: authorization, 'Content-Type': formType },
        body: new URLSearchParams({ token, token_type_hint: 'access_token' }).toString(),
        // The token and the secret go nowhere but to the issuer.
        redirect: 'error',
        signal: AbortSignal.timeout(limits.introspectionSeconds * 1000),
      })
      if (answer.status !== 200) throw unavailable('introspection_refused')
      said = await answer.json()
    } catch (fault) {
      throw fault instanceof Refusal ? fault : unavailable('introspection_failed')
    }
    return accessOf(said, issuer)
  }
}
