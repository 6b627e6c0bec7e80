/** Statements as a store over many machines writes them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseChange } from '../../../src/store/engines/citus/changes.ts'
import { compile } from '../../../src/store/engines/citus/compile.ts'
import { parseInsert } from '../../../src/store/engines/citus/inserts.ts'
import { openReadKey, places } from '../../../src/store/engines/citus/place.ts'
import { findWord, hasOwned, splitAt } from '../../../src/store/engines/citus/words.ts'
import { tables } from '../../../src/store/sql/records.ts'
import { shardKeys } from '../../store/moments.ts'

const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** A statement, the same with a shard key as `$k`, and the parameters that tell it. */
const written: readonly (readonly [name: string, sql: string, keyed: string, pins: string])[] = [
  [
    'a look-up',
    'select * from owners where id = ?',
    'select * from owners where owners.shard_key = $k and ( id = $1)',
    '0 owner',
  ],
  [
    'an alias, with words of any case',
    'SELECT 1 FROM owners AS o WHERE o.id = ? ORDER BY o.id',
    'SELECT 1 FROM owners AS o WHERE o.shard_key = $k and ( o.id = $1 ) ORDER BY o.id',
    '0 owner',
  ],
  ['a table that all machines have', 'select 1 from clients where id = ?', '', ''],
  ['a table without a value', 'select id from owners order by id limit ?', '', ''],
  ['a comparison that is no equality', 'select id from sessions where owner_id <> ?', '', ''],
  [
    'a text with quotes, a place and the words of a statement in it',
    "select 'it''s ? (from sessions where' from owners where name = '?' and id = ?",
    "select 'it''s ? (from sessions where' from owners where owners.shard_key = $k and ( name = '?' and id = $1)",
    '0 owner',
  ],
  [
    'a cast',
    'select 1 from families where id = cast(? as text)',
    'select 1 from families where families.shard_key = $k and ( id = cast($1 as text))',
    '0 placed',
  ],
  [
    'a list of values',
    'select 1 from authorizations where id in (?, ?) for update',
    'select 1 from authorizations where authorizations.shard_key = $k and ( id in ($1, $2) ) for update',
    '0 placed, 1 placed',
  ],
  ['an alternative', 'select 1 from owners where id = ? or email = ?', '', ''],
  ['what must not be', 'select 1 from sessions s where not (s.id = ?)', '', ''],
  ['a value that depends', 'select case when o.id = ? then 1 else 0 end from owners o', '', ''],
  ['a list with more than values', 'select 1 from families where id in (?, lower(?))', '', ''],
  [
    'a join',
    'select 1 from authorizations a join owners o on o.id = a.owner_id where a.id = ?',
    `select 1 from authorizations a join owners o on o.shard_key = $k and ( o.id = a.owner_id )
      where a.shard_key = $k and ( a.id = $1)`,
    '0 placed',
  ],
  [
    'an outer join',
    'select 1 from authorizations a left join sessions s on s.id = a.session_id and s.seen_at > ? where a.id = ?',
    `select 1 from authorizations a left join sessions s on s.shard_key = $k and ( s.id = a.session_id
      and s.seen_at > $1 ) where a.shard_key = $k and ( a.id = $2)`,
    '1 placed',
  ],
  [
    'a join with a table that all machines have',
    'select 1 from families f join clients c on c.id = f.client_id where f.id = ?',
    'select 1 from families f join clients c on c.id = f.client_id where f.shard_key = $k and ( f.id = $1)',
    '0 placed',
  ],
  [
    'a list of tables',
    'select 1 from sessions s, owners o where s.owner_id = o.id and o.id = ?',
    `select 1 from sessions s, owners o where s.shard_key = $k and o.shard_key = $k
      and ( s.owner_id = o.id and o.id = $1)`,
    '0 owner',
  ],
  [
    'tables that nothing compares',
    'select 1 from owners o, owners x where o.id = ? and x.username_key = ?',
    'select 1 from owners o, owners x where o.shard_key = $k and ( o.id = $1 and x.username_key = $2)',
    '0 owner',
  ],
  [
    'a query inside that refers to the one around it',
    `update owners set name = ? where id = ?
      and not exists (select 1 from sessions s where s.owner_id = owners.id)`,
    `update owners set name = $1 where owners.shard_key = $k and ( id = $2 and not exists
      (select 1 from sessions s where s.shard_key = $k and ( s.owner_id = owners.id) ))`,
    '1 owner',
  ],
  [
    'a query in place of a table',
    'select a.* from (select * from authorizations a where a.id = ?) a join owners o on o.id = a.owner_id',
    `select a.* from (select * from authorizations a where a.shard_key = $k and ( a.id = $1) ) a
      join owners o on o.shard_key = $k and ( o.id = a.owner_id) where a.shard_key = $k`,
    '0 placed',
  ],
  [
    'a query in place of a value',
    'select coalesce((select 1 from sessions s where s.id = ? limit 1), 0) as one',
    'select coalesce((select 1 from sessions s where s.shard_key = $k and ( s.id = $1 ) limit 1), 0) as one',
    '0 session',
  ],
  [
    'a query before a condition of alternatives',
    'select 1 from owners where (name = ? or email = ?) and id = ?',
    'select 1 from owners where owners.shard_key = $k and ( (name = $1 or email = $2) and id = $3)',
    '2 owner',
  ],
  [
    'groups',
    'select count(*) from sessions where owner_id = ? group by methods having count(*) > ?',
    `select count(*) from sessions where sessions.shard_key = $k and ( owner_id = $1 )
      group by methods having count(*) > $2`,
    '0 owner',
  ],
  [
    'a function with `from` in it',
    'select extract(epoch from now()) from owners where id = ?',
    'select extract(epoch from now()) from owners where owners.shard_key = $k and ( id = $1)',
    '0 owner',
  ],
  [
    'a deletion',
    'delete from sessions where id = ? returning owner_id',
    'delete from sessions where sessions.shard_key = $k and ( id = $1 ) returning owner_id',
    '0 session',
  ],
  [
    'a condition for a row to insert',
    'insert into pings (id, turn) select ?, 1 where exists (select 1 from owners where id = ?)',
    `insert into pings (id, turn) select $1, 1 where exists (select 1 from owners
      where owners.shard_key = $k and ( id = $2) )`,
    '1 owner',
  ],
]

