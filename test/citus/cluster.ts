/** A cluster of Citus for tests: the one whose coordinator `LATCHKEY_TEST_CITUS` names. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { killServer } from '../faults/postgres-kill.ts'
import { isRoot } from '../support/debian.ts'

type Rows = readonly Record<string, unknown>[]

/** One PostgreSQL of the cluster. */
export interface Machine {
  readonly host: string
  readonly port: number
}

export interface Cluster {
  readonly coordinator: Machine
  readonly workers: readonly Machine[]
  /** The URL of a new, empty database over these workers. Fewer shards take less time to make, and to move. */
  newDatabase(workers?: readonly Machine[], shards?: number): Promise<string>
  /** The URL of a database on another machine. */
  move(url: string, machine: Machine): string
  /** Runs SQL in a database. */
  askIn(url: string, sql: string): Promise<Rows>
  /** Kills a machine as a power cut does. @returns what starts it again */
  kill(machine: Machine): Promise<() => Promise<void>>
  /** Removes what was made. */
  close(): Promise<void>
}

/** Tests and their databases may only be where nobody else is. */
const loopback = /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/

const askAt = async (url: string, sql: string): Promise<Rows> => {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Starts it as it was started before, as the user who owns its files. */
const startAgain = async (programs: string, folder: string): Promise<void> => {
  const { uid, gid } = statSync(folder)
  // The process is dead, but as long as nobody has heard of its end it looks alive.
  rmSync(join(folder, 'postmaster.pid'), { force: true })
  const args = ['-D', folder, '-w', '-s', '-l', join(folder, 'log'), 'restart']
  const user = isRoot ? { uid, gid } : {}
  const child = spawn(join(programs, 'pg_ctl'), args, { ...user, cwd: '/', stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`pg_ctl restart of ${folder} ended with ${code}`)
}

/** The extension connects to each of its databases again and again. */
const drop = async (url: string, name: string, tries = 1): Promise<void> => {
  try {
    await askAt(url, `drop database if exists ${name} with (force)`)
  } catch (error) {
    if (tries === 20) throw error
    await drop(url, name, tries + 1)
  }
}

let databases = 0

const openCluster = async (url: string): Promise<Cluster> => {
  const { hostname, port } = new URL(url)
  const coordinator = { host: hostname, port: Number(port || 5432) }
  const urlOf = ({ host, port }: Machine, database?: string): string => {
    const at = new URL(url)
    at.hostname = host
    at.port = String(port)
    if (database !== undefined) at.pathname = database
    return at.href
  }
  const nodes = await askAt(
    url,
    `select nodename as host, nodeport as port from pg_dist_node
      where noderole = 'primary' and groupid > 0 order by nodeport`,
  )
  const workers = nodes.map(({ host, port }) => ({ host: String(host), port: Number(port) }))
  const all = [coordinator, ...workers]
  const far = all.filter(({ host }) => !loopback.test(host))
  if (far.length > 0) {
    throw new Error(`expected a cluster on this machine alone, got ${far[0]?.host}`)
  }
  const made: string[] = []
  return {
    coordinator,
    workers,
    async newDatabase(over = workers, shards = 8) {
      const name = `latchkey_test_${process.pid}_${++databases}`
      made.push(name)
      for (const machine of all) {
        await askAt(urlOf(machine), `create database ${name} template template0 encoding 'UTF8'`)
        await askAt(urlOf(machine, name), 'create extension citus')
      }
      const there = urlOf(coordinator, name)
      const { host, port } = coordinator
      await askAt(there, `select citus_set_coordinator_host('${host}', ${port})`)
      for (const { host, port } of over) {
        await askAt(there, `select citus_add_node('${host}', ${port})`)
      }
      await askAt(there, `alter database ${name} set citus.shard_count = ${shards}`)
      return there
    },
    move: (url, machine) => urlOf(machine, new URL(url).pathname),
    askIn: askAt,
    async kill(machine) {
      const ask = (sql: string) => askAt(urlOf(machine, 'postgres'), sql)
      const [[folder], [programs]] = [
        await ask('show data_directory'),
        await ask("select setting from pg_config where name = 'BINDIR'"),
      ]
      await killServer({ ask, crash: null })
      return () => startAgain(String(programs?.setting), String(folder?.data_directory))
    },
    async close() {
      for (const name of made.splice(0)) {
        // The coordinator first, whose background work would connect to the others.
        for (const machine of all) await drop(urlOf(machine, 'postgres'), name)
      }
    },
  }
}

/** Null where the environment names none. @throws Error for one on other machines */
export const findCluster = async (): Promise<Cluster | null> => {
  const url = process.env.LATCHKEY_TEST_CITUS
  return url === undefined ? null : openCluster(url)
}

export const leftOut = 'no cluster of Citus here (LATCHKEY_TEST_CITUS names one): left out'
