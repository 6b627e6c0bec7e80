/** Other sites, each broken in one way, for any protocol. */
import { createServer, type Socket } from 'node:net'
import { freePort } from './port.ts'

/** The ends of a connection, and two reasons for none. */
export const siteFaults = [
  'no route',
  'refused',
  'reset',
  'TLS fault',
  'silence',
  'half an answer',
] as const
export type SiteFault = (typeof siteFaults)[number]

/** A broadcast address of loopback: TCP refuses it in the call of `connect` itself. */
export const unreachable = '127.255.255.255'
export const unreachableName = 'no-route.example'

/** The schemes of a protocol, with and without TLS, and the beginning of one of its answers. */
export const protocols = {
  http: {
    plain: 'http',
    secure: 'https',
    half: 'HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{"a"',
  },
  ldap: { plain: 'ldap', secure: 'ldaps', half: '\x30\x0c\x02\x01\x01' },
  smtp: { plain: 'smtp', secure: 'smtps', half: '220-half' },
} as const
type Protocol = keyof typeof protocols

export interface FaultySite {
  readonly url: string
  /** Whether a connection comes at all. */
  readonly isMet: boolean
  isAsked(): boolean
  /** Resolves once the first connection was served. */
  readonly whenMet: Promise<void>
  /** Ends its connections, too. */
  close(): void
}

const isConnected = (fault: SiteFault): boolean => fault !== 'no route' && fault !== 'refused'

const originOf = (protocol: Protocol, fault: SiteFault, port: number): string => {
  const { plain, secure } = protocols[protocol]
  // Only the guarded fetch resolves names by what a test says.
  if (fault === 'no route' && protocol === 'http') return `https://${unreachableName}:${port}`
  if (fault === 'no route') return `${plain}://${unreachable}:${port}`
  return `${fault === 'TLS fault' ? secure : plain}://127.0.0.1:${port}`
}

export const openFaultySite = async (protocol: Protocol, fault: SiteFault): Promise<FaultySite> => {
  const met = Promise.withResolvers<void>()
  const sockets = new Set<Socket>()
  let connections = 0
  const serve = (socket: Socket): void => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {})
    if (fault === 'reset') socket.resetAndDestroy()
    // In answer to a TLS hello this is no TLS.
    else if (fault === 'TLS fault') socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    else if (fault === 'half an answer')
      socket.once('data', () => socket.end(protocols[protocol].half))
    // A mail server speaks first.
    if (fault === 'half an answer' && protocol === 'smtp') socket.end(protocols.smtp.half)
    met.resolve()
  }
  const server = createServer(serve)
  const port = await freePort()
  const isMet = isConnected(fault)
  if (isMet) await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: originOf(protocol, fault, port),
    isMet,
    isAsked: () => connections > 0,
    whenMet: met.promise,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
