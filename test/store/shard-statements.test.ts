/**
 * Each statement of the store names one shard key for each table with the rows of owners that it touches. What asks
 * all machines stands here by the name of its method.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Client } from 'pg'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import type { OwnerId } from '../../src/model/ids.ts'
import { compile } from '../../src/store/engines/citus/compile.ts'
import { speakCitus } from '../../src/store/engines/citus/dialect.ts'
import { nearSteps } from '../../src/store/engines/citus/near.ts'
import { places } from '../../src/store/engines/citus/place.ts'
import { openPostgres } from '../../src/store/engines/postgres/postgres.ts'
import { fillPlaces } from '../../src/store/records/event/places.ts'
import { reads, recordSteps } from '../../src/store/sql/records.ts'
import { type Cluster, findCluster, leftOut } from '../citus/cluster.ts'
import { storeContract } from './contract.ts'
import { next, shardKeys, start, trace } from './moments.ts'
import { newSalt, sampleClient } from './sample.ts'
import { doneNear, openSharded, type Sent } from './sharded.ts'

/** Methods that ask all machines, by their reason. No request of an application waits for them. */
const askingAll: Readonly<Record<string, readonly string[]>> = {
  'a name, an address or an account of elsewhere becomes an owner': [
    ...['findOwnerIdByConfirmedEmail', 'linkByAddress', 'listOwnersOfEmail'],
  ],
  'nobody else may have the name': [
    ...['changeOwner', 'changePassword', 'changeScimUser', 'confirmEmail', 'createLinkedOwner'],
    ...['createOwner', 'createScimUser', 'importOwner', 'signUp'],
  ],
  'roles are given where nobody else has a way in': [
    ...['giveRoles', 'listWaysOfOthers', 'setUpstreamRoles'],
  ],
  'a picture is found by its name': ['findOwnerPicture'],
  'lists of operators': [
    ...['listAuthorizations', 'listAuthorizers', 'listOwners', 'listOwnersBy'],
    ...['listPasswordKinds', 'noteOwnerWords', 'the store'],
  ],
  'members of a group': [
    ...['changeGroupMembers', 'deleteGroup', 'findGroup', 'listGroupMembers', 'listGroups'],
    'renameGroup',
  ],
  'people of a directory': [
    ...['changeScimGroup', 'countScimUsers', 'createScimGroup', 'disableLeaver'],
    ...['deleteScimGroup', 'isKeepingOwners', 'listLinkedPeople'],
    ...['listScimMemberships', 'listScimUsers'],
  ],
  'all owners of a client or of a trusted issuer': [
    ...['createTrustedIssuer', 'deleteClient', 'deleteOwnClient', 'findAccessSummary'],
    ...['isApproved', 'listIssuerAccesses', 'removeIdleClient'],
  ],
  'revocations of many owners': ['listSignalFacts'],
  'purges and other housekeeping': [
    ...[
      'listDueOwners',
      'listOneTimeCodes',
      'listUnusedAuthorizations',
      'purgeEnded',
      'purgeNext',
      'removeDeleted',
    ],
  ],
}

/** What an application or a person in the middle of something waits for. */
const hot = [
  ...['redeemCode', 'isRedeemed', 'rotateRefreshToken', 'endFamily', 'endToken', 'isTokenEnded'],
  ...['findStanding', 'findItem', 'listItems', 'putItem', 'deleteItem', 'findOwner', 'isClientFor'],
  ...['findSession', 'startSession', 'noteSession', 'confirmSession', 'endSession', 'listSessions'],
  ...['findFactors', 'rehashPassword', 'findAuthorization', 'findAuthorizations', 'approve'],
  ...['approveDevice', 'approveBackchannel', 'redeemDevice', 'redeemBackchannel', 'startFamily'],
  ...['narrowAuthorization', 'endAuthorization', 'changeAuthorizationEnd', 'pauseAuthorizations'],
  ...['delegate', 'recordUses', 'listUses', 'countUses', 'listBackchannels', 'noteClientLogin'],
]

