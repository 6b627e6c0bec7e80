/** A database of the first version comes up to date with all that it holds, and goes on. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { AuthorizationId, ClientId, OwnerId, SessionId } from '../../src/model/ids.ts'
import { migrations } from '../../src/store/schema/migrate.ts'
import { openSqliteStore } from '../../src/store/sql/open.ts'
import { newPath } from './folder.ts'
import { assertMovedUses, usesOfSchema5 } from './old-uses.ts'
import { sampleClient, sampleKey, start, trace } from './sample.ts'

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

test('an owner of an earlier version has no claims, and no verified address', async (t) => {
  const path = newPath(t)
  const database = makeEmpty(path, 17)
  database.exec(
    `insert into owners (id, username, username_key, name, email, password_hash,
       password_changed_at, disabled, created_at)
     values ('alice', 'alice', 'alice', 'Alice', 'alice@example.com', 'hash', 0, 0, 40)`,
  )
  database.close()
  const store = await openSqliteStore({ path })
  const owner = await store.findOwner('alice' as OwnerId)
  const { email, emailVerified, claims, updatedAt } = owner ?? {}
  assert.deepEqual([email, emailVerified, claims, updatedAt], ['alice@example.com', false, {}, 40])
  await store.close()
})

test('of owners of an earlier version, the first one keeps a confirmed address', async (t) => {
  const path = newPath(t)
  const database = makeEmpty(path, 52)
  const people = [
    ['late', 'Family@example.com', 1, 60],
    ['first', 'family@example.com', 1, 50],
    ['unproven', 'family@example.com', 0, 40],
    ['other', 'other@example.com', 1, 70],
    ['nobody', '', 1, 10],
    ['noone', '', 1, 20],
  ] as const
  for (const [id, email, verified, at] of people) {
    database.exec(`insert into owners (id, username, username_key, name, email, password_hash,
      password_changed_at, disabled, created_at, email_verified, claims, updated_at, attributes,
      password_kind, roles)
      values ('${id}', '${id}', '${id}', '', '${email}', 'hash', 0, 0, ${at}, ${verified}, '{}', 0, '{}', '', '')`)
  }
  database.close()
  const store = await openSqliteStore({ path })
  const found = await Promise.all(people.map(([id]) => store.findOwner(id as OwnerId)))
  assert.deepEqual(
    found.map((owner) => owner?.emailVerified),
    [false, true, false, true, true, true],
  )
  await store.close()
})

for (const former of ['profile', 'resources', 'keys'])
  test(`permissions of the former resource ${former} are gone, and nothing else`, async (t) => {
    const path = newPath(t)
    const database = makeEmpty(path, 17)
    const scope = `my-${former}:read photos:read ${former}:read ${former}:write ${former}s:write`
    database.exec(`insert into clients (id, name, scope, salt, disabled, has_endings, revision, details)
    values ('printer', 'Printer', '${scope}', 'salt', 0, 0, 0, '{}')`)
    database.exec(`insert into owners (id, username, username_key, name, email, password_hash,
    password_changed_at, disabled, created_at) values ('a', 'a', 'a', 'A', '', 'hash', 0, 0, 0)`)
    const allowed = { all: scope, only: `${former}:read ${former}:write` }
    for (const [id, permissions] of Object.entries(allowed)) {
      database.exec(`insert into authorizations (id, client_id, owner_id, permissions, duration,
      session_id, expires_at, created_at, last_used_at, salt, revision)
      values ('${id}', 'printer', 'a', '${permissions}', '${id}', '', null, 0, null, 'salt', 0)`)
    }
    database.close()
    const store = await openSqliteStore({ path })
    const left = [`my-${former}:read`, 'photos:read', `${former}s:write`]
    assert.deepEqual((await store.findClient('printer' as ClientId))?.scope, left)
    const living = await store.findAuthorization('all' as AuthorizationId, 10)
    assert.deepEqual(living?.permissions, left)
    assert.equal(await store.findAuthorization('only' as AuthorizationId, 10), null)
    await store.close()
  })

test('an operator of an earlier version may use the keys, and a resource named keys is gone', async (t) => {
  const path = newPath(t)
  const database = makeEmpty(path, 48)
  const ofOperator = (others: string) =>
    `authorizations:read authorizations:write clients:read clients:write events:read ${others}owners:read owners:write resources:read resources:write`
  const scopes = { all: ofOperator(''), some: 'clients:read events:read' }
  for (const [id, scope] of Object.entries(scopes)) {
    database.exec(`insert into clients (id, name, scope, scope_limits, salt, disabled, has_endings,
      revision, details) values ('${id}', '${id}', '${scope}', 1, 'salt', 0, 0, 0, '{}')`)
  }
  database.exec(`insert into resources (name, position, uri, details, revision, deleted_at)
    values ('keys', 1, 'https://keys.example', '{}', 0, null)`)
  database.exec(`insert into resource_uris (uri, name) values ('https://keys.example', 'keys')`)
  database.close()
  const store = await openSqliteStore({ path })
  const scopeOf = async (id: string) => (await store.findClient(id as ClientId))?.scope.join(' ')
  assert.equal(await scopeOf('all'), ofOperator('keys:read keys:write '))
  assert.equal(await scopeOf('some'), scopes.some)
  assert.deepEqual(await store.listResources(), [])
  await store.close()
})

test('an access log of lines and counts in rows of their own becomes one row for each day', async (t) => {
  const path = newPath(t)
  const database = makeEmpty(path, 5)
  database.exec(usesOfSchema5)
  database.close()
  const store = await openSqliteStore({ path })
  await assertMovedUses(store)
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

/** Version 15 came with these tables or without: for a while they were version 7. */
for (const earlier of ['without', 'with'] as const) {
  test(`a database of version 15 ${earlier} the tables of registrations takes them`, async (t) => {
    const path = newPath(t)
    const database = makeEmpty(path, 15)
    const added = migrations.find(({ version }) => version === 16)?.statements ?? []
    for (const sql of earlier === 'with' ? added : []) database.exec(sql)
    database.close()
    const store = await openSqliteStore({ path })
    const quota = { perWindow: [], share: null, mostInTotal: 1 }
    const client = sampleClient({ registeredBy: 'itself' })
    const registered = await store.registerClient(client, quota, trace())
    assert.deepEqual(registered, { outcome: 'created' })
    await store.close()
  })
}

test('sealing keys of before are keys for sealing, and the newest of them stays the newest', async (t) => {
  const path = newPath(t)
  const database = makeEmpty(path, 17)
  database.exec(`insert into sealing_keys (id, wrapped, usable_from, created_at)
    values ('one', 'wrapped one', 5, ${start}), ('two', 'wrapped two', 9, ${start})`)
  database.exec("insert into sealing_turns (id, key_id, usable_from) values ('newest', 'two', 9)")
  database.close()
  const store = await openSqliteStore({ path })
  const before = [sampleKey('one', 5), sampleKey('two', 9)]
  assert.deepEqual(await store.listKeys(), before)
  assert.equal(await store.addKey(sampleKey('three', 8), 9, trace()), 'present')
  assert.equal(await store.addKey(sampleKey('three', 10), 10, trace()), 'added')
  assert.deepEqual(await store.listKeys(), [...before, sampleKey('three', 10)])
  await store.close()
})
