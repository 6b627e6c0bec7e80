/** The client of pg, opened so that nothing the server sends can end the process, and its words. */
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Client, type ClientConfig, type CustomTypesConfig } from 'pg'
import { fillPlaces } from '../../records/event/places.ts'
import type { Value } from '../../sql/statement.ts'
import { refuse } from './fault.ts'

const connectMilliseconds = 5000
/** How long another node may take to bring the schema up to date. */
export const migrationMilliseconds = 60_000

/** A statement text that PostgreSQL prepares once on each connection, under its name. */
interface Prepared {
  readonly name: string
  readonly text: string
}

const known = new Map<string, Prepared>()

/** With numbered parameters. Texts are constants, or one of a few forms of one, so there are only so many. */
export const prepare = (sql: string): Prepared => {
  let one = known.get(sql)
  if (one === undefined) {
    let parameters = 0
    one = {
      name: `s${known.size}`,
      text: fillPlaces(sql, 'postgres').replaceAll('?', () => `$${++parameters}`),
    }
    known.set(sql, one)
  }
  return one
}

const wholeNumbers = [20, 21, 23]

/** int8, int2 and int4 are numbers, everything else is text, as in every row of the store. */
export const types: CustomTypesConfig = {
  getTypeParser: ((type: number) =>
    wholeNumbers.includes(type) ? Number : (value: string): Value => value) as never,
}

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
    connectionTimeoutMillis: connectMilliseconds,
    ...config,
  })
  containFaults(socket)
  // With TLS, pg reads another stream from then on.
  client.connection.once('sslconnect', () => containFaults(client.connection.stream))
  return { client, socket }
}
