/** A PostgreSQL that is set to lose commits while nodes run on it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import { openPostgresStore } from '../../src/store/sql/open.ts'
import type { Store } from '../../src/store/store.ts'
import { findPostgres, type Postgres } from '../store/postgres.ts'
import { houseApp } from '../support/demo-clients.ts'
import { type Node, openNode } from './node.ts'
import { isActive, newTokens } from './operation.ts'
import { assertUnavailable } from './points.ts'

/** Restarts need a server of our own. */
type Own = Postgres & { readonly crash: NonNullable<Postgres['crash']> }

const revoke = (node: Node, token: string) => node.post('/revoke', { token }, houseApp)

/**
 * The service itself brings its connections back: it pings once a second. It is asked for as long as
 * the test may run, since it rests for a while after each failure to connect.
 */
const untilReady = async (node: Node, pass: () => void, status: 200 | 503): Promise<void> => {
  pass()
  while ((await node.ask('/health/ready')).status !== status) {
    await new Promise(setImmediate)
    pass()
  }
}

const lossesOn = (postgres: Own): void => {
  describe('a PostgreSQL that is set to lose commits', () => {
    let url: string
    let store: Store
    let node: Node
    let seconds = 0
    const pass = (): void => {
      seconds++
    }
    before(async () => {
      url = await postgres.newDatabase()
      store = await openPostgresStore({ url, random })
      node = await openNode(
        { store, clock: () => Date.UTC(2026, 10, 21, 12) + 1000 * seconds },
        () => '10.1.0.1',
      )
    })
    after(() => store.close())

    const change = async (sql: string): Promise<void> => {
      await postgres.ask(sql)
      await postgres.ask('select pg_reload_conf()')
    }

    /** What a commit without a wait may leave in memory stays there for ten seconds. */
    const crashAfter = async (work: () => Promise<void>): Promise<void> => {
      await change("alter system set wal_writer_delay = '10s'")
      await work()
      await postgres.crash.end()
      await postgres.crash.start()
      await untilReady(node, pass, 200)
      await change('alter system reset wal_writer_delay')
    }

    for (const level of ['database', 'role', 'system'] as const) {
      test(`synchronous_commit = off at the level of the ${level}: nothing acknowledged is lost`, async () => {
        const { pathname, username } = new URL(url)
        const name = pathname.slice(1)
        const target = { database: `database ${name}`, role: `role ${username}`, system: 'system' }
        const tokens: string[] = []
        for (let i = 0; i < 10; i++) tokens.push((await newTokens(node)).access_token)
        await change(`alter ${target[level]} set synchronous_commit = off`)
        await postgres.ask(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
        )
        await untilReady(node, pass, 200)
        await crashAfter(async () => {
          for (const token of tokens) assert.equal((await revoke(node, token)).status, 200)
        })
        await change(`alter ${target[level]} reset synchronous_commit`)
        for (const token of tokens) assert.equal(await isActive(node, token), false)
      })
    }

    for (const setting of ['fsync', 'full_page_writes']) {
      test(`${setting} = off under live connections: writes are refused, reads go on, and it heals`, async (t) => {
        t.after(() => change(`alter system reset ${setting}`))
        const { access_token } = await newTokens(node)
        await change(`alter system set ${setting} = off`)
        await untilReady(node, pass, 503)
        assertUnavailable(await revoke(node, access_token), 'revoke')
        assert.equal(await isActive(node, access_token), true)
        await assert.rejects(store.noteTime(0), {
          reason: 'lossy',
          message: `the database has ${setting} = off, expected on: what it says it has kept, it could lose`,
        })
        await change(`alter system reset ${setting}`)
        await untilReady(node, pass, 200)
        assert.equal((await revoke(node, access_token)).status, 200)
      })
    }

    test('the note of the time notices it, too: no health check is needed', async (t) => {
      t.after(() => change('alter system reset fsync'))
      const { access_token } = await newTokens(node)
      await change('alter system set fsync = off')
      let fault: unknown = null
      // Each process of the database reads its settings anew by and by.
      while (fault === null) {
        fault = await store.noteTime(0).then(
          () => null,
          (refused: unknown) => refused,
        )
      }
      assert.match(String(fault), /^StoreFault: the database has fsync = off, expected on/)
      assertUnavailable(await revoke(node, access_token), 'revoke')
    })
  })
}

const postgres = await findPostgres()
if (postgres === null) {
  test('no PostgreSQL here (LATCHKEY_TEST_POSTGRES names one): its settings are left out')
} else {
  after(() => postgres.stop())
  const { crash } = postgres
  if (crash !== null) lossesOn({ ...postgres, crash })
}
