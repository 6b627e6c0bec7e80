/** The listener: the only place that knows Node's HTTP server. */
import { createHook } from 'node:async_hooks'
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defaultLimits, type Limits } from '../config/settable-limits.ts'
import { type Answer, isInPieces } from './answer.ts'
import { boundConnections, gatherTurn, makePipeline } from './connections.ts'
import { IncomingRequest, readTarget } from './incoming.ts'
import { httpLimits } from './limits.ts'
import type { HttpRequest } from './request.ts'

// An import would also make everything else that the module offers, an HTTP client of 16 MB included.
const { createServer } = process.getBuiltinModule('node:http')

const keptTicks: object[] = []

/**
 * Keeps the hidden class of Node's ticks alive. V8 forgets it when it collects garbage and no tick
 * waits. From then on each `process.nextTick` takes three times as long (0.13 to 0.40 µs), and each
 * request needs several. Call this once, at the start: a tick is kept while the process lives.
 */
const keepTickClass = (): void => {
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'TickObject' && keptTicks.length === 0) keptTicks.push(resource)
    },
  })
  hook.enable()
  process.nextTick(() => {})
  hook.disable()
}

/** Answers a request; `peer` is the address at the other end of the connection. Never rejects. */
export type Respond = (request: HttpRequest, peer: string) => Promise<Answer>

/** The same for commands. `user`: the user of the system who typed one; never for HTTP. */
export type RespondTo = (request: HttpRequest, peer: string, user?: string) => Promise<Answer>

/** Told of unforeseen faults; its own faults are lost. */
export type OnFault = (fault: unknown) => void

export interface Listener {
  readonly port: number
  /** From now on requests are answered by this; until then they wait. */
  serve(respond: Respond, onFault: OnFault): void
  /** Takes no more connections, lets requests under way end, and cuts off what lasts longer. */
  close(): Promise<void>
}

/** Closes the connection, because the sender may disagree about the end of the request. */
const answerClosing = (status: number): Answer => ({
  status,
  headers: { Connection: 'close' },
  body: null,
})

const noTarget = answerClosing(400)

/**
 * In HTTP/1.0, or where `chunked` is not the last coding, the length is in doubt. Of codings we know
 * `chunked` only: the parser would hand over a compressed body as it is (RFC 9112 section 6.1).
 */
const findWrongFraming = ({ headers, httpVersion }: IncomingMessage): Answer | null => {
  const coding = headers['transfer-encoding']
  if (coding === undefined) return null
  if (httpVersion === '1.0' || !/(^|[,\s])chunked\s*$/i.test(coding)) return answerClosing(400)
  return coding.includes(',') ? answerClosing(501) : null
}

/** No endpoint takes a longer body. */
const longestBody = Math.max(httpLimits.formBytes, httpLimits.jsonBytes)

/** Resolves once the reader has taken what was written, or is gone. */
const waitUntilTaken = (outgoing: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      outgoing.off('drain', go).off('close', go)
      resolve()
    }
    outgoing.on('drain', go).on('close', go)
  })

/**
 * Writes at the pace of the reader, so one piece is in memory. A reader who leaves or takes nothing
 * ends the iteration. A fault cuts the connection off: nobody takes the part for the whole.
 */
const writePieces = async (
  outgoing: ServerResponse,
  pieces: AsyncIterable<string>,
): Promise<void> => {
  outgoing.setTimeout(httpLimits.stalledSeconds * 1000)
  for await (const piece of pieces) {
    if (!outgoing.destroyed && !outgoing.write(piece)) await waitUntilTaken(outgoing)
    if (outgoing.destroyed) return
  }
  outgoing.end()
}

