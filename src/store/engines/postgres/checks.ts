/**
 * Checks for changes of other nodes: one statement for all that ask in one turn of the event loop.
 * Checks have a connection of their own, so their answers come in the order of asking, and each sees
 * all that an earlier one saw.
 */
import type { Marks } from '../../cache/marks.ts'
import { askChanges, decodeChanges, type Seen } from '../../records/event/changes.ts'
import type { Connection } from './connection.ts'
import type { Line } from './line.ts'

export type Invalidated = Pick<Marks, 'invalidate' | 'invalidateAll'>

export const createChecks = (line: Line, cache: Invalidated) => {
  let next: Promise<void> | null = null
  let last: Promise<void> = Promise.resolve()
  let isClosed = false
  let current: Connection | null = null
  /** Null where nothing is known, so that the next check invalidates everything. */
  let seen: Seen | null = null

  const begin = (connection: Connection | null): void => {
    current = connection
    seen = null
    cache.invalidateAll()
  }

  const ask = async (): Promise<void> => {
    let connection: Connection | null = null
    try {
      connection = await line.take()
      if (connection !== current) begin(connection)
      const before = seen
      const [row] = await connection.query(askChanges(before))
      // An earlier connection may have been that of another server.
      if (connection !== current) return
      const changes = decodeChanges(row, before)
      seen = changes.seen
      if (changes.things === null) cache.invalidateAll()
      else cache.invalidate(changes.things)
    } catch {
      connection?.destroy()
      if (connection === null || connection === current) begin(null)
    }
  }

  return {
    /** Invalidates all that was committed before this call. Never fails: then it invalidates all. */
    check(): Promise<void> {
      if (isClosed) return Promise.resolve(cache.invalidateAll())
      next ??= new Promise((resolve) => {
        setImmediate(() => {
          next = null
          last = ask()
          resolve(last)
        })
      })
      return next
    },
    /** Answers those who wait. Later checks invalidate everything without asking. */
    async close(): Promise<void> {
      await next
      await last
      isClosed = true
      await line.close()
    },
  }
}
