/**
 * DNS rebinding (RFC 9110 section 7.4): a name of the attacker's leads to this service, so their page
 * is of one origin with it. The service answers only to names of its own.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Settings } from '../../src/config/settings.ts'
import { listenForMetrics } from '../../src/rooms/operator/metrics.ts'
import { nightlyReport } from '../support/demo-clients.ts'
import { basic, type Started, start } from '../support/start.ts'
import { bodyOf, formRequest, hear, open, statusOf, type Wired, wire } from '../wire/wire.ts'

const misdirected = {
  error: 'misdirected_request',
  error_description:
    'the request is for a host name that is neither the one of the issuer nor in LATCHKEY_HOSTS',
}

describe('the demo, on a socket', () => {
  let wired: Wired
  before(async () => {
    wired = await wire()
  })
  after(() => wired.close())

  const get = (target: string, host: string): Promise<string> =>
    wired.say(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)

  for (const host of [
    'evil.example',
    'evil.example:6749',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '0.0.0.0',
    '192.0.2.1',
    '[::2]',
  ]) {
    test(`nothing is answered to ${host}`, async () => {
      for (const path of ['/login', '/account', '/jwks', '/assets/latchkey.css', '/nowhere']) {
        const heard = await get(path, host)
        assert.equal(statusOf(heard), 421, path)
        const { latchkey_reference: reference, ...told } = JSON.parse(bodyOf(heard))
        assert.match(reference, /^[0-9a-z]{26}$/)
        assert.deepEqual(told, misdirected)
      }
    })
  }

  test('nor where the name stands in the target, whatever Host says', async () => {
    for (const target of ['http://evil.example/login', 'https://evil.example:443/login']) {
      assert.equal(statusOf(await get(target, '127.0.0.1')), 421)
    }
    for (const target of ['http://me@127.0.0.1/login', 'http://a:b@127.0.0.1/login']) {
      assert.equal(statusOf(await get(target, '127.0.0.1')), 421)
    }
  })

  test('a form of such a page is not read', async () => {
    const form = formRequest('/token', 'grant_type=client_credentials', [
      `Authorization: ${basic(nightlyReport)}`,
    ])
    assert.equal(statusOf(await wired.say(form)), 200)
    assert.equal(statusOf(await wired.say(form.replace('127.0.0.1', 'evil.example'))), 421)
  })

  test('every loopback name is answered, with any port and in any case', async () => {
    for (const host of ['127.0.0.1', '127.9.9.9:1', 'localhost', 'LOCALHOST:80', '[::1]:6749']) {
      assert.equal(statusOf(await get('/login', host)), 200, host)
    }
  })

  test('health is told under any name, counters under loopback names only', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      assert.equal(statusOf(await get(path, '192.0.2.1')), 200, path)
    }
    assert.equal(statusOf(await get('/metrics', 'localhost:6749')), 200)
    assert.equal(statusOf(await get('/metrics', 'evil.example')), 404)
  })
})

describe('the port of the metrics', () => {
  /** The status by each name, in their order. */
  const statuses = async (given: Partial<Settings>, ...names: readonly string[]) => {
    const service = await start(given)
    const { settings, askMetrics, onFault } = service.server()
    const listener = await listenForMetrics(settings, askMetrics, onFault)
    try {
      const answered = names.map(async (name) => {
        const socket = await open(listener?.port ?? 0)
        const heard = hear(socket)
        socket.write(`GET /metrics HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`)
        return statusOf(await heard)
      })
      return await Promise.all(answered)
    } finally {
      await listener?.close()
      await service.close()
    }
  }
  const foreign = ['evil.example:9464', '127.0.0.1.evil.example', '1.2.3.4.evil.example']

  test('answers to loopback names, and to those of LATCHKEY_HOSTS', async () => {
    const metrics = { host: '127.0.0.1', port: 0 }
    const own = ['127.0.0.1:9464', 'LOCALHOST', '[::1]:9464', 'node1.internal:9464']
    const found = await statuses({ metrics, hosts: ['node1.internal'] }, ...own, ...foreign)
    assert.deepEqual(found, [200, 200, 200, 200, 421, 421, 421])
    const others = ['10.0.0.11', '[2001:db8::1]', 'node1.internal']
    assert.deepEqual(await statuses({ metrics }, ...others), [421, 421, 421])
  })

  test('answers to its own name', async () => {
    const metrics = { host: 'LocalHost', port: 0 }
    assert.deepEqual(
      await statuses({ metrics }, 'localhost:9464', ...foreign),
      [200, 421, 421, 421],
    )
  })

  test('answers to each address where it listens on all of them', async () => {
    const metrics = { host: '0.0.0.0', port: 0 }
    const addresses = ['10.0.0.11:9464', '[2001:db8::1]:9464', '127.0.0.1']
    const found = await statuses({ metrics }, ...addresses, ...foreign)
    assert.deepEqual(found, [200, 200, 200, 421, 421, 421])
  })

  test('with a token answers to its holders alone, by any name', async () => {
    const metricsToken = 'a-long-token-of-the-monitoring-0123456789'
    const metrics = { host: '127.0.0.1', port: 0 }
    const found = await statuses({ metrics, metricsToken }, '127.0.0.1', 'evil.example')
    assert.deepEqual(found, [401, 401])
  })
})

describe('a service that is no demo', () => {
  const asked = async (settings: Partial<Settings>, ...urls: readonly string[]) => {
    const service: Started = await start({ demo: false, ...settings })
    try {
      return await Promise.all(urls.map(async (url) => (await service.ask(url)).status))
    } finally {
      await service.close()
    }
  }
  const issuer = 'https://auth.example'

  test('has the name of its issuer, on any port and with any scheme', async () => {
    const urls = ['https://auth.example', 'http://auth.example:6749', 'https://AUTH.example']
    assert.deepEqual(await asked({ issuer }, ...urls.map((url) => `${url}/jwks`)), [200, 200, 200])
  })

  test('refuses others, loopback names and those that contain its own', async () => {
    const urls = [
      'http://127.0.0.1:6749/jwks',
      'http://localhost/jwks',
      'https://auth.example.evil.example/jwks',
      'https://evil-auth.example/jwks',
    ]
    assert.deepEqual(await asked({ issuer }, ...urls), [421, 421, 421, 421])
  })

  test('has the names of LATCHKEY_HOSTS besides', async () => {
    const hosts = ['auth.internal', '192.0.2.7']
    const urls = [
      'http://auth.internal:8080/jwks',
      'http://192.0.2.7/jwks',
      'https://auth.example/jwks',
      'http://192.0.2.8/jwks',
    ]
    assert.deepEqual(await asked({ issuer, hosts }, ...urls), [200, 200, 200, 421])
  })

  test('tells its health to a load balancer that knows only its address', async () => {
    const urls = ['http://192.0.2.7:6749/health/ready', 'http://192.0.2.7:6749/health/live']
    assert.deepEqual(await asked({ issuer }, ...urls), [200, 200])
  })

  test('on a loopback issuer has every loopback name', async () => {
    const urls = ['http://localhost:6749/jwks', 'http://127.0.0.1/jwks', 'http://evil.example/jwks']
    assert.deepEqual(await asked({}, ...urls), [200, 200, 421])
  })
})
