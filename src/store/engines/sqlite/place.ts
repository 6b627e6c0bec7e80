/** The files under an open database: whether they are still in place, and find room on their disk. */
import { realpathSync, statSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { serialize } from 'node:v8'
import { StoreFault } from '../../fault.ts'
import { isFull, reasonOf } from './fault.ts'
import { sqliteLimits } from './limits.ts'

/** Device and inode of a file; null where there is none. */
const findFile = (path: string): string | null => {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev} ${found.ino}`
}

/**
 * Tells whether the path still names the open database and its journal. Writes into a file that was
 * removed last as long as this process.
 */
export const watchPlace = (path: string): (() => boolean) => {
  const files = [path, `${realpathSync(path)}-wal`]
  const known = files.map(findFile)
  return () => files.every((file, i) => findFile(file) === known[i])
}

/** Readiness asks for the room that a write did not find. Smaller writes say nothing about it. */
export class DiskRoom {
  readonly #path: string
  /** The size of the largest write that found no room since; 0 for none. */
  #lackingBytes = 0

  constructor(path: string) {
    this.#path = `${path}.room`
  }

  get isLacking(): boolean {
    return this.#lackingBytes > 0
  }

  /** @param fault 0 where the step was done */
  note(args: readonly unknown[], fault: number): void {
    if (!isFull(fault) && (fault !== 0 || this.#lackingBytes === 0)) return
    const bytes = serialize(args).length
    if (isFull(fault)) this.#lackingBytes = Math.max(this.#lackingBytes, bytes)
    else if (bytes >= this.#lackingBytes) this.#lackingBytes = 0
  }

  /** Writes as much beside the database, and removes it. @throws StoreFault where it finds no room */
  async prove(): Promise<void> {
    const bytes = this.#lackingBytes
    try {
      // A step changes whole pages, of its indexes as well.
      await writeFile(this.#path, new Uint8Array(bytes + sqliteLimits.roomBytes), { flush: true })
      this.#lackingBytes = 0
    } catch (error) {
      throw new StoreFault('failed', `a write of ${bytes} bytes has no room: ${reasonOf(error)}`)
    } finally {
      await rm(this.#path, { force: true })
    }
  }
}
