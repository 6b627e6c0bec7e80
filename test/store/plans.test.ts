/**
 * Lists at a million rows: the plans of both engines. An index leads in the order of the page, so no
 * table is scanned and none is sorted. Times would tell less, and not twice the same.
 */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { Client } from 'pg'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import type { AuthorizationId, ClientId, OwnerId } from '../../src/model/ids.ts'
import { prepare } from '../../src/store/engines/postgres/client.ts'
import { translateSql } from '../../src/store/engines/sqlite/compiled.ts'
import { authorizationRecord } from '../../src/store/records/authorization/record.ts'
import { clientRecord } from '../../src/store/records/client/record.ts'
import { listEvents } from '../../src/store/records/event/record.ts'
import { listOwnersOfEmail } from '../../src/store/records/mail.ts'
import { ownerRecord } from '../../src/store/records/owner/record.ts'
import { schema } from '../../src/store/schema/migrate.ts'
import { openPostgresStore } from '../../src/store/sql/open.ts'
import type { Read, Row, Value } from '../../src/store/sql/statement.ts'
import { takePostgres } from './one-postgres.ts'
import type { Postgres } from './postgres.ts'

const { listClientsBy } = clientRecord.reads
const { findOwnerByEmail, listOwnersBy } = ownerRecord.reads
const { listAuthorizations } = authorizationRecord.reads
const [ownerId, clientId] = ['owner-500' as OwnerId, 'client-1' as ClientId]
/** The id at which the limit of a page is reached. */
const stop = '00005000'

const [from, type] = ['00000009', 'login.failed'] as const

const administrator = { type: 'operator', id: 'client:client-3' } as const

/** Each list, and the index that has to lead. A list of one owner may be sorted: it is short. */
const lists: Readonly<Record<string, readonly [index: string, list: (read: Read) => unknown]>> = {
  'all events': ['events_pkey', (read) => listEvents(read, {}, from, 50)],
  'events, the oldest first': [
    'events_pkey',
    (read) => listEvents(read, {}, from, 50, 'oldest first'),
  ],
  'events of a time': [
    'events_pkey',
    (read) => listEvents(read, { since: 1000, until: 2000 }, null, 50),
  ],
  'events of an owner': ['events_by_owner', (read) => listEvents(read, { ownerId }, null, 50)],
  'events of a type': ['events_by_type', (read) => listEvents(read, { type }, from, 50)],
  'events of a client': ['events_by_client', (read) => listEvents(read, { clientId }, null, 50)],
  'events of a type and client': [
    'events_by_client',
    (read) => listEvents(read, { type, clientId }, from, 50),
  ],
  'events of a type and owner': [
    'events_by_owner',
    (read) => listEvents(read, { type, ownerId }, from, 50),
  ],
  'owners to mail at an address': [
    'owners_by_email',
    (read) => listOwnersOfEmail(read, 'owner-500@example.com', 5),
  ],
  'owners of an address': [
    'owners_by_email',
    (read) => findOwnerByEmail(read, 'owner-500@example.com'),
  ],
  'acts of operators': [
    'events_by_operator_type',
    (read) => listEvents(read, { actor: { type: 'operator', id: null } }, from, 50),
  ],
  'acts of an operator': [
    'events_of_operators',
    (read) => listEvents(read, { actor: administrator }, from, 50),
  ],
  'acts of an operator, of a type': [
    'events_of_operators',
    (read) => listEvents(read, { actor: administrator, type, since: 1000 }, from, 50),
  ],
  'acts of an owner': [
    'events_by_owner',
    (read) => listEvents(read, { actor: { type: 'owner', id: ownerId } }, from, 50),
  ],
  'acts of strangers': [
    'events_pkey',
    (read) => listEvents(read, { actor: { type: 'anyone', id: null } }, from, 50),
  ],
  'all authorizations': [
    'authorizations_pkey',
    (read) => listAuthorizations(read, {}, from, 50, 1000),
  ],
  'authorizations of a client': [
    'authorizations_by_client',
    (read) => listAuthorizations(read, { clientId }, from, 50, 1000),
  ],
  'ended authorizations of a client': [
    'authorizations_by_client',
    (read) => listAuthorizations(read, { clientId, ended: true }, null, 50, 1000, 'newest first'),
  ],
  'paused authorizations': [
    'authorizations_paused',
    (read) => listAuthorizations(read, { paused: true }, from, 50, 1000),
  ],
  'authorizations of an owner': [
    'authorizations_owner_id_client_id_duration_session_id_key',
    (read) => listAuthorizations(read, { ownerId }, null, 50, 1000),
  ],
  'one authorization': [
    'authorizations_pkey',
    (read) => listAuthorizations(read, { id: from as AuthorizationId }, null, 1, 1000),
  ],
  'owners by words': [
    'owner_words_pkey',
    (read) => listOwnersBy(read, { search: '512' }, null, 50),
  ],
  'disabled owners by a common word, on a later page': [
    'owner_words_pkey',
    (read) =>
      listOwnersBy(read, { search: 'user 5', state: 'disabled' }, 'user\nuser-5\nowner-5', 50),
  ],
  'owners with a role': [
    'owner_words_pkey',
    (read) => listOwnersBy(read, { role: 'auditor', loginBefore: 9 }, '=role:auditor;\nx\ny', 50),
  ],
  'all owners': ['owners_username_key_key', (read) => listOwnersBy(read, {}, 'user-5', 50)],
  'enabled owners': [
    'owners_username_key_key',
    (read) => listOwnersBy(read, { state: 'enabled' }, null, 50),
  ],
  'owners by last login': [
    'owners_by_last_login',
    (read) => listOwnersBy(read, { loginSince: 3, search: 'user' }, '@5\nuser-5', 50),
  ],
  'clients by words': [
    'client_words_pkey',
    (read) => listClientsBy(read, { search: 'client', kind: 'public' }, 'client\n\nc', 50),
  ],
  'clients by last use': [
    'clients_by_last_use',
    (read) => listClientsBy(read, { usedBefore: 5 }, null, 50),
  ],
}

