/** Introspection of a token (RFC 7662) by an API that runs apart from the issuer. */
import { formType } from '../http/body.ts'
import { isObject, type JsonObject } from '../model/json.ts'
import type { Confirmation } from '../model/terms.ts'
import { askIssuer, type Discovery, differentIssuer, IssuerFault } from './issuer.ts'
import type { CompleteOptions } from './options.ts'
import { readConfirmation } from './proof.ts'

/** The rights of a request, and its owner. */
export interface RemoteAccess {
  /** Stable and opaque: the owner's id, or the client's own where no owner stands behind the token. */
  readonly subject: string
  /**
   * The owner's name. Null for a token of the client itself, and for a JWT that was verified without a
   * question to the issuer.
   */
  readonly username: string | null
  /** The application. */
  readonly clientId: string
  /** Such as `photos:read`, each one of them in force at this moment. */
  readonly permissions: readonly string[]
  /** Unix seconds; null = unlimited. */
  readonly expiresAt: number | null
  /** Absent for a token without any (RFC 9396). */
  readonly authorizationDetails?: readonly JsonObject[]
}

/** An introspection answer about an access token (RFC 7662 section 2.2). */
export interface Introspected {
  readonly access: RemoteAccess
  readonly audience: readonly string[]
  /** When the owner logged in, in unix seconds; null if the issuer does not say (RFC 9470 section 6.2). */
  readonly authenticatedAt: number | null
  /** The key that the token is bound to. */
  readonly confirmation: Confirmation | null
  /** Its `acr`; null if the issuer does not say. */
  readonly context: string | null
}

/**
 * What the issuer says of a token; null if it is no active access token. The target, if not '', is for the
 * access log of the owner.
 */
export type Introspect = (token: string, target: string) => Promise<Introspected | null>

type SaidMembers = Readonly<Record<string, unknown>>

const getText = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** One audience or several (RFC 7519 section 4.1.3). */
export const readAudience = ({ aud }: SaidMembers): readonly string[] =>
  [aud].flat().filter((one) => typeof one === 'string')

/** The names in `scope`. */
export const readPermissions = ({ scope }: SaidMembers): readonly string[] =>
  (getText(scope) ?? '').split(' ').filter((name) => name !== '')

/** The details of a token, as a member of its access. */
export const readDetails = ({
  authorization_details: details,
}: SaidMembers): Pick<RemoteAccess, 'authorizationDetails'> =>
  Array.isArray(details) && details.length > 0 && details.every(isObject)
    ? { authorizationDetails: details as readonly JsonObject[] }
    : {}

/** Refresh tokens are introspected as well, and are no key to any resource. */
const isAccessToken = (said: SaidMembers): boolean =>
  ['bearer', 'dpop'].includes(getText(said.token_type)?.toLowerCase() ?? '')

const read = (said: SaidMembers, place: string, issuer: string): Introspected | null => {
  if (said.active !== true || !isAccessToken(said)) return null
  const found = getText(said.iss)
  if (found !== issuer) throw differentIssuer(issuer, found)
  const clientId = getText(said.client_id)
  const subject = getText(said.sub)
  if (clientId === null || subject === null) {
    throw new IssuerFault(
      'introspection_incomplete',
      `${place} names no client_id or no sub for an active token`,
    )
  }
  const permissions = readPermissions(said)
  const expiresAt = numberOf(said.exp)
  return {
    access: {
      subject,
      username: getText(said.username),
      clientId,
      permissions,
      expiresAt,
      ...readDetails(said),
    },
    audience: readAudience(said),
    authenticatedAt: numberOf(said.auth_time),
    confirmation: readConfirmation(said),
    context: getText(said.acr),
  }
}

/** HTTP Basic, each half form-encoded first (RFC 6749 section 2.3.1). */
export const formatBasic = (clientId: string, clientSecret: string): string => {
  const encoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)
  const pair = `${encoded(clientId)}:${encoded(clientSecret)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

/** An `Introspect` throws an IssuerFault if the issuer cannot answer, or refuses this API. */
export const createIntrospect = (
  options: Pick<CompleteOptions, 'issuer' | 'clientId' | 'clientSecret' | 'fetch'>,
  discovery: Discovery,
): Introspect => {
  const { issuer, clientId, clientSecret, fetch: send } = options
  const headers = {
    Authorization: formatBasic(clientId, clientSecret),
    'Content-Type': formType,
    Accept: 'application/json',
  }

  const ask = async (
    place: string,
    token: string,
    target: string,
  ): Promise<Introspected | null> => {
    const form = new URLSearchParams({ token, token_type_hint: 'access_token' })
    if (target !== '') form.set('target', target)
    const init = { method: 'POST', headers, body: form.toString() }
    const { status, said } = await askIssuer(place, init, send)
    if (status === 200) return read(said, place, issuer)
    if (status === 401 || getText(said.error) === 'invalid_client') {
      throw new IssuerFault(
        'introspection_client_refused',
        `${issuer} refuses the client ${clientId}: check the options clientId and clientSecret`,
      )
    }
    throw new IssuerFault('introspection_refused', `${place} answers ${status}`)
  }

  return async (token, target) => {
    const { introspection: place } = await discovery.find()
    try {
      return await ask(place, token, target)
    } catch (fault) {
      // The endpoint may have moved.
      discovery.forget()
      throw fault
    }
  }
}
