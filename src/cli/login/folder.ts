/** The folder of the user for logins: nobody else may read there, and no link leads elsewhere. */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { findConfigFolder } from '../../config/person.ts'
import { UsageFault } from '../../config/remote.ts'
import { ends } from '../at-end.ts'

const isFault = (fault: unknown, code: string): boolean =>
  fault instanceof Error && 'code' in fault && fault.code === code

/** @throws UsageFault for what others own, read or write */
const checkOwn = (path: string, { uid, mode }: Stats): void => {
  if (uid === process.getuid?.() && (mode & 0o077) === 0) return
  throw new UsageFault(
    `${path} has to be yours alone: other users may reach it (mode ${(mode & 0o777).toString(8)})`,
  )
}

const getPath = (): string => join(findConfigFolder(), 'latchkey')

/**
 * Null where there is none: to read is to make nothing.
 *
 * @throws UsageFault for a link, and for a folder that others reach
 */
export const findFolder = (): string | null => {
  const path = getPath()
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return null
  if (!found.isDirectory()) throw new UsageFault(`${path} has to be a folder, and no link`)
  checkOwn(path, found)
  return path
}

/** @throws UsageFault as `findFolder` */
export const makeFolder = (): string => {
  mkdirSync(getPath(), { recursive: true, mode: 0o700 })
  return findFolder() ?? getPath()
}

/**
 * The text of a file; null where there is none.
 *
 * @throws UsageFault for a link, and for a file that others may read
 */
export const readOwnFile = (path: string): string | null => {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (fault) {
    if (isFault(fault, 'ENOENT')) return null
    if (isFault(fault, 'ELOOP')) throw new UsageFault(`${path} has to be a file, and no link`)
    throw fault
  }
  try {
    const found = fstatSync(file)
    if (!found.isFile()) throw new UsageFault(`${path} has to be a file, and no link`)
    checkOwn(path, found)
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/** Replaces a file as a whole. Only the holder of its lock writes. */
export const writeOwnFile = (path: string, text: string): void => {
  const made = `${path}.new`
  rmSync(made, { force: true })
  const file = openSync(made, 'wx', 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(made, path)
}

export const removeFile = (path: string): void => rmSync(path, { force: true })

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (fault) {
    return !isFault(fault, 'ESRCH')
  }
}

const tryLock = (lock: string): boolean => {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx', mode: 0o600 })
    return true
  } catch (fault) {
    if (isFault(fault, 'EEXIST')) return false
    throw fault
  }
}

const lockLimits = {
  waitMilliseconds: 50,
  seconds: 60,
  unfinishedTries: 10,
  endSeconds: 5,
} as const

/**
 * A refresh token is used once. So the first signal waits until the renewed one is written, and the second does not.
 *
 * @returns removes the lock, and lets the signal end the process
 */
const unlockAtEnd = (lock: string): (() => void) => {
  let ending: { readonly signal: NodeJS.Signals; readonly late: NodeJS.Timeout } | null = null
  const remove = (): void => removeFile(lock)
  const end = (signal: NodeJS.Signals): void => {
    if (ending !== null) unlock()
    else ending = { signal, late: setTimeout(unlock, lockLimits.endSeconds * 1000) }
  }
  const unlock = (): void => {
    for (const signal of ends) process.off(signal, end)
    process.off('exit', remove)
    remove()
    if (ending === null) return
    clearTimeout(ending.late)
    process.kill(process.pid, ending.signal)
  }
  for (const signal of ends) process.on(signal, end)
  process.on('exit', remove)
  return unlock
}

/** @throws UsageFault for a lock of a killed command, or of one without an end */
const checkLock = (lock: string, tries: number): void => {
  const text = readOwnFile(lock)
  // Null where it went meanwhile. A command writes its number at once.
  if (text === null || (text === '' && tries < lockLimits.unfinishedTries)) return
  if (text === '') {
    throw new UsageFault(`${lock} is unfinished: delete it if no other command runs`)
  }
  const isLate = tries > (lockLimits.seconds * 1000) / lockLimits.waitMilliseconds
  if (!isLate && isRunning(Number(text))) return
  throw new UsageFault(`${lock} is of the command ${Number(text)}: delete it if that has ended`)
}

/**
 * Works while no other command does, of this process or another. A lock of a command that was killed is
 * not taken over: two could do so at once.
 *
 * @throws UsageFault where the lock stays
 */
export const lockFile = async <Result>(
  path: string,
  work: () => Promise<Result>,
): Promise<Result> => {
  const lock = `${path}.lock`
  for (let i = 0; !tryLock(lock); i++) {
    checkLock(lock, i)
    await new Promise((done) => setTimeout(done, lockLimits.waitMilliseconds))
  }
  const unlock = unlockAtEnd(lock)
  try {
    return await work()
  } finally {
    unlock()
  }
}
