/** Requests to the issuer. Its metadata (RFC 8414) name the introspection endpoint. */
import { guardLimits } from '../config/guard-limits.ts'
import type { ProtectOptions } from './options.ts'

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
  readonly said: object
}

/** The cause of a failed fetch, such as ECONNREFUSED. */
const causeOf = (fault: unknown): string => {
  const cause = fault instanceof Error ? (fault.cause ?? fault) : fault
  const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : null
  if (typeof code === 'string') return code
  return cause instanceof Error ? cause.name : 'unknown'
}

const objectOf = (text: string): object | null => {
  try {
    const said: unknown = JSON.parse(text)
    return typeof said === 'object' ? said : null
  } catch {
    return null
  }
}

/**
 * @throws IssuerFault if there is no answer, or none with a JSON object where the status promises it
 */
export const askIssuer = async (
  url: string,
  init: RequestInit,
  send: typeof fetch,
): Promise<IssuerAnswer> => {
  let status: number
  let text: string
  try {
    const answer = await send(url, {
      ...init,
      // The token and the secret go nowhere but to the issuer.
      redirect: 'error',
      signal: AbortSignal.timeout(guardLimits.issuerSeconds * 1000),
    })
    status = answer.status
    text = await answer.text()
  } catch (fault) {
    throw new IssuerFault('issuer_unreachable', `${url} cannot be used: ${causeOf(fault)}`)
  }
  const said = objectOf(text)
  if (said === null && status === 200) {
    throw new IssuerFault('issuer_answer_malformed', `${url} answers no JSON object`)
  }
  return { status, said: said ?? {} }
}

/** RFC 8414 section 3.1: the path of the issuer comes last. */
const metadataPlace = (issuer: string): string => {
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

const discover = async (issuer: string, send: typeof fetch): Promise<string> => {
  const place = metadataPlace(issuer)
  const { status, said } = await askIssuer(place, {}, send)
  if (status !== 200) throw new IssuerFault('no_metadata', `${place} answers ${status}`)
  const found: unknown = Reflect.get(said, 'issuer')
  // RFC 8414 section 3.3: metadata of another issuer must not be used.
  if (found !== issuer) throw differentIssuer(issuer, found)
  const endpoint: unknown = Reflect.get(said, 'introspection_endpoint')
  if (isSafe(endpoint, issuer)) return endpoint
  throw new IssuerFault('no_introspection', `${place} names no introspection_endpoint to use`)
}

export interface Discovery {
  /** The introspection endpoint; asked for once. */
  find(): Promise<string>
  /** It did not work: the next `find` asks again. */
  forget(): void
}

export const createDiscovery = ({
  issuer,
  fetch: send,
}: Required<Pick<ProtectOptions, 'issuer' | 'fetch'>>): Discovery => {
  let found: Promise<string> | null = null
  const forget = (): void => {
    found = null
  }
  const ask = async (): Promise<string> => {
    try {
      return await discover(issuer, send)
    } catch (fault) {
      forget()
      throw fault
    }
  }
  return {
    find() {
      found ??= ask()
      return found
    },
    forget,
  }
}