/** What a request with a token waits for. */
const nearReads = [
  ...['findStanding', 'isClientFor', 'isRedeemed', 'isTokenEnded', 'findOwner', 'findSession'],
  ...['findItem', 'listItems', 'countItems', 'findAuthorization', 'findAuthorizations'],
]

const isOwned = (table: string): boolean => places[table]?.with === 'owner'

/** What may follow the name of a table without being its alias. */
const notAnAlias =
  /^(?:where|on|set|using|values|select|left|inner|join|cross|order|group|limit|returning|for|union|except|from)$/

/** The tables with the rows of owners in a statement, by their aliases. */
const listOwned = (text: string): readonly string[] =>
  [
    ...text.matchAll(
      /(?:\b(?:from|join|update|using)|,)\s+([a-z_]+)(?=(?:\s+(?:as\s+)?([a-z_]\w*))?(?:[\s,)]|$))/g,
    ),
  ].flatMap(([, table = '', alias]) => {
    // A column of a list stands before `from`.
    if (!isOwned(table) || alias === 'from') return []
    return alias === undefined || notAnAlias.test(alias) ? table : alias
  })

/** The tables with the rows of owners that a statement does not compare with one shard key, directly or by another. */
const listLacking = (text: string): readonly string[] => {
  const [, into = '', columns = ''] =
    /^\s*insert into (\w+)(?: as \w+)? \(([^)]*)\)/.exec(text) ?? []
  if (isOwned(into)) return /\bshard_key\b/.test(columns) ? [] : [into]
  const compared = [...text.matchAll(/(\w+)\.shard_key = (?:\$\d+|(\w+)\.shard_key)/g)]
  const known = new Set<string>()
  for (let before = -1; before < known.size; ) {
    before = known.size
    for (const [, one = '', other = one] of compared) {
      if (one === other || known.has(one) || known.has(other)) known.add(one).add(other)
    }
  }
  const owned = listOwned(text)
  return [...new Set(owned)].filter((alias) => {
    const named = owned.filter((other) => other === alias).length
    const conditions = compared.filter(([, one, other]) => one === alias || other === alias)
    return !known.has(alias) || conditions.length < named
  })
}

const noCache = { invalidate() {}, invalidateAll() {} }

/** The statements of each method. One whose values told a shard key stands for those of the same text. */
const sent = new Map<string, Map<string, Sent>>()

const note = (method: string, one: Sent): void => {
  const of = sent.get(method) ?? new Map<string, Sent>()
  sent.set(method, of)
  if (one.isKeyed || !of.has(one.sql)) of.set(one.sql, one)
}

/** The statements of some methods that lack a shard key, with their tables. */
const listLackingOf = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) =>
    [...(sent.get(name)?.values() ?? [])].flatMap(({ text }) => {
      const tables = listLacking(text)
      return tables.length === 0 ? [] : `${name}: ${tables} in ${text.replace(/\s+/g, ' ')}`
    }),
  )

storeContract('SQLite, as over many machines', () => openSharded(note))

