/** What one call sends to the database: statements, turns, and the shards of each by `explain`. */
import { Client } from 'pg'
import { moveUrl } from '../../src/store/engines/citus/coordinator.ts'
import type { Dialect, Written } from '../../src/store/engines/postgres/dialect.ts'
import type { Work } from './work.ts'

interface Noted {
  readonly written: Written
  /** The machine that is asked itself; null: the coordinator. */
  readonly machine: number | null
}

/** Notes what a dialect writes. What is written in one turn of the event loop goes in one piece. */
export const record = (dialect: Dialect) => {
  let turns: Noted[][] = []
  let open: Noted[] | null = null
  const note = (written: Written, machine: number | null): Written => {
    if (open === null) {
      open = []
      turns.push(open)
      setImmediate(() => {
        open = null
      })
    }
    open.push({ written, machine })
    return written
  }
  const { near } = dialect
  return {
    dialect: {
      ...dialect,
      write: (query) => note(dialect.write(query), null),
      near: near && {
        ...near,
        begin(machine, keys) {
          const work = near.begin(machine, keys)
          return work && { ...work, write: (one) => note(work.write(one), machine) }
        },
        read(machine, all) {
          const work = near.read(machine, all)
          for (const { written } of work?.reads ?? []) note(written, machine)
          return work
        },
      },
    } satisfies Dialect,
    take(): readonly (readonly Noted[])[] {
      const taken = turns
      turns = []
      return taken
    },
  }
}

/** A new connection asks something of its own. */
const callsBefore = 20

export interface Explained {
  readonly turns: number
  readonly statements: number
  /** Of each statement; 0 for one that the coordinator answers alone. */
  readonly shards: readonly number[]
  /** How many statements go straight to a machine. */
  readonly near: number
}

/** @param url of the database over many machines */
export const explainWork = async (
  url: string,
  recorder: ReturnType<typeof record>,
  work: Work,
): Promise<Explained> => {
  for (let call = 0; call < callsBefore; call++) await work()
  recorder.take()
  await work()
  const noted = recorder.take()
  const shards: number[] = []
  const connections = new Map<number | null, Client>()
  const connect = async (machine: number | null): Promise<Client> => {
    const address = machine === null ? null : recorder.dialect.machines?.addressOf(machine)
    const client = new Client({ connectionString: address ? moveUrl(url, address) : url })
    await client.connect()
    connections.set(machine, client)
    return client
  }
  try {
    for (const { written, machine } of noted.flat()) {
      const client = connections.get(machine) ?? (await connect(machine))
      const { rows } = await client.query(`explain ${written.text}`, [...written.values])
      const lines = rows.map((row) => String(row['QUERY PLAN'])).join('\n')
      const counts = [...lines.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count))
      // A machine itself plans as if there were no other one.
      shards.push(machine === null ? counts.reduce((sum, count) => sum + count, 0) : 1)
    }
  } finally {
    await Promise.all([...connections.values()].map((client) => client.end()))
  }
  const near = noted.flat().filter(({ machine }) => machine !== null).length
  return { turns: noted.length, statements: shards.length, shards, near }
}
