/** Notes of a store about itself: facts, and of each running node a proof that it can write, and its time. */
import { storeLimits } from '../limits.ts'
import { defineTable } from '../sql/columns.ts'
import type { Reads, Steps, StoreRecord } from '../sql/record.ts'
import { findFirst, integer, text } from '../sql/row.ts'
import {
  asWhole,
  type Read,
  type Statement,
  type Step,
  sql,
  statement,
  touches,
} from '../sql/statement.ts'
import type { FactSteps } from '../store.ts'

export const findFact: Reads['findFact'] = async (read, id) => {
  const row = findFirst(await read('select value from facts where id = ?', [id]))
  return row && text(row.value)
}

/** @param from what the fact says until now; null = it is not there */
export const setFact: Steps['setFact'] = (id, from, to) =>
  touches(
    from === null
      ? sql`insert into facts (id, value) values (${id}, ${to}) on conflict (id) do nothing returning id`
      : sql`update facts set value = ${to} where id = ${id} and value = ${from} returning id`,
  )

/** Whatever the fact said before. */
export const putFact = (id: string, value: string): Statement =>
  sql`insert into facts (id, value) values (${id}, ${value})
    on conflict (id) do update set value = excluded.value`

const facts = defineTable(
  'facts',
  { id: 'text', value: 'text' },
  {
    key: 'id',
    // Another root secret may follow. That it was a demo stays true, clients keep the subjects they know, and
    // seals of events their key. Assertions of before the watermark are not taken again.
    restored: (rows) =>
      rows.filter(([id]) =>
        ['demo', 'pairwise secret', 'event seals', 'shard secret', 'used ids'].includes(String(id)),
      ),
    isTrace: true,
  },
)

const pings = defineTable('pings', { id: 'text', turn: 'integer' }, { key: 'id', restored: 'none' })

/** For the nodes on one PostgreSQL (`changes.ts`). An embedded database leaves the table empty. */
const changes = defineTable(
  'changes',
  {
    xid: { sql: 'xid8 not null', decode: text, encode: String },
    things: 'text',
    sweptAt: 'integer?',
  },
  { key: 'xid', restored: 'none' },
)

/** Of all nodes, in unix seconds; null where no service has run yet. The row `time` is of older versions. */
export const findLatestTime = async (read: Read): Promise<number | null> => {
  const sql = "select max(turn) as latest from pings where id >= 'time' and id < 'time!'"
  const row = findFirst(await read(sql, []))
  return row?.latest == null ? null : integer(row.latest)
}

/** Each node writes a row of its own, so that none waits for another. A later time stays. */
function* noteTime(node: string, at: number): Step<void> {
  yield asWhole(sql`insert into pings (id, turn) values (${`time ${node}`}, ${at})
    on conflict (id) do update set turn =
      case when pings.turn < excluded.turn then excluded.turn else pings.turn end
    returning turn`)
}

/** A durable write that changes nothing anybody reads, in a row of the node's own. */
function* ping(node: string): Step<void> {
  const [row] = yield asWhole(sql`insert into pings (id, turn) values (${`ping ${node}`}, 1)
    on conflict (id) do update set turn = pings.turn + 1 returning turn`)
  integer(row?.turn)
}

/** Writes a text of random letters and removes it. Fails if the disk has no room for it. */
export function* proveRoom(id: string, text: string): Step<void> {
  yield statement('insert into facts (id, value) values (?, ?)', `room ${id}`, text)
  yield statement('delete from facts where id = ?', `room ${id}`)
}

/** The store adds the name of its own node. */
export interface NodeSteps {
  ping(node: string): Promise<void>
  noteTime(node: string, at: number): Promise<void>
}

export const noteRecord: StoreRecord<FactSteps & NodeSteps> = {
  tables: [facts],
  localTables: [pings, changes],
  reads: { findFact },
  steps: { setFact, ping, noteTime },
  invalidates: 'nothing',
  endPurges: [
    {
      // A node that runs has noted a later time.
      sql: `delete from pings where id in
        (select id from pings where id >= 'time' and id < 'time!' and turn <= ?
         order by id limit ?) returning id`,
      afterSeconds: storeLimits.nodeSeconds,
    },
    {
      sql: `delete from pings where id in
        (select p.id from pings p where p.id >= 'ping' and p.id < 'ping!' and not exists
          (select 1 from pings t where t.id = 'time' || substr(p.id, 5) and t.turn > ?)
         order by p.id limit ?) returning id`,
      afterSeconds: storeLimits.nodeSeconds,
    },
  ],
}
