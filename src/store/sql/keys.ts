/** Sealing keys as they are stored, wrapped. */
import type { OwnerId } from '../../model/ids.ts'
import type { KeySteps } from '../key-steps.ts'
import type { Page, Rewrapping, StoredKey, Trace, WrappedCodes } from '../store.ts'
import { tell } from './events.ts'
import { setFact } from './facts.ts'
import { pageOf } from './page.ts'
import { integer, text } from './row.ts'
import { type Read, type Row, type Step, statement } from './statement.ts'

const decode = (row: Row): StoredKey => ({
  id: text(row.id),
  wrapped: text(row.wrapped),
  usableFrom: integer(row.usable_from),
  createdAt: integer(row.created_at),
})

export const listKeys = async (read: Read): Promise<readonly StoredKey[]> =>
  (await read('select * from sealing_keys order by usable_from, id', [])).map(decode)

function* insertKey({ id, wrapped, usableFrom, createdAt }: StoredKey): Step<void> {
  yield statement(
    'insert into sealing_keys (id, wrapped, usable_from, created_at) values (?, ?, ?, ?)',
    id,
    wrapped,
    usableFrom,
    createdAt,
  )
}

/** The one row of `sealing_turns` names the newest key; whoever moves it on adds the next one. */
export function* addKey(
  key: StoredKey,
  unlessSince: number,
  trace: Trace,
): Step<'added' | 'present'> {
  const turn = yield statement(
    `insert into sealing_turns (id, key_id, usable_from) values ('newest', ?, ?)
     on conflict (id) do update set key_id = excluded.key_id, usable_from = excluded.usable_from
     where sealing_turns.usable_from < ? returning id`,
    key.id,
    key.usableFrom,
    unlessSince,
  )
  if (turn.length === 0) return 'present'
  yield* insertKey(key)
  yield* tell('keys.rotated', {}, { keyId: key.id, usableFrom: key.usableFrom }, trace)
  return 'added'
}

/** Without keys there is no newest one: the next that is added is the first again. */
export function* removeKeys(ids: readonly string[], trace: Trace): Step<number> {
  let went = 0
  for (const id of ids) {
    went += (yield statement('delete from sealing_keys where id = ? returning id', id)).length
  }
  if (went === 0) return 0
  yield statement('delete from sealing_turns where not exists (select 1 from sealing_keys)')
  yield* tell('keys.removed', {}, { keys: went }, trace)
  return went
}

export function* replaceKeys(key: StoredKey, trace: Trace): Step<void> {
  yield statement(
    `insert into sealing_turns (id, key_id, usable_from) values ('newest', ?, ?)
     on conflict (id) do update set key_id = excluded.key_id, usable_from = excluded.usable_from`,
    key.id,
    key.usableFrom,
  )
  const gone = yield statement('delete from sealing_keys returning id')
  yield* insertKey(key)
  yield* tell('keys.replaced', {}, { keyId: key.id, removed: gone.length }, trace)
}

export function* rewrapKeys({ from, to, keys }: Rewrapping, trace: Trace): Step<boolean> {
  if (!(yield* setFact('root secret', from, to))) return false
  for (const { id, wrapped } of keys) {
    yield statement('update sealing_keys set wrapped = ? where id = ?', wrapped, id)
  }
  yield* tell('keys.rewrapped', {}, { keys: keys.length }, trace)
  return true
}

export const listOneTimeCodes = async (
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

export function* rewrapOneTimeCodes(
  changes: Parameters<KeySteps['rewrapOneTimeCodes']>[0],
): Step<number> {
  let changed = 0
  for (const { ownerId, from, secret } of changes) {
    const sql =
      'update one_time_codes set secret = ? where owner_id = ? and secret = ? returning owner_id'
    changed += (yield statement(sql, secret, ownerId, from)).length
  }
  return changed
}
