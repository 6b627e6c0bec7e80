/** Nodes on one PostgreSQL cache their reads, and no answer is older than its question. */
import assert from 'node:assert/strict'
import { after, describe, type TestContext, test } from 'node:test'
import { Client as Connection } from 'pg'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import type { Client } from '../../src/model/client.ts'
import type { Holder, ItemId } from '../../src/model/ids.ts'
import { changeLimits } from '../../src/store/records/event/changes.ts'
import { openPostgresStore } from '../../src/store/sql/open.ts'
import type { Store } from '../../src/store/store.ts'
import { chanceOf } from '../simulation/chance.ts'
import { next, start, trace } from './moments.ts'
import { takePostgres } from './one-postgres.ts'
import type { Postgres } from './postgres.ts'
import { newSalt, sampleClient, sampleRotation } from './sample.ts'
import { settle, settleFamily } from './settle.ts'

interface Nodes {
  readonly url: string
  readonly here: Store
  readonly there: Store
}

const openNodes = async (t: TestContext, postgres: Postgres): Promise<Nodes> => {
  const url = await postgres.newDatabase()
  const here = await openPostgresStore({ url, random })
  const there = await openPostgresStore({ url, random })
  t.after(() => Promise.all([here.close(), there.close()]))
  return { url, here, there }
}

/** A client that a node has cached, after enough reads to open all of its connections. */
const cacheClient = async (node: Store): Promise<Client> => {
  const client = sampleClient({ name: 'before' })
  await node.createClient(client, trace())
  for (let reads = 0; reads < 8; reads++) await node.findClient(client.id)
  return client
}

const nameOf = async (node: Store, { id }: Client): Promise<string | undefined> =>
  (await node.findClient(id))?.name

/** A change that nobody is told of, so an answer with it was read anew. */
const rename = ({ id }: Client, name: string): string =>
  `update clients set name = '${name}' where id = '${id}'`

/** The same, told in the transaction of the caller. */
const renameAndNote = (client: Client, name: string): string =>
  `${rename(client, name)}; insert into changes (xid, things)
    values (pg_current_xact_id(), 'client:${client.id}')`

const transaction = async (t: TestContext, url: string): Promise<Connection> => {
  const connection = new Connection({ connectionString: url })
  await connection.connect()
  t.after(() => connection.end())
  await connection.query('begin')
  return connection
}

