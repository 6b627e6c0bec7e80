/** `kill -9` for all of a PostgreSQL server that the tests started. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Postgres } from '../store/postgres.ts'

/** "pid (name) state parent ...", and the name may hold anything. */
const parentOf = (pid: number): number => {
  const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1])
}

const childrenOf = (parent: number): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return parentOf(pid) === parent
      } catch {
        return false
      }
    })

/** The server and every process that it forked, at once: as where the power goes. */
export const killServer = async (postgres: Postgres): Promise<void> => {
  const [row] = await postgres.ask('show data_directory')
  const [line = ''] = readFileSync(
    join(String(row?.data_directory), 'postmaster.pid'),
    'utf8',
  ).split('\n')
  const server = Number(line)
  for (const pid of [server, ...childrenOf(server)]) process.kill(pid, 'SIGKILL')
  // Whoever watched over the server has to hear of its end before there is another one.
  await postgres.crash?.end()
}