describe('a statement', () => {
  for (const [name, sql, keyed, pins] of written) {
    test(`names the shard key beside ${name}`, () => {
      const found = compile(sql)
      const count = sql.replaceAll(/'[^']*'/g, '').split('?').length
      const text = squeeze(found.keyed).replaceAll(`$${count}`, '$k')
      let numbered = 0
      const expected = keyed === '' ? sql.replaceAll('?', () => `$${++numbered}`) : keyed
      assert.equal(text, squeeze(expected))
      assert.equal(found.pins.map(({ place, kind }) => `${place} ${kind}`).join(', '), pins)
    })
  }

  test('without a shard key compares its tables, and locks no row', () => {
    const sql = `select 1 from authorizations a join owners o on o.id = a.owner_id
      where a.client_id = ? for update`
    assert.equal(
      squeeze(compile(sql).spread),
      `select 1 from authorizations a join owners o on o.shard_key = a.shard_key and
        ( o.id = a.owner_id ) where a.client_id = $1`.replace(/\s+/g, ' '),
    )
  })

  test('keeps every text as it is, and takes no place from it', () => {
    const quoted = fc.string().map((text) => `'${text.replaceAll("'", "''")}'`)
    const property = fc.property(quoted, (text) => {
      const { keyed, pins } = compile(
        `select ${text} as a from owners where id = ? and b = ${text}`,
      )
      const expected = `select ${text} as a from owners where owners.shard_key = $2 and ( id = $1 and b = ${text})`
      assert.equal(keyed.trim(), expected)
      assert.deepEqual(
        pins.map(({ place, kind }) => [place, kind]),
        [[0, 'owner']],
      )
    })
    fc.assert(property)
  })

  test('with brackets that do not fit is refused', () => {
    assert.throws(() => compile('select 1 from owners where id = ?))'))
  })
})

