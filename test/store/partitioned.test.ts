/** A partitioned PostgreSQL: the store contract holds on it, and months come and go by themselves. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { Client } from 'pg'
import { systemRandom as random } from '../../src/crypto/digest.ts'
import { newId } from '../../src/model/ids.ts'
import { copyStore } from '../../src/store/sql/copy.ts'
import { backUp } from '../../src/store/sql/dump.ts'
import { openPostgresStore } from '../../src/store/sql/open.ts'
import { partition } from '../../src/store/sql/postgres-partition.ts'
import { restore } from '../../src/store/sql/restore.ts'
import type { Store } from '../../src/store/store.ts'
import { shellEnvironment } from '../shape/process.ts'
import { root } from '../shape/source.ts'
import { run } from '../shape/tool.ts'
import { start as startService } from '../support/start.ts'
import { sampleUse } from './contract/uses.ts'
import { type Opened, storeContract } from './contract.ts'
import { newPath } from './folder.ts'
import { all, honoured, live } from './lived.ts'
import { findPostgres, type Postgres } from './postgres.ts'
import { next, settle, start, together } from './sample.ts'

const day = 86_400
const nothing = { events: 0, accessLog: 0 }

/** Half past midnight on the first of July 2026. */
const july = Date.UTC(2026, 6, 1, 0, 30) / 1000

/** When no database makes the months by its own clock as yet. */
const later = Date.UTC(2090, 6, 1, 0, 30) / 1000

