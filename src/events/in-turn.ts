/** Writing what was gathered in memory: in batches, and at the end of the process. */
import type { Tell } from '../model/notice.ts'

/**
 * Batches follow one another, and each writes all that was noted before its request. Callers share a
 * batch that has not begun, so at most one waits behind a slow store.
 */
export const runInTurn = (write: () => Promise<void>): (() => Promise<void>) => {
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

/**
 * Writes a batch in each turn. A failed batch stays as it is until it is certainly written. So it comes first,
 * and then the next one.
 *
 * @param next null where there is nothing to write
 */
export const writeBatches = <Batch>(
  next: () => Batch | null | Promise<Batch | null>,
  write: (batch: Batch) => Promise<void>,
): (() => Promise<void>) => {
  let batch: Batch | null = null
  return runInTurn(async () => {
    if (batch !== null) await write(batch)
    batch = await next()
    if (batch !== null) await write(batch)
    batch = null
  })
}

/** @param held by name; one that cannot be written does not keep the others */
export const writeHeld = async (
  held: Readonly<Record<string, { flush(): Promise<void> }>>,
  tell: Tell,
): Promise<void> => {
  for (const [name, { flush }] of Object.entries(held)) {
    const message = `the last ${name} were not written`
    const note = (fault: unknown) => tell({ level: 'error', message, fault: String(fault) })
    await flush().catch(note)
  }
}
