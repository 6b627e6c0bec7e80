/** What the root secret wraps: keys, and the secrets of one-time codes. */

import type { OwnerId } from '../../model/ids.ts'
import type { KeySteps, StoredKey, WrappedCodes } from '../contract/key.ts'
import { defineTable } from '../sql/columns.ts'
import { pageOf } from '../sql/page.ts'
import type { Reads, Steps, StoreRecord } from '../sql/record.ts'
import { text } from '../sql/row.ts'
import { type Piece, type Row, type Step, sql, touches } from '../sql/statement.ts'
import { tell } from './event/events.ts'
import { setFact } from './note.ts'

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

/** The newest key of a use and algorithm. */
interface KeyTurn extends Pick<StoredKey, 'use' | 'algorithm' | 'usableFrom'> {
  readonly keyId: string
}

const keyTurns = defineTable<KeyTurn>(
  'key_turns',
  { use: 'text', algorithm: 'text', keyId: 'text', usableFrom: 'integer' },
  { key: 'use algorithm', restored: 'none', isTrace: true },
)

const listKeys: Reads['listKeys'] = async (read) =>
  (await read('select * from keys order by usable_from, id', [])).map(storedKeys.decode)

const takeTurn = ({ use, algorithm, id, usableFrom }: StoredKey): Piece =>
  sql`${keyTurns.insert({ use, algorithm, keyId: id, usableFrom })} ${keyTurns.overwrite}`

const getDetails = ({ id, use, algorithm }: StoredKey) => ({ keyId: id, use, algorithm })

/** The turn of a use and algorithm names its newest key; whoever moves it on adds the next one. */
const addKey: Steps['addKey'] = function* (key, unlessSince, trace) {
  const turn =
    yield sql`${takeTurn(key)} where key_turns.usable_from < ${unlessSince} returning key_id`
  if (turn.length === 0) return 'present'
  yield storedKeys.insert(key)
  yield* tell('keys.rotated', {}, { ...getDetails(key), usableFrom: key.usableFrom }, trace)
  return 'added'
}

const keepKey: Steps['keepKey'] = (id, until) =>
  touches(sql`update keys set keep_until = case when coalesce(keep_until, 0) < ${until} then ${until}
      else keep_until end
    where id = ${id} returning id`)

/** Without keys there is no newest one: the next that is added is the first again. */
function* forgetTurns(): Step<void> {
  yield sql`delete from key_turns
    where not exists (select 1 from keys k where k.use = key_turns.use
      and k.algorithm = key_turns.algorithm)`
}

const retireKey: Steps['retireKey'] = function* (id, at, trace) {
  const gone = sql`delete from keys
    where id = ${id} and coalesce(keep_until, 0) <= ${at} returning id`
  if (!(yield* touches(gone))) return false
  yield* forgetTurns()
  yield* tell('keys.removed', {}, { keys: 1, keyId: id }, trace)
  return true
}

const removeKeys: Steps['removeKeys'] = function* (ids, trace) {
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

const replaceKeys: Steps['replaceKeys'] = function* (key, trace) {
  yield sql`${takeTurn(key)}`
  const gone = yield sql`delete from keys
    where use = ${key.use} and algorithm = ${key.algorithm} returning id`
  yield storedKeys.insert(key)
  yield* tell('keys.replaced', {}, { ...getDetails(key), removed: gone.length }, trace)
}

const rewrapKeys: Steps['rewrapKeys'] = function* ({ from, to, keys }, trace) {
  if (!(yield* setFact('root secret', from, to))) return false
  for (const { id, wrapped } of keys) {
    yield sql`update keys set wrapped = ${wrapped} where id = ${id}`
  }
  yield* tell('keys.rewrapped', {}, { keys: keys.length }, trace)
  return true
}

const listOneTimeCodes: Reads['listOneTimeCodes'] = async (read, after, limit) => {
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

const rewrapOneTimeCodes: Steps['rewrapOneTimeCodes'] = function* (changes) {
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
