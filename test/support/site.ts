/** Foreign web sites on this machine, for outbound requests: they remember their visitors. */
import { createServer as createPlain, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createSecure } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Certificate } from './certificate.ts'

export interface Site {
  readonly port: number
  /** How many connections were made, whatever came of them. */
  connections(): number
  /** Requests as they came: method, URL and host. */
  readonly requests: readonly Request[]
  /** Resolves when a connection has ended. */
  readonly whenClosed: Promise<void>
  close(): Promise<void>
}

interface Request {
  readonly method: string
  readonly url: string
  readonly host: string
  /** The name that TLS was asked for; null over plain http. */
  readonly serverName: string | null
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

const bodyOf = async (incoming: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

/** @param certificate null for plain http */
export const openSite = async (
  answer: RequestListener,
  { host = '127.0.0.1', certificate = null as Certificate | null } = {},
): Promise<Site> => {
  const requests: Request[] = []
  const sockets = new Set<Socket>()
  const closed = Promise.withResolvers<void>()
  let connections = 0
  const listener: RequestListener = async (incoming, outgoing) => {
    const { method = '', url = '', headers, socket } = incoming
    const serverName = certificate === null ? null : String((socket as TLSSocket).servername)
    const body = await bodyOf(incoming)
    requests.push({ method, url, host: headers.host ?? '', serverName, headers, body })
    answer(incoming, outgoing)
  }
  const server =
    certificate === null ? createPlain(listener) : createSecure({ ...certificate }, listener)
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      closed.resolve()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    requests,
    whenClosed: closed.promise,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
