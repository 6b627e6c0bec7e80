/** ST-07: what is expired is dead at once, and gone soon after; ST-08: a restart brings nothing back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawRandom } from '../../src/crypto/digest.ts'
import { housekeepingLimits } from '../../src/housekeeping.ts'
import { createId, type EventId } from '../../src/model/ids.ts'
import { storeLimits } from '../../src/store/limits.ts'
import { approvedByMany, some } from '../store/contract/removals.ts'
import { trace } from '../store/moments.ts'
import { answerOf, Browser } from '../support/browser.ts'
import { houseApp, photoPrinter } from '../support/demo-clients.ts'
import { authorizePath, callback, codeRequest, obtainCode } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'

const started = startBefore()

const day = 24 * 3600

/** How many rows are over and still there. */
const overdue = async (): Promise<number> =>
  started.server().store.purge(started.now(), { events: 0, accessLog: 0 }, 10_000)

const redeem = (code: string) =>
  started.post(
    '/token',
    { grant_type: 'authorization_code', code, redirect_uri: callback },
    photoPrinter,
  )

/** A visit with rows of every expiring kind: session, authorization, family, ending, tries. */
const visit = async () => {
  const browser = new Browser(started)
  await browser.logIn(await browser.go('/login'), `nobody-${started.notices.length}`, 'wrong')
  await started.advance(1)
  await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
  const page = await browser.go(authorizePath({ ...codeRequest, prompt: 'consent' }))
  const answer = await browser.submit(page, { decision: 'allow', duration: 'day' })
  const { body } = await redeem(answerOf(answer).code ?? '')
  await started.post('/revoke', { token: body.access_token }, photoPrinter)
  return { browser, tokens: body }
}

test('ST-07: dead to the second, and purged by the housekeeping that follows', async () => {
  for (let i = 0; i < 3; i++) await visit()
  const { browser, tokens } = await visit()
  assert.equal(await overdue(), 0)
  await started.advance(12 * 3600 - 10)
  const waiting = await obtainCode(started, codeRequest, { duration: 'day' })
  await started.advance(9)
  assert.equal((await browser.ask('/account')).status, 200)
  await started.advance(1)
  assert.equal((await browser.ask('/account')).headers.get('location'), '/login')
  await started.advance(51)
  assert.equal((await redeem(waiting)).body.error, 'invalid_grant')
  const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
  await started.advance(2 * day)
  assert.equal((await started.post('/token', form, photoPrinter)).body.error, 'invalid_grant')
  for (let i = 0; i < 10; i++) await started.advance(10)
  assert.equal(await overdue(), 0)
})

test('ST-07: the search for what is over finds something where nobody kept house', async () => {
  await visit()
  assert.equal(await overdue(), 0)
  assert.ok(
    (await started
      .server()
      .store.purge(started.now() + 40 * day, { events: 0, accessLog: 0 }, 10_000)) >= 4,
  )
})

test('ST-07: events are kept for as long as the settings say', async () => {
  const brief = await start({ eventSeconds: day })
  const guess = { grant_type: 'password', username: 'alice', password: 'wrong' }
  const told = async () => (await brief.server().store.listEvents({}, null, 100)).rows
  try {
    await brief.post('/token', guess, houseApp)
    await brief.advance(day)
    assert.equal((await told()).at(-1)?.at, brief.now() - day)
    await brief.post('/token', guess, houseApp)
    await brief.advance(10)
    assert.deepEqual(
      (await told()).map(({ type, at }) => [type, at]),
      [['login.failed', brief.now() - 10]],
    )
  } finally {
    await brief.close()
  }
})

test('ST-07: more than one turn of housekeeping can do is gone with the next turn, not ten seconds later', async () => {
  const brief = await start({ eventSeconds: day })
  const { store } = brief.server()
  const at = brief.now()
  const most = storeLimits.purgeRows * housekeepingLimits.purgeSteps
  const left = async () => (await store.listEvents({}, null, 100)).rows.length
  try {
    await brief.advance(day)
    for (let begun = 0; begun < most + 10; begun += 5000) {
      const events = Array.from({ length: Math.min(5000, most + 10 - begun) }, (_, i) => ({
        id: createId(at * 1000, drawRandom(10)) as EventId,
        at,
        type: 'login.failed' as const,
        clientId: null,
        ownerId: null,
        authorizationId: null,
        requestId: null,
        actor: null,
        details: { number: begun + i },
      }))
      await Promise.all(events.map((event) => store.appendEvent(event)))
    }
    await brief.advance(10)
    assert.ok((await left()) >= 10)
    await brief.advance(1)
    assert.equal(await left(), 0)
  } finally {
    await brief.close()
  }
})

