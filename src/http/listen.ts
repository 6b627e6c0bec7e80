/** Where the service listens: the only place that knows Node's HTTP server. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { limits } from '../config/limits.ts'
import type { Answer } from './answer.ts'
import type { HttpRequest } from './request.ts'

// An import would also make everything else that the module offers, an HTTP client of 16 MB included.
const { createServer } = process.getBuiltinModule('node:http')

/** Answers a request; `peer` is the address at the other end of the connection. Never rejects. */
export type Respond = (request: HttpRequest, peer: string) => Promise<Answer>

export interface Listener {
  readonly port: number
  /** From now on requests are answered by this; until then they wait. */
  serve(respond: Respond): void
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
      const pieces: Buffer[] = []
      this.#incoming.on('data', (piece: Buffer) => pieces.push(piece))
      this.#incoming.on('end', () => {
        const [first] = pieces
        const whole = pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces)
        resolve(whole.toString('utf8'))
      })
      this.#incoming.on('error', reject)
    })
  }
}

/** A host name or address, with or without a port (RFC 3986 section 3.2). */
const authority = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/

/** The absolute URL that a request is for, or null where it names none (RFC 9112 section 3.2). */
const targetOf = ({ url = '', headers }: IncomingMessage): string | null => {
  if (url.startsWith('/')) {
    return authority.test(headers.host ?? '') ? `http://${headers.host}${url}` : null
  }
  return /^https?:/i.test(url) && URL.canParse(url) ? url : null
}

const noTarget: Answer = { status: 400, headers: { Connection: 'close' }, body: null }

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

const bind = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
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
  const options = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headerSeconds * 1000,
    requestTimeout: limits.requestSeconds * 1000,
    keepAliveTimeout: limits.keepAliveSeconds * 1000,
    connectionsCheckingInterval: 1000,
    // Of two headers, Node would otherwise believe the first and drop the second unseen.
    joinDuplicateHeaders: true,
  }
  const server = createServer(options, async (incoming, outgoing) => {
    const target = targetOf(incoming)
    if (target === null) return write(outgoing, noTarget)
    const request = new IncomingRequest(incoming, target)
    write(outgoing, await respond(request, incoming.socket.remoteAddress ?? ''))
  })
  await bind(server, port, host)
  return {
    port: (server.address() as AddressInfo).port,
    serve: (given) => {
      respond = given
      begin(given)
    },
    close: () => drain(server),
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
