/** F-10, F-11: the line to PostgreSQL is cut, slow or gone, and two nodes race on it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import { openPostgresStore } from '../../src/store/sql/open.ts'
import type { Store } from '../../src/store/store.ts'
import { findPostgres, type Postgres } from '../store/postgres.ts'
import { newVisitor } from '../support/people.ts'
import { apiOperations } from './api-operations.ts'
import { backchannelOperations } from './backchannel-operations.ts'
import { deviceOperations } from './device-operations.ts'
import { exchangeOperations } from './exchange-operations.ts'
import { fullCycles } from './extent.ts'
import { type Node, openNode } from './node.ts'
import { isActive, newTokens, type Operation } from './operation.ts'
import { pageOperations } from './page-operations.ts'
import { assertUnavailable } from './points.ts'
import { openProxy, type ProxyLine, type Side } from './proxy.ts'
import { racesOn } from './races.ts'
import { tokenOperations } from './token-operations.ts'

const every = [
  ...tokenOperations,
  ...deviceOperations,
  ...backchannelOperations,
  ...exchangeOperations,
  ...pageOperations,
  ...apiOperations,
]
/** All that can be undone, used twice or half done, in the short form. */
const shortForm = ['code exchange', 'refresh', 'revoke access token', 'consent', 'create owner']
const operations =
  fullCycles === null ? every.filter(({ name }) => shortForm.includes(name)) : every

/** A node whose every word with the database goes through a proxy. */
const openBehind = async (postgres: Postgres) => {
  const proxy = await openProxy(await postgres.newDatabase())
  const store = await openPostgresStore({ url: proxy.url, random })
  let seconds = 0
  const node = await openNode(
    { store, clock: () => Date.UTC(2026, 10, 21, 12) + 1000 * seconds },
    () => `10.1.${seconds >> 8}.${seconds & 255}`,
  )
  const pass = (): void => {
    seconds++
  }
  return { proxy, store, node, pass }
}

/**
 * Waits until every connection is good again. A broken connection is noticed at its next use, and
 * that must not be the operation under test.
 */
const untilBack = async (store: Store): Promise<void> => {
  for (let tries = 1; ; tries++) {
    try {
      const each = Array.from({ length: 8 }, () => [store.ping(), store.isEmpty()])
      await Promise.all(each.flat())
      return
    } catch (error) {
      if (tries === 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

/** How many pieces were lost, one after the other, until the operation had no more of them. */
const cutEach = async (
  operation: Operation,
  side: Side,
  { proxy, store, node, pass }: { proxy: ProxyLine; store: Store; node: Node; pass: () => void },
): Promise<number> => {
  for (let piece = 1; ; piece++) {
    pass()
    const { ask, settle } = await operation.prepare(node)
    const cut = proxy.cut(side, piece)
    const answer = await ask()
    proxy.heal()
    await untilBack(store)
    const where = `${operation.name}: ${side} ${piece}`
    const positive = operation.isPositive(answer)
    if (!positive) assertUnavailable(answer, where)
    try {
      await settle(positive && operation.effect !== null ? true : null, [answer])
    } catch (error) {
      throw new Error(`${where}: afterwards it is not as it has to be`, { cause: error })
    }
    if (!cut.struck) return piece - 1
  }
}

const cutsOn = (postgres: Postgres): void => {
  describe('F-10: the line to the database', () => {
    let behind: Awaited<ReturnType<typeof openBehind>>
    before(async () => {
      behind = await openBehind(postgres)
    })
    after(async () => {
      await behind.store.close()
      await behind.proxy.end()
    })

    for (const side of ['answer', 'request'] as const) {
      test(`is cut at each ${side}, that of COMMIT among them`, async (t) => {
        let points = 0
        for (const operation of operations) points += await cutEach(operation, side, behind)
        assert.ok(points >= operations.length)
        t.diagnostic(`${points} cuts`)
      })
    }

    test('is slow: everything is answered, later', async () => {
      const { proxy, node, pass } = behind
      for (const operation of operations.slice(0, 3)) {
        pass()
        const { ask, settle } = await operation.prepare(node)
        proxy.delay(50)
        const answer = await ask()
        proxy.delay(0)
        assert.ok(operation.isPositive(answer), `${operation.name}: ${answer.status}`)
        await settle(operation.effect === null ? null : true, [answer])
      }
    })

    test('is gone: 503 at once, and back by itself', async (t) => {
      const { proxy, node, pass } = behind
      pass()
      const { access_token } = await newTokens(node)
      const { browser } = await newVisitor(node)
      const prepared = []
      for (const operation of every)
        prepared.push({ operation, ...(await operation.prepare(node)) })
      await proxy.end()
      for (const { operation, ask } of prepared) {
        const began = performance.now()
        assertUnavailable(await ask(), operation.name)
        assert.ok(performance.now() - began < 5000, `${operation.name} takes too long`)
      }
      assert.equal((await browser.ask('/account')).status, 503)
      assert.equal((await node.ask('/health/live')).status, 200)
      await proxy.begin()
      const began = performance.now()
      while ((await node.ask('/health/ready')).status !== 200) {
        assert.ok(performance.now() - began < 60_000, 'it does not come back')
      }
      t.diagnostic(`back after ${Math.round(performance.now() - began)} ms`)
      pass()
      assert.equal(await isActive(node, access_token), true)
      for (const { settle } of prepared) await settle(null, [])
    })

    // It takes as long as the node waits for an answer, so it is in the full form alone.
    if (fullCycles === null) return
    test('is silent: given up after a while, and made anew', async (t) => {
      const { proxy, node, pass } = behind
      pass()
      const { access_token } = await newTokens(node, { scope: 'openid' })
      proxy.freeze()
      const began = performance.now()
      const headers = { authorization: `Bearer ${access_token}` }
      const asked = Array.from({ length: 20 }, () => node.ask('/userinfo', { headers }))
      for (const answer of await Promise.all(asked)) {
        if (answer.status !== 200) assertUnavailable(answer, 'silent')
      }
      const answered = performance.now() - began
      assert.ok(answered < 40_000, `${answered} ms`)
      while ((await node.ask('/health/ready')).status !== 200) {
        assert.ok(performance.now() - began < 60_000, 'it does not come back')
      }
      for (let i = 0; i < 20; i++) {
        assert.equal((await node.ask('/userinfo', { headers })).status, 200)
      }
      t.diagnostic(`answered after ${Math.round(answered)} ms`)
    })
  })
}

const postgres = await findPostgres()
if (postgres === null) {
  test('no PostgreSQL here (LATCHKEY_TEST_POSTGRES names one): its faults are left out')
} else {
  after(() => postgres.stop())
  cutsOn(postgres)
  racesOn(postgres)
}
