/** Reads a file that an operator names, as far as it may be long. */
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { UsageFault } from '../config/remote.ts'

/** Null where it is longer. */
const readAll = async (file: FileHandle, most: number): Promise<Buffer | null> => {
  const pieces: Buffer[] = []
  // `end` is the last byte, so one more than may be there.
  for await (const piece of file.createReadStream({ end: most })) pieces.push(piece as Buffer)
  const content = Buffer.concat(pieces)
  return content.length > most ? null : content
}

/** @throws UsageFault for a folder, a pipe, and a file that is longer or cannot be read */
export const readLimitedFile = async (path: string, most: number): Promise<Buffer> => {
  // A pipe that nobody writes to would keep us waiting.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => null)
  if (file === null) throw new UsageFault(`${path} has to be a file that can be read`)
  try {
    const content = (await file.stat()).isFile() ? await readAll(file, most) : null
    if (content !== null) return content
  } finally {
    await file.close()
  }
  throw new UsageFault(`${path} has to be a file of at most ${most} bytes`)
}
