/** Where the service listens: the only place that knows Node's HTTP server. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { limits } from '../config/limits.ts'

/** Answers a request; `peer` is the address at the other end of the connection. */
export type Fetch = (request: Request, peer: string) => Promise<Response> | Response

export interface Listener {
  readonly port: number
  /** From now on requests are answered by this; until then they wait. */
  serve(fetch: Fetch): void
  /** Takes no more connections, lets requests under way end, and cuts off what lasts longer. */
  close(): Promise<void>
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
  let begin: (fetch: Fetch) => void = () => {}
  let answer: Fetch = whenReady(new Promise<Fetch>((resolve) => (begin = resolve)))
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headerSeconds * 1000,
    requestTimeout: limits.requestSeconds * 1000,
    keepAliveTimeout: limits.keepAliveSeconds * 1000,
    connectionsCheckingInterval: 1000,
  })
  const peerOf = (incoming: IncomingMessage): string => incoming.socket.remoteAddress ?? ''
  server.on(
    'request',
    getRequestListener((request, bindings) =>
      answer(request, peerOf((bindings as HttpBindings).incoming)),
    ),
  )
  await bind(server, port, host)
  return {
    port: (server.address() as AddressInfo).port,
    serve: (fetch) => {
      answer = fetch
      begin(fetch)
    },
    close: () => drain(server),
  }
}

/** Holds requests back until there is somebody to answer them. */
const whenReady =
  (fetch: Promise<Fetch>): Fetch =>
  async (request, peer) =>
    (await fetch)(request, peer)

const drain = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), limits.drainSeconds * 1000)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
