/** Machines of a cluster end or are added, and applications go on. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { defaultLimits } from '../../src/config/settable-limits.ts'
import { Browser } from '../support/browser.ts'
import { password } from '../support/people.ts'
import { type Started, start } from '../support/start.ts'
import { refresh, use } from '../support/tokens.ts'
import { type Cluster, findCluster, leftOut, type Machine } from './cluster.ts'
import { assertKept, beginLives, goOnDuring, type Life, liveOnce } from './load.ts'

const secret = 'a-root-secret-of-the-cluster'
// Used codes are presented again, and the clock stands still.
const limits = { ...defaultLimits, refusalsPerMinute: 100_000 }
const cycles = 2

/** Until all work again. What a machine answered before its end is made anew. */
const untilAll = async (service: Started, lives: readonly Life[]): Promise<void> => {
  for (let tries = 1; ; tries++) {
    const done = await Promise.all(lives.map((life) => liveOnce(service, life)))
    if (done.every(Boolean)) return
    assert.ok(tries < 200, 'it does not come back')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const suite = (cluster: Cluster): void => {
  describe('a machine of a cluster', () => {
    const [lost] = cluster.workers
    assert.ok(lost)
    let service: Started
    let lives: readonly Life[]
    before(async () => {
      const store = await cluster.newDatabase()
      service = await start({ store, secret, limits })
      lives = await beginLives(service, cluster, store, 2, lost)
    })
    after(async () => {
      await service.close()
      // Each database takes a process of each machine, and to move shards takes more of them.
      await cluster.close()
    })
    const of = (isLost: boolean): readonly Life[] =>
      lives.filter(({ port }) => (port === lost.port) === isLost)

    /** The faults of the store that the log was told. */
    const listFaults = (): string => {
      const faults = service.notices.map((notice) =>
        'fault' in notice ? String(notice.fault) : '',
      )
      return [...new Set(faults)].join('\n')
    }

    test('is lost: its owners get 503, all others go on, and it comes back', async () => {
      await Promise.all(lives.map((life) => liveOnce(service, life)))
      const again = await cluster.kill(lost)
      try {
        for (const isLost of [true, false, true, false]) {
          for (const life of of(isLost)) {
            const expected = isLost ? 503 : 200
            const [family] = life.families
            assert.ok(family)
            assert.equal(await use(service, family.accessToken), expected, listFaults())
            const answer = await refresh(service, family.refreshToken)
            assert.equal(answer.status, expected, answer.text)
            if (!isLost) family.refreshToken = answer.body.refresh_token
            const page = await life.visitor.browser.go('/account')
            assert.equal(page.status, expected, page.text)
            assert.equal(await liveOnce(service, life), !isLost, listFaults())
          }
        }
        assert.equal((await service.ask('/health/live')).status, 200)
      } finally {
        await again()
      }
      await untilAll(service, lives)
      for (const life of lives) await assertKept(service, life)
    })

    test('is lost: a person of another one logs in', async () => {
      const again = await cluster.kill(lost)
      try {
        for (const { visitor } of of(false)) {
          const browser = new Browser(service)
          const page = await browser.logIn(await browser.go('/login'), visitor.username, password)
          assert.equal(page.status, 200, page.text)
        }
      } finally {
        await again()
      }
      await untilAll(service, lives)
    })

    for (const [name, machine] of [
      ['a worker', lost],
      ['the coordinator', cluster.coordinator],
    ] as const satisfies readonly (readonly [string, Machine])[]) {
      test(`${name} is killed under load: nothing answered is lost, nothing happens twice`, async (t) => {
        for (let cycle = 0; cycle < cycles; cycle++) {
          const told = await goOnDuring(service, lives, async (until) => {
            await until(3 * lives.length)
            const again = await cluster.kill(machine)
            try {
              if (machine === lost) await until(lives.length)
            } finally {
              await again()
            }
            await until(lives.length)
          })
          t.diagnostic(told)
          await untilAll(service, lives)
        }
        for (const life of lives) await assertKept(service, life)
      })
    }
  })

  describe('a cluster', () => {
    test('gets a machine under load: nothing answered is lost, nothing happens twice', async (t) => {
      const [first, second] = cluster.workers
      assert.ok(first && second)
      const url = await cluster.newDatabase([first], 2)
      const service = await start({ store: url, secret, limits })
      t.after(() => service.close())
      const lives = await beginLives(service, cluster, url, 4)
      const told = await goOnDuring(service, lives, async (until) => {
        await until(lives.length)
        await cluster.askIn(url, `select citus_add_node('${second.host}', ${second.port})`)
        await until(lives.length)
        await cluster.askIn(url, 'select rebalance_table_shards()')
        const moved = await cluster.askIn(
          url,
          `select 1 from pg_dist_shard_placement where nodeport = ${second.port}
            and shardid in (select shardid from pg_dist_shard where logicalrelid = 'owners'::regclass)`,
        )
        assert.ok(moved.length > 0)
        await until(2 * lives.length)
      })
      t.diagnostic(told)
      await untilAll(service, lives)
      for (const life of lives) await assertKept(service, life)
    })
  })
}

const cluster = await findCluster()
if (cluster === null) test(`faults of machines: ${leftOut}`)
else {
  after(() => cluster.close())
  suite(cluster)
}
