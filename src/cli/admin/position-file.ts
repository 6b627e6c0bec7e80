/** The file of `event follow --position`: how far its lines have come. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { UsageFault } from '../../config/remote.ts'
import { syncFolderAtOnce } from '../../config/sync-folder.ts'
import { isEventPosition } from '../../model/event.ts'

/**
 * Null where there is no file yet. Anything else in it is refused: to begin anew without a word would
 * leave events out.
 *
 * @throws UsageFault
 */
export const readPosition = (path: string): string | null => {
  if (!existsSync(path)) return null
  const position = readFileSync(path, 'utf8').trim()
  if (isEventPosition(position)) return position
  throw new UsageFault(
    `the file ${path} holds no position: remove it, and say with --since how far back to begin`,
  )
}

const standardOutput = 1

/** The lines come to the disk before the position that says they are there. */
const syncLines = (): void => {
  try {
    fsyncSync(standardOutput)
  } catch {
    // A pipe or a terminal, of which nothing is kept.
  }
}

/** Replaces the file as a whole, so that a power failure leaves the old position or the new one. */
export const writePosition = (path: string, position: string): void => {
  syncLines()
  const file = openSync(`${path}.new`, 'w')
  try {
    writeSync(file, `${position}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(`${path}.new`, path)
  syncFolderAtOnce(path)
}
