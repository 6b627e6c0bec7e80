/** Processes on a core of their own, and what the operating system says of them. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, constants } from 'node:os'

const hasTaskset = ((): boolean => {
  try {
    execFileSync('taskset', ['-c', '0', 'true'], { stdio: 'ignore' })
    return availableParallelism() > 1
  } catch {
    return false
  }
})()

/** What stays apart: the servers share a core, since one is measured at a time. Beside: on the other's core. */
export type Place = 'server' | 'load' | 'server beside' | 'load beside' | 'anywhere'
const cores: Readonly<Record<Exclude<Place, 'anywhere'>, string>> = {
  server: '0',
  load: '1',
  'server beside': '1',
  'load beside': '0',
}

export const isPinned = hasTaskset

const children = new Set<ChildProcess>()

/** However this process ends, nothing that it started stays behind; `undo` may tidy up as well. */
export const endCleanly = (undo: () => void): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]))
  }
  process.on('exit', () => {
    for (const child of children) child.kill('SIGKILL')
    undo()
  })
}

/** Starts Node with a script. */
export const spawnNode = (
  place: Place,
  args: readonly string[],
  options: {
    readonly env?: NodeJS.ProcessEnv
    readonly cwd?: string
    readonly channel?: boolean
  } = {},
): ChildProcess => {
  const pinned = hasTaskset && place !== 'anywhere' ? ['taskset', '-c', cores[place]] : []
  const [command = '', ...rest] = [...pinned, process.execPath, ...args]
  const { env = process.env, cwd, channel = false } = options
  const stdio = channel
    ? (['ignore', 'inherit', 'inherit', 'ipc'] as const)
    : (['ignore', 'pipe', 'ignore'] as const)
  const child = spawn(command, rest, {
    env: { ...env, NODE_NO_WARNINGS: '1' },
    ...(cwd === undefined ? {} : { cwd }),
    stdio: [...stdio],
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/** Resolves with the port in the line `listening on http://...`. */
export const listeningPort = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    let said = ''
    child.stdout?.on('data', (piece) => {
      said += String(piece)
      const [, port] = /listening on http:\/\/[^\s:]+:(\d+)/.exec(said) ?? []
      if (port !== undefined) resolve(Number(port))
    })
    child.once('exit', () => reject(new Error(`a server ended before it was ready: ${said}`)))
  })

export const end = async (
  child: ChildProcess,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

const readProcess = (pid: number, file: string): string | null => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    // Only Linux tells this way.
    return null
  }
}

const namesIn = (pid: number, folder: string): readonly string[] => {
  try {
    return readdirSync(`/proc/${pid}/${folder}`)
  } catch {
    return []
  }
}

const cpuIn = (pid: number, file: string): number | null => {
  const stat = readProcess(pid, file)
  if (stat === null) return null
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // Of clock ticks, which Linux shows as hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** CPU seconds of a process and all its threads, user and system; null where they are not told. */
export const cpuSeconds = (pid: number): number | null => cpuIn(pid, 'stat')

/** Those of each thread but the first, which runs the requests: its name, and its CPU seconds so far. */
export const otherThreads = (pid: number): readonly (readonly [string, number])[] =>
  namesIn(pid, 'task')
    .filter((thread) => Number(thread) !== pid)
    .map((thread) => [
      (readProcess(pid, `task/${thread}/comm`) ?? '').trim(),
      cpuIn(pid, `task/${thread}/stat`) ?? 0,
    ])

const megabytesIn = (pid: number, name: string): number | null => {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readProcess(pid, 'status') ?? '')
  return found === null ? null : Number(found[1]) / 1024
}

/** Memory in megabytes: now, and the most it ever was. */
export const residentMegabytes = (pid: number): number | null => megabytesIn(pid, 'VmRSS')
export const mostMegabytes = (pid: number): number | null => megabytesIn(pid, 'VmHWM')

/** Open files, sockets and the like; null where they are not told. */
export const openHandles = (pid: number): number | null => namesIn(pid, 'fd').length || null
