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
 * Makes the connections of a node, each proved before it is used. After a failure there is a pause, longer each time. Until its
 * end, all callers hear at once that the database cannot be reached.
 */
export const createDialler = (
  url: string,
  durability: Durability,
  random: Random,
  dialect: Dialect,
  prove: (connection: Connection) => Promise<void> = async () => {},
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
    let connection: Connection | null = null
    try {
      connection = await connect(url, durability, dialect)
      await prove(connection)
      failures = 0
      return connection
    } catch (error) {
      connection?.destroy()
      rest()
      throw lostBy(error)
    }
  }
  return { dial, durability, dialect }
}

export type Dialler = ReturnType<typeof createDialler>

/** A line to a machine of a cluster. */
export interface NearLine {
  /** See `Line`. */
  takeOpen(): Connection | null
  /** Leaves the machine to the coordinator for some seconds. */
  avoid(): void
}

export interface Line {
  readonly dialect: Dialect
  /** The line beside it to a machine of a cluster; null where there is none now. */
  readonly near: (machine: number) => NearLine | null
  isOpen(): boolean
  /** The connection of this line. @throws StoreFault `unreachable` */
  take(): Promise<Connection>
  /** The same without waiting, for work of any kind. Null where there is none yet, and one is made. */
  takeOpen(): Connection | null
  /** The same for work that ends in a commit. @throws StoreFault `unreachable`, `lossy` */
  takeDurable(): Promise<Connection>
  close(): Promise<void>
}

interface LineOptions {
  /** Called before each new connection is used. */
  readonly onDial?: (() => void) | undefined
  readonly near?: Line['near']
}

export const createLine = (
  { dial, durability, dialect }: Dialler,
  { onDial = () => {}, near = () => null }: LineOptions = {},
): Line => {
  let current: Promise<Connection> | null = null
  let opened: Connection | null = null
  const reach = (): Promise<Connection> => {
    if (current !== null) return current
    const connecting = dial().then((connection) => {
      onDial()
      opened = connection
      return connection
    })
    current = connecting
    connecting.catch(() => {
      if (current === connecting) current = null
    })
    return connecting
  }
  const take = async (): Promise<Connection> => {
    const connecting = reach()
    const connection = await connecting
    if (!connection.isLost()) return connection
    if (current === connecting) current = null
    return reach()
  }
  return {
    dialect,
    near,
    isOpen: () => current !== null,
    take,
    takeOpen() {
      if (opened !== null && !opened.isLost()) return durability.isKept() ? opened : null
      take().catch(() => {})
      return null
    },
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