/** The table of a list, by the index that leads. */
const tableOf = (index: string): string =>
  /^[a-z]+_words/.exec(index)?.[0] ?? index.split('_')[0] ?? ''

/** A key of the index that leads, with the id of its row. */
const keys: Readonly<Record<string, Row>> = {
  owner_words_pkey: { k0: 'user', k1: 'user-6', k2: 'owner-6', id: 'owner-6' },
  owners_username_key_key: { k0: 'user-6', id: 'owner-6' },
  owners_by_last_login: { k0: 6, k1: 'user-6', id: 'owner-6' },
  client_words_pkey: { k0: 'client', k1: '', k2: 'client-6', id: 'client-6' },
  clients_by_last_use: { k0: 4, k1: 'client-6', id: 'client-6' },
}

/** Beside a list by words: rows that are the search, and whether some have no words yet. */
const isLookUp = (sql: string): boolean =>
  /words_kept = 0/.test(sql) || /^select id from \w+ where/.test(sql)

/** The rows of the ids of a page. */
const isOfIds = (sql: string): boolean => /where o\.id in \(/.test(sql)

/** SQLite names the keys of a table by itself. */
const sqliteNames: Readonly<Record<string, string>> = {
  events_pkey: 'PRIMARY KEY',
  authorizations_pkey: 'PRIMARY KEY',
  clients_pkey: 'PRIMARY KEY',
  authorizations_owner_id_client_id_duration_session_id_key: 'sqlite_autoindex_authorizations_2',
  owners_username_key_key: 'sqlite_autoindex_owners_2',
  owner_words_pkey: 'PRIMARY KEY',
  client_words_pkey: 'PRIMARY KEY',
}

describe('SQLite', () => {
  let database: DatabaseSync
  before(async () => {
    database = new DatabaseSync(':memory:')
    for (const sql of schema.statements) {
      database.exec(sql.startsWith('create table') ? `${sql} without rowid` : sql)
    }
  })
  after(() => database.close())

  for (const [name, [index, list]] of Object.entries(lists)) {
    test(name, async () => {
      const plans: string[][] = []
      await list(async (sql, params) => {
        const rows = database.prepare(`explain query plan ${translateSql(sql)}`).all(...params)
        const plan = rows.map(({ detail }) => String(detail))
        // One row leads there, so a step through an index without a key reads no more.
        if (isLookUp(sql)) assert.ok(!plan.some((line) => /^SCAN (?!\w+ USING)/.test(line)))
        else if (isOfIds(sql))
          assert.match(plan[0] ?? '', /^SEARCH o USING (INDEX \w+_1|PRIMARY KEY) \(id=\?\)$/)
        else plans.push(plan)
        return sql.includes(' as k0') ? [keys[index] ?? {}] : []
      })
      for (const plan of plans) {
        const steps = plan.filter((line) => !/^(CO-ROUTINE|SCAN) [afw]$/.test(line))
        const leading = sqliteNames[index] ?? index
        assert.match(
          steps[0] ?? '',
          new RegExp(`^SEARCH \\w+ USING (COVERING )?(INDEX )?${leading}\\b`),
        )
        const others = steps.filter((line) => !/^(SEARCH|CORRELATED SCALAR SUBQUERY)/.test(line))
        // A page is sorted again after the joins, and those of an owner before.
        const sorted = others.filter((line) => /^USE TEMP B-TREE FOR .*ORDER BY$/.test(line))
        assert.deepEqual(others, sorted)
        const most = steps.length === 1 ? 0 : name === 'authorizations of an owner' ? 2 : 1
        assert.ok(sorted.length <= most, plan.join('\n'))
      }
    })
  }
})

/** Rows enough for PostgreSQL to plan as it does for a million. */
const fill = `
  insert into clients (id, name, scope, salt, disabled, has_endings, revision, details,
      words_kept, last_used_at)
    select 'client-' || i, 'client-' || i, '', '', 0, 0, 0, '{}', 1, i % 10 from generate_series(0, 9999) i;
  insert into owners (id, username, username_key, name, email, password_hash, password_changed_at,
      disabled, created_at, words_kept, last_login_at)
    select 'owner-' || i, 'user-' || i, 'user-' || i, 'user-' || i, 'user-' || i, '', 0, 0, 0, 1, i % 10
    from generate_series(0, 9999) i;
  insert into owner_words (word, place, id)
    select w, 'user-' || i, 'owner-' || i from generate_series(0, 9999) i,
      unnest(array['user', cast(i as text)]) w;
  insert into client_words (word, place, id) select 'client', '', id from clients;
  insert into authorizations (id, client_id, owner_id, permissions, duration, session_id,
      created_at, salt, revision, paused)
    select lpad(cast(i as text), 8, '0'), 'client-' || i % 3, 'owner-' || i % 10000, '', 'forever',
      '', 0, '', 0, case when i % 100 = 7 then '{}' else '' end
    from generate_series(0, 29999) i;
  insert into events (id, at, type, client_id, owner_id, details, actor, operator)
    select lpad(cast(i as text), 8, '0'), i,
      case when i % 3 = 0 then 'login.failed' else 'login.succeeded' end,
      'client-' || i % 3, 'owner-' || i % 10000, '{}', '{"type":"anyone"}',
      case when i % 50 = 0 then 'client:client-' || i / 50 % 40 else '' end
    from generate_series(0, 59999) i`

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Plan Rows': number
  readonly 'Index Name'?: string
  readonly 'Relation Name'?: string
  readonly Alias?: string
  readonly Plans?: readonly PlanNode[]
}

