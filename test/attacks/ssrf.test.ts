/**
 * Server-side request forgery: a chosen URL points at an address that only this service can reach.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import { httpLimits } from '../../src/http/limits.ts'
import { createOutbound, type OutboundOptions } from '../../src/http/outbound.ts'
import { parameterLimits } from '../../src/protocol/parameters.ts'
import { selfSigned } from '../support/certificate.ts'
import { openSite, type Site } from '../support/site.ts'

const trusted = selfSigned(['docs.example', '127.0.0.1'])
setDefaultCACertificates([trusted.cert])

/** An open address, beside one that stays closed. */
const opened = '127.0.0.1'
const mostBytes = 1000

/** A service outside the demo. Its clock for requests is stopped unless a test turns it. */
const guarded = (options: Partial<OutboundOptions> = {}) =>
  createOutbound({
    loopback: false,
    allowed: [opened],
    resolve: async () => [],
    deadline: () => () => {},
    ...options,
  })

const reasonOf = async (url: string, options: Partial<OutboundOptions> = {}): Promise<string> => {
  const answer = await guarded(options).fetch({ url, mostBytes })
  return answer.outcome === 'failed' ? answer.reason : answer.outcome
}

let canary: Site
before(async () => {
  // On every address of this machine, so that no spelling of one misses it.
  canary = await openSite((_request, answer) => answer.end('secret'), { host: '0.0.0.0' })
})
after(() => canary.close())

describe('nothing behind the wall is connected to', () => {
  const hosts = [
    '127.0.0.1',
    '127.0.0.2',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '0.0.0.0',
    '0',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'inner.localhost',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fd00::1]',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '１２７.０.０.１',
    '127。0。0。1',
    'ⓛocalhost',
  ]
  for (const scheme of ['https', 'http']) {
    for (const host of hosts) {
      test(`${scheme}://${host}`, async () => {
        const reason = await reasonOf(`${scheme}://${host}:${canary.port}/`, { allowed: [] })
        assert.ok(['forbidden_address', 'bad_url'].includes(reason), reason)
        assert.equal(canary.connections(), 0)
      })
    }
  }

  test('no other scheme, no user name, nothing that is no URL', async () => {
    const host = `127.0.0.1:${canary.port}`
    for (const url of [
      `ftp://${host}/`,
      `gopher://${host}/`,
      'file:///etc/passwd',
      'data:text/plain,x',
      'javascript:1',
      `ws://${host}/`,
      `//${host}/`,
      `https://docs.example@${host}/`,
      `https://a:b@${host}/`,
      '',
      `https://docs.example/${'x'.repeat(parameterLimits.textCharacters)}`,
    ]) {
      assert.equal(await reasonOf(url), 'bad_url', url)
    }
    assert.equal(canary.connections(), 0)
  })
})

describe('a name that leads behind the wall', () => {
  const answers: Readonly<Record<string, readonly string[]>> = {
    'to a private address': ['10.0.0.1'],
    'to this machine': ['127.0.0.2'],
    'to the metadata of a cloud': ['169.254.169.254'],
    'to an IPv4-mapped address': ['::ffff:127.0.0.2'],
    'to an address of NAT64': ['64:ff9b::7f00:2'],
    'to a public address and a private one': ['93.184.216.34', '10.0.0.1'],
    'to an open address and a closed one': [opened, '127.0.0.2'],
    'to what is no address': ['127.1'],
  }
  for (const [what, addresses] of Object.entries(answers)) {
    test(`${what} is refused`, async () => {
      const url = `https://docs.example:${canary.port}/`
      assert.equal(await reasonOf(url, { resolve: async () => addresses }), 'forbidden_address')
      assert.equal(canary.connections(), 0)
    })
  }

  test('nowhere is refused', async () => {
    assert.equal(await reasonOf('https://docs.example/'), 'unknown_host')
  })

  test('rebinding: the connection goes to the address that was checked', async () => {
    const site = await openSite((_request, answer) => answer.end('hello'), { certificate: trusted })
    const asked: string[] = []
    const resolve = async (host: string) => {
      asked.push(host)
      return asked.length === 1 ? [opened] : ['127.0.0.2']
    }
    const outbound = guarded({ resolve })
    const url = `https://docs.example:${site.port}/doc`
    const answer = await outbound.fetch({ url, mostBytes })
    assert.equal(answer.outcome, 'answered')
    assert.deepEqual(asked, ['docs.example'])
    // The next request asks anew, and is judged anew.
    const again = await outbound.fetch({ url, mostBytes })
    assert.deepEqual(again.outcome === 'failed' && again.reason, 'forbidden_address')
    const [{ host = '', serverName = '' } = {}] = site.requests
    assert.deepEqual([host, serverName], [`docs.example:${site.port}`, 'docs.example'])
    assert.equal(site.connections(), 1)
    await site.close()
  })
})

