/** The feed of revocations: security event tokens (RFC 8417), polled (RFC 8936). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import { feedLimits } from '../../src/tokens/revocation-feed.ts'
import { type Operator, operatorOf } from '../flows/operator.ts'
import { houseApp, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { obtainFor, startWithElsewhere, startWithJwts } from '../support/elsewhere.ts'
import { eventsOf, handTimer, poll } from '../support/feed.ts'
import { registerOpenid } from '../support/openid.ts'
import { type Started, startBefore } from '../support/start.ts'

const timer = handTimer()
let operator: Operator
const service = startBefore(
  () => startWithJwts({ every: timer.every }),
  async () => {
    operator = await operatorOf(service)
  },
)

/** The API of the orders. */
const api = nightlyReport

const follow = async (client: readonly [string, string] = api): Promise<string> =>
  (await poll(service, client)).body.next

const news = async (next: string, client: readonly [string, string] = api) =>
  eventsOf(service, await poll(service, client, { after: next }), client[0])

const obtain = (scope: string) => obtainFor(service, scope, [])

const revoke = (token: string) => service.post('/revoke', { token }, photoPrinter)

/** Until a poll waits: nothing else uses this timer. */
const untilWaiting = async (): Promise<void> => {
  while (!timer.isRunning()) await new Promise((resume) => setImmediate(resume))
}

describe('section 2.4: a poll', () => {
  test('brings the event of a revoked token', async () => {
    const { access_token } = await obtain('orders:read')
    const next = await follow()
    await revoke(access_token)
    assert.deepEqual(await news(next), [['token', decodeJwt(access_token).jti, true]])
  })

  test('without news has no sets, and says where to go on', async () => {
    const next = await follow()
    const { body } = await poll(service, api, { after: next })
    assert.deepEqual(body, { sets: {}, moreAvailable: false, next })
  })

  test('brings as many as it asks for', async () => {
    const tokens = await Promise.all([1, 2, 3].map(() => obtain('orders:read')))
    const start = await follow()
    for (const { access_token } of tokens) await revoke(access_token)
    const found = []
    for (let next = start; ; ) {
      const answer = await poll(service, api, { after: next, maxEvents: 1 })
      found.push(...(await eventsOf(service, answer, api[0])))
      next = answer.body.next
      if (!answer.body.moreAvailable) break
    }
    assert.deepEqual(
      found.map(([, id]) => id).toSorted(),
      tokens.map(({ access_token }) => decodeJwt(access_token).jti).toSorted(),
    )
  })

  test('of a client with too many of them waits for none of the others', async () => {
    const [id, secret] = await registerOpenid(service, { may_introspect: true })
    const greedy = [id, secret] as const
    const next = await follow()
    const ofGreedy = await follow(greedy)
    const patient = (client: readonly [string, string], after: string) =>
      poll(service, client, { after, returnImmediately: false })
    const count = feedLimits.pollsPerClient + 1
    const polls = Array.from({ length: count }, () => patient(greedy, ofGreedy))
    const { status, body } = await Promise.race(polls)
    assert.deepEqual([status, body.error], [503, 'temporarily_unavailable'])
    const other = patient(api, next)
    const { access_token } = await obtain('orders:read')
    await revoke(access_token)
    let open = true
    const answered = Promise.all([other, ...polls]).finally(() => {
      open = false
    })
    while (open) {
      timer.tick()
      await new Promise((resume) => setImmediate(resume))
    }
    const statuses = (await answered).map((answer) => answer.status)
    assert.equal(statuses[0], 200)
    assert.equal(statuses.filter((one) => one === 503).length, 1)
  })

  test('of nothing only acknowledges', async () => {
    const { body } = await poll(service, api, { maxEvents: 0, ack: ['one'] })
    assert.deepEqual(body, { sets: {}, moreAvailable: true })
  })

  test('that is malformed is refused', async () => {
    for (const asked of [
      { maxEvents: -1 },
      { after: 7 },
      { returnImmediately: 'yes' },
      { waitSeconds: 0.5 },
    ]) {
      assert.equal((await poll(service, api, asked)).body.error, 'invalid_request')
    }
  })
})

describe('section 2.5: acknowledgements', () => {
  test('remove nothing: another process of the API reads the same events', async () => {
    const { access_token } = await obtain('orders:read')
    const next = await follow()
    await revoke(access_token)
    const first = await poll(service, api, { after: next })
    await poll(service, api, { after: first.body.next, ack: Object.keys(first.body.sets) })
    assert.deepEqual(await news(next), [['token', decodeJwt(access_token).jti, true]])
  })
})

