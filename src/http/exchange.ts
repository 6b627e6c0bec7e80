/** One request on its way through the service: what every endpoint is given. */
import type { Caller } from '../model/actor.ts'
import type { HttpRequest } from './request.ts'

/** The name of a page that a login leads back to, or how a request tells it. */
export type WayBack = string | ((request: HttpRequest) => string)

export interface Exchange {
  readonly request: HttpRequest
  /** The values of the named parts of the path, percent-decoded. */
  readonly params: Readonly<Record<string, string>>
  /** The address that the request came from: a proxy's, if there is one. */
  readonly peer: string
  /** The client's address, looking through trusted proxies. */
  readonly address: string
  /** Who has proved to be behind the request, for events and the log. */
  readonly caller: Caller
  /** Names the request in logs, events and error pages. */
  readonly requestId: string
  /** The way back here after a login, where the path does not say it. */
  readonly back?: WayBack | undefined
  /** When it came, in unix seconds: the "now" of everything it does. */
  readonly at: number
}
