/** A line to the database that can be cut: a TCP proxy between a node and PostgreSQL. */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { freePort } from '../support/port.ts'

export type Side = 'answer' | 'request'

export interface Cut {
  /** Whether as many pieces came as it was to take. */
  readonly struck: boolean
}

export interface ProxyLine {
  /** The database as it is reached through here. */
  readonly url: string
  /** The piece with this number, counted from now on, is lost on its way, and the connection with it. */
  cut(side: Side, piece: number): Cut
  /** Nothing is cut any more. */
  heal(): void
  /** Every piece waits so long. */
  delay(milliseconds: number): void
  /** The connections that there are stay open, and nothing comes through them any more. */
  freeze(): void
  /** Nobody listens here any more. */
  end(): Promise<void>
  begin(): Promise<void>
}

interface Pair {
  readonly node: Socket
  readonly database: Socket
  frozen: boolean
}

/** @param database a URL of PostgreSQL on this machine */
export const openProxy = async (database: string): Promise<ProxyLine> => {
  const target = new URL(database)
  const pairs = new Set<Pair>()
  let server: Server
  const port = await freePort()
  let milliseconds = 0
  let cutting: { side: Side; left: number; struck: boolean } | null = null

  const drop = (pair: Pair): void => {
    pairs.delete(pair)
    pair.node.destroy()
    pair.database.destroy()
  }

  const isCut = (side: Side): boolean => {
    if (cutting === null || cutting.side !== side || cutting.struck) return false
    cutting.struck = --cutting.left === 0
    return cutting.struck
  }

  const carry = (pair: Pair, side: Side, from: Socket, to: Socket): void => {
    from.on('data', (piece) => {
      if (pair.frozen) return
      if (isCut(side)) return drop(pair)
      if (milliseconds === 0) to.write(piece)
      else setTimeout(() => to.write(piece), milliseconds)
    })
    from.on('error', () => drop(pair))
    from.on('close', () => drop(pair))
  }

  const begin = async (): Promise<void> => {
    server = createServer((node) => {
      const pair = { node, database: connect(Number(target.port), target.hostname), frozen: false }
      pairs.add(pair)
      carry(pair, 'request', node, pair.database)
      carry(pair, 'answer', pair.database, node)
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }

  await begin()
  const url = new URL(database)
  url.port = String(port)
  return {
    url: url.href,
    cut: (side, piece) => {
      cutting = { side, left: piece, struck: false }
      return cutting
    },
    heal: () => {
      cutting = null
    },
    delay: (given) => {
      milliseconds = given
    },
    freeze: () => {
      for (const pair of pairs) pair.frozen = true
    },
    end: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const pair of [...pairs]) drop(pair)
      await closed
    },
    begin,
  }
}
