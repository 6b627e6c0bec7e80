/** One outbound request over Node's HTTP client, to addresses that were checked before. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { httpLimits } from './limits.ts'

export interface SentRequest {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** The body of the answer may have so many bytes. */
  readonly mostBytes: number
}

export interface Answered {
  readonly outcome: 'answered'
  /** The URL of the answer: after redirects, another one than the first. */
  readonly url: string
  readonly status: number
  readonly headers: {
    /** @param name in lower case */
    get(name: string): string | null
  }
  readonly body: Uint8Array<ArrayBuffer>
}

export type ExchangeFault =
  /** No connection, no TLS, or an answer that ended early: `detail` is the code of the error. */
  | 'no_answer'
  /** More bytes than the caller takes. */
  | 'too_large'
  /** A content coding, though none was accepted: a few bytes of it can become any number. */
  | 'encoded'

export interface Failed<Fault extends string> {
  readonly outcome: 'failed'
  readonly reason: Fault
  /** A code, such as Node's `ECONNREFUSED`, or the status. Never any text that the other side sent. */
  readonly detail: string
}

export const makeFailure = <Fault extends string>(reason: Fault, detail = ''): Failed<Fault> => ({
  outcome: 'failed',
  reason,
  detail,
})

type ExchangeOutcome = Answered | Failed<ExchangeFault>

/** The host outside of the running code, for a fault that nobody caught. */
const hosts = new AsyncLocalStorage<string>()

/** Runs the work; all that its sockets call back later counts as work for this host. */
export const runForHost = <Done>(host: string, work: () => Done): Done => hosts.run(host, work)

/** Null for work that is about no host outside. */
export const findHost = (): string | null => hosts.getStore() ?? null

/**
 * Whatever DNS says by now, the connection goes to one of these. Never in the same turn: an address
 * without a route is refused at once, before the request listens for faults of its socket.
 */
const makePinnedLookup =
  (addresses: readonly string[]): LookupFunction =>
  (_host, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    const [one] = found
    if (all) process.nextTick(callback, null, found)
    else process.nextTick(callback, null, one?.address ?? '', one?.family)
  }

const requestFor = (url: URL, options: RequestOptions & ConnectionOptions): ClientRequest =>
  // Loaded where it is first needed: most starts never need an HTTP client.
  url.protocol === 'https:'
    ? process.getBuiltinModule('node:https').request(url, options)
    : process.getBuiltinModule('node:http').request(url, options)

const getCode = (fault: unknown): string =>
  fault instanceof Error && 'code' in fault ? String(fault.code) : ''

/** Headers that make reading the body needless. */
const findFault = (
  { statusCode, headers }: IncomingMessage,
  mostBytes: number,
): ExchangeFault | null => {
  const coding = headers['content-encoding'] ?? 'identity'
  if (coding.toLowerCase() !== 'identity') return 'encoded'
  // 304 says how long the body would be that it leaves out.
  const isLong = Number(headers['content-length'] ?? 0) > mostBytes && statusCode !== 304
  return isLong ? 'too_large' : null
}

const readBody = (
  incoming: IncomingMessage,
  url: URL,
  mostBytes: number,
  settle: (outcome: ExchangeOutcome) => void,
): void => {
  const { statusCode: status = 0, headers } = incoming
  const pieces: Uint8Array[] = []
  let bytes = 0
  incoming.on('data', (piece: Uint8Array) => {
    bytes += piece.length
    if (bytes > mostBytes) settle(makeFailure('too_large', `status_${status}`))
    else pieces.push(piece)
  })
  incoming.on('error', (fault) => settle(makeFailure('no_answer', getCode(fault))))
  incoming.on('end', () =>
    settle({
      outcome: 'answered',
      url: url.href,
      status,
      headers: { get: (name) => headers[name]?.toString() ?? null },
      body: Uint8Array.from(Buffer.concat(pieces)),
    }),
  )
}

/**
 * Sends one request and reads the whole answer. Follows no redirect. SNI, `Host` and the check of the
 * certificate go by the name in the URL.
 *
 * @param addresses of the host, each allowed to be reached
 * @param signal ends it at any point
 */
export const exchangeWith = (
  url: URL,
  addresses: readonly string[],
  { method, headers, body, mostBytes }: SentRequest,
  signal: AbortSignal,
): Promise<ExchangeOutcome> =>
  new Promise((resolve) => {
    const outgoing = requestFor(url, {
      method,
      headers: { 'User-Agent': 'Latchkey', ...headers, 'Accept-Encoding': 'identity' },
      // A connection of its own: one that is kept open was checked for another request.
      agent: false,
      lookup: makePinnedLookup(addresses),
      maxHeaderSize: httpLimits.outbound.headerBytes,
      // Also where the environment turns it off for the whole process.
      rejectUnauthorized: true,
      signal,
    })
    const settle = (outcome: ExchangeOutcome): void => {
      resolve(outcome)
      outgoing.destroy()
    }
    outgoing.on('response', (incoming) => {
      const fault = findFault(incoming, mostBytes)
      if (fault === null) readBody(incoming, url, mostBytes, settle)
      else settle(makeFailure(fault, `status_${incoming.statusCode}`))
    })
    let interim = 0
    outgoing.on('information', () => {
      if (++interim > httpLimits.outbound.interimAnswers)
        settle(makeFailure('no_answer', 'interim_answers'))
    })
    outgoing.on('error', (fault) => settle(makeFailure('no_answer', getCode(fault))))
    // The default fault, such as after an unexpected switch of protocols.
    outgoing.on('close', () => settle(makeFailure('no_answer')))
    outgoing.end(body ?? undefined)
  })
