/** A database of the first version comes up to date with all that it holds, and goes on. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { AuthorizationId, ClientId, OwnerId, SessionId } from '../../src/model/ids.ts'
import { migrations } from '../../src/store/sql/migrate.ts'
import { openSqliteStore } from '../../src/store/sql/open.ts'
import { newPath } from './folder.ts'
import { trace } from './sample.ts'

/** An empty database as a version of the schema had it. */
const makeEmpty = (path: string, version: number): DatabaseSync => {
  const database = new DatabaseSync(path)
  database.exec('pragma journal_mode = wal')
  database.exec(`pragma application_id = ${0x4c746368}`)
  for (const sql of migrations.flatMap((one) => (one.version <= version ? one.statements : []))) {
    database.exec(sql.startsWith('create table') ? `${sql} without rowid` : sql)
  }
  database.exec(`pragma user_version = ${version}`)
  return database
}

/** As the first version left it: one owner, logged in twice. */
const makeFirst = (path: string): void => {
  const database = makeEmpty(path, 1)
  database.exec(
    `insert into owners (id, username, username_key, name, email, password_hash,
       password_changed_at, disabled, created_at)
     values ('alice', 'alice', 'alice', 'Alice', '', 'hash', 0, 0, 0)`,
  )
  for (const letter of ['a', 'b']) {
    database.exec(`insert into sessions (id, owner_id, started_at, expires_at)
      values ('${letter.repeat(43)}', 'alice', 10, 1000)`)
  }
  database.close()
}

test('logins of the first version live on, can be told apart and ended singly', async (t) => {
  const path = newPath(t)
  makeFirst(path)
  const store = await openSqliteStore({ path })
  const alice = 'alice' as OwnerId
  const [one, two] = (await store.listSessions(alice, null, 9, 20)).rows
  assert.ok(one && two)
  assert.deepEqual([one.userAgent, one.network, one.startedAt], ['', '', 10])
  assert.notEqual(one.handle, two.handle)
  assert.equal(await store.endSessionOf(alice, one.handle, trace(20)), true)
  assert.deepEqual((await store.listSessions(alice, null, 9, 20)).rows, [two])
  const found = await store.findSession('a'.repeat(43) as SessionId, 20)
  assert.deepEqual([found?.session, found?.owner.name], [two, 'Alice'])
  await store.close()
})

/** One authorization with counts of two days, and the lines of the later one. */
const usesOfSchema5 = `
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

test('an access log of lines and counts in rows of their own becomes one row for each day', async (t) => {
  const path = newPath(t)
  const database = makeEmpty(path, 5)
  database.exec(usesOfSchema5)
  database.close()
  const store = await openSqliteStore({ path })
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
  await store.close()
})

test('a client and an event of an earlier version have what came later', async (t) => {
  const path = newPath(t)
  const database = makeEmpty(path, 5)
  database.exec(usesOfSchema5)
  database.exec(`insert into events (id, at, type, details)
    values ('one', 1, 'client.registered', '{}')`)
  database.close()
  const store = await openSqliteStore({ path })
  const client = await store.findClient('printer' as ClientId)
  const { oldSecret, familySalt, shortened, salt } = client ?? {}
  assert.deepEqual([oldSecret, familySalt, shortened, salt], [null, '', null, 'salt'])
  const authorization = await store.findAuthorization('one' as AuthorizationId, 1)
  assert.equal(authorization?.salt, 'salt')
  assert.equal((await store.listEvents({}, null, 1)).rows[0]?.actor, null)
  await store.close()
})
