/**
 * A database on one machine becomes one over many. First the old tables move into a schema of their own, and empty
 * ones take their names, in one transaction. From then on no service runs until the end. Then the rows are copied, a
 * few at a time, each time in one transaction with the key that was reached. So it may be interrupted at any point.
 */
import { openShardKeys, type ShardKeys } from '../../../crypto/shard-keys.ts'
import type { Random } from '../../../model/ids.ts'
import { StoreRefusal } from '../../fault.ts'
import { shardSecret } from '../../placed-id.ts'
import type { Table } from '../../schema/table.ts'
import { localTables, tables } from '../../sql/records.ts'
import { integer, text } from '../../sql/row.ts'
import { type Ask, areDistributed, findCluster, findClusterFault, runAsOne } from './cluster.ts'
import {
  type CopiedPiece,
  copyPiece,
  nothing,
  plainSchema,
  type TableSums,
  tryPiece,
} from './pieces.ts'
import { openKeysBy } from './secret.ts'
import { refuseLossyWorkers } from './workers.ts'

/** Of the last kind, only nodes that run need the rows. */
const all = [...tables, ...localTables.filter(({ name }) => name !== 'changes')]

export interface Distributed {
  readonly rows: Readonly<Record<string, number>>
  /** Sessions and families of tokens that end, since their ids tell no shard. */
  readonly ended: { readonly sessions: number; readonly families: number }
  /** Authorizations that have another id now. */
  readonly renamed: number
}

export interface Copying {
  readonly table: string
  /** Of all rows, from 0 to 1. */
  readonly fraction: number
}

const count = async (ask: Ask, from: string): Promise<number> =>
  integer((await ask(`select count(*) as rows from ${from}`))[0]?.rows)

/** Connections of services and of other commands. */
const checkAlone = async (ask: Ask): Promise<void> => {
  const nodes = await count(
    ask,
    `pg_stat_activity where datname = current_database() and application_name = 'latchkey'`,
  )
  if (nodes === 0) return
  throw new StoreRefusal(
    `is in use: a service or another command has ${nodes} connections to it; end every node first`,
    true,
  )
}

const checkRights = async (ask: Ask): Promise<void> => {
  const [row] = await ask(
    `select cast(has_database_privilege(current_database(), 'create') as integer) as may_create,
       cast(to_regnamespace('${plainSchema}') is not null as integer) as is_there`,
  )
  if (row?.may_create !== 1) {
    throw new StoreRefusal('does not let this user create a schema: grant create on database to it')
  }
  if (row.is_there === 1) {
    throw new StoreRefusal(
      `has a schema ${plainSchema}, in which the old tables are to stay; rename it`,
    )
  }
}

/** Whether an earlier run has begun. */
const hasBegun = async (ask: Ask): Promise<boolean> =>
  (await ask("select id from latchkey_schema where id = 'distribution'")).length > 0

/** All that could stop it, before anything is changed. @throws StoreRefusal */
const check = async (ask: Ask): Promise<void> => {
  const cluster = await findCluster(ask)
  if (cluster === null) {
    throw new StoreRefusal(
      'has no extension Citus: run create extension citus there and on every worker, and citus_add_node for each',
    )
  }
  const fault = findClusterFault(cluster)
  if (fault !== null) throw new StoreRefusal(fault)
  if (await areDistributed(ask)) throw new StoreRefusal('is distributed already')
  await refuseLossyWorkers(ask)
  await checkRights(ask)
  await checkAlone(ask)
}

const progress = `create table ${plainSchema}.progress (name text collate "C" not null primary key,
  reached text not null, read bigint not null, written bigint not null, ended bigint not null,
  renamed bigint not null, names bigint not null)`

/** From here on no service finds its tables, and none starts. */
const begin = (ask: Ask, makeTables: () => Promise<void>): Promise<void> =>
  runAsOne(ask, async () => {
    await ask("select version from latchkey_schema where id = 'schema' for update")
    if (await hasBegun(ask)) return
    await checkAlone(ask)
    await ask("insert into latchkey_schema (id, version) values ('distribution', 0)")
    await ask(`create schema ${plainSchema}`)
    await ask(progress)
    for (const { name } of [...tables, ...localTables]) {
      await ask(`alter table ${name} set schema ${plainSchema}`)
    }
    for (const { name } of all) {
      await ask(`insert into ${plainSchema}.progress values (?, '', 0, 0, 0, 0, 0)`, name)
    }
    await makeTables()
  })

/**
 * A node that connected while the new tables were made takes them for those of one machine, and its next connection
 * is refused. Connections of another user cannot be ended from here.
 */
