/** A folder in memory, for files that no disk has to keep. */
import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const shared = '/dev/shm'
/** A container may have very little of it, and what a test writes must always fit. */
const leastBytes = 2 * 1024 ** 3

const hasRoom = (): boolean => {
  if (!existsSync(shared)) return false
  const { bavail, bsize } = statfsSync(shared)
  return bavail * bsize > leastBytes
}

/** @param otherwise the folder where memory has no room */
export const memoryOr = (otherwise = tmpdir()): string => (hasRoom() ? shared : otherwise)
