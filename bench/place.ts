/** Where databases lie while they are measured: on a real disk, and not two runs at once. */
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endCleanly } from './process.ts'
import { median } from './results.ts'
import { refuse } from './usage.ts'

/** In the checkout, since the system's folder for what is temporary often lies in memory, where an fsync is free. */
const own = join(import.meta.dirname, '.data')
const lock = join(own, 'lock')

/** So many small writes tell how long one takes. */
const tries = 50
const pieceBytes = 4096

const forced = { recursive: true, force: true, maxRetries: 5 } as const

const isAlive = (pid: number): boolean => {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (fault) {
    // Somebody else's process may not be told anything, but there it is.
    return (fault as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const tryLock = (): boolean => {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    return false
  }
}

/** Of those who ended without a word. */
const removeLeftOvers = (): void => {
  for (const name of readdirSync(own)) {
    if (name !== 'lock') rmSync(join(own, name), forced)
  }
}

export interface Place {
  /** This run's, which goes when the program ends. */
  readonly folder: string
  /** The folder around it, for whoever removes what he puts there. */
  readonly around: string
}

/** Ends the program where another is under way; from then on nothing stays behind, however this one ends. */
export const takePlace = (): Place => {
  mkdirSync(own, { recursive: true })
  // As the system's own is: whoever runs a database in it removes its files, under another name than ours.
  chmodSync(own, 0o1777)
  if (!tryLock()) {
    const pid = Number(readFileSync(lock, 'utf8'))
    if (isAlive(pid)) refuse(`Process ${pid} is measuring here. If that is not so, remove ${lock}`)
    rmSync(lock, forced)
    if (!tryLock()) refuse(`Another run has begun at this moment, see ${lock}`)
  }
  removeLeftOvers()
  const around = process.env.TMPDIR === undefined ? own : tmpdir()
  const folder = mkdtempSync(join(around, 'latchkey-bench-'))
  endCleanly(() => {
    rmSync(folder, forced)
    rmSync(lock, forced)
  })
  return { folder, around }
}

/** The kind of file system, such as `ext4`. Only Linux tells. */
export const fileSystemOf = (folder: string): string => {
  try {
    const [found] = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .filter(([, at = '']) => at === '/' || `${folder}/`.startsWith(`${at}/`))
      .toSorted(([, a = ''], [, b = '']) => b.length - a.length)
    return found?.[2] ?? 'unknown'
  } catch {
    return 'unknown'
  }
}

/** How long it takes until a small piece has reached the disk: the median, in milliseconds. */
export const fsyncMilliseconds = (folder: string): number => {
  const path = join(folder, 'fsync')
  const file = openSync(path, 'w')
  const piece = Buffer.alloc(pieceBytes, 1)
  const took = Array.from({ length: tries }, (_, i) => {
    const began = performance.now()
    writeSync(file, piece, 0, pieceBytes, i * pieceBytes)
    fsyncSync(file)
    return performance.now() - began
  })
  closeSync(file)
  rmSync(path)
  return Math.round(median(took) * 1000) / 1000
}

export const freeBytes = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
