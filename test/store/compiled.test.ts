/** A statement is compiled once, and runs many times. */
import assert from 'node:assert/strict'
import { constants, DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { createRunner } from '../../src/store/engines/sqlite/compiled.ts'
import { countOnly } from '../../src/store/sql/statement.ts'

const read = 'select id from notes where at <= ? order by at limit ?'

for (const [name, sql] of Object.entries({
  'a read with a limit': read,
  'a deletion with a limit': `delete from notes where id in (${read}) returning id`,
  'a counted deletion with a limit': `delete from notes where id in (${read}) ${countOnly}`,
})) {
  test(`${name} is compiled once, whatever its values are`, () => {
    const database = new DatabaseSync(':memory:')
    database.exec('create table notes (id text primary key, at bigint) without rowid')
    database.exec('create index notes_by_time on notes (at)')
    database.exec("insert into notes values ('a', 1), ('b', 2), ('c', 3), ('d', 4), ('e', 5)")
    const run = createRunner(database)
    let asked = 0
    // SQLite asks about each access while it compiles, and never while it runs.
    database.setAuthorizer(() => {
      asked++
      return constants.SQLITE_OK
    })
    assert.equal(run({ sql, params: [9, 1] }).length, 1)
    const first = asked
    assert.ok(first > 0)
    assert.equal(run({ sql, params: [4, 2] }).length, 2)
    assert.equal(run({ sql, params: [8, 3] }).length, sql === read ? 3 : 2)
    assert.equal(asked, first)
    database.close()
  })
}
