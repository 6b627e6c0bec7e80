/** Reads and steps that go straight to the machine with the shard, on a real cluster. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import { deriveShardKey } from '../../src/crypto/shard-keys.ts'
import type { Owner } from '../../src/model/owner.ts'
import type { EventFilter } from '../../src/store/contract/event.ts'
import { speakCitus } from '../../src/store/engines/citus/dialect.ts'
import { writeMachine } from '../../src/store/engines/citus/machines.ts'
import { findBegin, findBegins } from '../../src/store/engines/citus/near-lines.ts'
import { movesLock } from '../../src/store/engines/citus/whole.ts'
import { openPostgres } from '../../src/store/engines/postgres/postgres.ts'
import { openPostgresSession } from '../../src/store/engines/postgres/session.ts'
import { createSqlStore } from '../../src/store/sql/sql-store.ts'
import { statement, type Value } from '../../src/store/sql/statement.ts'
import type { Store } from '../../src/store/store.ts'
import { shardKeys, start, together, trace } from '../store/moments.ts'
import {
  sampleApproval,
  sampleClient,
  sampleOwner,
  sampleRedemption,
  sampleRotation,
  sampleSession,
} from '../store/sample.ts'
import { type Cluster, findCluster, leftOut, type Machine } from './cluster.ts'

const noCache = { invalidate() {}, invalidateAll() {} }
/** One line for reads, and one for steps. */
const limits = { postgresConnections: 2 }

const open = async (url: string): Promise<Store> =>
  createSqlStore(await openPostgres({ url, random, limits }, noCache, speakCitus(shardKeys)))

interface Life {
  readonly owner: Owner
  readonly key: number
  readonly familyId: ReturnType<typeof sampleRedemption>['familyId']
  generation: number
}

const beginLife = async (store: Store): Promise<Life> => {
  const [client, owner] = [sampleClient(), sampleOwner()]
  await store.createClient(client, trace())
  await store.createOwner(owner, trace())
  const approved = await store.approve(sampleApproval({ client, owner }), trace())
  assert.ok(approved.outcome === 'approved')
  const redemption = sampleRedemption(approved.authorization)
  const { outcome } = await store.redeemCode(redemption, trace())
  assert.equal(outcome, 'redeemed')
  return { owner, key: deriveShardKey(owner.id), familyId: redemption.familyId, generation: 0 }
}

/** A refresh, and a look at it: each sees all that was answered before. */
const refreshOnce = async (store: Store, life: Life): Promise<void> => {
  const rotation = sampleRotation(life.familyId, life.generation)
  const { outcome } = await store.rotateRefreshToken(rotation, trace())
  assert.equal(outcome, 'rotated')
  life.generation++
  const standing = await store.findStanding(life.familyId, start)
  assert.equal(standing?.family.generation, life.generation)
}

