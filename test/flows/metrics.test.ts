/** `/metrics`: counters of real requests, gauges, and the places of its answer. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadSettings } from '../../src/config/load.ts'
import { listenForMetrics } from '../../src/rooms/operator/metrics.ts'
import { answerOf, Browser } from '../support/browser.ts'
import { nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { type ReadFamily, readMetrics } from '../support/metrics.ts'
import { codeRequest, walk } from '../support/printing.ts'
import { type Started, start, startBefore } from '../support/start.ts'
import { introspect, redeem, use } from '../support/tokens.ts'

const token = 'a-long-token-of-the-monitoring-0123456789'

describe('the metrics of a service', () => {
  const started = startBefore()

  const families = async () => readMetrics((await started.ask('/metrics')).text)

  /** The samples of a family that are not 0, by the values of their labels. */
  const counted = (all: ReadonlyMap<string, ReadFamily>, name: string) =>
    Object.fromEntries(
      (all.get(name) ?? assert.fail(`no ${name}`)).samples
        .filter(({ value }) => value !== 0)
        .map(({ labels, value }) => [Object.values(labels).join(' '), value]),
    )

  test('count logins, grants, refusals and tokens', async () => {
    const browser = new Browser(started)
    await browser.logIn(await browser.go('/login'), 'alice', 'wrong password')
    const { code = '' } = answerOf(await walk(started))
    const { access_token, refresh_token } = (await redeem(started, code)).body
    await redeem(started, 'nothing')
    await started.post('/token', { grant_type: 'client_credentials' }, nightlyReport)
    await started.post('/token', { grant_type: 'made-up' }, nightlyReport)
    await started.post('/token', { grant_type: 'refresh_token' }, ['photo-printer', 'wrong'])
    await use(started, access_token)
    await use(started, 'lk_at_nothing')
    await introspect(started, access_token)
    await introspect(started, 'lk_at_nothing')
    await started.post('/revoke', { token: access_token }, photoPrinter)
    await started.post('/revoke', { token: refresh_token }, photoPrinter)
    await started.post('/revoke', { token: 'lk_rt_nothing' }, photoPrinter)
    const denied = { ...codeRequest, prompt: 'none' }
    assert.equal(answerOf(await walk(started, denied)).error, 'login_required')
    const all = await families()
    const names = ['logins', 'grants', 'tokens_issued', 'tokens_read', 'tokens_introspected']
    const found = [...names, 'tokens_revoked', 'refusals'].map((name) => [
      name,
      counted(all, `latchkey_${name}_total`),
    ])
    assert.deepEqual(Object.fromEntries(found), {
      logins: { 'password succeeded': 1, 'password refused': 1 },
      grants: {
        'authorization_code issued': 1,
        'authorization_code invalid_grant': 1,
        'client_credentials issued': 1,
        'unknown unsupported_grant_type': 1,
        'refresh_token invalid_client': 1,
      },
      tokens_issued: { access_token: 2, refresh_token: 1 },
      tokens_read: { accepted: 1, refused: 1 },
      tokens_introspected: { true: 1, false: 1 },
      tokens_revoked: { access_token: 1, refresh_token: 1 },
      refusals: {
        login_required: 1,
        malformed_code: 1,
        unknown_grant_type: 1,
        unknown_token: 1,
        wrong_password: 1,
        wrong_secret: 1,
      },
    })
    // Those of the two owners of the demo, and of the two logins.
    assert.equal(all.get('latchkey_password_hash_seconds')?.samples.at(-1)?.value, 4)
  })

  test('tell of the process, the store, keys and queues', async () => {
    const all = await families()
    const one = (name: string) => {
      const { samples } = all.get(name) ?? assert.fail(`no ${name}`)
      assert.equal(samples.length, 1, name)
      return samples[0] ?? assert.fail(name)
    }
    assert.equal(one('latchkey_build_info').labels.store, 'sqlite')
    assert.equal(one('latchkey_store_up').value, 1)
    assert.ok(one('latchkey_store_bytes').value > 100_000)
    assert.equal(one('latchkey_self_registered_clients').value, 0)
    const none = ['store_steps_waiting', 'store_requests_waiting', 'mails_queued']
    assert.deepEqual(
      none.map((name) => one(`latchkey_${name}`).value),
      [0, 0, 0],
    )
    assert.deepEqual(counted(all, 'latchkey_password_hashes'), {})
    const memory = counted(all, 'latchkey_memory_bytes')
    assert.deepEqual(Object.keys(memory), ['resident', 'heap_total', 'heap_used', 'external'])
    const percentiles = all.get('latchkey_event_loop_delay_seconds')?.samples ?? []
    assert.deepEqual(
      percentiles.map(({ labels }) => labels.percentile),
      ['50', '99', '100'],
    )
  })

  test('tell the age of the key in use', async () => {
    started.pass(3600)
    const keys = counted(await families(), 'latchkey_key_age_seconds')
    assert.equal(keys['sealing HS256'], 3600)
  })

  test('say that the store does not answer, and still answer', async (t) => {
    t.mock.method(started.server().store, 'gauges', async () => {
      throw new Error('no answer')
    })
    started.pass(60)
    const all = await families()
    assert.deepEqual(all.get('latchkey_store_up')?.samples[0]?.value, 0)
    assert.equal(all.has('latchkey_store_bytes'), false)
    started.pass(60)
  })
})