describe('statements over many machines', () => {
  test('what the contract does not ask is asked, too', async () => {
    const { store, dispose } = await openSharded(note)
    const client = sampleClient()
    await store.createClient(client, trace())
    await Promise.all([
      store.findAccessSummary(client.id, start),
      store.isDeletedOwner(next('owner') as OwnerId),
      store.listStoredEvents('', null, 1),
      store.listStoredEventsOf(['none']),
      store.listScimGroups(client.id, { lookup: null, offset: 0, limit: 1 }),
      store.countScimGroups(client.id),
      store.raiseClient(
        client.id,
        { newSalt, name: 'New' },
        { keep: null, replacement: {} },
        trace(),
      ),
    ])
    await dispose()
  })

  test('are all seen: those of every read and every step', () => {
    const names = [...Object.keys(reads), ...Object.keys(recordSteps)]
    assert.deepEqual(
      names.filter((name) => !sent.has(name)),
      [],
    )
  })

  test('name a shard key, unless their method is one that asks all machines', () => {
    const listed = Object.values(askingAll).flat()
    const lacking = listLackingOf([...sent.keys()].filter((name) => !listed.includes(name)))
    assert.deepEqual(lacking, [], lacking.join('\n'))
    const needless = listed.filter((name) => listLackingOf([name]).length === 0)
    assert.deepEqual([needless, listed.length], [[], new Set(listed).size])
  })

  test('of a hot step or read go to one machine', () => {
    const lacking = listLackingOf(hot)
    assert.deepEqual(lacking, [], lacking.join('\n'))
    assert.deepEqual(
      hot.filter((name) => !sent.has(name)),
      [],
    )
  })

  test('of a request of an application go straight to the machine with the shard', () => {
    const farOf = (name: string) =>
      [...(sent.get(name)?.values() ?? [])].filter((one) => !one.isNear)
    assert.deepEqual(
      nearReads.filter((name) => !sent.has(name) || farOf(name).length > 0),
      [],
    )
    assert.deepEqual(
      [...nearSteps].filter((name) => !doneNear.has(name)),
      [],
    )
    // The coordinator tells the event, and APIs.
    const told = ['authorizations', 'events', 'revocations']
    const expected: Readonly<Record<string, readonly string[]>> = {
      // One that comes twice ends its family.
      ...{ redeemCode: told, rotateRefreshToken: told },
      // The earlier login of the browser ends. A factor counts once.
      startSession: [
        ...['authorizations', 'events', 'finished_ceremonies', 'logout_notices', 'passkeys'],
      ],
      // An authorization that loses something is told to APIs.
      approve: ['authorizations', 'clients', 'events', 'revocations'],
    }
    for (const name of nearSteps) {
      const far = farOf(name).map(
        ({ text }) => /(?:into|from|update) (\w+)/.exec(text)?.[1] ?? text,
      )
      assert.deepEqual([...new Set(far)].sort(), expected[name] ?? [], name)
    }
  })

  test('hold a client on every machine before it goes for want of approvals', () => {
    const texts = [...(sent.get('removeIdleClient')?.keys() ?? [])]
    const at = (part: string) => texts.findIndex((text) => text.includes(part))
    const order = [at('from authorizations'), at('insert into clients'), at('update clients')]
    assert.deepEqual([order.includes(-1), order], [false, order.toSorted((a, b) => a - b)])
  })

  for (const [sql, isNear] of [
    ['select * from owners where id = ?', true],
    ['select o.* from owners o join clients c on c.id = ? where o.id = ?', true],
    // Rows of other shards would be missing.
    ['select o.* from owners o where not exists (select 1 from sessions s where s.id = ?)', false],
    ['select o.* from owners o where o.id = ? or o.id > ?', false],
    // The coordinator alone has these.
    ['select e.* from events e join owners o on o.id = e.owner_id where o.id = ?', false],
    // All machines have these, and each copy has to change.
    ['update clients set disabled = 1 where id = ?', false],
    ['select c.* from clients c join owners o on o.id = ? where c.id = ? for update', false],
    ['update owners set name = ? where id = ?', true],
    ['delete from sessions where id = ?', true],
    ['insert into families (id, shard_key) values (?, ?)', true],
    ['insert into events (id, owner_id) values (?, ?)', false],
    ['select 1 from owners o join clients c on c.id = ? where o.id = ? for key share of c', true],
    ['with o as (select * from owners where id = ?) select * from o', false],
  ] as const) {
    test(`${isNear ? 'may' : 'may not'} pass the coordinator: ${sql}`, () => {
      const one = compile(sql)
      assert.equal(one.isNear, isNear)
      const names = new Map([['owners', 'owners_7']])
      if (/ owners\b/.test(sql)) assert.match(one.rename(names), / owners_7( as owners| o)? /)
    })
  }

  test('that insert selected rows have no value behind their conflict', () => {
    // Citus loses it.
    const lost = /^\s*insert into \w+ \([^)]*\)\s*select\b.*\bon conflict\b.*\$\d/is
    const texts = [...sent.values()].flatMap((of) => [...of.values()].map(({ text }) => text))
    assert.deepEqual(
      texts.filter((text) => lost.test(text)),
      [],
    )
  })

  for (const [name, lacking, text] of [
    ['a table without its key', ['owners'], 'select id from owners where email = $1'],
    ['one behind a list of columns', ['owners'], 'select id, name from owners where id > $1'],
    ['a table with it', [], 'select id from owners where owners.shard_key = $2 and ( id = $1)'],
    ['a row without it', ['sessions'], 'insert into sessions (id, owner_id) values ($1, $2)'],
    ['a row with it', [], 'insert into sessions (id, shard_key) values ($1, $2)'],
    ['a change without it', ['families'], 'update families set ended = 1 where id = $1'],
    ['a deletion without it', ['f'], 'delete from families f where f.id = $1'],
    [
      'a query inside without it',
      ['s'],
      `update owners o set name = $1 where o.shard_key = $2 and exists
        (select 1 from sessions s where s.owner_id = o.id)`,
    ],
    [
      'tables that are compared with one another alone',
      ['a', 'f'],
      'select 1 from authorizations a join families f on f.shard_key = a.shard_key',
    ],
    [
      'tables that are compared with one that has it',
      [],
      `select 1 from authorizations a join families f on f.shard_key = a.shard_key
        join owners o on o.shard_key = f.shard_key where a.shard_key = $1`,
    ],
    [
      'the second of two tables of one name',
      ['c'],
      `select 1 from owners c where c.shard_key = $1
        and not exists (select 1 from owners c where c.email = $2)`,
    ],
    ['a table that all machines have', [], 'select id from clients where name = $1'],
  ] as const) {
    test(`the check reads ${name}`, () => assert.deepEqual(listLacking(text), lacking))
  }
})

