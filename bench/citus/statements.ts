/** What one call sends to the database: statements, turns, and the shards of each by `explain`. */
import { Client } from 'pg'
import type { Dialect } from '../../src/store/engines/postgres/dialect.ts'
import type { Work } from './work.ts'

type Written = ReturnType<Dialect['write']>

/** Notes what a dialect writes. What is written in one turn of the event loop goes in one piece. */
export const record = (dialect: Dialect) => {
  let turns: Written[][] = []
  let open: Written[] | null = null
  return {
    dialect: {
      ...dialect,
      write(query) {
        const written = dialect.write(query)
        if (open === null) {
          open = []
          turns.push(open)
          setImmediate(() => {
            open = null
          })
        }
        open.push(written)
        return written
      },
    } satisfies Dialect,
    take(): readonly (readonly Written[])[] {
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
  const turns = recorder.take()
  const client = new Client({ connectionString: url })
  await client.connect()
  const shards: number[] = []
  try {
    for (const { text, values } of turns.flat()) {
      const { rows } = await client.query(`explain ${text}`, [...values])
      const lines = rows.map((row) => String(row['QUERY PLAN'])).join('\n')
      const counts = [...lines.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count))
      shards.push(counts.reduce((sum, count) => sum + count, 0))
    }
  } finally {
    await client.end()
  }
  return { turns: turns.length, statements: shards.length, shards }
}
