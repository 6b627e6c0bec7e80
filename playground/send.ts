/** Sends the requests of a step to this very service, on the same path as anybody's. */
import type { Respond } from '../src/http/listen.ts'
import type { HttpRequest } from '../src/http/request.ts'
import { curlOf } from './curl.ts'
import type { CertificateRow, Known, PlaygroundSite, RequestRow, SendStep } from './flow.ts'
import { inspect, sign } from './inspect.ts'
import type { Exchanged, Inspected } from './pages/exchanged.ts'
import { assertClient, prove } from './prove.ts'
import { readRefusalPage } from './refusal-page.ts'
import { afterAnswer, isExpected, type Message, messageOf, wayOf } from './request.ts'
import { requestHeaders, textOf, writeAnswer, writeRequest } from './write.ts'

/** The sender of a request, and the visitor behind a proxy. */
interface Origin {
  readonly peer: string
  readonly forwarded: string | null
}

/** An address for documents (RFC 5737), which is no proxy of anybody. */
const stranger = '192.0.2.1'

/** Only a trusted proxy is believed about a certificate. It names the visitor, as for any request. */
const findOrigin = (
  certificate: CertificateRow | undefined,
  proxy: string | null,
  visitor: string,
): Origin => {
  if (certificate === undefined) return { peer: visitor, forwarded: null }
  if (certificate.forged === true || proxy === null) return { peer: stranger, forwarded: null }
  return { peer: proxy, forwarded: visitor }
}

const requestOf = (message: Message, issuer: string, from: Origin): HttpRequest => {
  const headers = new Map(
    requestHeaders(message, issuer).map(([name, value]) => [name.toLowerCase(), value]),
  )
  if (from.forwarded !== null) headers.set('x-forwarded-for', from.forwarded)
  return {
    method: message.method,
    url: issuer + message.path,
    headers: { get: (name) => headers.get(name.toLowerCase()) ?? null },
    body: null,
    text: async () => message.body ?? '',
  }
}

/** A request before it is sent. */
export const previewOf = (row: RequestRow, known: Known, issuer: string): Exchanged => {
  const message = messageOf(row, known)
  return {
    ways: [wayOf(row)],
    request: writeRequest(message, issuer),
    response: null,
    curl: curlOf(message, issuer),
    expected: true,
  }
}

export interface SentStep {
  readonly exchanges: readonly Exchanged[]
  readonly known: Known
  readonly inspected: Inspected | null
}

/**
 * Sends every request of a step, one after the other.
 *
 * @param address of whoever pressed the button: limits count these requests as theirs
 * @param now Unix seconds
 */
export const sendStep = async (
  { send, inspect: inspected, sign: signed }: SendStep,
  before: Known,
  { issuer, proxy }: Pick<PlaygroundSite, 'issuer' | 'proxy'>,
  respond: Respond,
  address: string,
  now: number,
): Promise<SentStep> => {
  const exchanges: Exchanged[] = []
  let known = before
  let keySet = ''
  for (const row of send) {
    if (row.only !== undefined && known[row.only] === undefined) continue
    if (row.proof !== undefined) known = await prove(row.proof, row, known, issuer, now)
    if (row.assertion !== undefined) known = await assertClient(row, known, issuer, now)
    const from = findOrigin(row.certificate, proxy, address)
    const answer = await respond(requestOf(messageOf(row, known), issuer, from), from.peer)
    exchanges.push({
      ...previewOf(row, known, issuer),
      response: writeAnswer(answer),
      page: readRefusalPage(answer),
      expected: isExpected(row, answer),
    })
    known = afterAnswer(known, row, answer)
    if (row.line === 'GET /jwks') keySet = textOf(answer.body)
  }
  for (const row of [signed ?? []].flat()) known = await sign(row, known, now)
  return {
    exchanges,
    known,
    inspected: inspected === undefined ? null : await inspect(inspected, known, keySet, now),
  }
}
