/** Databases of earlier versions: from schema 50 on they come up to date, and older ones are refused. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import type { OwnerId } from '../../src/model/ids.ts'
import type { OwnerFilter } from '../../src/store/contract/owner.ts'
import { schemaVersion } from '../../src/store/schema/migrate.ts'
import { openPostgresStore, openSession, openSqliteStore } from '../../src/store/sql/open.ts'
import type { Store } from '../../src/store/store.ts'
import { newPath } from './folder.ts'
import { trace } from './moments.ts'
import { takePostgres } from './one-postgres.ts'
import type { Postgres } from './postgres.ts'
import { sampleClient } from './sample.ts'
import { statementsOf50 } from './schema-50.ts'

const people = [
  ['late', 'Family@example.com', 1, 60],
  ['first', 'family@example.com', 1, 50],
  ['unproven', 'family@example.com', 0, 40],
  ['other', 'other@example.com', 1, 70],
  ['nobody', '', 1, 10],
  ['noone', '', 1, 20],
] as const

/** Keys by an older Unicode. By the one of today, both usernames have the same. */
const keys: Readonly<Record<string, string>> = { nobody: 'NOONE', noone: 'noone' }

const insertPeople = people.map(
  ([id, email, verified, at]) => `insert into owners (id, username, username_key, name, email,
     password_hash, password_changed_at, disabled, created_at, email_verified, roles)
   values ('${id}', '${keys[id] ?? id}', '${keys[id] ?? id}', '', '${email}', 'hash', 0, 0, ${at}, ${verified},
     '${id === 'first' ? 'operator desk_2' : ''}')`,
)

const insertLogins = [
  `insert into sessions (id, owner_id, started_at, expires_at) values ('s', 'other', 500, 900)`,
  `insert into events (id, at, type, owner_id, details)
    values ('1', 700, 'login.succeeded', 'late', '{}'), ('2', 800, 'login.failed', 'late', '{}')`,
]

/** Since schema 53 a confirmed address has one owner: the first one keeps it. */
const assertPeople = async (store: Store, others = 0): Promise<void> => {
  const found = await Promise.all(people.map(([id]) => store.findOwner(id as OwnerId)))
  assert.deepEqual(
    found.map((owner) => owner?.emailVerified),
    [false, true, false, true, true, true],
  )
  const find = async (search: string) =>
    (await store.listOwnersBy({ search }, null, 10)).rows.map(({ id }) => id)
  // Since schema 66 owners have words. Those of older rows are written in pieces.
  const partial = { rows: [], next: null, isPartial: true }
  assert.deepEqual(await store.listOwnersBy({ search: 'family' }, null, 10), partial)
  assert.deepEqual(await find('other@example.com'), ['other'])
  const listBy = async (filter: OwnerFilter) =>
    (await store.listOwnersBy(filter, null, 10)).rows.map(({ id }) => id)
  for (const role of ['any', 'operator', 'desk_2'])
    assert.deepEqual(await listBy({ role }), ['first'])
  assert.deepEqual(await listBy({ loginBefore: 1000 }), [])
  await store.noteClientWords({ most: 100, skip: 0 })
  const note = (most: number, skip: number) => store.noteOwnerWords({ most, skip })
  assert.deepEqual([await note(4, 1), await note(5, 0), await note(5, 0)], [4, 2 + others, 0])
  assert.deepEqual(await find('FAM example'), ['first', 'late', 'unproven'])
  assert.deepEqual(await find('noo'), ['nobody', 'noone'])
  // Nobody knows whether the others ever logged in.
  assert.deepEqual(await listBy({ loginBefore: 1000 }), ['other', 'late'])
  assert.deepEqual(await listBy({ loginBefore: 700 }), ['other'])
}

const tooOld =
  'was written by a version of this program that is too old (its schema is 49, this one needs 50 or later): ' +
  `start the service once with a version of schema 50 to ${schemaVersion} that still takes it, ` +
  'or export what you need with the version that wrote it'

