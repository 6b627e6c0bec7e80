/** The ways out: JSON, a page, a redirect. Headers that never change are made once. */
import { gzipSync } from 'node:zlib'
import type { Refusal } from '../protocol/refusal.ts'

export type AnswerHeaders = Readonly<Record<string, string | string[]>>

/**
 * An answer, as a value. The listener writes it to the socket; a mounting program makes it a
 * `Response`.
 */
export interface Answer {
  readonly status: number
  readonly headers: AnswerHeaders
  /**
   * Null where the status or the sense of the answer leaves nothing to say. Pieces are made one after
   * the other, each once the reader has taken the one before. Whoever stops early ends the iteration.
   */
  readonly body: string | Uint8Array<ArrayBuffer> | AsyncIterable<string> | null
  /** The reason of a refusal that was not thrown: a stable word, for logs and counters. */
  readonly reason?: string
  /** The refusal behind the answer, if there is one: for the record of refusals. */
  readonly refused?: Refusal
  /** The reference, where it is not the id of the request: all requests of a flood have one. */
  readonly reference?: string
}

export const isInPieces = (body: Answer['body']): body is AsyncIterable<string> =>
  body !== null && typeof body === 'object' && Symbol.asyncIterator in body

const makeStream = (pieces: AsyncIterable<string>): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const iterator = pieces[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}

export const makeResponse = ({ status, headers, body }: Answer): Response => {
  const made = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const one of typeof value === 'string' ? [value] : value) made.append(name, one)
  }
  const sent = isInPieces(body) ? makeStream(body) : body
  return new Response(sent, { status, headers: made })
}

/** A browser guesses no other type, and names no page of this service to others. */
const guarded = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' } as const

const jsonHeaders = {
  'Content-Type': 'application/json;charset=UTF-8',
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
  ...guarded,
} as const

/** A JSON answer that nobody may keep (RFC 6749 section 5.1). */
export const answerJson = (
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> | null = null,
): Answer => ({
  status,
  headers: headers === null ? jsonHeaders : { ...jsonHeaders, ...headers },
  body: JSON.stringify(body),
})

/** A JSON document to keep, made while it is sent. */
export const answerJsonFile = (pieces: AsyncIterable<string>, name: string): Answer => ({
  status: 200,
  headers: { ...jsonHeaders, 'Content-Disposition': `attachment; filename="${name}"` },
  body: pieces,
})

/** A JWT that nobody may keep (OpenID Connect Core section 5.3.2). */
export const answerJwt = (
  jwt: string,
  headers: Readonly<Record<string, string>> | null = null,
): Answer => ({
  status: 200,
  headers: { ...jsonHeaders, 'Content-Type': 'application/jwt', ...headers },
  body: jwt,
})

const publicJsonHeaders = {
  'Content-Type': 'application/json;charset=UTF-8',
  'Cache-Control': 'public, max-age=300',
  ...guarded,
} as const

/** A JSON document that is the same for everybody and changes only with the program and its settings. */
export const answerPublicJson = (body: unknown): Answer => ({
  status: 200,
  headers: publicJsonHeaders,
  body: JSON.stringify(body),
})

/** Done, without a body. */
export const answerNothing = (): Answer => ({
  status: 204,
  headers: { 'Cache-Control': 'no-store' },
  body: null,
})

/**
 * What a page may load: nothing from another site. No form-action: browsers apply it to every later
 * redirect as well, so it would end the way back to the client.
 */
const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'"

/** For pages with a script: one file of the service, and nothing inline. */
export const scriptPolicy = {
  'Content-Security-Policy': `script-src 'self'; ${pagePolicy}`,
} as const

/** For a page whose script asks this service again. */
export const livePolicy = {
  'Content-Security-Policy': `script-src 'self'; connect-src 'self'; ${pagePolicy}`,
} as const

/** For a page with frames of other sites. @param urls of the frames; their origins were checked */
export const makeFramePolicy = (urls: readonly string[]): Readonly<Record<string, string>> => {
  const origins = [...new Set(urls.map((url) => new URL(url).origin))]
  return { 'Content-Security-Policy': `frame-src ${origins.join(' ')}; ${pagePolicy}` }
}

/**
 * For the page that posts itself to a client. The client may check that the form came from this origin,
 * so the page does not hide the origin, only the rest of its URL.
 */
export const formPostHeaders = {
  ...scriptPolicy,
  'Referrer-Policy': 'strict-origin',
} as const

/** Of every page. */
export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  ...guarded,
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Content-Security-Policy': pagePolicy,
} as const

/**
 * A file that pages load; it changes only with the program and its settings. Opened by itself, a
 * picture with scripts in it runs none of them and has no origin.
 */
export const answerAsset = (type: string, body: NonNullable<Answer['body']>): Answer => ({
  status: 200,
  headers: {
    'Content-Type': type,
    'Cache-Control': 'public, max-age=300',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  },
  body,
})

/** Whether `Accept-Encoding` names gzip, and not to refuse it. */
const canReadGzip = (accepted: string | null): boolean =>
  (accepted ?? '')
    .split(',')
    .some((one) => /^\s*gzip\s*(;|$)/i.test(one) && !/;\s*q=0(\.0*)?\s*$/i.test(one))

/**
 * Answers a text of pages, compressed for a browser that reads gzip (RFC 9110 section 8.4.1.3). An equal
 * text is compressed once. Pages are not compressed: a page has secrets beside text of others, and its
 * compressed length would tell of them.
 */
export const answerText = (
  type: string,
): ((text: string, acceptEncoding: string | null) => Answer) => {
  let kept = { text: '', compressed: new Uint8Array() }
  return (text, acceptEncoding) => {
    const plain = answerAsset(type, text)
    const headers = { ...plain.headers, Vary: 'Accept-Encoding' }
    if (!canReadGzip(acceptEncoding)) return { ...plain, headers }
    if (kept.text !== text) kept = { text, compressed: new Uint8Array(gzipSync(text)) }
    const body = kept.compressed
    return { ...plain, headers: { ...headers, 'Content-Encoding': 'gzip' }, body }
  }
}

/** A picture from elsewhere, at a URL of its own. */
export const answerPicture = (type: string, body: Uint8Array<ArrayBuffer>): Answer => ({
  status: 200,
  headers: {
    'Content-Type': type,
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'same-origin',
  },
  body,
})

/**
 * A redirect. `location` has to be checked already: one of our own paths, or a registered URI.
 * After a POST it is 303, so that no browser ever sends a password on (RFC 9700 section 4.12).
 */
export const answerRedirect = (
  location: string,
  status: 302 | 303,
  cookies: readonly string[] = [],
): Answer => ({
  status,
  headers: {
    Location: location,
    'Cache-Control': 'no-store',
    ...guarded,
    'X-Frame-Options': 'DENY',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    ...(cookies.length === 0 ? {} : { 'Set-Cookie': [...cookies] }),
  },
  body: null,
})
