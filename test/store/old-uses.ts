/** Uses as schema 5 kept them, with a row for each line, and how a store has them that came up to date. */
import assert from 'node:assert/strict'
import type { AuthorizationId, OwnerId } from '../../src/model/ids.ts'
import type { Store } from '../../src/store/store.ts'

/** One authorization with counts of two days, and the lines of the later one. */
export const usesOfSchema5 = `
  insert into owners (id, username, username_key, name, email, password_hash,
    password_changed_at, disabled, created_at)
    values ('alice', 'alice', 'alice', 'Alice', '', 'hash', 0, 0, 0);
  insert into clients (id, name, scope, salt, disabled, has_endings, revision, details)
    values ('printer', 'Printer', '', 'salt', 0, 0, 0, '{"display":{},"registeredBy":"operator"}');
  insert into authorizations (id, client_id, owner_id, permissions, duration, session_id,
    expires_at, created_at, last_used_at, salt, revision)
    values ('one', 'printer', 'alice', 'photos:read', 'forever', '', null, 0, ${40 * 86_400 + 74}, 'salt', 0);
  insert into use_days (id, authorization_id, reads, writes, checks, refused)
    values ('00003 one', 'one', 9, 8, 7, 6), ('00040 one', 'one', 4, 0, 2, 1), ('00040 two', 'two', 1, 0, 0, 0);
  insert into use_entries (id, authorization_id, uses, last_at) values
    ('00040 one 0000 read allowed 192.0.2.* photos', 'one', 4, ${40 * 86_400 + 5}),
    ('00040 one 0001 check allowed - an api: with <signs>', 'one', 2, ${40 * 86_400 + 74}),
    ('00040 one 0002 write refused 2001:db8:1:* photos', 'one', 1, ${40 * 86_400 + 120}),
    ('00040 two 0000 read allowed 192.0.2.* photos', 'two', 1, ${40 * 86_400})`

const [counted, lines] = [
  [
    { day: 40, reads: 4, writes: 0, checks: 2, refused: 1 },
    { day: 3, reads: 9, writes: 8, checks: 7, refused: 6 },
  ],
  [
    ['photos', 'write', false, '2001:db8:1:*', 1, 120],
    ['an api: with <signs>', 'check', true, '', 2, 74],
    ['photos', 'read', true, '192.0.2.*', 4, 5],
  ],
]

export const assertMovedUses = async (store: Store): Promise<void> => {
  const of = { authorizationId: 'one' as AuthorizationId, ownerId: 'alice' as OwnerId }
  const now = 41 * 86_400
  assert.deepEqual(await store.countUses(of, 50, now), counted)
  const found = (await store.listUses(of, 50, null, 10, now)).rows
  assert.deepEqual(
    found.map((one) => [
      one.resource,
      one.action,
      one.allowed,
      one.network,
      one.uses,
      one.lastAt - 40 * 86_400,
    ]),
    lines,
  )
  const lastUse = async () =>
    (await store.listAuthorizations({ id: of.authorizationId }, null, 1, now)).rows[0]?.lastUsedAt
  assert.equal(await lastUse(), 40 * 86_400 + 74)
  const later = { ...of, used: 'photos:read', allowed: true, network: '', uses: 5 } as const
  const uses = [{ ...later, lastAt: 40 * 86_400 + 200 }]
  await store.recordUses({ collector: 'one', turn: 1, uses })
  assert.equal((await store.countUses(of, 2, now))[0]?.reads, 9)
  assert.equal(await lastUse(), 40 * 86_400 + 200)
}