describe('words outside of brackets and texts', () => {
  for (const [text, from, at] of [
    ['select a from b', /from\b/iy, 9],
    ['select (select 1 from c) from b', /from\b/iy, 25],
    ["select ' from ' from b", /from\b/iy, 16],
    ['select afrom, fromage', /from\b/iy, -1],
    ["select 'open", /from\b/iy, -1],
  ] as const) {
    test(`of ${text}`, () => assert.equal(findWord(text, from), at))
  }

  test('part a list, also one with brackets and texts', () => {
    assert.deepEqual(splitAt("?, coalesce(?, 'a'), 'b, c', (1, 2)", ','), [
      ...['?', " coalesce(?, 'a')", " 'b, c'", ' (1, 2)'],
    ])
    assert.deepEqual(splitAt('a = ? and (b = ? and c = ?) and android = 1', 'and'), [
      ...['a = ? ', ' (b = ? and c = ?) ', ' android = 1'],
    ])
  })

  test('name a table with the rows of owners', () => {
    assert.equal(hasOwned('exists (select 1 from owners where id = ?)'), true)
    assert.equal(hasOwned('select 1 from clients c join sessions s on s.id = ?'), true)
    assert.equal(hasOwned('select 1 from clients where owners = ?'), false)
  })
})

describe('a step in parts', () => {
  test('inserts a row of an owner by its values, and the end of the statement behind them', () => {
    const insert = parseInsert(
      `insert into sessions (id, owner_id) values (?, cast(? as text))
        on conflict (id) do update set owner_id = excluded.owner_id returning id`,
    )
    assert.deepEqual(insert && [insert.table, insert.columns, insert.isSelect], [
      ...['sessions', ['id', 'owner_id'], false],
    ])
    assert.match(insert?.source ?? '', /^ \(\?, cast\(\? as text\)\)\s*$/)
    assert.match(insert?.conflict ?? '', /^on conflict \(id\) do update set .*owner_id\s*$/)
    assert.equal(insert?.returning, 'returning id')
  })

  test('leaves an insert that one machine can do', () => {
    assert.equal(parseInsert('insert into pings (id, turn) values (?, ?)'), null)
    assert.equal(parseInsert('insert into pings (id) select id from clients where id = ?'), null)
    assert.notEqual(parseInsert('insert into pings (id) select id from owners where id = ?'), null)
  })

  test('asks about owners before it changes what all machines have', () => {
    const change = parseChange(
      `update device_authorizations set state = ? where id = ?
        and exists (select 1 from owners o where o.id = ?) and expires_at > ? returning id`,
    )
    assert.deepEqual([change?.before, change?.inside], [1, 3])
    assert.equal(
      squeeze(change?.change ?? ''),
      'update device_authorizations set state = ? where id = ? returning id',
    )
    assert.equal(parseChange('update clients set name = ? where id = ?'), null)
    assert.equal(parseChange('update owners set name = ? where id = ?'), null)
  })
})

test('each place is that of a table, and told by columns of it', () => {
  for (const [name, place] of Object.entries(places)) {
    if (name === 'names') continue
    const of = name === 'event_outbox' ? 'events' : name
    const columns = tables.find((table) => table.name === of)?.columns ?? []
    const by =
      place.with === 'owner' ? Object.keys(place.by) : place.with === 'own' ? [place.by] : []
    assert.deepEqual([columns.length > 0, by.filter((one) => !columns.includes(one))], [true, []])
  }
})

test('the items of an owner lie with the owner', () => {
  const readKey = openReadKey(shardKeys)
  assert.equal(readKey('holder', 'owner:alice'), readKey('owner', 'alice'))
  assert.notEqual(readKey('holder', 'client:alice'), readKey('owner', 'alice'))
})