const write = async (
  outgoing: ServerResponse,
  { status, headers, body }: Answer,
): Promise<void> => {
  if (isInPieces(body)) {
    outgoing.writeHead(status, headers)
    await writePieces(outgoing, body)
  } else if (body !== null) {
    outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
    outgoing.end(body)
    // A reader who takes nothing does not keep the connection for ever.
    if (outgoing.writableLength > 0) outgoing.setTimeout(httpLimits.stalledSeconds * 1000)
  } else {
    const hasNoLength = status === 204 || status === 304
    outgoing.writeHead(status, hasNoLength ? headers : { ...headers, 'Content-Length': 0 })
    outgoing.end()
  }
}

/** What the listener is told of the limits. */
type ListenLimits = Pick<Limits, 'keepAliveSeconds'>

interface ListenSettings {
  /** 0 takes a free one. */
  readonly port: number
  readonly host: string
  readonly limits?: ListenLimits
  readonly trustedProxies?: readonly string[]
}

/** What is asked of Node's server; the floor of the benchmark asks the same. */
export const makeServerOptions = ({ keepAliveSeconds }: ListenLimits = defaultLimits) => ({
  maxHeaderSize: httpLimits.headerBytes,
  headersTimeout: httpLimits.headerSeconds * 1000,
  requestTimeout: httpLimits.requestSeconds * 1000,
  keepAliveTimeout: keepAliveSeconds * 1000,
  connectionsCheckingInterval: 1000,
  // Of two headers, Node would otherwise believe the first and drop the second unseen.
  joinDuplicateHeaders: true,
  // Most requests bring no body, and need none of the machinery of a stream.
  optimizeEmptyRequests: true,
})

/**
 * Binds the port.
 *
 * @throws what `listen` throws, such as EADDRINUSE
 */
export const listen = async ({
  port,
  host,
  limits: set = defaultLimits,
  trustedProxies = [],
}: ListenSettings): Promise<Listener> => {
  keepTickClass()
  let begin: (respond: Respond) => void = () => {}
  let respond: Respond = holdUntilReady(new Promise<Respond>((resolve) => (begin = resolve)))
  let onFault: OnFault = () => {}
  let isClosing = false
  const answer = async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    peer: string,
  ): Promise<void> => {
    try {
      const target = readTarget(incoming)
      const refused = target === null ? noTarget : findWrongFraming(incoming)
      if (target === null || refused !== null) return await write(outgoing, refused ?? noTarget)
      const request = new IncomingRequest(incoming, target)
      const given = await respond(request, peer)
      // A client that keeps using its connection would otherwise never let the service end.
      if (isClosing && pipelined.isLast(outgoing)) outgoing.shouldKeepAlive = false
      await write(outgoing, given)
    } catch (fault) {
      // An answer that cannot be written, such as a header of an extension with a line break.
      outgoing.destroy()
      onFault(fault)
    }
  }
  const answerTogether = gatherTurn(answer)
  const pipelined = makePipeline((outgoing) => {
    const { socket } = outgoing.req
    const peer = socket.remoteAddress
    // Reset by its sender: nobody hears an answer, and no limit could count the request.
    if (peer === undefined) socket.destroy()
    else answerTogether(outgoing.req, outgoing, peer)
  })
  const server = createServer(makeServerOptions(set), (_, outgoing) => pipelined.take(outgoing))
  server.on('connection', boundConnections(trustedProxies, pipelined.add))
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // Nobody is asked to go on with what will be refused for its length.
    const isTaken = findWrongFraming(incoming) === null
    if (isTaken && !(Number(incoming.headers['content-length']) > longestBody)) {
      outgoing.writeContinue()
    }
    pipelined.take(outgoing)
  })
  server.listen({ port, host, backlog: httpLimits.connectionsWaiting })
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    serve: (given, told) => {
      respond = given
      onFault = told
      begin(given)
    },
    close: () => {
      isClosing = true
      return drain(server)
    },
  }
}

/** Holds requests back until there is somebody to answer them. */
const holdUntilReady =
  (respond: Promise<Respond>): Respond =>
  async (request, peer) =>
    (await respond)(request, peer)

const drain = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), httpLimits.drainSeconds * 1000)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
