/** One request on its way through the service: what every endpoint is given. */
import { type Parameters, parseParameters } from '../protocol/parameters.ts'

export interface Exchange {
  readonly request: Request
  /** What stands in the path where the route has a name, percent-decoded. */
  readonly params: Readonly<Record<string, string>>
  /** The address of whoever asks, proxies that are trusted being looked through. */
  readonly address: string
  /** Names the request in logs, events and error pages. */
  readonly requestId: string
  /** When it came, in unix seconds: the "now" of everything it does. */
  readonly at: number
}

/** The query of a request URL as it was sent, without the `?`. */
export const rawQuery = (request: Request): string => {
  const mark = request.url.indexOf('?')
  if (mark === -1) return ''
  const hash = request.url.indexOf('#', mark)
  return hash === -1 ? request.url.slice(mark + 1) : request.url.slice(mark + 1, hash)
}

/** @throws Refusal `invalid_request` where the query is malformed */
export const queryOf = (request: Request): Parameters => parseParameters(rawQuery(request))