test('what is left of a deleted application goes with the housekeeping that follows', async () => {
  const { store } = started.server()
  const { client } = await approvedByMany(store, some)
  await store.deleteClient(client.id, trace())
  assert.equal(await store.createClient(client, trace()), 'taken')
  await started.advance(10)
  assert.equal(await store.removeDeleted(10, trace()), 0)
  assert.equal(await store.createClient(client, trace()), 'created')
})

test('a purge that takes long is never begun beside itself, and none follows where little was left', async (t) => {
  const own = await start()
  const ends: ((went: number) => void)[] = []
  const purge = t.mock.method(
    own.server().store,
    'purge',
    () => new Promise<number>((resolve) => ends.push(resolve)),
  )
  /** Every step finds a single row. */
  const endAll = async (turn: Promise<void>) => {
    let isOver = false
    const over = turn.then(() => {
      isOver = true
    })
    while (!isOver) {
      for (const end of ends.splice(0)) end(1)
      await new Promise(setImmediate)
    }
    await over
  }
  try {
    const first = own.advance(10)
    while (ends.length === 0) await new Promise(setImmediate)
    for (let i = 0; i < 3; i++) await own.advance(60)
    assert.equal(purge.mock.callCount(), 1)
    await endAll(first)
    await endAll(own.advance(1))
    assert.equal(purge.mock.callCount(), 2 * housekeepingLimits.purgeSteps)
    await own.advance(9)
    assert.equal(purge.mock.callCount(), 2 * housekeepingLimits.purgeSteps)
  } finally {
    purge.mock.restore()
    await own.close()
  }
})

test('a service that ends waits for the step under way, begins no other, and complains of nothing', async (t) => {
  const own = await start()
  const { store } = own.server()
  const order: string[] = []
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  t.mock.method(store, 'purge', async () => {
    begun.resolve()
    await goOn.promise
    order.push('purged')
    return 1
  })
  const closeStore = store.close
  t.mock.method(store, 'close', () => {
    order.push('closed')
    return closeStore()
  })
  const turn = own.advance(10)
  await begun.promise
  const closed = own.close()
  goOn.resolve()
  await Promise.all([turn, closed])
  assert.deepEqual(order, ['purged', 'closed'])
  assert.deepEqual(
    own.notices.filter(({ level }) => level === 'error'),
    [],
  )
})

test('a service that ends waits for the mails under way', async (t) => {
  const waiting = Promise.withResolvers<void>()
  const own = await start({
    deadline() {
      waiting.resolve()
      return () => {}
    },
  })
  const { store } = own.server()
  const order: string[] = []
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  t.mock.method(store, 'findMailQueue', async () => {
    begun.resolve()
    await goOn.promise
    order.push('looked at the queue')
    return { waiting: 0, firstExpiresAt: null }
  })
  const closeStore = store.close
  t.mock.method(store, 'close', () => {
    order.push('closed')
    waiting.resolve()
    return closeStore()
  })
  const turn = own.advance(10)
  await begun.promise
  const closed = own.close()
  // It waits for the mails, or has closed its store without them.
  await waiting.promise
  goOn.resolve()
  await Promise.all([turn, closed])
  assert.deepEqual([order[0], order.at(-1)], ['looked at the queue', 'closed'])
})

test('ST-08: a code, a token and a session are as dead after a restart as before', async () => {
  const { browser, tokens } = await visit()
  const code = await obtainCode(started)
  assert.equal((await redeem(code)).status, 200)
  await browser.submit(await browser.go('/logout'))
  await started.restart()
  assert.equal((await redeem(code)).body.error, 'invalid_grant')
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  assert.equal((await started.ask('/api/photos', { headers })).status, 401)
  assert.equal((await browser.ask('/account')).headers.get('location'), '/login')
})
