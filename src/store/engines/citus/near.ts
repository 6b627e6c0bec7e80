/**
 * Statements of one shard, as the machine that has the shard takes them: with the names of its tables. PostgreSQL
 * keeps the plan of such a statement, while Citus plans one over several tables at each call.
 */
import {
  answerBy,
  asSendOnly,
  type Statement,
  type Step,
  statement,
  type Value,
} from '../../sql/statement.ts'
import { beginStep, type Call, type StepArguments, type StepName } from '../../sql/steps.ts'
import { prepare } from '../postgres/client.ts'
import type { Near, NearRead, StepOpening, Written } from '../postgres/dialect.ts'
import { takeApart } from './apart.ts'
import { compile, type KeyedStatement } from './compile.ts'
import { type NearInsert, parseNearInsert } from './inserts.ts'
import { compileText, findKey, rememberByText } from './keyed.ts'
import type { Machines, Shard } from './machines.ts'
import { type EventOutbox, isWaiting } from './outbox.ts'
import type { ReadKey } from './place.ts'

/** Steps that stay with their owner, and so do their events. Where one does not, it is done anew. */
export const nearSteps: ReadonlySet<StepName> = new Set([
  ...(['redeemCode', 'rotateRefreshToken', 'noteSession', 'putItem', 'deleteItem'] as const),
  ...(['rehashPassword', 'rewrapOneTimeCodes', 'startSession', 'approve'] as const),
])

/** A ceremony is finished on any machine, and the end of an earlier login is told to APIs. */
const isLeaving = ({ name, args }: Call): boolean => {
  if (name !== 'startSession') return false
  const [, login, replaces] = args as StepArguments<'startSession'>
  return replaces !== null || !('passwordHash' in login) || login.factor !== undefined
}

/** Whether a step is worth a try at the machine with its shard. */
export const mayStay = (call: Call): boolean => nearSteps.has(call.name) && !isLeaving(call)

/** Citus takes changes of shards from nobody who has not said so. */
const sessionSettings = ["select set_config('citus.enable_manual_changes_to_shards', 'on', false)"]

/** `ShareLock`: a move of the shard waits for it, and it waits for a move. */
const shareLock = 5
const lock = prepare(`select lock_shard_metadata(${shareLock}, cast(? as bigint[]))`)
/** Divides by zero where one of the shards is on another machine, or on another one as well. */
const check = prepare(`select 1 / cast(count(*) = cardinality(cast(? as bigint[]))
    and bool_and(groupid = (select groupid from pg_dist_local_group)) as integer) as here
  from pg_dist_placement where shardid = any(cast(? as bigint[]))`)

/**
 * What a transaction over shards of one machine begins with. A shard that was moved away stays readable there for a
 * while. So the lock comes first, and the check then sees what is true under the lock.
 */
const openShards = (shards: readonly Shard[]): StepOpening => {
  const ids = [...new Set(shards.map(({ id }) => id))].sort((a, b) => a - b)
  return {
    // Each statement sees what was committed before it.
    begin: 'begin isolation level read committed',
    guards: [
      { ...lock, values: [ids] },
      { ...check, values: [ids, ids] },
    ],
  }
}

const textsOf = new WeakMap<Shard, Map<KeyedStatement, string>>()

/** The statement with the names of the tables of a shard. */
const writeFor = (one: KeyedStatement, shard: Shard): string => {
  const texts = textsOf.get(shard) ?? new Map<KeyedStatement, string>()
  textsOf.set(shard, texts)
  let named = texts.get(one)
  if (named === undefined) {
    named = one.rename(shard.tables)
    texts.set(one, named)
  }
  return named
}

const ofMany = new Map<string, KeyedStatement>()

/** Look-ups alike but for the key, as one: `a.id = ?` becomes a list of pairs, since the index begins with the shard key. */
const compileMany = (sql: string, by: string): KeyedStatement => {
  let one = ofMany.get(sql)
  if (one === undefined) {
    const key = by.replace(/\w+$/, 'shard_key')
    const pairs = 'select * from unnest(cast(? as integer[]), cast(? as text[]))'
    const listed = sql.replace(`${by} = ?`, `(${key}, ${by}) in (${pairs})`)
    one = compile(listed.replace('select ', `select ${by} as looked_up, `))
    ofMany.set(sql, one)
  }
  return one
}

const nearInsertOf = rememberByText((sql: string): NearInsert | null => {
  const insert = parseNearInsert(sql)
  return insert !== null && compileText(insert.sql).isNear ? insert : null
})

const addKey = (
  { sql, keyAt }: NearInsert,
  params: readonly Value[],
  key: number | null,
): OwnQuery => ({ sql, params: params.toSpliced(keyAt, 0, key) })

type OwnQuery = Pick<Statement, 'sql' | 'params'>