/** Tables of checkouts of 27 November 2026, whose migrations were changed later. */
const unfinished = [
  'alter table device_authorizations drop column salt',
  'alter table backchannel_requests drop column kept_until',
  'alter table upstream_links drop column made_by',
  'alter table scim_users drop column disabled_here',
  'alter table directory_checks drop column checked_at',
  'alter table owners drop column picture_name',
  'alter table owners add column picture_name text',
  ...['owners last_login_at by_last_login', 'clients last_used_at by_last_use'].flatMap((one) => {
    const [table, column, index] = one.split(' ')
    return [
      `drop index ${table}_${index}`,
      `alter table ${table} drop column ${column}`,
      `alter table ${table} add column ${column} bigint not null default 0`,
      `create index ${table}_${index} on ${table} (${column}, id)`,
    ]
  }),
  ...['owner', 'client'].flatMap((one) => [
    `drop table ${one}_words`,
    `create table ${one}_words (word text not null, place text not null,
      id text not null references ${one}s (id) on delete cascade, primary key (word, place))`,
    `create index ${one}_words_of_row on ${one}_words (id, word)`,
  ]),
  'drop table directory_leavers',
  `create table directory_leavers (
    owner_id text not null primary key references owners (id) on delete cascade,
    upstream text not null, disabled_at bigint not null, disabled_here smallint not null)`,
  'create index directory_leavers_by_time on directory_leavers (upstream, disabled_at)',
  "insert into directory_leavers values ('other', 'company', 5, 1)",
  "insert into directory_checks values ('company', 7, 3)",
  `insert into owners (id, username, username_key, name, email, password_hash, password_changed_at, disabled,
    created_at, deleted_at) values ('gone', '', 'gone', '', '', '', 0, 1, 5, 6)`,
  `insert into counts (span, at, kind, client_id, name, expires_at, n, last_at)
    select 'day', 0, 'acts', id, 'token', 9999, 1, 950 from clients`,
]

/** Schema 68 was written before 67. */
const without67 = ['drop table scim_groups', 'drop table scim_users']

const makeClient = async (store: Store): Promise<void> => {
  await store.createClient(sampleClient(), trace())
  await store.close()
}

const assertMended = async (store: Store): Promise<void> => {
  await assertPeople(store, 1)
  assert.equal((await store.findOwner('other' as OwnerId))?.pictureName, '')
  const used = await store.listClientsBy({ usedSince: 950 }, null, 10)
  assert.deepEqual([used.rows.length, used.next], [1, null])
  assert.equal(await store.findDisabler('other' as OwnerId), 'company')
  assert.deepEqual(await store.listDirectoryChecks(0), [
    { upstream: 'company', missing: 3, checkedAt: 7 },
  ])
}

describe('a database file', () => {
  const write = (database: DatabaseSync, statements: readonly string[]): void => {
    for (const sql of statements) {
      database.exec(sql.startsWith('create table') ? `${sql} without rowid` : sql)
    }
  }

  const make = (path: string, version: number): void => {
    const database = new DatabaseSync(path)
    database.exec('pragma journal_mode = wal')
    database.exec(`pragma application_id = ${0x4c746368}`)
    write(database, [...statementsOf50, ...insertPeople, ...insertLogins])
    database.exec(`pragma user_version = ${version}`)
    database.close()
  }

  /** All that SQLite knows of the tables, but the order of their columns. */
  const formOf = (path: string) => {
    const database = new DatabaseSync(path, { readOnly: true })
    const ask = (sql: string) => database.prepare(sql).all()
    const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort()
    const tables = ask("select name from sqlite_schema where type = 'table' order by name")
    const indexes = ask("select sql from sqlite_schema where type = 'index' and sql <> ''")
    const form = {
      tables: tables.map(({ name }) => [
        name,
        sorted(
          ask(`select name, type, "notnull", dflt_value, pk from pragma_table_info('${name}')`),
        ),
        sorted(
          ask(`select "table", "from", "to", on_delete from pragma_foreign_key_list('${name}')`),
        ),
        sorted(ask(`select name, "unique", origin, partial from pragma_index_list('${name}')`)),
      ]),
      indexes: indexes.map(({ sql }) => String(sql).replaceAll(/\s+/g, ' ').toLowerCase()).sort(),
      version: ask('pragma user_version'),
    }
    database.close()
    return form
  }

  test('of schema 50 comes up to date, in the form of a new one', async (t) => {
    const [path, fresh] = [newPath(t), newPath(t)]
    make(path, 50)
    const store = await openSqliteStore({ path })
    await assertPeople(store)
    await store.close()
    await (await openSqliteStore({ path: fresh })).close()
    assert.deepEqual(formOf(path), formOf(fresh))
  })

  test('of a checkout between two versions gets the form of its schema', async (t) => {
    const [path, fresh] = [newPath(t), newPath(t)]
    make(path, 50)
    await makeClient(await openSqliteStore({ path }))
    const change = (statements: readonly string[], sql = 'select 1') => {
      const database = new DatabaseSync(path)
      write(database, statements)
      const rows = database.prepare(sql).all()
      database.close()
      return rows
    }
    change(unfinished)
    const store = await openSqliteStore({ path })
    await assertMended(store)
    await store.close()
    // Null would be filled from the events of this deleted owner.
    const ofGone = change(without67, "select last_login_at as at from owners where id = 'gone'")
    assert.equal(ofGone[0]?.at, 0)
    await (await openSqliteStore({ path })).close()
    await (await openSqliteStore({ path: fresh })).close()
    assert.deepEqual(formOf(path), formOf(fresh))
  })

  test('of an older schema is refused, and stays as it is', async (t) => {
    const path = newPath(t)
    make(path, 49)
    const before = formOf(path)
    const refusal = { name: 'StoreRefusal', message: `the database ${path} ${tooOld}` }
    await assert.rejects(openSqliteStore({ path }), refusal)
    await assert.rejects(openSession(`sqlite:${path}`, 'snapshot'), refusal)
    assert.deepEqual(formOf(path), before)
  })
})

