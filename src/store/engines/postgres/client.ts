/** The client of pg, opened so that nothing the server sends can end the process. */
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Client, type ClientConfig } from 'pg'
import { refuse } from './fault.ts'
import { postgresLimits } from './limits.ts'
import { types } from './text.ts'

/**
 * What a listener of `stream` throws ends this connection, and not the process: pg's parser throws
 * at a malformed message.
 */
const containFaults = (stream: Duplex): void => {
  const emit = stream.emit.bind(stream)
  stream.emit = (event: string | symbol, ...args: unknown[]): boolean => {
    try {
      return emit(event, ...args)
    } catch {
      stream.destroy(refuse('malformed'))
      return true
    }
  }
}

/** A client without a connection yet, and the socket for it. */
export const createClient = (
  url: string,
  config: ClientConfig,
): { readonly client: Client; readonly socket: Socket } => {
  const socket = new Socket()
  const client = new Client({
    connectionString: url,
    stream: () => socket,
    types,
    keepAlive: true,
    application_name: 'latchkey',
    connectionTimeoutMillis: postgresLimits.connectMilliseconds,
    ...config,
  })
  containFaults(socket)
  // With TLS, pg reads another stream from then on.
  client.connection.once('sslconnect', () => containFaults(client.connection.stream))
  return { client, socket }
}