describe('where the metrics answer', () => {
  const status = async (
    service: Started,
    peer: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<number> => {
    const request = new Request(`${service.issuer}/metrics`, { headers })
    return (await service.server().fetch(request, peer)).status
  }
  const bearer = { authorization: `Bearer ${token}` }

  test('off: nowhere', async () => {
    const service = await start({ metrics: 'off' })
    assert.equal(await status(service, '127.0.0.1'), 404)
    await service.close()
  })

  test('with a token: to its holders from everywhere, and to this machine as before', async () => {
    const service = await start({ metricsToken: token })
    const asked = [
      await status(service, '203.0.113.9', bearer),
      await status(service, '127.0.0.1', { ...bearer, 'x-forwarded-for': '203.0.113.9' }),
      await status(service, '127.0.0.1'),
      await status(service, '203.0.113.9'),
      await status(service, '203.0.113.9', { authorization: `Bearer ${token}x` }),
      await status(service, '203.0.113.9', { authorization: `Basic ${token}` }),
    ]
    assert.deepEqual(asked, [200, 200, 200, 404, 404, 404])
    await service.close()
  })

  test('HOST:PORT: on a port of its own alone', async () => {
    const service = await start({ metrics: { host: '127.0.0.1', port: 0 } })
    assert.equal(await status(service, '127.0.0.1'), 404)
    const { settings, askMetrics, onFault } = service.server()
    for (const [metricsToken, statuses] of [
      [null, [200, 200, 404, 404]],
      [token, [401, 200, 404, 404]],
    ] as const) {
      const port = await listenForMetrics({ ...settings, metricsToken }, askMetrics, onFault)
      const url = `http://127.0.0.1:${port?.port}`
      const answers = [
        await fetch(`${url}/metrics`),
        await fetch(`${url}/metrics`, { headers: bearer }),
        await fetch(`${url}/token`, { method: 'POST' }),
        await fetch(`${url}/metrics`, { method: 'POST' }),
      ]
      assert.deepEqual(
        answers.map((answer) => answer.status),
        statuses,
      )
      const text = (await answers[1]?.text()) ?? ''
      assert.ok(readMetrics(text).has('latchkey_build_info'))
      await Promise.all(answers.map((answer) => answer.body?.cancel().catch(() => {})))
      await port?.close()
    }
    await service.close()
  })

  test('as the settings say it', () => {
    const of = (metrics: string) => loadSettings({ env: { LATCHKEY_METRICS: metrics } }).metrics
    assert.equal(of('off'), 'off')
    assert.equal(of('loopback'), 'loopback')
    assert.deepEqual(of('10.0.0.11:9464'), { host: '10.0.0.11', port: 9464 })
    assert.deepEqual(of('[::1]:9464'), { host: '::1', port: 9464 })
    for (const wrong of [
      'on',
      ':9464',
      '10.0.0.11',
      '10.0.0.11:65536',
      '[nothing]:1',
      '::1:9464',
    ]) {
      assert.throws(() => of(wrong), /LATCHKEY_METRICS must be off, loopback, or HOST:PORT/)
    }
    const env = { LATCHKEY_METRICS: 'off', LATCHKEY_METRICS_TOKEN: token }
    assert.throws(() => loadSettings({ env }), /LATCHKEY_METRICS_TOKEN must not be set/)
  })
})
