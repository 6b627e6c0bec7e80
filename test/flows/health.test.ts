/** Health and counters: ready means that a write would be durable; counters tell nobody's secrets. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { StoreFault } from '../../src/store/fault.ts'
import { nightlyReport } from '../support/demo-clients.ts'
import { basic, startBefore } from '../support/start.ts'

const started = startBefore()

describe('health', () => {
  test('alive is alive', async () => {
    const { status, body, headers } = await started.ask('/health/live')
    assert.deepEqual([status, body], [200, { status: 'ok' }])
    assert.equal(headers.get('cache-control'), 'no-store')
  })

  test('ready is a store that takes writes', async () => {
    const { status, body } = await started.ask('/health/ready')
    assert.deepEqual([status, body], [200, { status: 'ok', checks: { store: 'ok' } }])
  })

  test('ready writes once a second, however many ask', async (t) => {
    started.pass(1)
    const ping = t.mock.method(started.server().store, 'ping')
    const ask = async (times: number) => {
      const asked = Array.from({ length: times }, () => started.ask('/health/ready'))
      const statuses = (await Promise.all(asked)).map(({ status }) => status)
      assert.deepEqual(statuses, Array(times).fill(200))
    }
    await ask(50)
    await ask(2)
    assert.equal(ping.mock.callCount(), 1)
    started.pass(1)
    await ask(50)
    assert.equal(ping.mock.callCount(), 2)
  })

  test('a write that lasts longer is shared as well, and so is its fault', async (t) => {
    started.pass(1)
    const writing = Promise.withResolvers<void>()
    const ping = t.mock.method(started.server().store, 'ping', () => writing.promise)
    const asked = [started.ask('/health/ready')]
    started.pass(5)
    asked.push(started.ask('/health/ready'))
    writing.reject(new StoreFault('failed', 'the disk is full'))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    assert.deepEqual(statuses, [503, 503])
    assert.equal(ping.mock.callCount(), 1)
  })

  test('alive but not ready where it does not; the fault is told to nobody', async (t) => {
    started.pass(1)
    t.mock.method(started.server().store, 'ping', async () => {
      throw new StoreFault('failed', 'disk /dev/sda1 is full')
    })
    const answer = await started.ask('/health/ready')
    assert.equal(answer.status, 503)
    assert.equal(answer.headers.get('retry-after'), '1')
    assert.deepEqual(answer.body, { status: 'unavailable', checks: { store: 'unavailable' } })
    assert.equal((await started.ask('/health/live')).status, 200)
  })

  test('HEAD is GET without a body; other methods are refused', async () => {
    const head = await started.ask('/health/live', { method: 'HEAD' })
    assert.deepEqual([head.status, head.text], [200, ''])
    const post = await started.ask('/health/live', { method: 'POST' })
    assert.deepEqual([post.status, post.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'])
  })
})

/** The samples of a text in the format of Prometheus, by name and labels. */
const samplesOf = (text: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  )

const metrics = async () => samplesOf((await started.ask('/metrics')).text)

describe('counters', () => {
  test('count requests by route, never by path, and refusals by reason', async () => {
    const before = await metrics()
    const form = { grant_type: 'client_credentials' }
    await started.post('/token', form, nightlyReport)
    await started.post('/token', form, ['nightly-report', 'wrong'])
    await started.ask('/api/photos/one')
    await started.ask('/api/contacts/another')
    await started.ask('/nowhere/at-all?a=b')
    const after = await metrics()
    const grown = (name: string) => (after[name] ?? 0) - (before[name] ?? 0)
    assert.deepEqual(
      [
        'latchkey_requests_total{route="/token",method="POST",status="200"}',
        'latchkey_requests_total{route="/token",method="POST",status="401"}',
        'latchkey_requests_total{route="/api/:resource/:id",method="GET",status="401"}',
        'latchkey_requests_total{route="(unknown)",method="GET",status="404"}',
        'latchkey_refusals_total{reason="wrong_secret"}',
        'latchkey_refusals_total{reason="missing_token"}',
        'latchkey_refusals_total{reason="unknown_path"}',
        'latchkey_request_seconds_count{route="/token"}',
      ].map(grown),
      [1, 1, 2, 1, 1, 2, 1, 2],
    )
  })

  test('are text that may not be kept', async () => {
    const { status, headers } = await started.ask('/metrics')
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
  })

  test('do not grow with what strangers make up', async () => {
    await started.ask('/nowhere')
    const before = Object.keys(await metrics()).length
    for (let i = 0; i < 50; i++) {
      await started.ask(`/nowhere/${i}`)
      await started.ask(`/api/thing-${i}/${i}`)
      await started.post(`/register/${i}`, {})
    }
    // The two routes that were not asked before: requests, six buckets, sum and count, a reason.
    assert.ok(Object.keys(await metrics()).length - before <= 20)
  })

  test('are for this machine alone', async () => {
    const elsewhere = await started
      .server()
      .fetch(new Request(`${started.issuer}/metrics`), '203.0.113.9')
    assert.equal(elsewhere.status, 404)
    for (const name of ['x-forwarded-for', 'forwarded']) {
      const headers = { [name]: '203.0.113.9' }
      const proxied = await started.ask('/metrics', { headers })
      assert.deepEqual([proxied.status, proxied.body.error], [404, 'not_found'])
    }
    for (const peer of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.0.0.53']) {
      const local = await started.server().fetch(new Request(`${started.issuer}/metrics`), peer)
      assert.equal(local.status, 200)
    }
  })
})

describe('every request is told to the log once', () => {
  test('with its route, status and reason, and the id that its page shows', async () => {
    const at = started.notices.length
    const page = await started.ask('/authorize?client_id=nobody')
    const told = started.notices.slice(at)
    const [, reference] = /Reference: <code>([^<]+)<\/code>/.exec(page.text) ?? []
    assert.deepEqual(told, [
      {
        level: 'info',
        message: 'request',
        requestId: reference,
        method: 'GET',
        route: '/authorize',
        status: 400,
        reason: 'unknown_client',
        milliseconds: 0,
        clientId: null,
        network: '127.0.0.*',
      },
    ])
  })

  test('and a fault of ours with its stack, which is sent to nobody', async (t) => {
    t.mock.method(started.server().store, 'findClient', async () => {
      throw new Error('an inner detail')
    })
    const at = started.notices.length
    const headers = { authorization: basic(nightlyReport) }
    const answer = await started.ask('/token', { form: { grant_type: 'x' }, headers })
    assert.equal(answer.status, 500)
    assert.deepEqual(answer.body, {
      error: 'server_error',
      error_description: 'something went wrong in the service',
    })
    const [fault, request] = started.notices.slice(at)
    assert.deepEqual([fault?.level, fault?.message], ['error', 'unexpected fault'])
    assert.match(String(fault?.fault), /an inner detail[\s\S]*\n {4}at /)
    assert.deepEqual([request?.status, request?.reason], [500, 'unexpected'])
    assert.equal(fault?.requestId, request?.requestId)
  })
})
