/** The sockets of a question to a directory: what they let through, and when they end. */
import { connect, type Socket } from 'node:net'
import type { connect as connectTls } from 'node:tls'
import { upstreamLimits } from './limits.ts'
import { UpstreamFault } from './upstream.ts'

/**
 * Destroys a connection that brings too much. The parser of ldapts recurses for each message in one
 * piece of data: a flood of small ones would overflow the stack.
 */
const limitBytes = <Stream extends Socket>(
  socket: Stream,
  note: (data: Uint8Array) => void = () => {},
): Stream => {
  const emit = socket.emit.bind(socket) as (event: string | symbol, ...given: unknown[]) => boolean
  let bytes = 0
  return Object.assign(socket, {
    emit(event: string | symbol, ...given: unknown[]): boolean {
      // ldapts takes away its listeners before the last error may have come.
      if (event === 'error' && socket.listenerCount('error') === 0) return false
      const [data] = given
      if (event === 'data' && data instanceof Uint8Array) {
        bytes += data.length
        if (bytes <= upstreamLimits.directoryBytes) note(data)
      }
      if (event !== 'data' || bytes <= upstreamLimits.directoryBytes) return emit(event, ...given)
      socket.destroy(new Error('too_large'))
      return false
    },
  })
}

/** Whether bytes are one message of LDAP and nothing else (X.690 section 8.1.3). */
const isOneMessage = (bytes: Uint8Array): boolean => {
  const [tag, size = 0] = bytes
  const further = size > 0x80 ? bytes.subarray(2, 2 + (size & 0x7f)) : new Uint8Array()
  const length = further.length === 0 ? size : further.reduce((sum, byte) => sum * 256 + byte, 0)
  return tag === 0x30 && bytes.length === 2 + further.length + length
}

const plainTextAdded = (): UpstreamFault =>
  new UpstreamFault('wrong', 'directory: more than the answer to StartTLS in plain text')

/**
 * The sockets of one question: one connection, with TLS in it or not. After a directory hangs up,
 * ldapts would connect anew. Then it would send the next password without StartTLS.
 *
 * Before StartTLS, anybody between here and the directory can add bytes. ldapts keeps half a message
 * and reads on in the messages over TLS. So nothing may come but the answer to StartTLS.
 */
export const createSockets = () => {
  const sockets: Socket[] = []
  const inPlain: Uint8Array[] = []
  let [isConnected, isSecured] = [false, false]
  const keep = <Stream extends Socket>(
    socket: Stream,
    note?: (data: Uint8Array) => void,
  ): Stream => {
    sockets.push(socket)
    return limitBytes(socket, note)
  }
  const openPlain = (port: number, host: string): Socket => {
    if (isConnected) throw new Error('ended')
    isConnected = true
    return keep(connect(port, host), (data) => inPlain.push(data))
  }
  const openSecure = (...given: Parameters<typeof connectTls>): Socket => {
    if (isSecured) throw new Error('ended')
    isSecured = true
    if (isConnected && !isOneMessage(Buffer.concat(inPlain))) throw plainTextAdded()
    // An import would cost each start of the program 20 ms of processor time.
    return keep(process.getBuiltinModule('node:tls').connect(...given))
  }
  return {
    connect: openPlain as typeof connect,
    secure: openSecure as typeof connectTls,
    destroy() {
      for (const socket of sockets) socket.destroy(new Error('ended'))
    },
  }
}