const nodesOf = (node: PlanNode): readonly PlanNode[] => [
  node,
  ...(node.Plans ?? []).flatMap(nodesOf),
]

/** Others are empty here. */
const filled = [...fill.matchAll(/insert into (\w+)/g)].map(([, table]) => table)

/** Words of a row, and the row itself, are found by their own index, and no table is scanned. */
const listUnwanted = (plan: PlanNode): readonly PlanNode[] =>
  nodesOf(plan).filter((node) => {
    const { Alias = '', 'Index Name': index = '', 'Relation Name': table = '' } = node
    if (/^x(_\d+)?$/.test(Alias) && /_words$/.test(table)) return index !== `${table}_of_row`
    if (/^o(_\d+)?$/.test(Alias) && /^(owners|clients)$/.test(table))
      return index !== `${table}_pkey`
    return node['Node Type'] === 'Seq Scan' && filled.includes(table)
  })

const suite = (postgres: Postgres): void => {
  describe('PostgreSQL', () => {
    let client: Client
    before(async () => {
      const url = await postgres.newDatabase()
      await (await openPostgresStore({ url, random })).close()
      client = new Client(url)
      await client.connect()
      await client.query(fill)
      await client.query('vacuum analyze')
    })
    after(() => client.end())

    const explain = async (sql: string, params: readonly Value[]): Promise<PlanNode> => {
      const text = `explain (format json) ${prepare(sql).text}`
      const { rows } = await client.query(text, [...params])
      return rows[0]['QUERY PLAN'][0].Plan
    }

    for (const [name, [index, list]] of Object.entries(lists)) {
      test(name, async () => {
        const plans: [PlanNode, boolean][] = []
        await list(async (sql, params) => {
          const plan = await explain(sql, params)
          assert.deepEqual(listUnwanted(plan), [], JSON.stringify(plan))
          // A page between two keys has few rows, so it may be sorted.
          const isStopped = params.includes(stop)
          if (!isLookUp(sql) && !isOfIds(sql)) plans.push([plan, isStopped])
          if (sql.includes(' as k0')) return [{ rows_found: 501, ...keys[index] }]
          return sql.includes('offset') ? [{ id: stop, place: stop }] : []
        })
        for (const [plan, isStopped] of plans) {
          const nodes = nodesOf(plan)
          // Each authorization above a delegation is found by its id, and so are further words.
          const ofLists = nodes.filter(({ Alias = '' }) => !/^(a?p+|[ox](_\d)?)$/.test(Alias))
          const names = ofLists.flatMap((node) => node['Index Name'] ?? [])
          const table = tableOf(index)
          assert.deepEqual(
            names.filter((one) => one.startsWith(table)),
            [index],
          )
          // It may sort a page, the rows of one owner, or the rows that a page may examine.
          const sorts = nodes.filter((node) => node['Node Type'] === 'Sort')
          assert.ok(
            isStopped || sorts.every((node) => node['Plan Rows'] <= 51),
            JSON.stringify(plan),
          )
        }
      })
    }
  })
}

const postgres = await takePostgres()
if (postgres === null) {
  test('no PostgreSQL here (LATCHKEY_TEST_POSTGRES names one): its plans are not looked at')
} else {
  after(() => postgres.stop())
  suite(postgres)
}
