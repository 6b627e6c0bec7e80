/** A cluster of Citus, as its databases tell: whether it fits, and whether the tables lie on it. */
import { runInTransaction } from '../../sql/database.ts'
import { integer, text } from '../../sql/row.ts'
import type { Rows, Step, Value } from '../../sql/statement.ts'

export type Ask = (sql: string, ...params: readonly Value[]) => Promise<Rows>

export const runAsOne = <Result>(ask: Ask, work: () => Promise<Result>): Promise<Result> =>
  runInTransaction({ command: async (text) => void (await ask(text)) }, work)

/** Runs a step, without a transaction of its own. */
export const runBy = async <Outcome>(ask: Ask, step: Step<Outcome>): Promise<Outcome> => {
  let next = step.next([])
  while (!next.done) next = step.next(await ask(next.value.sql, ...next.value.params))
  return next.value
}

/** Since this version, foreign keys reach from every table to the shared ones, and workers know the others. */
const leastCitus = 12

interface Coordinator {
  readonly host: string
  readonly port: number
}

export interface Cluster {
  /** As Citus writes it: `13.2-1`. */
  readonly version: string
  /** Whether this database is a worker. */
  readonly isWorker: boolean
  /** Null where nobody named it. */
  readonly coordinator: Coordinator | null
  /** How many workers take shards. */
  readonly workers: number
}

const question = `select (select groupid from pg_dist_local_group) as local_group,
  (select nodename from pg_dist_node where groupid = 0 and noderole = 'primary') as host,
  (select nodeport from pg_dist_node where groupid = 0 and noderole = 'primary') as port,
  (select count(*) from pg_dist_node where groupid <> 0 and noderole = 'primary' and isactive
    and shouldhaveshards) as workers`

/** Null where the database has no such extension. */
export const findCluster = async (ask: Ask): Promise<Cluster | null> => {
  const [extension] = await ask("select extversion from pg_extension where extname = 'citus'")
  if (extension === undefined) return null
  const [row = {}] = await ask(question)
  return {
    version: text(extension.extversion),
    isWorker: integer(row.local_group) !== 0,
    coordinator: row.host == null ? null : { host: text(row.host), port: integer(row.port) },
    workers: integer(row.workers),
  }
}

/** Why tables cannot be distributed over a cluster, or null. */
export const findClusterFault = ({ version, coordinator, workers }: Cluster): string | null => {
  if (!(Number.parseInt(version, 10) >= leastCitus)) {
    return `has Citus ${version}, expected ${leastCitus} or later`
  }
  if (coordinator === null) {
    return "has Citus, and its coordinator has no name; run there: select citus_set_coordinator_host('HOST', PORT)"
  }
  if (workers > 0) return null
  return "has Citus without a worker; run at its coordinator: select citus_add_node('HOST', PORT), or drop the extension to stay on one machine"
}

/** Whether the tables of the store lie on many machines. */
export const areDistributed = async (ask: Ask): Promise<boolean> =>
  (await ask("select 1 as found from pg_dist_partition where logicalrelid = to_regclass('owners')"))
    .length > 0