describe('section 2.2: a long poll', () => {
  const wait = (next: string) => poll(service, api, { after: next, returnImmediately: false })

  test('is answered on the first tick after a revocation', async () => {
    const { access_token } = await obtain('orders:read')
    const waiting = wait(await follow())
    await untilWaiting()
    await revoke(access_token)
    timer.tick()
    assert.deepEqual(await eventsOf(service, await waiting, api[0]), [
      ['token', decodeJwt(access_token).jti, true],
    ])
    assert.equal(timer.isRunning(), false)
  })

  test('waits on while there is nothing new', async () => {
    const { access_token } = await obtain('orders:read')
    let isAnswered = false
    const waiting = wait(await follow()).finally(() => {
      isAnswered = true
    })
    await untilWaiting()
    for (let ticks = 0; ticks < 4; ticks++) {
      timer.tick()
      await service.server().store.ping()
    }
    assert.deepEqual([isAnswered, timer.isRunning()], [false, true])
    await revoke(access_token)
    timer.tick()
    assert.equal(Object.keys((await waiting).body.sets).length, 1)
  })

  test('ends without events after a while', async () => {
    const next = await follow()
    const waiting = wait(next)
    await untilWaiting()
    for (let ticks = 0; ticks < feedLimits.waitSeconds * feedLimits.ticksPerSecond; ticks++)
      timer.tick()
    assert.deepEqual((await waiting).body, { sets: {}, moreAvailable: false, next })
  })

  test('is answered when the service is about to end', async () => {
    const ending = await startWithJwts({ every: timer.every })
    const { next } = (await poll(ending, api)).body
    const waiting = poll(ending, api, { after: next, returnImmediately: false })
    await untilWaiting()
    ending.server().hurry()
    assert.equal((await waiting).status, 200)
    await ending.close()
  })
})

describe('who learns what', () => {
  test('an API learns nothing about tokens for another one', async () => {
    const { access_token } = await obtain('invoices:read')
    const [orders, invoices] = [await follow(), await follow(houseApp)]
    const { lk_authorization: whole } = decodeJwt(access_token)
    await operator('DELETE', `authorizations/${whole}`)
    await revoke(access_token)
    const ended = [['authorization', whole, true]]
    assert.deepEqual(await news(invoices, houseApp), ended)
    // Until then it was for the orders as well.
    assert.deepEqual(await news(orders), ended)
    // From here on the authorization is for the invoices alone.
    const other = await obtain('invoices:read')
    const [nextOrders, nextInvoices] = [await follow(), await follow(houseApp)]
    await revoke(other.access_token)
    assert.deepEqual(await news(nextOrders), [])
    assert.deepEqual(await news(nextInvoices, houseApp), [
      ['token', decodeJwt(other.access_token).jti, true],
    ])
  })

  test('an application is refused, and so is a stranger', async () => {
    const application = await poll(service, photoPrinter)
    assert.deepEqual(
      [application.status, application.body],
      [
        403,
        {
          error: 'unauthorized_client',
          error_description: 'the feed is for the introspection_clients of a resource',
        },
      ],
    )
    const stranger = await poll(service, [api[0], 'wrong'])
    assert.equal(stranger.body.error, 'invalid_client')
  })

  test('a gateway learns all', async () => {
    await operator('PATCH', 'clients/photo-printer', { may_introspect: true })
    const { access_token } = await obtain('invoices:read')
    const next = await follow(photoPrinter)
    await revoke(access_token)
    assert.deepEqual(await news(next, photoPrinter), [['token', decodeJwt(access_token).jti, true]])
    await operator('PATCH', 'clients/photo-printer', { may_introspect: false })
  })
})

describe('restarts', () => {
  test('of the service lose nothing', async () => {
    const { access_token } = await obtain('orders:read')
    const next = await follow()
    await revoke(access_token)
    await service.restart()
    assert.deepEqual(await news(next), [['token', decodeJwt(access_token).jti, true]])
  })

  test('of the API: it begins with the oldest event that may matter', async () => {
    const { access_token } = await obtain('orders:read')
    await revoke(access_token)
    const ids = []
    for (let after: string | undefined; ; ) {
      const answer = await poll(service, api, { after })
      ids.push(...(await eventsOf(service, answer, api[0])).map(([, id]) => id))
      after = answer.body.next
      if (!answer.body.moreAvailable) break
    }
    assert.ok(ids.includes(decodeJwt(access_token).jti))
  })

  test('a cursor of another feed is answered with a reset', async () => {
    const [epoch, position] = (await follow()).split('.')
    const ahead = `${epoch}.${Number(position) + 1}`
    for (const after of ['another.1', ahead, '', '1.2.3', `${epoch}.${position}.0`]) {
      assert.equal((await poll(service, api, { after })).body.reset, true)
      // A patient poll does not wait with it.
      assert.equal((await poll(service, api, { after, returnImmediately: false })).body.reset, true)
    }
  })
})

describe('who follows', () => {
  /** A token is revoked before the API polls for the first time. */
  const newsOfFirstPoll = async (own: Started) => {
    try {
      const { access_token } = await obtainFor(own, 'orders:read', [])
      await own.post('/revoke', { token: access_token }, photoPrinter)
      return (await eventsOf(own, await poll(own, api), api[0])).map(([subject]) => subject)
    } finally {
      await own.close()
    }
  }

  test('an API that takes JWTs learns what was revoked before its first poll', async () => {
    assert.deepEqual(await newsOfFirstPoll(await startWithJwts()), ['token'])
  })

  test('where no API takes JWTs, revocations write nothing for the feed', async () => {
    assert.deepEqual(await newsOfFirstPoll(await startWithElsewhere()), [])
  })
})