const checks = (postgres: Postgres): void => {
  const open = (t: TestContext): Promise<Nodes> => openNodes(t, postgres)

  test('a client is cached, and what another node changes is read', async (t) => {
    const { url, here, there } = await open(t)
    const client = await cacheClient(here)
    await postgres.askIn(url, rename(client, 'unnoticed'))
    assert.equal(await nameOf(here, client), 'before')
    await there.changeClient(client.id, { newSalt, name: 'after' }, trace())
    assert.equal(await nameOf(here, client), 'after')
  })

  test('a transaction that commits after later ones is seen, however long it was open', async (t) => {
    const { url, here, there } = await open(t)
    const late = await transaction(t, url)
    const client = await cacheClient(here)
    await late.query(renameAndNote(client, 'late'))
    const others = await cacheClient(here)
    for (const name of ['one', 'two', 'three']) {
      await there.changeClient(others.id, { newSalt, name }, trace())
      assert.equal(await nameOf(here, others), name)
      assert.equal(await nameOf(here, client), 'before')
      // The first of these sweeps.
      await there.purge(start, { events: 0, accessLog: 0 }, 100)
    }
    for (let reads = 0; reads < 3; reads++) assert.equal(await nameOf(here, client), 'before')
    await late.query('commit')
    assert.equal(await nameOf(here, client), 'late')
  })

  test('a transaction that was taken back changes nothing', async (t) => {
    const { url, here } = await open(t)
    const client = await cacheClient(here)
    const vain = await transaction(t, url)
    await vain.query(renameAndNote(client, 'vain'))
    await vain.query('rollback')
    await postgres.askIn(url, rename(client, 'unnoticed'))
    assert.equal(await nameOf(here, client), 'before')
  })

  test('a sweep takes the rows away, and every node reads anew', async (t) => {
    const { url, here, there } = await open(t)
    const client = await cacheClient(here)
    await there.changeClient(client.id, { newSalt, name: 'after' }, trace())
    await postgres.askIn(url, rename(client, 'swept'))
    await there.purge(start, { events: 0, accessLog: 0 }, 100)
    assert.equal(await nameOf(here, client), 'swept')
    const rows = 'select things from changes'
    assert.deepEqual(await postgres.askIn(url, rows), [{ things: '*' }])
    await postgres.askIn(url, rename(client, 'unnoticed'))
    await nameOf(here, client)
    await there.purge(start, { events: 0, accessLog: 0 }, 100)
    assert.deepEqual(await postgres.askIn(url, 'select count(*)::int as rows from changes'), [
      { rows: 1 },
    ])
  })

  test('after too many changes everything is read anew', async (t) => {
    const { url, here } = await open(t)
    const client = await cacheClient(here)
    const commit = (count: number): string =>
      `do $$ begin for i in 1..${count} loop insert into changes (xid, things)
        values (pg_current_xact_id(), 'client:another'); commit; end loop; end $$`
    await postgres.askIn(url, commit(changeLimits.transactions))
    await postgres.askIn(url, rename(client, 'unnoticed'))
    assert.equal(await nameOf(here, client), 'before')
    await postgres.askIn(url, commit(changeLimits.transactions + 1))
    assert.equal(await nameOf(here, client), 'unnoticed')
  })

  test('after a lost connection everything is read anew', async (t) => {
    const { url, here } = await open(t)
    const client = await cacheClient(here)
    await postgres.askIn(url, rename(client, 'unnoticed'))
    await postgres.ask(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = '${new URL(url).pathname.slice(1)}'`,
    )
    assert.equal(await nameOf(here, client), 'unnoticed')
  })

  test('beside a node of an earlier version nothing is cached', async (t) => {
    const { url, here } = await open(t)
    const client = await cacheClient(here)
    const note = (seconds: number): string =>
      `insert into pings (id, turn) values ('time 00aa', extract(epoch from now()) - ${seconds})
        on conflict (id) do update set turn = excluded.turn`
    await postgres.askIn(url, note(0))
    for (const name of ['one', 'two', 'three']) {
      await postgres.askIn(url, rename(client, name))
      assert.equal(await nameOf(here, client), name)
    }
    await postgres.askIn(url, note(changeLimits.earlierNodeSeconds + 1))
    for (let reads = 0; reads < 3; reads++) await nameOf(here, client)
    await postgres.askIn(url, rename(client, 'unnoticed'))
    assert.equal(await nameOf(here, client), 'three')
  })

  test('rows that came with the dump of another cluster harm nothing', async (t) => {
    const { url, here, there } = await open(t)
    const client = await cacheClient(here)
    await postgres.askIn(
      url,
      `insert into changes (xid, things) select (pg_current_xact_id()::text::bigint + i)::text::xid8,
        'client:another' from generate_series(2, 10) i`,
    )
    for (const name of ['one', 'two', 'three']) {
      await there.changeClient(client.id, { newSalt, name }, trace())
      assert.equal(await nameOf(here, client), name)
    }
    await there.purge(start, { events: 0, accessLog: 0 }, 100)
    assert.deepEqual(await postgres.askIn(url, 'select things from changes'), [{ things: '*' }])
  })

  test('a closed store answers nothing from its cache', async (t) => {
    const { here } = await open(t)
    const client = await cacheClient(here)
    const asked = here.findClient(client.id)
    await here.close()
    assert.equal((await asked)?.name, 'before')
    await assert.rejects(here.findClient(client.id), { reason: 'closed' })
  })
}

/** A thing that both nodes change and read. Its count only grows, so a stale answer is seen. */
interface Counted {
  /** Counts on to this. */
  change(node: Store, count: number): Promise<unknown>
  read(node: Store): Promise<number>
}

const countedClient = async (store: Store): Promise<Counted> => {
  const client = sampleClient({ name: '0' })
  await store.createClient(client, trace())
  return {
    change: (node, count) => node.changeClient(client.id, { newSalt, name: `${count}` }, trace()),
    read: async (node) => Number(await nameOf(node, client)),
  }
}

const ended = Number.POSITIVE_INFINITY

/** Refreshed some times, and then ended: by itself, or with its authorization. */
const countedFamily =
  (last: number) =>
  async (store: Store): Promise<Counted> => {
    const { familyId, authorization } = await settleFamily(store)
    return {
      change: (node, count) => {
        const rotation = sampleRotation(familyId, count - 1)
        if (count < last) return node.rotateRefreshToken(rotation, trace())
        if (last % 2 === 0) return node.endFamily(familyId, trace())
        return node.endAuthorization(authorization.id, null, trace())
      },
      read: async (node) => (await node.findStanding(familyId, start))?.family.generation ?? ended,
    }
  }

const countedItem = async (store: Store): Promise<Counted> => {
  const { owner } = await settle(store)
  const holder: Holder = `owner:${owner.id}`
  const change: Counted['change'] = (node, count) => {
    const fields = { title: `${count}` }
    const rest = { version: next('version'), condition: {}, createOnly: false, mostItems: 10 }
    return node.putItem({ holder, resource: 'photos', id: 'item' as ItemId, fields, ...rest })
  }
  await change(store, 0)
  return {
    change,
    read: async (node) => {
      const { rows } = await node.listItems(holder, 'photos', null, 5)
      return Number(rows[0]?.fields.title)
    },
  }
}

/** Changes and reads of many things at random on two nodes, many of them at once. */
const playAtRandom = async (nodes: readonly Store[], seed: number): Promise<number> => {
  const chance = chanceOf(seed)
  const kinds = [countedClient, countedItem, countedFamily(20), countedFamily(7), countedFamily(4)]
  const things: { counted: Counted; begun: number; done: number }[] = []
  for (const kind of kinds) {
    things.push({ counted: await kind(chance.pick(nodes)), begun: 0, done: 0 })
  }
  let stale = 0
  const change = async (thing: (typeof things)[number]): Promise<void> => {
    if (thing.begun > thing.done) return
    const count = ++thing.begun
    await thing.counted.change(chance.pick(nodes), count)
    thing.done = count
  }
  const read = async ({ counted, done }: (typeof things)[number], node: Store): Promise<void> => {
    if ((await counted.read(node)) < done) stale++
  }
  const underWay = new Set<Promise<void>>()
  for (let turn = 0; turn < 1500; turn++) {
    const act =
      chance.below(6) === 0
        ? change(chance.pick(things))
        : read(chance.pick(things), chance.pick(nodes))
    const going = act.finally(() => underWay.delete(going))
    underWay.add(going)
    if (underWay.size > 20) await Promise.race(underWay)
    if (chance.below(300) === 0)
      await chance.pick(nodes).purge(start, { events: 0, accessLog: 0 }, 10)
  }
  await Promise.all(underWay)
  return stale
}

const postgres = await takePostgres()
if (postgres === null) {
  test('no PostgreSQL here (LATCHKEY_TEST_POSTGRES names one): its suites are left out')
} else {
  after(() => postgres.stop())
  describe('what nodes on one PostgreSQL cache', () => {
    checks(postgres)

    test('whatever two nodes change and read, no answer is older than its question', async (t) => {
      const { here, there } = await openNodes(t, postgres)
      for (let seed = 0; seed < 4; seed++) {
        assert.equal(await playAtRandom([here, there], seed), 0)
      }
    })
  })
}
