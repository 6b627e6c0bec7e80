/** Which machine has the rows of a shard key. */

import { integer } from '../../sql/row.ts'
import { type Rows, type Statement, statement } from '../../sql/statement.ts'

/** Of each shard key, the number of its machine. Shards move while a cluster grows, so this is asked again. */
const query = statement(`select keys.k as shard_key, p.groupid as machine
  from (select k, worker_hash(k) as hash from generate_series(0, 4095) k offset 0) keys
  join pg_dist_shard s on s.logicalrelid = 'owners'::regclass
    and keys.hash between s.shardminvalue::integer and s.shardmaxvalue::integer
  join pg_dist_placement p on p.shardid = s.shardid`)

export interface Machines {
  readonly query: Statement
  /** Notes what the query found. */
  note(rows: Rows): void
  /** From 1 on; null where it is unknown. An outdated answer costs time alone. */
  find(shardKey: number): number | null
  count(): number
}

export const openMachines = (): Machines => {
  let machines: ReadonlyMap<number, number> = new Map()
  let count = 0
  return {
    query,
    note(rows) {
      const numbers = [...new Set(rows.map((row) => integer(row.machine)))].sort((a, b) => a - b)
      count = numbers.length
      machines = new Map(
        rows.map((row) => [integer(row.shard_key), numbers.indexOf(integer(row.machine)) + 1]),
      )
    },
    find: (shardKey) => machines.get(shardKey) ?? null,
    count: () => count,
  }
}
