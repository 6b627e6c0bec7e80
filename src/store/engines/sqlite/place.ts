/** The files under an open database: whether they are still in place, and find room on their disk. */
import { realpathSync, statSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { StoreFault } from '../../fault.ts'
import { reasonOf } from './fault.ts'

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

/** Writes so many bytes beside the database, and removes them. @throws StoreFault where it finds no room */
export const writeBeside = async (path: string, bytes: number): Promise<void> => {
  const beside = `${path}.room`
  try {
    await writeFile(beside, new Uint8Array(bytes), { flush: true })
  } catch (error) {
    throw new StoreFault('failed', `a write of ${bytes} bytes has no room: ${reasonOf(error)}`)
  } finally {
    await rm(beside, { force: true })
  }
}
