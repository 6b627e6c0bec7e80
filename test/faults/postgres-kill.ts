/** `kill -9`, or a standstill, of all of a PostgreSQL server that the tests started. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Postgres } from '../store/postgres.ts'

interface Status {
  /** One letter: `T` for stopped, `Z` for ended and not yet reaped by its parent. */
  readonly state: string
  readonly parent: number
}

/** "pid (name) state parent ...", and the name may hold anything; null where there is no such process. */
const statusOf = (pid: number): Status | null => {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state = '', parent] = status.slice(status.lastIndexOf(')') + 2).split(' ')
    return { state, parent: Number(parent) }
  } catch {
    return null
  }
}

const childrenOf = (parent: number): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => statusOf(pid)?.parent === parent)

const isRunning = (pid: number): boolean => !/^[ZX]?$/.test(statusOf(pid)?.state ?? '')

/** Some end by themselves, at any moment. */
const signal = (pid: number, name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void => {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Stops the server, and answers it and every process that it forked. Those still run. */
const stopServer = async (postgres: Pick<Postgres, 'ask'>): Promise<readonly number[]> => {
  const [row] = await postgres.ask('show data_directory')
  const [line = ''] = readFileSync(
    join(String(row?.data_directory), 'postmaster.pid'),
    'utf8',
  ).split('\n')
  const server = Number(line)
  // While it stands still it forks nobody who would be missing from the list.
  process.kill(server, 'SIGSTOP')
  while (statusOf(server)?.state !== 'T') await setImmediate()
  return [server, ...childrenOf(server)]
}

/** Kills the server and every process that it forked at once, as a power cut does. */
export const killServer = async (postgres: Pick<Postgres, 'ask' | 'crash'>): Promise<void> => {
  const all = await stopServer(postgres)
  for (const pid of all) signal(pid, 'SIGKILL')
  // The next server refuses to start for as long as one of them holds the memory that they share.
  while (all.some(isRunning)) await setImmediate()
  // The server's guard has to notice its end before another one starts.
  await postgres.crash?.end()
}

/** Connections stay open and nobody answers. The result lets the server go on. */
export const freezeServer = async (postgres: Postgres): Promise<() => void> => {
  const all = await stopServer(postgres)
  for (const pid of all) signal(pid, 'SIGSTOP')
  while (all.some((pid) => isRunning(pid) && statusOf(pid)?.state !== 'T')) await setImmediate()
  return () => {
    for (const pid of all) signal(pid, 'SIGCONT')
  }
}
