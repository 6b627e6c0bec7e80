/** A line to the database: a connection made when it is needed, and made again where it was lost. */

import { type Connection, connect, type Durability } from './connection.ts'
import { lostBy, refuse } from './fault.ts'

/** After a failure to connect nobody tries for so long; doubled each time up to the longest. */
const firstRestMilliseconds = 50
const longestRestMilliseconds = 1000

/** So many random bytes. */
export type RandomBytes = (bytes: number) => Uint8Array

/** Half to once as long, so that those who failed together do not come back together. */
export const jittered = (milliseconds: number, random: RandomBytes): number =>
  milliseconds * (0.5 + (random(1)[0] ?? 0) / 512)

/**
 * Makes the connections of a node. After a failure there is a pause, longer each time. Until its
 * end, all callers hear at once that the database cannot be reached.
 */
export class Dialler {
  readonly #url: string
  readonly durability: Durability
  readonly #random: RandomBytes
  #failures = 0
  #resting = false

  constructor(url: string, durability: Durability, random: RandomBytes) {
    this.#url = url
    this.durability = durability
    this.#random = random
  }

  /** @throws StoreFault `unreachable` */
  async dial(): Promise<Connection> {
    if (this.#resting) throw refuse('unreachable')
    try {
      const connection = await connect(this.#url, this.durability)
      this.#failures = 0
      return connection
    } catch (error) {
      this.#rest()
      throw lostBy(error)
    }
  }

  #rest(): void {
    if (this.#resting) return
    this.#resting = true
    const rest = Math.min(longestRestMilliseconds, firstRestMilliseconds * 2 ** this.#failures++)
    setTimeout(
      () => {
        this.#resting = false
      },
      jittered(rest, this.#random),
    ).unref()
  }
}

export class Line {
  readonly #dialler: Dialler
  readonly #onDial: () => void
  #connection: Promise<Connection> | null = null

  /** @param onDial called before each new connection is used */
  constructor(dialler: Dialler, onDial: () => void = () => {}) {
    this.#dialler = dialler
    this.#onDial = onDial
  }

  get isOpen(): boolean {
    return this.#connection !== null
  }

  /** The connection of this line. @throws StoreFault `unreachable` */
  async take(): Promise<Connection> {
    const connecting = this.#connect()
    const connection = await connecting
    if (!connection.isLost()) return connection
    if (this.#connection === connecting) this.#connection = null
    return this.#connect()
  }

  /** The same for work that ends in a commit. @throws StoreFault `unreachable`, `lossy` */
  async takeDurable(): Promise<Connection> {
    const connection = await this.take()
    this.#dialler.durability.check()
    return connection
  }

  async close(): Promise<void> {
    const connection = await this.#connection?.catch(() => null)
    if (connection && !connection.isLost()) await connection.end()
  }

  #connect(): Promise<Connection> {
    if (this.#connection === null) {
      const connecting = this.#dialler.dial().then((connection) => {
        this.#onDial()
        return connection
      })
      this.#connection = connecting
      connecting.catch(() => {
        if (this.#connection === connecting) this.#connection = null
      })
    }
    return this.#connection
  }
}

export const openLines = (count: number, dialler: Dialler, onDial?: () => void): readonly Line[] =>
  Array.from({ length: count }, () => new Line(dialler, onDial))