const suite = (postgres: Postgres): void => {
  describe('a PostgreSQL database', () => {
    const collate = (statements: readonly string[]): readonly string[] =>
      statements.map((sql) => sql.replaceAll(/ text\b/g, ' text collate "C"'))

    const make = async (version: number): Promise<string> => {
      const url = await postgres.newDatabase()
      const texts = collate([...statementsOf50, ...insertPeople, ...insertLogins])
      const noted = `create table latchkey_schema (id text not null primary key, version integer not null);
        insert into latchkey_schema (id, version) values ('schema', ${version})`
      await postgres.askIn(url, [...texts, noted].join(';'))
      return url
    }

    /** All that PostgreSQL knows of the tables, but the order of their columns. */
    const formOf = (url: string) =>
      Promise.all(
        [
          `select table_name, column_name, data_type, is_nullable, column_default, collation_name
           from information_schema.columns where table_schema = 'public' order by 1, 2`,
          `select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
           where connamespace = 'public'::regnamespace order by 1, 2`,
          "select indexdef from pg_indexes where schemaname = 'public' order by 1",
          'select * from latchkey_schema',
        ].map((sql) => postgres.askIn(url, sql)),
      )

    test('of schema 50 comes up to date, in the form of a new one', async () => {
      const url = await make(50)
      const store = await openPostgresStore({ url, random })
      await assertPeople(store)
      await store.close()
      const fresh = await postgres.newDatabase()
      await (await openPostgresStore({ url: fresh, random })).close()
      assert.deepEqual(await formOf(url), await formOf(fresh))
    })

    test('of a checkout between two versions gets the form of its schema', async () => {
      const url = await make(50)
      await makeClient(await openPostgresStore({ url, random }))
      await postgres.askIn(url, collate(unfinished).join(';'))
      const store = await openPostgresStore({ url, random })
      await assertMended(store)
      await store.close()
      await postgres.askIn(url, without67.join(';'))
      await (await openPostgresStore({ url, random })).close()
      const fresh = await postgres.newDatabase()
      await (await openPostgresStore({ url: fresh, random })).close()
      // While both tables are there, keys of the new one have names of their own.
      const named = JSON.stringify(await formOf(url)).replaceAll(/key1\b/g, 'key')
      assert.deepEqual(JSON.parse(named), await formOf(fresh))
    })

    test('of an older schema is refused, and stays as it is', async () => {
      const url = await make(49)
      const before = await formOf(url)
      const { hostname, port, pathname } = new URL(url)
      const name = `the database ${pathname.slice(1)} at ${hostname}:${port}`
      const refusal = { name: 'StoreRefusal', message: `${name} ${tooOld}` }
      await assert.rejects(openPostgresStore({ url, random }), refusal)
      await assert.rejects(openSession(url, 'snapshot'), refusal)
      assert.deepEqual(await formOf(url), before)
    })
  })
}

const postgres = await takePostgres()
if (postgres === null) {
  test('no PostgreSQL here (LATCHKEY_TEST_POSTGRES names one): its upgrade is left out')
} else {
  after(() => postgres.stop())
  suite(postgres)
}