const suite = (postgres: Postgres): void => {
  const ask = postgres.askIn

  const made = new Map<number, Promise<string>>()
  const make = async (now: number): Promise<string> => {
    const url = await postgres.newDatabase()
    await partition(url, now)
    return url
  }

  /** A copy of one that was partitioned at this time. All migrations would take longer. */
  const newPartitioned = async (now: number): Promise<string> => {
    const from = made.get(now) ?? make(now)
    made.set(now, from)
    return postgres.copyDatabase(await from)
  }

  /** The months with a partition of a table, and the rows in each. */
  const monthsOf = async (url: string, table: string) => {
    const names = await ask(
      url,
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = '${table}'::regclass order by 1`,
    )
    const counted: Record<string, number> = {}
    for (const { name } of names) {
      const [row] = await ask(url, `select count(*)::int as rows from ${name}`)
      counted[String(name).slice(table.length + 1)] = Number(row?.rows)
    }
    return counted
  }

  const appendEvent = (store: Store, at: number) =>
    store.appendEvent({
      id: newId(at * 1000, random(10)) as never,
      at,
      type: 'login.failed',
      actor: null,
      clientId: null,
      ownerId: null,
      authorizationId: null,
      requestId: null,
      details: {},
    })

  const open = async (): Promise<Opened> => {
    const url = await newPartitioned(start)
    let store = await openPostgresStore({ url, random })
    return {
      store,
      reopen: async () => {
        await store.close()
        store = await openPostgresStore({ url, random })
        return store
      },
      dispose: () => store.close(),
    }
  }

  storeContract('PostgreSQL, partitioned', open)

  describe('partitioning', () => {
    test('a service that has lived is partitioned with all that it holds, and goes on', async (t) => {
      const path = newPath(t)
      const service = await startService({ store: `sqlite:${path}` })
      const held = await live(service)
      const now = service.now()
      await service.close()
      const url = await postgres.newDatabase()
      await copyStore(`sqlite:${path}`, url, () => {})
      const contents = async () => {
        const rows: unknown[] = []
        for (const table of ['events', 'access_log']) {
          rows.push(await ask(url, `select * from ${table} order by 1, 2`))
        }
        return rows
      }
      /** Names and definitions, without what is said of partitions. */
      const indexes = async () =>
        (
          await ask(
            url,
            `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
             from pg_index i join pg_class c on c.oid = i.indexrelid
             where i.indrelid in ('events'::regclass, 'access_log'::regclass)
             order by 1`,
          )
        ).map(
          ({ name, definition }) => `${name} ${String(definition).replace(' ON ONLY ', ' ON ')}`,
        )
      const before = [await contents(), await indexes()]
      const { partitions } = await partition(url, now)
      assert.deepEqual([await contents(), await indexes()], before)
      assert.deepEqual(await partition(url, now), { partitions })
      const { other, ...months } = await monthsOf(url, 'events')
      assert.equal(other, 0)
      assert.ok(Object.values(months).reduce((sum, rows) => sum + rows, 0) > 0)
      assert.equal((await monthsOf(url, 'access_log')).other, 0)

      const secret = readFileSync(`${path}.key`, 'utf8').trim()
      const again = await startService({ store: url, secret })
      assert.deepEqual(await honoured(again, held), all)
      await again.close()
    })

    test('goes with a backup into another partitioned database', async (t) => {
      const url = await newPartitioned(july)
      const store = await openPostgresStore({ url, random })
      const { authorization } = await settle(store)
      const uses = [sampleUse(authorization.id, { lastAt: july })]
      await store.recordUses({ collector: next('collector'), turn: 1, uses })
      await store.close()
      const file = `${newPath(t)}.backup`
      await backUp(url, file, 0)
      const other = await newPartitioned(july)
      await restore(other, file, { tokens: 'keep' })
      const restored = await openPostgresStore({ url: other, random })
      const of = { authorizationId: authorization.id, ownerId: authorization.ownerId }
      assert.equal((await restored.countUses(of, 1, july)).length, 1)
      await restored.close()
      assert.equal((await monthsOf(other, 'access_log'))['2026_07'], 1)
    })

    test('a command does it, on PostgreSQL only', async (t) => {
      const path = newPath(t)
      const latchkey = (store: string) =>
        run(process.execPath, [join(root, 'src/cli.ts'), 'partition'], {
          env: shellEnvironment(path, { LATCHKEY_STORE: store }),
        })
      const { code, output } = await latchkey(await postgres.newDatabase())
      assert.equal(code, 0, output)
      assert.match(output, /^ {2}events +4 partitions$/m)
      assert.match(output, /^ {2}access_log +4 partitions$/m)
      assert.deepEqual(await latchkey(`sqlite:${path}`), {
        code: 2,
        output:
          'latchkey: the settings are wrong\n  - LATCHKEY_STORE must be postgres://...: SQLite has no partitions\n',
      })
    })
  })

  describe('the months', () => {
    test('rows go into the partition of their month', async () => {
      const url = await newPartitioned(july)
      const store = await openPostgresStore({ url, random })
      const { authorization } = await settle(store)
      const moments = [july - 3600, july, july + 31 * day]
      const uses = moments.map((lastAt) => sampleUse(authorization.id, { lastAt }))
      await store.recordUses({ collector: next('collector'), turn: 1, uses })
      for (const at of moments) await appendEvent(store, at)
      await store.close()
      for (const table of ['access_log', 'events']) {
        const months = await monthsOf(url, table)
        assert.deepEqual([months['2026_07'], months['2026_08'], months['2026_09']], [1, 1, 0])
      }
    })

    test('those ahead are there before they begin, and take in what came too early', async () => {
      const url = await newPartitioned(july)
      const store = await openPostgresStore({ url, random })
      const { authorization } = await settle(store)
      const uses = [sampleUse(authorization.id, { lastAt: later })]
      await store.recordUses({ collector: next('collector'), turn: 1, uses })
      await appendEvent(store, later)
      assert.equal((await monthsOf(url, 'access_log')).other, 1)
      await store.purge(later, nothing, 100)
      for (const table of ['access_log', 'events']) {
        const { '2090_07': month, other } = await monthsOf(url, table)
        // Those of the sample have ids of no time.
        assert.deepEqual([month, table === 'access_log' ? other : 0], [1, 0])
        const months = Object.keys(await monthsOf(url, table))
        assert.ok(months.includes('2090_09') && !months.includes('2090_10'))
      }
      const of = { authorizationId: authorization.id, ownerId: authorization.ownerId }
      assert.equal((await store.countUses(of, 1, later)).length, 1)
      await store.close()
    })

    test('a past one goes once its rows have gone, and not before', async () => {
      const url = await newPartitioned(july)
      const store = await openPostgresStore({ url, random })
      const { authorization } = await settle(store)
      const august = july + 31 * day
      const uses = [sampleUse(authorization.id, { lastAt: july })]
      await store.recordUses({ collector: next('collector'), turn: 1, uses })
      await appendEvent(store, july)
      await store.purge(august, nothing, 100)
      assert.equal((await monthsOf(url, 'access_log'))['2026_07'], 1)
      assert.equal((await monthsOf(url, 'events'))['2026_07'], 1)
      await store.purge(august + day, { events: 0, accessLog: august }, 100)
      assert.equal('2026_07' in (await monthsOf(url, 'access_log')), false)
      assert.equal((await monthsOf(url, 'events'))['2026_07'], 1)
      await store.purge(august + 2 * day, { events: august, accessLog: august }, 100)
      assert.equal('2026_07' in (await monthsOf(url, 'events')), false)
      await store.close()
    })

    test('nodes that begin at once make them once', async () => {
      const url = await newPartitioned(july)
      const nodes = await together(4, () => openPostgresStore({ url, random }))
      await Promise.all(nodes.map((node) => node.purge(later, nothing, 100)))
      assert.ok('2090_08' in (await monthsOf(url, 'events')))
      for (const node of nodes) await node.close()
    })

    test('whoever holds the tables delays them, and nobody else', async () => {
      const url = await newPartitioned(july)
      const store = await openPostgresStore({ url, random })
      const reader = new Client(url)
      await reader.connect()
      await reader.query('begin; select * from events limit 1')
      await assert.rejects(store.purge(later, nothing, 100), {
        name: 'StoreRefusal',
        message: /^the partitions of the database cannot be changed: .*55P03.*\?$/,
      })
      await settle(store)
      assert.equal(await store.purge(later, nothing, 100), 0)
      await reader.query('commit')
      await reader.end()
      await store.purge(later + day, nothing, 100)
      assert.ok('2090_08' in (await monthsOf(url, 'events')))
      await store.close()
    })
  })
}

const postgres = await findPostgres()
if (postgres === null) {
  test('no PostgreSQL here (LATCHKEY_TEST_POSTGRES names one): the partitioned one is left out')
} else {
  after(() => postgres.stop())
  suite(postgres)
}
