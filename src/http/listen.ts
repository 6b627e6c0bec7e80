/** The listener: the only place that knows Node's HTTP server. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { limits } from '../config/limits.ts'
import type { Answer } from './answer.ts'
import type { HttpRequest } from './request.ts'

// An import would also make everything else that the module offers, an HTTP client of 16 MB included.
const { createServer } = process.getBuiltinModule('node:http')

/** Answers a request; `peer` is the address at the other end of the connection. Never rejects. */
export type Respond = (request: HttpRequest, peer: string) => Promise<Answer>

/** Told of unforeseen faults; its own faults are lost. */
export type OnFault = (fault: unknown) => void

export interface Listener {
  readonly port: number
  /** From now on requests are answered by this; until then they wait. */
  serve(respond: Respond, onFault: OnFault): void
  /** Takes no more connections, lets requests under way end, and cuts off what lasts longer. */
  close(): Promise<void>
}

/** A request as it comes from a socket. Reading it costs only what is asked for. */
class IncomingRequest implements HttpRequest {
  readonly method: string
  readonly url: string
  readonly #incoming: IncomingMessage

  constructor(incoming: IncomingMessage, url: string) {
    this.method = incoming.method ?? 'GET'
    this.url = url
    this.#incoming = incoming
  }

  get headers(): HttpRequest['headers'] {
    return this
  }

  get(name: string): string | null {
    const value = this.#incoming.headers[name]
    return value === undefined ? null : String(value)
  }

  get body(): AsyncIterable<Uint8Array> | null {
    return this.get('transfer-encoding') === null ? null : this.#incoming
  }

  text(): Promise<string> {
    return new Promise((resolve, reject) => {
      const incoming = this.#incoming
      const pieces: Buffer[] = []
      const whenClosed = (): void => {
        if (!incoming.readableEnded) reject(new Error('the connection ended before the body did'))
      }
      if (incoming.destroyed) return whenClosed()
      incoming.on('data', (piece: Buffer) => pieces.push(piece))
      incoming.on('end', () => {
        const [first] = pieces
        const whole = pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces)
        resolve(whole.toString('utf8'))
      })
      incoming.on('close', whenClosed)
    })
  }
}

/** A host name or address, with or without a port (RFC 3986 section 3.2). */
const authority = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/

/** Hosts that were found to be right, since most requests name the same few. */
const rightHosts = new Set<string>()

const isAuthority = (host: string): boolean => {
  if (rightHosts.has(host)) return true
  // The URL parser is stricter than the pattern about ports and addresses, and laxer about the rest.
  if (!authority.test(host) || !URL.canParse(`http://${host}/`)) return false
  if (rightHosts.size >= limits.hostsRemembered) rightHosts.clear()
  rightHosts.add(host)
  return true
}

/** HTTP/1.0 knows no Host: then it is the address that the request came to (RFC 9112 section 3.2). */
const hostOf = ({ headers, httpVersion, socket }: IncomingMessage): string => {
  if (headers.host !== undefined || httpVersion !== '1.0') return headers.host ?? ''
  const { localAddress = '', localPort } = socket
  return `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`
}

/** The absolute URL of a request, or null if it names none (RFC 9112 section 3.2). */
const targetOf = (incoming: IncomingMessage): string | null => {
  const { url = '' } = incoming
  if (url.startsWith('/')) {
    const host = hostOf(incoming)
    return isAuthority(host) ? `http://${host}${url}` : null
  }
  // Written out by the parser it has a path, and what seems to be one in its query is none.
  return /^https?:/i.test(url) ? (URL.parse(url)?.href ?? null) : null
}

/**
 * An answer that closes the connection, because the sender may disagree about the end of the
 * request.
 */
const closing = (status: number): Answer => ({
  status,
  headers: { Connection: 'close' },
  body: null,
})

const noTarget = closing(400)

/**
 * In HTTP/1.0, or where `chunked` is not the last coding, the length is in doubt. Of codings we know
 * `chunked` only: the parser would hand over a compressed body as it is (RFC 9112 section 6.1).
 */
const wrongFraming = ({ headers, httpVersion }: IncomingMessage): Answer | null => {
  const coding = headers['transfer-encoding']
  if (coding === undefined) return null
  if (httpVersion === '1.0' || !/(^|[,\s])chunked\s*$/i.test(coding)) return closing(400)
  return coding.includes(',') ? closing(501) : null
}

/** No endpoint takes a longer body. */
const longestBody = Math.max(limits.formBytes, limits.jsonBytes)

const write = (outgoing: ServerResponse, { status, headers, body }: Answer): void => {
  if (body !== null) {
    outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
    outgoing.end(body)
  } else if (status === 204 || status === 304) {
    outgoing.writeHead(status, headers)
    outgoing.end()
  } else {
    outgoing.writeHead(status, { ...headers, 'Content-Length': 0 })
    outgoing.end()
  }
}

/** What is asked of Node's server; the floor of the benchmark asks the same. */
export const serverOptions = {
  maxHeaderSize: limits.headerBytes,
  headersTimeout: limits.headerSeconds * 1000,
  requestTimeout: limits.requestSeconds * 1000,
  keepAliveTimeout: limits.keepAliveSeconds * 1000,
  connectionsCheckingInterval: 1000,
  // Of two headers, Node would otherwise believe the first and drop the second unseen.
  joinDuplicateHeaders: true,
  // Most requests bring no body, and need none of the machinery of a stream.
  optimizeEmptyRequests: true,
}

const bind = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: limits.connectionsWaiting }, () => {
      server.off('error', reject)
      resolve()
    })
  })

/**
 * Binds the port.
 *
 * @param port 0 takes a free one
 * @throws what `listen` throws, such as EADDRINUSE
 */
export const listen = async (port: number, host: string): Promise<Listener> => {
  let begin: (respond: Respond) => void = () => {}
  let respond: Respond = whenReady(new Promise<Respond>((resolve) => (begin = resolve)))
  let onFault: OnFault = () => {}
  let isClosing = false
  /** The last answer of a connection. None of several pipelined requests may cut off the next. */
  const last = new WeakMap<Socket, ServerResponse>()
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { socket } = incoming
    last.set(socket, outgoing)
    try {
      const target = targetOf(incoming)
      const refused = target === null ? noTarget : wrongFraming(incoming)
      if (target === null || refused !== null) return write(outgoing, refused ?? noTarget)
      const request = new IncomingRequest(incoming, target)
      const given = await respond(request, socket.remoteAddress ?? '')
      // A client that keeps using its connection would otherwise never let the service end.
      if (isClosing && last.get(socket) === outgoing) outgoing.shouldKeepAlive = false
      write(outgoing, given)
    } catch (fault) {
      // An answer that cannot be written, such as a header of an extension with a line break.
      outgoing.destroy()
      onFault(fault)
    }
  }
  const server = createServer(serverOptions, answer)
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // Nobody is asked to go on with what will be refused for its length.
    const isTaken = wrongFraming(incoming) === null
    if (isTaken && !(Number(incoming.headers['content-length']) > longestBody)) {
      outgoing.writeContinue()
    }
    return answer(incoming, outgoing)
  })
  await bind(server, port, host)
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
const whenReady =
  (respond: Promise<Respond>): Respond =>
  async (request, peer) =>
    (await respond)(request, peer)

const drain = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), limits.drainSeconds * 1000)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
