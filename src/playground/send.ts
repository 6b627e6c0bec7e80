/** Sends the requests of a step to this very service, on the same path as anybody's. */
import type { Answer } from '../http/answer.ts'
import type { Respond } from '../http/listen.ts'
import type { HttpRequest } from '../http/request.ts'
import { curlOf } from './curl.ts'
import type { Call, Known, Message, SendStep, Site } from './flow.ts'
import type { Exchanged } from './pages/exchanged.ts'
import { membersOf, requestHeaders, textOf, writeAnswer, writeRequest } from './write.ts'

const requestOf = (message: Message, issuer: string): HttpRequest => {
  const headers = new Map(
    requestHeaders(message, issuer).map(([name, value]) => [name.toLowerCase(), value]),
  )
  return {
    method: message.method,
    url: issuer + message.path,
    headers: { get: (name) => headers.get(name.toLowerCase()) ?? null },
    body: null,
    text: async () => message.body ?? '',
  }
}

/** What is known after an answer. */
const afterAnswer = (known: Known, { learn }: Call, { status, headers, body }: Answer): Known => {
  if (learn === undefined) return known
  const etag = typeof headers.ETag === 'string' ? headers.ETag : ''
  const learned = Object.entries(learn({ status, etag, json: membersOf(textOf(body)) }))
  const forgotten = learned.filter(([, value]) => value === null).map(([name]) => name)
  const kept = Object.entries(known).filter(([name]) => !forgotten.includes(name))
  const added = learned.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
  return Object.fromEntries([...kept, ...added])
}

/** The request of a call, before it is sent. */
export const previewOf = ({ message, way }: Call, { issuer }: Site): Exchanged => ({
  ways: [way],
  request: writeRequest(message, issuer),
  response: null,
  curl: curlOf(message, issuer),
  expected: true,
})

export interface Sent {
  readonly exchanges: readonly Exchanged[]
  readonly known: Known
}

/**
 * Sends every request of a step, one after the other.
 *
 * @param address of whoever pressed the button: limits count these requests as theirs
 */
export const sendStep = async (
  { calls }: SendStep,
  before: Known,
  site: Site,
  respond: Respond,
  address: string,
): Promise<Sent> => {
  const exchanges: Exchanged[] = []
  let known = before
  for (const callFor of calls) {
    const call = callFor(known, site)
    if (call === null) continue
    const answer = await respond(requestOf(call.message, site.issuer), address)
    known = afterAnswer(known, call, answer)
    exchanges.push({
      ...previewOf(call, site),
      response: writeAnswer(answer),
      expected: answer.status === call.expected,
    })
  }
  return { exchanges, known }
}
