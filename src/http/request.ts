/** The service's view of a request, from a socket or from a mounting program. */
import { type Parameters, parseParameters } from '../protocol/parameters.ts'

/** The web's `Request` is one of these, and so is what `listen` takes from a socket. */
export interface HttpRequest {
  readonly method: string
  /** Absolute, with scheme and host. */
  readonly url: string
  readonly headers: {
    /** The value in any case of the name, several joined by commas; null without one. */
    get(name: string): string | null
  }
  /** Piece by piece, or null where there is no body. Read this or `text`, once. */
  readonly body: AsyncIterable<Uint8Array> | null
  /** The whole body; bytes that are not UTF-8 become U+FFFD. */
  text(): Promise<string>
}

/**
 * A request of this program to itself, with JSON or without. `Request` and `Headers` would make Node load
 * its HTTP client, which takes 50 ms of processor time.
 *
 * @param others further headers, their names in lower case
 */
export const makeOwnRequest = (
  method: string,
  url: string,
  json?: object,
  others: Readonly<Record<string, string>> = {},
): HttpRequest => {
  const text = json === undefined ? null : JSON.stringify(json)
  const type = text === null ? [] : [['content-type', 'application/json'] as const]
  const headers = new Map([...Object.entries(others), ...type])
  const readPieces = async function* (sent: string) {
    yield new TextEncoder().encode(sent)
  }
  return {
    method,
    url: new URL(url).href,
    headers: { get: (name) => headers.get(name.toLowerCase()) ?? null },
    body: text === null ? null : readPieces(text),
    text: async () => text ?? '',
  }
}

/** The query of a request URL as it was sent, without the `?`. */
export const getRawQuery = ({ url }: HttpRequest): string => {
  const mark = url.indexOf('?')
  if (mark === -1) return ''
  const hash = url.indexOf('#', mark)
  return hash === -1 ? url.slice(mark + 1) : url.slice(mark + 1, hash)
}

/** @throws Refusal `invalid_request` where the query is malformed */
export const queryOf = (request: HttpRequest): Parameters => parseParameters(getRawQuery(request))

/** The path of a request URL as it was sent: nothing in it is decoded or resolved. */
export const getRawPath = ({ url }: HttpRequest): string => {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  if (start === -1) return '/'
  const mark = url.indexOf('?', start)
  const hash = url.indexOf('#', start)
  if (mark === -1) return hash === -1 ? url.slice(start) : url.slice(start, hash)
  return url.slice(start, hash === -1 ? mark : Math.min(mark, hash))
}

/** Host and port as they were sent. */
export const getAuthority = ({ url }: Pick<HttpRequest, 'url'>): string => {
  const start = url.indexOf('//') + 2
  const end = url.indexOf('/', start)
  const authority = end === -1 ? url.slice(start) : url.slice(start, end)
  const mark = authority.search(/[?#]/)
  return mark === -1 ? authority : authority.slice(0, mark)
}

/** The host name of an authority, in lower case and without the port; an IPv6 address keeps its brackets. */
export const stripPort = (authority: string): string => authority.replace(/:\d*$/, '').toLowerCase()

/** The same of a request URL. */
export const getHostName = (request: Pick<HttpRequest, 'url'>): string =>
  stripPort(getAuthority(request))
