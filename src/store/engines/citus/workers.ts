/** The workers of a cluster: the shards that each has, and whether the coordinator reaches it. */
import { StoreRefusal } from '../../fault.ts'
import { integer, text } from '../../sql/row.ts'
import type { Row, Rows } from '../../sql/statement.ts'
import type { SeenWorkers } from '../../store.ts'
import { durabilityColumns, findLoss } from '../postgres/connection.ts'
import type { Ask } from './cluster.ts'

/** A worker that does not answer for so long counts as unreachable. */
export const answerMilliseconds = 2000

const askWorkers = `select n.nodeid as id, n.nodename as host, n.nodeport as port,
    (select count(*) from pg_dist_placement p join pg_dist_shard s on s.shardid = p.shardid
      where p.groupid = n.groupid and s.logicalrelid = to_regclass('owners')) as shards,
    (select count(*) from pg_dist_shard s where s.logicalrelid = to_regclass('owners')) as all_shards
  from pg_dist_node n where n.groupid <> 0 and n.noderole = 'primary' and n.isactive
  order by n.nodeid`

/** For a session that asks about workers, so that it does not wait long for a silent one. */
export const boundAnswers = `select set_config('citus.node_connection_timeout', '${answerMilliseconds}', false)`

const isReached = async (ask: Ask, { host, port }: Row): Promise<boolean> => {
  const sql = 'select cast(citus_check_connection_to_node(?, ?) as integer) as answers'
  const [row] = await ask(sql, host ?? '', port ?? 0)
  return row?.answers === 1
}

/**
 * @param ask on a connection of the service, or after `boundAnswers`
 * @throws what the coordinator says, or the network to it
 */
export const lookAtWorkers = async (ask: Ask): Promise<SeenWorkers> => {
  const rows = await ask(askWorkers)
  const workers: SeenWorkers['workers'][number][] = []
  // One after the other, so that none waits for another one.
  for (const row of rows) {
    workers.push({
      id: integer(row.id),
      name: `${text(row.host)}:${integer(row.port)}`,
      shards: integer(row.shards),
      isReachable: await isReached(ask, row),
    })
  }
  return { workers, shards: integer(rows[0]?.all_shards ?? 0) }
}

/** As the coordinator's own connections find a worker: what a session of the service sets does not reach it. */
const askSettings = `select nodename as host, nodeport as port, result from run_command_on_workers(
    'select row_to_json(s) from (select ${durabilityColumns.replaceAll("'", "''")}) s')
  where success order by nodename, nodeport`

/** Names the first worker without durable writes, and the reason; null where each has them. */
export const findLossyWorker = (workers: Rows): string | null => {
  for (const { host, port, result } of workers) {
    const loss = findLoss(JSON.parse(text(result)) as Row)
    if (loss !== null) return `has a worker, ${text(host)}:${integer(port)}, that ${loss}`
  }
  return null
}

/** A worker that is not reached stops nobody: its rows are out of reach, too. @throws StoreRefusal */
export const refuseLossyWorkers = async (ask: Ask): Promise<void> => {
  await ask(boundAnswers)
  const fault = findLossyWorker(await ask(askSettings))
  if (fault !== null) throw new StoreRefusal(fault)
}
