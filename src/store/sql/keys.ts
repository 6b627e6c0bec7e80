/** Sealing keys as they are stored, wrapped. */
import type { StoredKey, Trace } from '../store.ts'
import { tell } from './events.ts'
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
  yield statement(
    'insert into sealing_keys (id, wrapped, usable_from, created_at) values (?, ?, ?, ?)',
    key.id,
    key.wrapped,
    key.usableFrom,
    key.createdAt,
  )
  yield* tell('keys.rotated', {}, { keyId: key.id, usableFrom: key.usableFrom }, trace)
  return 'added'
}
