/** A store that is there but does not answer: a request is told so within five seconds. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import { type Every, patienceLimits } from '../../src/store/patience.ts'
import { openPostgresStore } from '../../src/store/sql/open.ts'
import type { Store } from '../../src/store/store.ts'
import { findPostgres, type Postgres } from '../store/postgres.ts'
import type { Answer } from '../support/start.ts'
import { apiOperations } from './api-operations.ts'
import { backchannelOperations } from './backchannel-operations.ts'
import { deviceOperations } from './device-operations.ts'
import { exchangeOperations } from './exchange-operations.ts'
import { fullCycles } from './extent.ts'
import { openInMemory } from './folder.ts'
import { type Node, openNode } from './node.ts'
import { introspect, newTokens, type Operation, passwordGrant, refresh } from './operation.ts'
import { pageOperations } from './page-operations.ts'
import { assertUnavailable } from './points.ts'
import { freezeServer } from './postgres-kill.ts'
import { tokenOperations } from './token-operations.ts'

const mostTicks = patienceLimits.storeWaitMilliseconds / patienceLimits.storeTickMilliseconds

/** Ticks by hand. */
const handTicks = () => {
  let call: (() => void) | null = null
  const every: Every = (given) => {
    call = given
    return () => {
      call = null
    }
  }
  return { every, isRunning: () => call !== null, tick: () => call?.() }
}

type Ticks = ReturnType<typeof handTicks>

/** The answer of a request, or nothing yet. */
const watch = (asked: Promise<Answer>) => {
  const seen: { answer: Answer | null } = { answer: null }
  void asked.then((answer) => {
    seen.answer = answer
  })
  return seen
}

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise(setImmediate)
}

/** Somebody does, for as long as the test may run. */
const untilWaiting = async (ticks: Ticks): Promise<void> => {
  while (!ticks.isRunning()) await turns(1)
  // Whoever was asked at the same time waits by then.
  await turns(20)
}

/** @returns the answers; all of them come after as many ticks as a request may wait */
const answersOf = async (
  asked: readonly Promise<Answer>[],
  ticks: Ticks,
): Promise<readonly Answer[]> => {
  const seen = asked.map(watch)
  await untilWaiting(ticks)
  for (let tick = 1; tick < mostTicks; tick++) {
    ticks.tick()
    await turns(1)
  }
  await turns(20)
  assert.deepEqual(
    seen.map(({ answer }) => answer?.status ?? 'waits'),
    seen.map(() => 'waits'),
  )
  ticks.tick()
  return Promise.all(asked)
}

/** A store that answers a call when it is told to. */
const heldBack = (inner: Store) => {
  let isHeld = false
  let called = 0
  let goOn = (): void => {}
  let wait = Promise.resolve()
  const store = new Proxy(inner, {
    get: (target, name: keyof Store) => {
      const method = target[name] as unknown
      if (typeof method !== 'function') return name === 'readsWait' ? true : method
      return async (...args: readonly unknown[]) => {
        called++
        if (isHeld) await wait
        return method(...args)
      }
    },
  })
  return {
    store,
    calls: () => called,
    hold: () => {
      isHeld = true
      ;({ promise: wait, resolve: goOn } = Promise.withResolvers<void>())
    },
    letGo: async () => {
      isHeld = false
      goOn()
      await turns(20)
    },
  }
}

test('a call that comes too late is the last of its request: nothing begins after the answer', async (t) => {
  const opened = await openInMemory()
  t.after(() => opened.dispose())
  const ticks = handTicks()
  const { store, calls, hold, letGo } = heldBack(opened.store)
  const node = await openNode({
    store,
    clock: () => Date.UTC(2026, 10, 21, 12),
    every: ticks.every,
  })
  const { access_token, refresh_token } = await newTokens(node)
  for (const ask of [
    () => introspect(node, access_token),
    () => refresh(node, refresh_token),
    () => node.ask('/api/photos', { headers: { authorization: `Bearer ${access_token}` } }),
  ]) {
    hold()
    const before = calls()
    const [answer] = await answersOf([ask()], ticks)
    assert.ok(answer)
    assertUnavailable(answer, 'held back')
    const begun = calls()
    assert.equal(begun - before, 1)
    await letGo()
    assert.equal(calls(), begun)
    assert.equal((await ask()).status, 200)
  }
})

/** Knows the open calls: requests that gave up have left some. */
const counted = (inner: Store) => {
  let underWay = 0
  const store = new Proxy(inner, {
    get: (target, name: keyof Store) => {
      const method = target[name] as unknown
      if (typeof method !== 'function') return method
      return (...args: readonly unknown[]): Promise<unknown> => {
        underWay++
        return method(...args).finally(() => underWay--)
      }
    },
  })
  const untilIdle = async (): Promise<void> => {
    while (underWay > 0) await turns(1)
  }
  return { store, untilIdle }
}

const every = [
  ...tokenOperations,
  ...deviceOperations,
  ...backchannelOperations,
  ...exchangeOperations,
  ...pageOperations,
  ...apiOperations,
]
const shortForm = ['code exchange', 'refresh', 'revoke access token', 'consent', 'create owner']
const operations =
  fullCycles === null ? every.filter(({ name }) => shortForm.includes(name)) : every

const frozen = (postgres: Postgres): void => {
  describe('a PostgreSQL that stands still', () => {
    const ticks = handTicks()
    let seconds = 0
    let store: Store
    let untilIdle: () => Promise<void>
    let node: Node
    before(async () => {
      const opened = await openPostgresStore({ url: await postgres.newDatabase(), random })
      ;({ store, untilIdle } = counted(opened))
      node = await openNode(
        {
          store,
          clock: () => Date.UTC(2026, 10, 21, 12) + 1000 * seconds,
          every: ticks.every,
        },
        () => `10.1.${seconds >> 8}.${seconds & 255}`,
      )
    })
    after(() => store.close())

    /** Freezes it around a few requests. */
    const whileFrozen = async (
      ask: () => readonly Promise<Answer>[],
    ): Promise<readonly Answer[]> => {
      const thaw = await freezeServer(postgres)
      try {
        return await answersOf(ask(), ticks)
      } finally {
        thaw()
        await untilIdle()
      }
    }

    const settled = async ({ prepare, name, effect }: Operation): Promise<void> => {
      seconds++
      const { ask, settle } = await prepare(node)
      const [answer] = await whileFrozen(() => [ask()])
      assert.ok(answer)
      assertUnavailable(answer, name)
      seconds++
      await settle(effect === null ? false : null, [answer])
    }

    for (const operation of operations) {
      test(`${operation.name}: 503, and what became of it fits what follows`, () =>
        settled(operation))
    }

    test('health and many requests at once are answered in time, tries at one name among them', async () => {
      seconds++
      const { username, access_token } = await newTokens(node, { scope: 'openid' })
      const answers = await whileFrozen(() => [
        node.ask('/health/ready'),
        introspect(node, access_token),
        node.ask('/userinfo', { headers: { authorization: `Bearer ${access_token}` } }),
        ...[1, 2, 3].map(() => passwordGrant(node, username)),
      ])
      for (const answer of answers) assertUnavailable(answer, 'at once')
      assert.equal((await passwordGrant(node, username)).status, 200)
    })
  })
}

const postgres = await findPostgres()
if (postgres === null) {
  test('no PostgreSQL here (LATCHKEY_TEST_POSTGRES names one): its standstill is left out')
} else {
  after(() => postgres.stop())
  if (postgres.crash !== null) frozen(postgres)
}
