/** Reads and steps that go straight to the machine with the shard, on a real cluster. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import { deriveShardKey } from '../../src/crypto/shard-keys.ts'
import { speakCitus } from '../../src/store/engines/citus/dialect.ts'
import { writeMachine } from '../../src/store/engines/citus/machines.ts'
import { findBegin, findBegins } from '../../src/store/engines/citus/near-lines.ts'
import { openPostgres } from '../../src/store/engines/postgres/postgres.ts'
import { createSqlStore } from '../../src/store/sql/sql-store.ts'
import type { Value } from '../../src/store/sql/statement.ts'
import type { Store } from '../../src/store/store.ts'
import { shardKeys, start, together, trace } from '../store/moments.ts'
import {
  sampleApproval,
  sampleClient,
  sampleOwner,
  sampleRedemption,
  sampleRotation,
} from '../store/sample.ts'
import { type Cluster, findCluster, leftOut, type Machine } from './cluster.ts'

const noCache = { invalidate() {}, invalidateAll() {} }
/** One line for reads, and one for steps. */
const limits = { postgresConnections: 2 }

const open = async (url: string): Promise<Store> =>
  createSqlStore(await openPostgres({ url, random, limits }, noCache, speakCitus(shardKeys)))

interface Life {
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
  return { key: deriveShardKey(owner.id), familyId: redemption.familyId, generation: 0 }
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
      await store.noteTime(start)
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
          if (move % 2 === 1) await store.noteTime(start)
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
