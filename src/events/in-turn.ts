/** Writing what was gathered in memory. */

/**
 * Batches follow one another, and each writes all that was noted before its request. Callers share a
 * batch that has not begun, so at most one waits behind a slow store.
 */
export const inTurn = (write: () => Promise<void>): (() => Promise<void>) => {
  let last: Promise<void> = Promise.resolve()
  let waiting: Promise<void> | null = null
  const begin = (): Promise<void> => {
    waiting = null
    return write()
  }
  return () => {
    if (waiting !== null) return waiting
    last = last.then(begin, begin)
    waiting = last
    return last
  }
}
