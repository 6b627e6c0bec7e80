/**
 * Checks for changes of other nodes: one statement for all that ask in one turn of the event loop.
 * They have a connection of their own, so their answers come in the order of asking, and each sees
 * all that an earlier one saw.
 */
import { askChanges, decodeChanges, type Seen } from '../../records/event/changes.ts'
import type { Connection } from './connection.ts'
import type { Line } from './line.ts'

/** A cache, as the checks speak to it. */
export interface Invalidated {
  invalidate(things: readonly string[]): void
  invalidateAll(): void
}

export class Checks {
  readonly #line: Line
  readonly #cache: Invalidated
  #next: Promise<void> | null = null
  #last: Promise<void> = Promise.resolve()
  #closed = false
  #connection: Connection | null = null
  /** Null where nothing is known, so that the next check invalidates everything. */
  #seen: Seen | null = null

  constructor(line: Line, cache: Invalidated) {
    this.#line = line
    this.#cache = cache
  }

  /** Invalidates all that was committed before this call. Never fails: then it invalidates all. */
  check(): Promise<void> {
    if (this.#closed) return Promise.resolve(this.#cache.invalidateAll())
    this.#next ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#next = null
        this.#last = this.#ask()
        resolve(this.#last)
      })
    })
    return this.#next
  }

  /** Answers those who wait. Later checks invalidate everything without asking. */
  async close(): Promise<void> {
    await this.#next
    await this.#last
    this.#closed = true
    await this.#line.close()
  }

  async #ask(): Promise<void> {
    let connection: Connection | null = null
    try {
      connection = await this.#line.take()
      if (connection !== this.#connection) this.#begin(connection)
      const seen = this.#seen
      const [row] = await connection.query(askChanges(seen))
      // An earlier connection may have been that of another server.
      if (connection !== this.#connection) return
      const changes = decodeChanges(row, seen)
      this.#seen = changes.seen
      if (changes.things === null) this.#cache.invalidateAll()
      else this.#cache.invalidate(changes.things)
    } catch {
      connection?.destroy()
      if (connection === null || connection === this.#connection) this.#begin(null)
    }
  }

  #begin(connection: Connection | null): void {
    this.#connection = connection
    this.#seen = null
    this.#cache.invalidateAll()
  }
}
