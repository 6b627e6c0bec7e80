/** Requests and answers of `node:http`, as far as the guard needs them. Frameworks build on these. */
import type { Answer } from '../http/answer.ts'
import type { HttpRequest } from '../http/request.ts'
import type { GuardedRequest } from './key-check.ts'

/** What the guard reads of a request. */
export interface NodeRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly headersDistinct?: Readonly<Record<string, string[] | undefined>>
  /** Names and values by turns. */
  readonly rawHeaders?: readonly string[]
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** Set by frameworks: the URL before one of their parts took its beginning away. */
  readonly originalUrl?: string
}

/** What the guard needs to answer. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string | string[]>): unknown
  end(body: string): unknown
}

/** A request of HTTP/2 has no `headersDistinct`. */
const listRaw = (name: string, raw: readonly string[] = []): readonly string[] =>
  raw.filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === name)

/**
 * Node keeps the first of several Authorization headers and drops the others. Here all are seen, so
 * that two are refused.
 */
const readHeaders = ({
  headers,
  headersDistinct,
  rawHeaders,
}: NodeRequest): HttpRequest['headers'] => ({
  get: (name) => {
    const all = headersDistinct === undefined ? listRaw(name, rawHeaders) : headersDistinct[name]
    const values = [all?.length ? all : headers[name]].flat().filter((one) => one !== undefined)
    return values.length === 0 ? null : values.join(', ')
  },
})

/** @param target its URL, where a framework changes the one of the request */
export const readRequest = (
  request: NodeRequest,
  target = request.originalUrl ?? request.url,
): GuardedRequest => ({ headers: readHeaders(request), method: request.method, target })

/** The body of the guard's own answers is JSON. */
export const getText = ({ body }: Answer): string => (typeof body === 'string' ? body : '')

export const sendAnswer = (answer: Answer, response: NodeResponse): void => {
  response.writeHead(answer.status, { ...answer.headers })
  response.end(getText(answer))
}