/** Counts the tasks of each statement by EXPLAIN. */
const explainOn = (cluster: Cluster): void => {
  describe('EXPLAIN on a cluster', () => {
    let client: Client
    before(async () => {
      const url = await cluster.newDatabase()
      await (await openPostgres({ url, random }, noCache, speakCitus(shardKeys))).close()
      client = new Client(url)
      await client.connect()
    })
    after(async () => {
      await client.end()
      await cluster.close()
    })

    /** The largest number of tasks that a part of a statement is for the machines. */
    const countTasks = async ({ text, values }: Sent): Promise<number> => {
      const explain = `explain (costs off) ${fillPlaces(text, 'postgres')}`
      await client.query('begin')
      try {
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(explain, [...values])
        const said = rows.map((row) => row['QUERY PLAN']).join('\n')
        return Math.max(0, ...[...said.matchAll(/Task Count: (\d+)/g)].map(([, n]) => Number(n)))
      } catch (error) {
        throw new Error(`${error}: ${text}`)
      } finally {
        await client.query('rollback')
      }
    }

    const listed = Object.values(askingAll).flat()
    for (const name of [...Object.keys(reads), ...Object.keys(recordSteps)]) {
      test(`${name} can be planned`, async () => {
        const many: string[] = []
        for (const one of sent.get(name)?.values() ?? []) {
          if ((await countTasks(one)) > 1) many.push(one.text)
        }
        // A rare step may ask all machines for rows of nobody, such as names.
        const isHot = hot.includes(name)
        const wrong = many.filter((text) => isHot || listOwned(text).length > 0)
        if (!listed.includes(name)) assert.deepEqual(wrong, [])
      })
    }
  })
}

const cluster = await findCluster()
if (cluster === null) test(`EXPLAIN: ${leftOut}`)
else explainOn(cluster)