const lockClient = `select 1 as held from owners o join clients c on c.id = ?
  where o.id = ? for key share of c`

/** Of an approval and the removal of its idle client, one waits for the other. */
const holdClients = <Outcome>(step: Step<Outcome>): Step<Outcome> =>
  answerBy(step, function* (one) {
    const { clientAt = null, ownerAt = null } = nearInsertOf(one.sql)?.keeps ?? {}
    if (clientAt !== null && ownerAt !== null) {
      const [client, owner] = [one.params[clientAt] ?? '', one.params[ownerAt] ?? '']
      yield asSendOnly(statement(lockClient, client, owner))
    }
    return yield one
  })

interface NearStatement {
  readonly one: KeyedStatement
  readonly key: number
  readonly shard: Shard
  readonly values: readonly Value[]
}

interface NearLookUp {
  readonly statement: Statement
  readonly key: number
  readonly shard: Shard
  /** The place among all. */
  readonly place: number
}

const writeRead = (some: readonly NearLookUp[]): NearRead => {
  const of = some.map(({ place }) => place)
  const [first] = some
  if (first === undefined) throw new Error('expected a look-up')
  const { statement, key, shard } = first
  const { sql, by, params } = statement
  if (some.length === 1 || by === undefined) {
    const text = writeFor(compileText(sql), shard)
    return { written: { ...prepare(text), values: [...params, key] }, of }
  }
  const keys = new Map(some.map((one) => [one.statement.params[0], one.key]))
  const text = writeFor(compileMany(sql, by), shard)
  const values = [[...keys.values()], [...keys.keys()], ...params.slice(1)]
  return { written: { ...prepare(text), values }, of }
}

/** Of look-ups that tell a shard key by their key alone. */
const groupAlike = (asked: readonly NearLookUp[]): Iterable<readonly NearLookUp[]> =>
  Map.groupBy(asked, (one) => {
    const { sql, by, params } = one.statement
    const isAlone = by === undefined || compileMany(sql, by).pins.length > 0
    return isAlone ? one : [one.shard.id, sql, ...params.slice(1)].join('\n')
  }).values()

export const openNear = (
  machines: Machines,
  readKey: ReadKey,
  outbox: Pick<EventOutbox, 'putAside' | 'watchCommit'>,
): Near => {
  const findKeyOf = (one: KeyedStatement, { sql, params }: OwnQuery): number | null => {
    if (!one.isNear) return null
    if (one.rowKeys.length === 0) return findKey(one, { sql, params }, readKey)
    const [key, ...others] = new Set(one.rowKeys.map((place) => params[place]))
    return others.length === 0 && typeof key === 'number' ? key : null
  }
  /** The statement as its shard takes it, where the machine of the shard can answer alone. */
  const find = (asking: OwnQuery): NearStatement | null => {
    const insert = nearInsertOf(asking.sql)
    const asked = insert === null ? asking : addKey(insert, asking.params, null)
    const one = compileText(asked.sql)
    const key = findKeyOf(one, asked)
    const shard = key === null ? null : machines.find(key)
    if (key === null || shard === null) return null
    if (insert === null) {
      const values = one.rowKeys.length > 0 ? asked.params : [...asked.params, key]
      return { one, key, shard, values }
    }
    // Another key would hide the row from those who look for it by one of the columns.
    const isTold = insert.told.every(
      // An empty value tells none.
      ({ place, kind }) => [null, key].includes(readKey(kind, asking.params[place])),
    )
    const { params } = addKey(insert, asking.params, key)
    return isTold ? { one, key, shard, values: [...params, key] } : null
  }
  return {
    sessionSettings,
    begin(machine, shardKeys) {
      const shards = new Set(shardKeys.map((key) => machines.find(key)))
      const opened = [...shards].filter((shard) => shard !== null)
      if (opened.some((shard) => shard.machine !== machine)) return null
      const write = (query: OwnQuery): Written => {
        const found = find(query)
        if (found === null || !shards.has(found.shard))
          throw new Error('expected one of its shards')
        return { ...prepare(writeFor(found.one, found.shard)), values: found.values }
      }
      const stays = (sql: string): boolean => isWaiting(sql) || nearInsertOf(sql) !== null
      return {
        opening: openShards(opened),
        begin: (call) => takeApart(holdClients(outbox.putAside(beginStep(call))), readKey, stays),
        write,
        noteCommit: outbox.watchCommit(),
      }
    },
    read(machine, all) {
      const asked = all.flatMap((statement, place): NearLookUp[] => {
        const found = find(statement)
        return found?.shard.machine === machine ? [{ ...found, statement, place }] : []
      })
      if (asked.length < all.length) return null
      return {
        opening: openShards(asked.map(({ shard }) => shard)),
        reads: [...groupAlike(asked)].map(writeRead),
      }
    },
  }
}
