/** A proxy that the settings do not name makes everybody one address: the log says so. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Settings } from '../../src/config/settings.ts'
import { start } from '../support/start.ts'

const consequence =
  'behind a proxy that LATCHKEY_TRUSTED_PROXIES does not name, everybody counts as one address'

/** The warnings of a service about its proxies, after it was asked with these headers. */
const warningsOf = async (
  settings: Partial<Settings>,
  ...asked: readonly Readonly<Record<string, string>>[]
) => {
  const service = await start({ secret: 'a root secret of more than 32 characters', ...settings })
  try {
    for (const headers of asked) await service.ask('/jwks', { headers })
    return service.notices.filter(({ message }) => message.includes('LATCHKEY_TRUSTED_PROXIES'))
  } finally {
    await service.close()
  }
}

const https = { issuer: 'https://auth.example', demo: false }

describe('at the start', () => {
  const warning = {
    level: 'warn',
    message: `the issuer is https, but LATCHKEY_TRUSTED_PROXIES is empty: ${consequence}`,
  }

  test('an https issuer without trusted proxies is warned of', async () => {
    assert.deepEqual(await warningsOf(https), [warning])
  })

  test('one with trusted proxies is not, nor is a loopback issuer', async () => {
    assert.deepEqual(await warningsOf({ ...https, trustedProxies: ['10.0.0.0/8'] }), [])
    assert.deepEqual(await warningsOf({}), [])
  })
})

describe('settings that protect nobody are warned of at the start', () => {
  const secret = 'a-root-secret-of-many-letters-01'
  const atStart = async (settings: Partial<Settings>) => {
    const service = await start({ secret, ...settings })
    await service.close()
    return service.notices.filter(({ level }) => level === 'warn')
  }
  for (const [name, settings, said] of [
    ['trusted proxies', { trustedProxies: ['0.0.0.0/0'] }, /TRUSTED_PROXIES trusts almost every/],
    [
      'two halves',
      { trustedProxies: ['0.0.0.0/1', '128.0.0.0/1'] },
      /TRUSTED_PROXIES trusts almost/,
    ],
    ['IPv6', { trustedProxies: ['::/0'] }, /TRUSTED_PROXIES trusts almost/],
    ['the fetch list', { fetchAllow: ['::/0'] }, /FETCH_ALLOW has almost every address/],
    ['a secret of one letter', { secret: 'a'.repeat(40) }, /SECRET has few different characters/],
  ] as const) {
    test(name, async () => {
      const warnings = await atStart(settings)
      assert.equal(warnings.length, 1)
      assert.match(JSON.stringify(warnings), said)
    })
  }

  test('but not private ranges', async () => {
    const ranges = ['10.0.0.0/8', 'fc00::/7', '127.0.0.1']
    assert.deepEqual(await atStart({ trustedProxies: ranges, fetchAllow: ranges }), [])
  })
})

describe('a forwarded header', () => {
  const warned = (header: string) => ({
    level: 'warn',
    message: `a forwarded header of an untrusted peer was ignored: ${consequence}`,
    header,
    network: '127.0.0.*',
  })

  for (const [header, value] of [
    ['x-forwarded-for', '203.0.113.9'],
    ['forwarded', 'for=203.0.113.9'],
    ['x-real-ip', '203.0.113.9'],
  ] as const) {
    test(`${header} of an untrusted peer is warned of once, without its value`, async () => {
      const headers = { [header]: value }
      assert.deepEqual(await warningsOf({}, {}, headers, headers), [warned(header)])
    })
  }

  test('also where other proxies are trusted', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    assert.deepEqual(await warningsOf({ trustedProxies: ['10.0.0.0/8'] }, headers), [
      warned('x-forwarded-for'),
    ])
  })

  test('of a trusted proxy is not', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9' }
    assert.deepEqual(await warningsOf({ trustedProxies: ['127.0.0.1'] }, headers), [])
  })
})

describe('a hop of a trusted proxy', () => {
  const trusting = { trustedProxies: ['127.0.0.1', '10.0.0.0/8'] }
  const warned = (shape: string, network = '127.0.0.*') => ({
    level: 'warn',
    message:
      'a proxy that LATCHKEY_TRUSTED_PROXIES names sent an X-Forwarded-For without a readable address: everybody behind it counts as one address',
    shape,
    network,
  })

  const rows: readonly [string, string, string][] = [
    ['unknown', 'aaaaaaa', '127.0.0.*'],
    ['', '', '127.0.0.*'],
    ['203.0.113.9:https', '999.9.999.9:aaaaa', '127.0.0.*'],
    ['203.0.113.9, x"\u00e9 =;<1, 10.1.2.3', 'a??????9', '10.1.2.*'],
    ['x'.repeat(4000), 'a'.repeat(40), '127.0.0.*'],
  ]
  for (const [value, shape, network] of rows) {
    test(`that is no address is warned of once, by its shape: ${shape}`, async () => {
      const headers = { 'x-forwarded-for': value }
      assert.deepEqual(await warningsOf(trusting, headers, headers), [warned(shape, network)])
    })
  }

  test('with a port or in brackets is an address', async () => {
    const asked = ['203.0.113.9:4711', '[2001:db8::1]:4711', '[2001:db8::1]', '10.0.0.2:1'].map(
      (value) => ({ 'x-forwarded-for': value }),
    )
    assert.deepEqual(await warningsOf(trusting, ...asked), [])
  })
})
