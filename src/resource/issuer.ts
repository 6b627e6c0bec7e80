/** Requests to the issuer. Its metadata (RFC 8414) name the introspection endpoint. */
import { isObject, parseJson } from '../model/json.ts'
import { guardLimits } from './guard-limits.ts'
import type { CompleteOptions } from './options.ts'

/** Why no token can be checked. The message is for the log of the API. */
export class IssuerFault extends Error {
  readonly reason: string

  constructor(reason: string, message: string) {
    super(message)
    this.reason = reason
  }
}

interface IssuerAnswer {
  readonly status: number
  /** A JSON object; empty if the body is something else. */
  readonly said: Readonly<Record<string, unknown>>
}

/** The cause of a failed fetch, such as ECONNREFUSED. */
const getCause = (fault: unknown): string => {
  const cause = fault instanceof Error ? (fault.cause ?? fault) : fault
  const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : null
  if (typeof code === 'string') return code
  return cause instanceof Error ? cause.name : 'unknown'
}

/**
 * @param waitSeconds the issuer may take so much longer
 * @throws IssuerFault if there is no answer, or none with a JSON object where the status promises it
 */
export const askIssuer = async (
  url: string,
  { signal, ...init }: RequestInit,
  send: typeof fetch,
  waitSeconds = 0,
): Promise<IssuerAnswer> => {
  const late = AbortSignal.timeout((guardLimits.issuerSeconds + waitSeconds) * 1000)
  let status: number
  let text: string
  try {
    const answer = await send(url, {
      ...init,
      // The token and the secret go nowhere but to the issuer.
      redirect: 'error',
      signal: signal == null ? late : AbortSignal.any([signal, late]),
    })
    status = answer.status
    text = await answer.text()
  } catch (fault) {
    throw new IssuerFault('issuer_unreachable', `${url} cannot be used: ${getCause(fault)}`)
  }
  const said = parseJson(text)
  if (isObject(said)) return { status, said }
  if (status !== 200) return { status, said: {} }
  throw new IssuerFault('issuer_answer_malformed', `${url} answers no JSON object`)
}

/** RFC 8414 section 3.1: the path of the issuer comes last. */
export const getMetadataPlace = (issuer: string): string => {
  const { origin, pathname } = new URL(issuer)
  return `${origin}/.well-known/oauth-authorization-server${pathname === '/' ? '' : pathname}`
}

export const differentIssuer = (issuer: string, found: unknown): IssuerFault =>
  new IssuerFault(
    'other_issuer',
    `the service at ${issuer} calls itself ${typeof found === 'string' ? found : 'by no name'}: set the option issuer to exactly that`,
  )

/** The secret goes there: as safely as to the issuer itself. */
const isSafe = (endpoint: unknown, issuer: string): endpoint is string =>
  typeof endpoint === 'string' &&
  URL.canParse(endpoint) &&
  ['https:', new URL(issuer).protocol].includes(new URL(endpoint).protocol)

const discover = async (issuer: string, send: typeof fetch): Promise<Endpoints> => {
  const place = getMetadataPlace(issuer)
  const { status, said } = await askIssuer(place, {}, send)
  if (status !== 200) throw new IssuerFault('no_metadata', `${place} answers ${status}`)
  // RFC 8414 section 3.3: metadata of another issuer must not be used.
  if (said.issuer !== issuer) throw differentIssuer(issuer, said.issuer)
  const endpointOf = (name: string, reason: string): string => {
    const endpoint = said[name]
    if (isSafe(endpoint, issuer)) return endpoint
    throw new IssuerFault(reason, `${place} names no ${name} to use`)
  }
  return {
    introspection: endpointOf('introspection_endpoint', 'no_introspection'),
    get keys() {
      return endpointOf('jwks_uri', 'no_keys')
    },
    get feed() {
      return endpointOf('revocation_feed_endpoint', 'no_feed')
    },
  }
}

/** The URLs that the guard uses. URLs that only an offline guard needs may throw an IssuerFault. */
interface Endpoints {
  readonly introspection: string
  readonly keys: string
  readonly feed: string
}

export const createDiscovery = ({
  issuer,
  fetch: send,
}: Pick<CompleteOptions, 'issuer' | 'fetch'>) => {
  let found: Promise<Endpoints> | null = null
  /** The refresh did not work: the next `find` asks again. */
  const forget = (): void => {
    found = null
  }
  return {
    /** Asked for once. */
    find(): Promise<Endpoints> {
      found ??= discover(issuer, send).catch((fault: unknown) => {
        forget()
        throw fault
      })
      return found
    },
    forget,
  }
}

export type Discovery = ReturnType<typeof createDiscovery>