const suite = (cluster: Cluster): void => {
  const at = ({ host, port }: Machine, url: string): string => {
    const there = new URL(url)
    there.hostname = host
    there.port = String(port)
    return there.href
  }
  /** The connections of nodes to a worker, without those of its coordinator. */
  const countNear = async (machine: Machine, url: string): Promise<number> => {
    const [row] = await cluster.askIn(
      at(machine, url),
      `select count(*)::integer as near from pg_stat_activity
        where application_name = 'latchkey' and datname = current_database()`,
    )
    return Number(row?.near)
  }
  const findMachine = async (url: string, { key }: Life): Promise<Machine> => {
    const [row] = await cluster.askIn(
      url,
      `select nodename as host, nodeport as port from pg_dist_shard_placement
        where shardid = get_shard_id_for_distribution_column('owners', ${key})`,
    )
    return { host: String(row?.host), port: Number(row?.port) }
  }
  /** Works until a node has both of its lines to the machine of an owner. */
  const untilNear = async (store: Store, url: string, life: Life): Promise<void> => {
    const machine = await findMachine(url, life)
    for (let tries = 1; (await countNear(machine, url)) < 2; tries++) {
      assert.ok(tries < 1000, 'a node does not connect to the machine')
      await store.noteTime(0)
      await refreshOnce(store, life)
    }
  }

  describe('a machine of a cluster', () => {
    test('is asked without the coordinator, also while there is none', async (t) => {
      const url = await cluster.newDatabase()
      const store = await open(url)
      t.after(() => store.close())
      const life = await beginLife(store)
      await untilNear(store, url, life)
      const again = await cluster.kill(cluster.coordinator)
      try {
        await refreshOnce(store, life)
        await together(20, () => store.findStanding(life.familyId, start))
      } finally {
        await again()
      }
    })

    /** A shard does not move back before Citus has removed its earlier tables, in the background as well. */
    const cleanUp = async (url: string): Promise<void> => {
      for (let tries = 1; ; tries++) {
        await cluster.askIn(url, 'call citus_cleanup_orphaned_resources()')
        const left = await cluster.askIn(url, 'select object_name from pg_dist_cleanup')
        if (left.length === 0) return
        assert.ok(tries < 200, 'a shard that moved is not removed')
      }
    }

    test('that gives its shards away answers nothing out of date, and loses nothing', async (t) => {
      const url = await cluster.newDatabase()
      const store = await open(url)
      t.after(() => store.close())
      const lives: Life[] = []
      for (let i = 0; i < 4; i++) lives.push(await beginLife(store))
      const [life] = lives
      assert.ok(life)
      await untilNear(store, url, life)
      let isMoving = true
      const moving = (async () => {
        for (let move = 0; move < 4; move++) {
          const from = await findMachine(url, life)
          const to = cluster.workers.find(({ port }) => port !== from.port)
          assert.ok(to)
          await cleanUp(url)
          await cluster.askIn(
            url,
            `select citus_move_shard_placement(get_shard_id_for_distribution_column('owners', ${life.key}),
              '${from.host}', ${from.port}, '${to.host}', ${to.port}, 'force_logical')`,
          )
          // The node looks where everything is, as it does every few seconds.
          if (move % 2 === 1) await store.noteTime(0)
        }
        isMoving = false
      })()
      const each = lives.map(async (one) => {
        while (isMoving) await refreshOnce(store, one)
      })
      await Promise.all([moving, ...each])
      for (const one of lives) await refreshOnce(store, one)
      t.diagnostic(`${lives.map(({ generation }) => generation)} refreshes`)
    })

    /** The ids of its event. */
    const logIn = async (store: Store, { owner }: Life): Promise<string> => {
      const told = trace()
      const login = { passwordHash: owner.passwordHash }
      const outcome = await store.startSession(sampleSession(owner.id), login, null, told)
      assert.equal(outcome, 'accepted')
      return told.eventId
    }
    const approveOnce = async (store: Store, { owner }: Life): Promise<string> => {
      const client = sampleClient()
      await store.createClient(client, trace())
      const told = trace()
      const { outcome } = await store.approve(sampleApproval({ client, owner }), told)
      assert.equal(outcome, 'approved')
      return told.eventId
    }
    const countWaiting = async (url: string): Promise<number> =>
      (await cluster.askIn(url, 'select id from event_outbox')).length
    /** What became visible since a position. */
    const readFeed = async (store: Store, after: string | null, of: EventFilter = {}) => {
      const read = await store.listCommittedEvents(of, after, 100)
      assert.ok(read !== 'unknown_position')
      return { ids: read.rows.map(({ id }) => id), next: read.next }
    }

    test('keeps events beside their owner: whoever reads sees them, once and in order', async (t) => {
      const url = await cluster.newDatabase()
      const [store, other] = [await open(url), await open(url)]
      t.after(() => Promise.all([store.close(), other.close()]))
      const life = await beginLife(store)
      await untilNear(store, url, life)
      const ownerId = life.owner.id
      const hook = async (): Promise<readonly string[]> => {
        await other.queueWebhookEvents('hook', null, start)
        const claimed = await other.claimWebhookDeliveries('hook', 100, start + 60, start)
        return claimed.map(({ event }) => event.id)
      }
      await hook()
      const readers = [
        async () => (await other.listEvents({ ownerId }, null, 1)).rows.map(({ id }) => id),
        async () => (await other.listEvents({}, null, 1)).rows.map(({ id }) => id),
        async () => (await other.listStoredEvents('', null, 1000)).map(({ id }) => id),
        hook,
      ]
      const { next } = await readFeed(other, null)
      const told: string[] = []
      let waited = 0
      for (const tell of [logIn, approveOnce]) {
        for (const [i, read] of readers.entries()) {
          told.push(await tell(store, life))
          waited += await countWaiting(url)
          assert.equal((await read()).at(-1), told.at(-1), `the reader ${i}`)
        }
      }
      told.push(await logIn(store, life))
      assert.ok(waited > 0, 'no event waited beside its owner')
      // The coordinator tells an event without a move: their places may be in any order, and their ids are not.
      const ended = trace()
      const keep = sampleSession(ownerId).id
      assert.equal(await store.endOtherSessions(ownerId, keep, ended), 5)
      const of = { ownerId, types: ['login.succeeded', 'authorization.approved', 'session.ended'] }
      const { ids } = await readFeed(other, next, of as EventFilter)
      assert.deepEqual(ids.toSorted(), [...told, ended.eventId])
      // A row that is refused stops no other one, and a session sees the same.
      await cluster.askIn(url, "alter table events add constraint good check (type <> 'bad')")
      await cluster.askIn(
        url,
        `insert into event_outbox (shard_key, id, at, type, details) values (${life.key}, '0', 0, 'bad', '{}')`,
      )
      const behind = await logIn(store, life)
      assert.equal((await other.listEvents({}, null, 1)).rows[0]?.id, behind)
      const last = await logIn(store, life)
      const session = await openPostgresSession(url, 'snapshot')
      const asked = statement(
        'select id from events where (id) > (?) order by id limit ?',
        behind,
        9,
      )
      assert.deepEqual(await session.run(asked), [{ id: last }])
      await session.close()
      await cluster.askIn(url, "delete from event_outbox where id = '0'")
      // A row in doubt, as of a commit that lost its coordinator, holds nobody up. At the end it is moved as well.
      await store.listEvents({}, null, 1)
      await cluster.askIn(
        url,
        `insert into event_outbox (shard_key, id, at, type, details) values (${life.key}, '1', 0, 'x', '{}')`,
      )
      const [shard] = await cluster.askIn(
        url,
        `select get_shard_id_for_distribution_column('event_outbox', ${life.key}) as id`,
      )
      const worker = at(await findMachine(url, life), url)
      await cluster.askIn(
        worker,
        `set citus.enable_manual_changes_to_shards = on; begin;
          delete from event_outbox_${shard?.id} where id = '1'; prepare transaction 'doubt'`,
      )
      assert.equal((await other.listEvents({}, null, 1)).rows[0]?.id, last)
      // An event in doubt could not forget the person.
      await assert.rejects(store.deleteOwner(ownerId, trace()), { reason: 'failed' })
      await cluster.askIn(worker, "rollback prepared 'doubt'")
      for (let tries = 1; (await countWaiting(url)) > 0; tries++) {
        assert.ok(tries < 1000, 'an event does not come')
        await other.noteTime(0)
      }
      // Another node keeps its turn: a step that decides by events is refused, and other steps go on.
      await cluster.askIn(
        url,
        `begin; select pg_advisory_xact_lock(${movesLock + 1}); prepare transaction 'turn'`,
      )
      await logIn(store, life)
      const both = await Promise.allSettled([
        store.queueWebhookEvents('hook', null, start),
        store.createClient(sampleClient(), trace()),
      ])
      await cluster.askIn(url, "rollback prepared 'turn'")
      assert.deepEqual(
        both.map((one) => (one.status === 'rejected' ? one.reason.reason : one.status)),
        ['busy', 'fulfilled'],
      )
      // Whoever is deleted leaves no network behind.
      await logIn(store, life)
      assert.ok(await store.deleteOwner(ownerId, trace()))
      const { rows } = await other.listEvents({ ownerId, type: 'login.succeeded' }, null, 100)
      assert.deepEqual(
        rows.map(({ details }) => details),
        [...Array(9)].map(() => ({})),
      )
      // A node moves its own events at its end, also those that came during a move.
      const lasting = await beginLife(store)
      await Promise.all([logIn(store, lasting), store.listEvents({}, null, 1)])
      await store.close()
      assert.equal(await countWaiting(url), 0)
    })

    test('is lost before its events are moved: others are read, and nothing is lost or told twice', async (t) => {
      const url = await cluster.newDatabase()
      await (await open(url)).close()
      // As a service of before has left it.
      await cluster.askIn(url, 'drop table event_outbox')
      const [store, other] = [await open(url), await open(url)]
      t.after(() => Promise.all([store.close(), other.close()]))
      const lives: Life[] = []
      const [lost] = cluster.workers
      assert.ok(lost)
      const isLost = async (life: Life) => (await findMachine(url, life)).port === lost.port
      const find = async (wanted: boolean): Promise<Life> => {
        const life = await beginLife(store)
        lives.push(life)
        await untilNear(store, url, life)
        return (await isLost(life)) === wanted ? life : find(wanted)
      }
      const [there, elsewhere] = [await find(true), await find(false)]
      const { next } = await readFeed(other, null)
      const told = [await logIn(store, there)]
      let again = await cluster.kill(lost)
      try {
        told.push(await logIn(store, elsewhere))
        // The first one may have been moved in time.
        const { ids } = await readFeed(other, next)
        assert.deepEqual(
          ids.filter((id) => id !== told[0]),
          [told[1]],
        )
        const { rows } = await other.listEvents({ ownerId: elsewhere.owner.id }, null, 1)
        assert.equal(rows[0]?.id, told[1])
      } finally {
        await again()
      }
      // The coordinator, in the middle of moves.
      told.push(await logIn(store, elsewhere))
      again = await cluster.kill(cluster.coordinator)
      try {
        await assert.rejects(readFeed(other, next))
      } finally {
        await again()
      }
      for (let tries = 1; ; tries++) {
        const ids = await readFeed(other, next).then(
          (read) => read.ids,
          () => [],
        )
        assert.equal(new Set(ids).size, ids.length)
        if (told.every((id) => (ids as readonly string[]).includes(id))) break
        assert.ok(tries < 500, 'an event does not come')
        await other.noteTime(0).catch(() => {})
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      assert.equal(await countWaiting(url), 0)
    })

    test('hangs: readers, owners of other machines and purges go on, and no backup waits for it', async (t) => {
      const url = await cluster.newDatabase()
      const [store, other] = [await open(url), await open(url)]
      t.after(() => Promise.all([store.close(), other.close()]))
      const life = await beginLife(store)
      await untilNear(store, url, life)
      const near = await findMachine(url, life)
      const far = cluster.workers.find(({ port }) => port !== near.port)
      assert.ok(far)
      await other.listEvents({}, null, 1)
      const [shard] = await cluster.askIn(
        url,
        `select shardid as id from pg_dist_shard_placement
          where nodeport = ${far.port} and shardid in
            (select shardid from pg_dist_shard where logicalrelid = 'event_outbox'::regclass)`,
      )
      await cluster.askIn(
        at(far, url),
        `set citus.enable_manual_changes_to_shards = on; begin;
          lock table event_outbox_${shard?.id} in access exclusive mode; prepare transaction 'hang'`,
      )
      try {
        const told = await logIn(store, life)
        let isRead = false
        const reading = other.listEvents({}, null, 1).finally(() => {
          isRead = true
        })
        const { rows } = await other.listEvents({ ownerId: life.owner.id }, null, 1)
        assert.equal(rows[0]?.id, told)
        assert.equal(isRead, false)
        await Promise.all([reading, readFeed(other, null)])
        await store.purge(start, { events: 1, accessLog: 1 }, 10)
        await assert.rejects(openPostgresSession(url, 'snapshot'), /no snapshot of all machines/)
        // Nobody holds the lock any more.
        const later = await logIn(store, life)
        const own = await other.listEvents({ ownerId: life.owner.id }, null, 1)
        assert.equal(own.rows[0]?.id, later)
      } finally {
        await cluster.askIn(at(far, url), "rollback prepared 'hang'")
      }
    })

    test('is the one that the coordinator asks', async () => {
      const url = await cluster.newDatabase()
      const ask =
        (there: string) =>
        async (sql: string, ...params: readonly Value[]) => {
          const text = params.reduce<string>((left, value) => left.replace('?', `'${value}'`), sql)
          return (await cluster.askIn(there, text)) as never
        }
      const workers = cluster.workers.map((machine, id) => ({
        ...{ id, name: writeMachine(machine), shards: 1, isReachable: id > 0 },
      }))
      const begins = await findBegins(ask(url), { workers, shards: 1 })
      const [, ...reached] = cluster.workers
      const expected = reached.map(async (one) => [
        writeMachine(one),
        await findBegin(ask(at(one, url))),
      ])
      assert.deepEqual([...begins].sort(), (await Promise.all(expected)).sort())
    })
  })
}

const cluster = await findCluster()
if (cluster === null) test(`straight to a machine: ${leftOut}`)
else {
  after(() => cluster.close())
  suite(cluster)
}
