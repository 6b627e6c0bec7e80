/** Stands in for a node behind a proxy: it passes connections on to a service, and can go away. */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { freePort } from '../support/port.ts'

export interface StandIn {
  readonly port: number
  start(): Promise<void>
  /** Ends its connections too, as a process does. */
  stop(): Promise<void>
}

/** @param target the port of the service */
export const openStandIn = async (target: number): Promise<StandIn> => {
  const port = await freePort()
  const sockets = new Set<Socket>()
  let server: Server | null = null
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.once('close', () => sockets.delete(socket)).on('error', () => {})
  }
  const node: StandIn = {
    port,
    async start() {
      server = createServer((from) => {
        const to = keep(connect(target, '127.0.0.1'))
        keep(from).pipe(to).pipe(from)
        from.once('close', () => to.destroy())
        to.once('close', () => from.destroy())
      }).listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    async stop() {
      if (server === null) return
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
      server = null
    },
  }
  await node.start()
  return node
}
