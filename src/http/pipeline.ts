/** Requests of one connection: each waits until the answers before it are written and taken. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { httpLimits } from './limits.ts'

interface Turns {
  /** Its answer comes next, or was the last one. */
  now: ServerResponse | null
  readonly waiting: ServerResponse[]
}

export interface Pipeline {
  add(socket: Socket): void
  take(outgoing: ServerResponse): void
  /** No other request of its connection waits. */
  isLast(outgoing: ServerResponse): boolean
}

/**
 * A sender that reads no answer would otherwise have the service make thousands of them, and hold
 * them. Node parses all that one read has brought, so only the next read can be put off.
 */
export const pipeline = (begin: (outgoing: ServerResponse) => void): Pipeline => {
  const connections = new Map<Socket, Turns>()
  let waitingInAll = 0
  const goOn = (socket: Socket, turns: Turns): void => {
    const next = turns.waiting.shift()
    if (next === undefined) return
    waitingInAll--
    turns.now = next
    if (turns.waiting.length === 0) socket.resume()
    else next.once('close', () => goOn(socket, turns))
    // The answer before it may have closed the connection.
    if (socket.writable) begin(next)
  }
  const readAll = (): void => {
    for (const [socket, { waiting }] of connections) if (waiting.length === 0) socket.resume()
  }
  /** What Node still parses of this read stays until the turn ends. So nobody else is read in it. */
  const cut = (socket: Socket): void => {
    socket.destroy()
    for (const other of connections.keys()) other.pause()
    setImmediate(readAll)
  }
  return {
    add: (socket) => {
      const turns: Turns = { now: null, waiting: [] }
      connections.set(socket, turns)
      socket.once('close', () => {
        connections.delete(socket)
        waitingInAll -= turns.waiting.length
        turns.waiting.length = 0
      })
    },
    take: (outgoing) => {
      const { socket } = outgoing.req
      const turns = connections.get(socket)
      if (turns === undefined || !socket.writable) return
      const { now, waiting } = turns
      if (waiting.length === 0 && (now === null || now.writableFinished)) {
        turns.now = outgoing
        begin(outgoing)
      } else if (waitingInAll === httpLimits.requestsWaiting) {
        // Its sender may ask for the rest again (RFC 9112 section 9.3.2).
        cut(socket)
      } else {
        waitingInAll++
        socket.pause()
        if (waiting.push(outgoing) === 1) now?.once('close', () => goOn(socket, turns))
      }
    },
    isLast: (outgoing) => {
      const turns = connections.get(outgoing.req.socket)
      return turns?.now === outgoing && turns.waiting.length === 0
    },
  }
}
