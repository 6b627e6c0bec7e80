/** A line to the database: a connection made when it is needed, and made again where it was lost. */
import type { Random } from '../../../model/ids.ts'
import { type Connection, connect, type Durability } from './connection.ts'
import type { Dialect } from './dialect.ts'
import { lostBy, refuse } from './fault.ts'

/** After a failure to connect nobody tries for so long; doubled each time up to the longest. */
const firstRestMilliseconds = 50
const longestRestMilliseconds = 1000

/** Half to once as long, so that those who failed together do not come back together. */
export const addJitter = (milliseconds: number, random: Random): number =>
  milliseconds * (0.5 + (random(1)[0] ?? 0) / 512)

/**
 * Makes the connections of a node. After a failure there is a pause, longer each time. Until its
 * end, all callers hear at once that the database cannot be reached.
 */
export const createDialler = (
  url: string,
  durability: Durability,
  random: Random,
  dialect: Dialect,
) => {
  let failures = 0
  let isResting = false
  const rest = (): void => {
    if (isResting) return
    isResting = true
    const milliseconds = Math.min(longestRestMilliseconds, firstRestMilliseconds * 2 ** failures++)
    setTimeout(
      () => {
        isResting = false
      },
      addJitter(milliseconds, random),
    ).unref()
  }
  /** @throws StoreFault `unreachable` */
  const dial = async (): Promise<Connection> => {
    if (isResting) throw refuse('unreachable')
    try {
      const connection = await connect(url, durability, dialect)
      failures = 0
      return connection
    } catch (error) {
      rest()
      throw lostBy(error)
    }
  }
  return { dial, durability, dialect }
}

type Dialler = ReturnType<typeof createDialler>

/** @param onDial called before each new connection is used */
export const createLine = (
  { dial, durability, dialect }: Dialler,
  onDial: () => void = () => {},
) => {
  let current: Promise<Connection> | null = null
  const reach = (): Promise<Connection> => {
    if (current !== null) return current
    const connecting = dial().then((connection) => {
      onDial()
      return connection
    })
    current = connecting
    connecting.catch(() => {
      if (current === connecting) current = null
    })
    return connecting
  }
  /** The connection of this line. @throws StoreFault `unreachable` */
  const take = async (): Promise<Connection> => {
    const connecting = reach()
    const connection = await connecting
    if (!connection.isLost()) return connection
    if (current === connecting) current = null
    return reach()
  }
  return {
    dialect,
    isOpen: () => current !== null,
    take,
    /** The same for work that ends in a commit. @throws StoreFault `unreachable`, `lossy` */
    async takeDurable(): Promise<Connection> {
      const connection = await take()
      durability.check()
      return connection
    },
    async close(): Promise<void> {
      const connection = await current?.catch(() => null)
      if (connection && !connection.isLost()) await connection.end()
    },
  }
}

export type Line = ReturnType<typeof createLine>