describe('plain http', () => {
  test('is refused outside the demo, also to what the operator opened', async () => {
    assert.equal(await reasonOf(`http://127.0.0.1:${canary.port}/`), 'not_https')
    const resolve = async () => ['93.184.216.34']
    assert.equal(await reasonOf('http://docs.example/', { resolve }), 'not_https')
    assert.equal(canary.connections(), 0)
  })

  test('reaches this machine in the demo, and nothing else', async () => {
    const site = await openSite((_request, answer) => answer.end('hello'))
    const demo = { loopback: true, allowed: [] }
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
      assert.equal(await reasonOf(`http://${host}:${site.port}/`, demo), 'answered', host)
    }
    assert.equal(await reasonOf('http://10.0.0.1/', demo), 'forbidden_address')
    const resolve = async () => ['93.184.216.34']
    assert.equal(await reasonOf('http://docs.example/', { ...demo, resolve }), 'not_https')
    const mixed = async () => ['127.0.0.1', '93.184.216.34']
    assert.equal(await reasonOf('http://docs.example/', { ...demo, resolve: mixed }), 'not_https')
    await site.close()
  })
})

describe('a certificate', () => {
  test('for another name is refused before anything is sent', async () => {
    const site = await openSite((_request, answer) => answer.end(), { certificate: trusted })
    const answer = await guarded({ resolve: async () => [opened] }).fetch({
      url: `https://evil.example:${site.port}/`,
      mostBytes,
    })
    const expected = {
      outcome: 'failed',
      reason: 'no_answer',
      detail: 'ERR_TLS_CERT_ALTNAME_INVALID',
    }
    assert.deepEqual(answer, expected)
    assert.deepEqual(site.requests, [])
    await site.close()
  })

  test('that nobody trusts is refused before anything is sent', async () => {
    const site = await openSite((_request, answer) => answer.end(), {
      certificate: selfSigned(['127.0.0.1']),
    })
    const answer = await guarded().fetch({ url: `https://127.0.0.1:${site.port}/`, mostBytes })
    assert.equal(answer.outcome === 'failed' && answer.reason, 'no_answer')
    assert.deepEqual(site.requests, [])
    await site.close()
  })
})

describe('a redirect', () => {
  const leading = (location: string, status = 302) =>
    openSite(
      ({ url }, answer) =>
        url === '/there'
          ? answer.end('arrived')
          : answer.writeHead(status, { Location: location }).end(),
      { certificate: trusted },
    )
  const follow = async (site: Site, method: 'GET' | 'POST' = 'GET') => {
    const url = `https://127.0.0.1:${site.port}/`
    const answer = await guarded().fetch({ url, method, mostBytes, redirects: 'same-origin' })
    await site.close()
    return answer.outcome === 'failed' ? answer.reason : String(Buffer.from(answer.body))
  }

  test('is refused where none was asked for', async () => {
    const site = await leading('/there')
    assert.equal(await reasonOf(`https://127.0.0.1:${site.port}/`), 'redirected')
    assert.equal(site.requests.length, 1)
    await site.close()
  })

  test('is followed on the same origin', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      assert.equal(await follow(await leading('/there', status)), 'arrived')
    }
  })

  test('is refused to a closed address, another name, port or scheme, and to nowhere', async () => {
    for (const location of [
      `https://127.0.0.2:${canary.port}/there`,
      `https://localhost:${canary.port}/there`,
      `https://127.0.0.1:${canary.port}/there`,
      `//127.0.0.1:${canary.port}/there`,
      `http://127.0.0.1:${canary.port}/there`,
      'https://169.254.169.254/there',
      'file:///etc/passwd',
      'https://',
    ]) {
      assert.equal(await follow(await leading(location)), 'redirected', location)
    }
    assert.equal(canary.connections(), 0)
  })

  test('is refused after a POST, whose body is for one site', async () => {
    const site = await leading('/there', 307)
    assert.equal(await follow(site, 'POST'), 'redirected')
    assert.equal(site.requests.length, 1)
  })

  test('in a circle ends soon', async () => {
    const site = await leading('/')
    assert.equal(await follow(site), 'redirected')
    assert.equal(site.requests.length, httpLimits.outbound.redirects + 1)
  })

  test('is judged by what the name leads to by then', async () => {
    const site = await leading('/there')
    const answers = [[opened], ['127.0.0.2']]
    const answer = await guarded({ resolve: async () => answers.shift() ?? [] }).fetch({
      url: `https://docs.example:${site.port}/`,
      mostBytes,
      redirects: 'same-origin',
    })
    assert.equal(answer.outcome === 'failed' && answer.reason, 'forbidden_address')
    assert.equal(site.requests.length, 1)
    await site.close()
  })
})
