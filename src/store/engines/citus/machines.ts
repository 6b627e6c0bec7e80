/** The machines that have the shards, and the names of the tables there. */
import { integer, text } from '../../sql/row.ts'
import type { Rows } from '../../sql/statement.ts'
import type { Ask } from './cluster.ts'

/** The keys and the machine of each shard. Shards move while a cluster grows, so this is asked again. */
const askShards = `select s.shardid as shard, p.groupid as machine, n.nodename as host,
    n.nodeport as port, string_agg(keys.k::text, ' ' order by keys.k) as keys
  from (select k, worker_hash(k) as hash from generate_series(0, 4095) k offset 0) keys
  join pg_dist_shard s on s.logicalrelid = 'owners'::regclass
    and keys.hash between s.shardminvalue::integer and s.shardmaxvalue::integer
  join pg_dist_placement p on p.shardid = s.shardid
  join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary' and n.isactive
  group by s.shardid, p.groupid, n.nodename, n.nodeport order by s.shardid`

/** The tables of each shard of owners, and those that every machine has. */
const askTables = `select c.relname as name, o.shardid as shard,
    shard_name(t.logicalrelid, s.shardid) as of_shard
  from pg_dist_partition t join pg_class c on c.oid = t.logicalrelid
  join pg_dist_shard s on s.logicalrelid = t.logicalrelid
  left join pg_dist_shard o on t.partmethod = 'h' and o.logicalrelid = 'owners'::regclass
    and o.shardminvalue = s.shardminvalue
  where c.relnamespace = (select relnamespace from pg_class where oid = 'owners'::regclass)
    and (t.repmodel = 't' or t.colocationid =
      (select colocationid from pg_dist_partition where logicalrelid = 'owners'::regclass))
  order by name, of_shard`

export interface Shard {
  readonly id: number
  /** From 1 on. */
  readonly machine: number
  /** The name there of each table that has rows of owners, or is on every machine. */
  readonly tables: ReadonlyMap<string, string>
}

/** Where a machine listens, as the coordinator knows it. */
export interface MachineAddress {
  readonly host: string
  readonly port: number
}

/** The address in a name of `writeMachine`. */
export const readMachine = (name: string): MachineAddress => {
  const colon = name.lastIndexOf(':')
  return { host: name.slice(0, colon), port: Number(name.slice(colon + 1)) }
}

export const writeMachine = ({ host, port }: MachineAddress): string => `${host}:${port}`

export interface Machines {
  /** Asks the coordinator where everything is. */
  look(ask: Ask): Promise<void>
  /** Null where it is unknown. An outdated answer costs time alone. */
  find(shardKey: number): Shard | null
  addressOf(machine: number): MachineAddress | null
  /** The shard keys that a machine has. */
  keysOf(machine: number): readonly number[]
  count(): number
}

const findTableNames = (rows: Rows): ((shard: number) => ReadonlyMap<string, string>) => {
  const named = Map.groupBy(rows, ({ shard }) => shard ?? null)
  const list = (shard: number | null) =>
    (named.get(shard) ?? []).map((row) => [text(row.name), text(row.of_shard)] as const)
  return (shard) => new Map([...list(null), ...list(shard)])
}

export const openMachines = (): Machines => {
  let shards: ReadonlyMap<number, Shard> = new Map()
  let addresses: readonly MachineAddress[] = []
  /** The last answer: nothing is made anew while nothing changes. */
  let seen = ''
  return {
    async look(ask) {
      const [rows, tables] = await Promise.all([ask(askShards), ask(askTables)])
      const found = JSON.stringify([rows, tables])
      if (found === seen) return
      seen = found
      const groups = [...new Set(rows.map((row) => integer(row.machine)))].sort((a, b) => a - b)
      addresses = groups.map((group) => {
        const row = rows.find(({ machine }) => machine === group)
        return { host: text(row?.host), port: integer(row?.port) }
      })
      const tablesOf = findTableNames(tables)
      shards = new Map(
        rows.flatMap((row) => {
          const id = integer(row.shard)
          const machine = groups.indexOf(integer(row.machine)) + 1
          const shard = { id, machine, tables: tablesOf(id) }
          return text(row.keys)
            .split(' ')
            .map((key) => [Number(key), shard] as const)
        }),
      )
    },
    find: (shardKey) => shards.get(shardKey) ?? null,
    addressOf: (machine) => addresses[machine - 1] ?? null,
    keysOf: (machine) =>
      [...shards].flatMap(([key, shard]) => (shard.machine === machine ? key : [])),
    count: () => addresses.length,
  }
}
