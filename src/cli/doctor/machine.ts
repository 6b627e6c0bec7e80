/** The machine: the version of Node, open files, the disk, and the readers of the files. */
import { existsSync, readFileSync, type StatsFs, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { findSqlitePath } from '../../config/places.ts'
import type { Settings } from '../../config/settings.ts'
import { doctorLimits, type Finding, listFound, makeProblem, makeWeakness } from './finding.ts'

const leastNode = 24
const gigabyte = 1024 ** 3

type FileSystem = Pick<StatsFs, 'type' | 'bsize' | 'blocks' | 'bavail'>

export interface Machine {
  readonly node: string
  /** How many files a process may open; null where nothing says it. */
  readonly openFiles: number | null
  fileSystem(folder: string): FileSystem
}

const checkNode = (version: string): Finding | null => {
  const major = Number(version.split('.')[0])
  const fix = `Install Node ${leastNode} or later.`
  if (major < leastNode) return makeProblem('node.old', `Node ${version} is too old.`, fix)
  return major % 2 === 0
    ? null
    : makeWeakness(
        'node.odd',
        `Node ${version} gets no long-term support.`,
        'Install an even version, which gets security fixes for years.',
      )
}

/** How many files a process may open, by `/proc`; null on other systems. */
const openFiles = (): number | null => {
  try {
    const [, most] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return most === undefined ? null : Number(most)
  } catch {
    return null
  }
}

export const readMachine = (): Machine => ({
  node: process.versions.node,
  openFiles: openFiles(),
  fileSystem: statfsSync,
})

const checkOpenFiles = (most: number | null): Finding | null => {
  if (most === null || most >= doctorLimits.openFiles) return null
  return makeWeakness(
    'files.few',
    `A process may open ${most} files, and each connection is one.`,
    'Raise it: LimitNOFILE=65536 in the systemd unit, or ulimit -n 65536.',
  )
}

const checkSpace = (folder: string, { bavail, blocks, bsize }: FileSystem): Finding | null => {
  const free = bavail * bsize
  const part = blocks === 0 ? 1 : bavail / blocks
  if (free >= doctorLimits.freeBytes && part >= doctorLimits.freePart) return null
  const words = `${folder} has ${(free / gigabyte).toFixed(1)} GB free (${Math.floor(part * 100)} %).`
  const fix = 'Make room: a full disk ends every login. Backups belong on another disk.'
  return free < doctorLimits.leastFreeBytes
    ? makeProblem('disk.full', words, fix)
    : makeWeakness('disk.space', words, fix)
}

/** Kinds of file systems by their number in Linux (`man statfs`). */
const network: ReadonlySet<number> = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x5346414f])
const memory: ReadonlySet<number> = new Set([0x01021994, 0x858458f6])

const checkKind = (folder: string, { type }: FileSystem): Finding | null => {
  if (network.has(type)) {
    return makeProblem(
      'database.network',
      `${folder} is a network file system, on which SQLite loses data.`,
      'Put the database on a disk of this machine, or use PostgreSQL.',
    )
  }
  return memory.has(type)
    ? makeWeakness(
        'database.volatile',
        `${folder} is in memory, so a restart of the machine loses everything.`,
        'Put the database on a disk.',
      )
    : null
}

/** Files of the database that other users of the machine may read or write. */
const checkModes = (path: string): readonly Finding[] =>
  [path, `${path}.key`, `${path}-wal`, `${path}.sock`]
    .filter((file) => existsSync(file) && (statSync(file).mode & 0o077) !== 0)
    .map((file) =>
      makeProblem(
        'files.readable',
        `Other users of this machine may read or write ${file}.`,
        `Run chmod 600 ${file}.`,
      ),
    )

const checkEmbedded = (path: string, machine: Machine): readonly Finding[] => {
  if (!existsSync(path)) {
    const isLost = ['-wal', '.sock'].some((rest) => existsSync(path + rest))
    const fix = isLost
      ? 'The file was removed or moved. Put it back before you end the service, as docs/moving.md says, or restore a backup.'
      : 'Run latchkey init, or correct LATCHKEY_STORE.'
    return [makeProblem('database.missing', `There is no database ${path}.`, fix)]
  }
  const log = existsSync(`${path}-wal`) ? statSync(`${path}-wal`).size : 0
  const folder = dirname(path)
  const fileSystem = machine.fileSystem(folder)
  return listFound(
    checkModes(path),
    checkSpace(folder, fileSystem),
    checkKind(folder, fileSystem),
    log > doctorLimits.writeAheadBytes &&
      makeWeakness(
        'database.log',
        `The write-ahead log ${path}-wal has ${(log / gigabyte).toFixed(1)} GB, so a start takes long.`,
        'Restart the service; if it grows again, look for a backup or a reader that never ends.',
      ),
  )
}

export const checkMachine = (
  settings: Pick<Settings, 'store'>,
  machine: Machine,
): readonly Finding[] => {
  const path = findSqlitePath(settings)
  return listFound(
    checkNode(machine.node),
    checkOpenFiles(machine.openFiles),
    path !== null && checkEmbedded(path, machine),
  )
}