const endConnections = (ask: Ask): Promise<unknown> =>
  ask(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
    and application_name = 'latchkey' and pg_has_role(usesysid, 'member')`)

/** Goes through all tables, piece by piece. */
const goThrough = async (
  ask: Ask,
  schema: string,
  next: (table: Table) => (piece: CopiedPiece) => Promise<CopiedPiece>,
  tell: (copying: Copying) => void,
): Promise<ReadonlyMap<string, TableSums>> => {
  const sums = new Map<string, TableSums>()
  let rows = 0
  for (const { name } of all) rows += await count(ask, `${schema}${name}`)
  let before = 0
  for (const table of all) {
    const step = next(table)
    let piece = nothing
    while (!piece.isLast) {
      piece = await step(piece)
      tell({ table: table.name, fraction: (before + piece.sums.read) / Math.max(1, rows) })
    }
    before += piece.sums.read
    sums.set(table.name, piece.sums)
  }
  return sums
}

const finish = (ask: Ask, sums: ReadonlyMap<string, TableSums>): Promise<void> =>
  runAsOne(ask, async () => {
    const mark = "select id from latchkey_schema where id = 'distribution' for update"
    // Another run has finished beside this one, and services may write already.
    if ((await ask(mark)).length === 0) return
    const compare = async (name: string, of: string, expected: number): Promise<void> => {
      const found = await count(ask, of)
      if (found === expected) return
      throw new StoreRefusal(
        `has ${found} rows of ${name} where ${expected} are expected; no service starts on it`,
      )
    }
    let names = 0
    for (const [name, { read, written, names: of }] of sums) {
      await compare(name, `${plainSchema}.${name}`, read)
      await compare(name, name, written)
      names += of
    }
    await compare('names', 'names', names)
    await ask("delete from latchkey_schema where id = 'distribution'")
  })

const addUp = (sums: ReadonlyMap<string, TableSums>): Distributed => {
  const sessions = sums.get('sessions')
  return {
    rows: Object.fromEntries([...sums].map(([name, { written }]) => [name, written])),
    ended: {
      sessions: (sessions?.read ?? 0) - (sessions?.written ?? 0),
      families: sums.get('families')?.ended ?? 0,
    },
    renamed: sums.get('authorizations')?.renamed ?? 0,
  }
}

/** After the beginning, facts lie with the other rows of before. */
const findKeys = async (ask: Ask): Promise<ShardKeys> => {
  const [row = {}] = await ask(`select value from ${plainSchema}.facts where id = '${shardSecret}'`)
  return openShardKeys(text(row.value))
}

const copyAll = async ({ ask, tell }: Distributing): Promise<Distributed> => {
  const keys = await findKeys(ask)
  // The promises of a coordinator that failed come first. Elsewhere a daemon keeps them within a minute.
  await ask('select recover_prepared_transactions()').catch(() => [])
  const copy = (table: Table) => () => copyPiece(ask, table, keys)
  const sums = await goThrough(ask, `${plainSchema}.`, copy, tell)
  await finish(ask, sums)
  return addUp(sums)
}

const tryAll = async ({ ask, random, tell }: Distributing): Promise<Distributed> => {
  const [row] = await ask(`select value from facts where id = '${shardSecret}'`)
  // No id was placed where there is no secret yet.
  const keys = openShardKeys(
    row === undefined ? Buffer.from(random(32)).toString('hex') : text(row.value),
  )
  return addUp(await goThrough(ask, '', (table) => tryPiece(ask, table, keys), tell))
}

export interface Distributing {
  readonly ask: Ask
  readonly random: Random
  /** Makes the tables of a new database, distributed. */
  readonly makeTables: () => Promise<void>
  readonly tell: (copying: Copying) => void
}

/**
 * Distributes a database, or goes on with it.
 *
 * @param isTried whether nothing is to be written
 * @throws StoreRefusal before anything is changed, where it cannot be done
 */
export const distributeTables = async (
  distributing: Distributing,
  isTried: boolean,
): Promise<Distributed> => {
  const { ask, random, makeTables } = distributing
  const isUnderWay = await hasBegun(ask)
  if (isUnderWay && isTried) {
    throw new StoreRefusal('is being distributed already; run latchkey distribute to go on')
  }
  if (isUnderWay) {
    await refuseLossyWorkers(ask)
    return copyAll(distributing)
  }
  await check(ask)
  if (isTried) return tryAll(distributing)
  await openKeysBy(ask, random)
  await begin(ask, makeTables)
  await endConnections(ask)
  return copyAll(distributing)
}
