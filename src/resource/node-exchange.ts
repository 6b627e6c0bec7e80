/** Requests and answers of `node:http`, as far as the guard needs them. Frameworks build on these. */
import type { Answer } from '../http/answer.ts'
import type { HttpRequest } from '../http/request.ts'

/** What the guard reads of a request. */
export interface NodeRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly headersDistinct?: Readonly<Record<string, string[] | undefined>>
}

/** What the guard needs to answer. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string | string[]>): unknown
  end(body: string): unknown
}

/**
 * Node keeps the first of several Authorization headers and drops the others. Here all are seen, so
 * that two are refused.
 */
export const readHeaders = ({ headers, headersDistinct }: NodeRequest): HttpRequest['headers'] => ({
  get: (name) => {
    const all = headersDistinct?.[name] ?? headers[name]
    return all === undefined ? null : [all].flat().join(', ')
  },
})

/** The body of the guard's own answers is JSON. */
export const getText = ({ body }: Answer): string => (typeof body === 'string' ? body : '')

export const sendAnswer = (answer: Answer, response: NodeResponse): void => {
  response.writeHead(answer.status, { ...answer.headers })
  response.end(getText(answer))
}
