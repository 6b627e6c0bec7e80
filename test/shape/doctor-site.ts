/** A TLS proxy in front of a service, with the faults that `latchkey doctor` finds. */
import { once } from 'node:events'
import {
  createServer as createPlainServer,
  type IncomingHttpHeaders,
  request,
  type Server,
} from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Certificate } from '../support/certificate.ts'

export interface ProxyFaults {
  readonly host?: 'dropped'
  readonly forwarded?: 'none' | 'as it came'
  readonly transport?: 'dropped'
  readonly certificate?: 'as it came'
}

/** The address that the proxy connects from. */
export const proxyAddress = '127.1.0.2'

interface Site {
  readonly port: number
  close(): void
}

const openSite = async (server: Server): Promise<Site> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const headersFor = (
  given: IncomingHttpHeaders,
  peer: string,
  { host, forwarded, certificate }: ProxyFaults,
): IncomingHttpHeaders => {
  const { 'x-forwarded-for': came, host: name, 'client-cert': shown, ...others } = given
  const written =
    forwarded === 'as it came' ? came : forwarded === 'none' ? undefined : [came, peer].join()
  return {
    ...others,
    ...(certificate === undefined || shown === undefined ? {} : { 'client-cert': shown }),
    ...(host === 'dropped' ? { host: 'upstream.internal' } : { host: name }),
    ...(written === undefined ? {} : { 'x-forwarded-for': String(written).replace(/^,/, '') }),
  }
}

/** @param to the port of the service; `faults` is asked with each request */
export const openProxy = async (
  certificate: Certificate,
  to: () => number,
  faults: () => ProxyFaults,
): Promise<Site> => {
  const server = createServer(certificate, (came, answer) => {
    const now = faults()
    const headers = headersFor(came.headers, came.socket.remoteAddress ?? '', now)
    const { method, url: path } = came
    const target = { host: '127.0.0.1', port: to(), localAddress: proxyAddress }
    const onward = request({ ...target, method, path, headers }, (said) => {
      const { 'strict-transport-security': transport, ...others } = said.headers
      const kept = now.transport === 'dropped' ? {} : { 'strict-transport-security': transport }
      answer.writeHead(said.statusCode ?? 500, { ...others, ...kept })
      said.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    came.pipe(onward)
  })
  return openSite(server)
}

/** A server that answers every request with this JSON and these headers. */
export const openStrange = async (
  json: object,
  headers: Readonly<Record<string, string>>,
): Promise<Site> => {
  const server = createPlainServer((_request, answer) => {
    answer.writeHead(200, headers).end(JSON.stringify(json))
  })
  return openSite(server)
}
