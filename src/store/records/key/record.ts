/** What the root secret wraps: keys, and the secrets of one-time codes. */
import type { OwnerId } from '../../../model/ids.ts'
import type { KeySteps } from '../../contract/key.ts'
import { defineTable } from '../../sql/columns.ts'
import { pageOf } from '../../sql/page.ts'
import type { StoreRecord } from '../../sql/record.ts'
import { text } from '../../sql/row.ts'
import { type Read, type Row, type Step, sql, statement, touches } from '../../sql/statement.ts'
import type { Page, Rewrapping, StoredKey, Trace, WrappedCodes } from '../../store.ts'
import { tell } from '../event/events.ts'
import { setFact } from '../fact/record.ts'

const storedKeys = defineTable<StoredKey>(
  'keys',
  {
    id: 'text',
    use: 'text',
    algorithm: 'text',
    wrapped: 'text',
    publicKey: 'json?',
    usableFrom: 'integer',
    createdAt: 'integer',
    keepUntil: 'integer?',
  },
  { key: 'id', restored: 'none', isTrace: true },
)

/** One row for each use and algorithm names the newest key. */
const keyTurns = defineTable(
  'key_turns',
  { use: 'text', algorithm: 'text', keyId: 'text', usableFrom: 'integer' },
  { key: 'use algorithm', restored: 'none', isTrace: true },
)

const listKeys = async (read: Read): Promise<readonly StoredKey[]> =>
  (await read('select * from keys order by usable_from, id', [])).map(storedKeys.decode)

const takeTurn = `insert into key_turns (use, algorithm, key_id, usable_from) values (?, ?, ?, ?)
  on conflict (use, algorithm) do update
    set key_id = excluded.key_id, usable_from = excluded.usable_from`

const turnOf = ({ use, algorithm, id, usableFrom }: StoredKey) =>
  [use, algorithm, id, usableFrom] as const

const detailsOf = ({ id, use, algorithm }: StoredKey) => ({ keyId: id, use, algorithm })

/** The turn of a use and algorithm names its newest key; whoever moves it on adds the next one. */
function* addKey(key: StoredKey, unlessSince: number, trace: Trace): Step<'added' | 'present'> {
  const turn = yield statement(
    `${takeTurn} where key_turns.usable_from < ? returning key_id`,
    ...turnOf(key),
    unlessSince,
  )
  if (turn.length === 0) return 'present'
  yield storedKeys.insert(key)
  yield* tell('keys.rotated', {}, { ...detailsOf(key), usableFrom: key.usableFrom }, trace)
  return 'added'
}

function* keepKey(id: string, until: number): Step<boolean> {
  return yield* touches(sql`update keys set keep_until = case when coalesce(keep_until,
      0) < ${until} then ${until} else keep_until end
    where id = ${id} returning id`)
}

/** Without keys there is no newest one: the next that is added is the first again. */
function* forgetTurns(): Step<void> {
  yield sql`delete from key_turns
    where not exists (select 1 from keys k where k.use = key_turns.use
      and k.algorithm = key_turns.algorithm)`
}

function* retireKey(id: string, at: number, trace: Trace): Step<boolean> {
  if (
    !(yield* touches(sql`delete from keys
    where id = ${id} and coalesce(keep_until, 0) <= ${at} returning id`))
  )
    return false
  yield* forgetTurns()
  yield* tell('keys.removed', {}, { keys: 1, keyId: id }, trace)
  return true
}

function* removeKeys(ids: readonly string[], trace: Trace): Step<number> {
  const went: string[] = []
  for (const id of ids) {
    const gone = yield sql`delete from keys where id = ${id} returning id`
    if (gone.length > 0) went.push(id)
  }
  if (went.length === 0) return 0
  yield* forgetTurns()
  yield* tell('keys.removed', {}, { keys: went.length, keyIds: went.join(' ') }, trace)
  return went.length
}

function* replaceKeys(key: StoredKey, trace: Trace): Step<void> {
  yield statement(takeTurn, ...turnOf(key))
  const gone = yield sql`delete from keys
    where use = ${key.use} and algorithm = ${key.algorithm} returning id`
  yield storedKeys.insert(key)
  yield* tell('keys.replaced', {}, { ...detailsOf(key), removed: gone.length }, trace)
}

function* rewrapKeys({ from, to, keys }: Rewrapping, trace: Trace): Step<boolean> {
  if (!(yield* setFact('root secret', from, to))) return false
  for (const { id, wrapped } of keys) {
    yield sql`update keys set wrapped = ${wrapped} where id = ${id}`
  }
  yield* tell('keys.rewrapped', {}, { keys: keys.length }, trace)
  return true
}

const listOneTimeCodes = async (
  read: Read,
  ...[after, limit]: Parameters<KeySteps['listOneTimeCodes']>
): Promise<Page<WrappedCodes>> => {
  const rows = await read(
    'select owner_id, secret from one_time_codes where owner_id > ? order by owner_id limit ?',
    [after ?? '', limit + 1],
  )
  const decodeCodes = (row: Row): WrappedCodes => ({
    ownerId: text(row.owner_id) as OwnerId,
    secret: text(row.secret),
  })
  return pageOf(rows, limit, decodeCodes, ({ ownerId }) => ownerId)
}

function* rewrapOneTimeCodes(changes: Parameters<KeySteps['rewrapOneTimeCodes']>[0]): Step<number> {
  let changed = 0
  for (const { ownerId, from, secret } of changes) {
    changed += (yield sql`update one_time_codes set secret = ${secret}
      where owner_id = ${ownerId} and secret = ${from} returning owner_id`).length
  }
  return changed
}

export const keyRecord: StoreRecord<KeySteps> = {
  tables: [storedKeys, keyTurns],
  reads: { listKeys, listOneTimeCodes },
  steps: { addKey, keepKey, retireKey, removeKeys, replaceKeys, rewrapKeys, rewrapOneTimeCodes },
  invalidates: 'nothing',
}
