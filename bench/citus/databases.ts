/** Two new databases on the server of one coordinator: one over its workers, and one without the extension. */
import { readdirSync, readFileSync } from 'node:fs'
import { Client } from 'pg'

export interface Databases {
  readonly citus: string
  readonly plain: string
  /** Processor seconds so far; null where the machines are not this one. */
  readonly measure: () => { readonly coordinator: number; readonly workers: number } | null
  readonly drop: () => Promise<void>
}

/** Few, since each takes its time to make, and a statement of one shard costs the same among many. */
const shardsOfWorker = 4

type Row = Readonly<Record<string, unknown>>

export const ask = async (url: string, sql: string): Promise<readonly Row[]> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** The fields of a process from its state on; none where it has ended. */
const readStat = (pid: string): readonly string[] => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

/** The process that began a session; null where it is on another machine. */
const findServer = async (url: string): Promise<string | null> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const [row] = (await client.query('select pg_backend_pid() as pid')).rows
    const [, parent = ''] = readStat(String(row?.pid))
    const isServer = parent !== '' && readFileSync(`/proc/${parent}/comm`, 'utf8') === 'postgres\n'
    return isServer ? parent : null
  } finally {
    await client.end()
  }
}

/** Of a server, its sessions, and those that have ended. Linux counts in hundredths of a second. */
const cpuOf = (server: string): number =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .reduce((sum, pid) => {
      const fields = readStat(pid)
      if (pid !== server && fields[1] !== server) return sum
      const counted = pid === server ? fields.slice(11, 15) : fields.slice(11, 13)
      return sum + counted.reduce((all, ticks) => all + Number(ticks), 0) / 100
    }, 0)

/** @param coordinator the URL of any database of a coordinator that knows its workers */
export const makeDatabases = async (coordinator: string): Promise<Databases> => {
  const name = `latchkey_bench_${process.pid}`
  const nodes = await ask(
    coordinator,
    'select nodename, nodeport from pg_dist_node order by groupid',
  )
  const urlOf = ({ nodename, nodeport }: Row, database: string): string => {
    const url = new URL(coordinator)
    url.hostname = String(nodename)
    url.port = String(nodeport)
    url.pathname = database
    return url.href
  }
  const [first, ...workers] = nodes
  if (first === undefined || workers.length === 0)
    throw new Error('expected a coordinator of workers')
  const databases = [
    ...nodes.map((node) => [node, name] as const),
    [first, `${name}_plain`] as const,
  ]
  for (const [node, database] of databases) {
    const options = `template template0 encoding 'UTF8'`
    await ask(urlOf(node, 'postgres'), `create database ${database} ${options}`)
    if (database === name) await ask(urlOf(node, name), 'create extension citus')
  }
  const citus = urlOf(first, name)
  await ask(
    citus,
    `alter database ${name} set citus.shard_count = ${shardsOfWorker * workers.length}`,
  )
  await ask(citus, `select citus_set_coordinator_host('${first.nodename}', ${first.nodeport})`)
  for (const worker of workers) {
    await ask(citus, `select citus_add_node('${worker.nodename}', ${worker.nodeport})`)
  }
  const servers = await Promise.all(nodes.map((node) => findServer(urlOf(node, 'postgres'))))
  const isNear = (server: string | null) => server !== null
  return {
    citus,
    plain: urlOf(first, `${name}_plain`),
    measure() {
      if (!servers.every(isNear)) return null
      const [coordinator = 0, ...others] = servers.map(cpuOf)
      return { coordinator, workers: others.reduce((sum, one) => sum + one, 0) }
    },
    async drop() {
      for (const [node, database] of databases.toReversed()) {
        await ask(urlOf(node, 'postgres'), `drop database ${database} with (force)`)
      }
    },
  }
}
