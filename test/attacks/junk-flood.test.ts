/** Junk by the thousand: it shuts out nobody at its address, whoever sent it, and does not fill the log. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { defaultLimits } from '../../src/config/settable-limits.ts'
import { Browser, formsOf } from '../support/browser.ts'
import { houseApp, nightlyReport } from '../support/demo-clients.ts'
import { type Answer, basic, type Init, type Started, start } from '../support/start.ts'

let started: Started
before(async () => {
  // Tests choose the address that they come from, by the header of a proxy on this machine.
  started = await start({ trustedProxies: ['127.0.0.1'] })
})
after(() => started.close())
beforeEach(() => started.advance(60 - (started.now() % 60)))

let hosts = 0
const newAddress = () => ({ 'x-forwarded-for': `198.51.100.${++hosts}` })

const often = (ask: () => Promise<Answer>, times: number = defaultLimits.refusalsPerMinute) =>
  Promise.all(Array.from({ length: times }, ask))

const form = { grant_type: 'client_credentials' }
const right = { authorization: basic(nightlyReport) }
const wrong = { authorization: basic(['nightly-report', 'wrong']) }

const tooMany = {
  error: 'too_many_requests',
  error_description: 'too many refused requests: slow down',
}

describe('junk from the address of somebody else', () => {
  test('blocks nothing that is right, and turns what is wrong into 429', async () => {
    const address = newAddress()
    const ask = (path: string, init: Init = {}) =>
      started.ask(path, { ...init, headers: { ...address, ...init.headers } })
    const browser = new Browser(started)
    await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
    const token = String((await ask('/token', { form, headers: right })).body.access_token)
    await often(() => ask('/token', { form, headers: wrong }))
    await often(() => ask('/api/photos', { headers: { authorization: 'Bearer junk' } }))

    for (const over of [
      await ask('/token', { form, headers: wrong }),
      await ask('/api/photos', { headers: { authorization: 'Bearer junk' } }),
      await ask('/nowhere'),
    ]) {
      assert.deepEqual(
        [over.status, over.body, over.headers.get('retry-after')],
        [429, tooMany, '60'],
      )
    }

    assert.equal((await ask('/token', { form, headers: right })).status, 200)
    const introspect = { form: { token }, headers: { authorization: basic(houseApp) } }
    assert.equal((await ask('/introspect', introspect)).status, 200)
    const bearer = { authorization: `Bearer ${token}` }
    assert.equal((await ask('/api/photos', { headers: bearer })).status, 200)
    assert.equal((await ask('/login')).status, 200)
    assert.equal((await browser.ask('/account', undefined, address)).status, 200)
    const other = new Browser(started)
    const [login] = formsOf((await other.ask('/login', undefined, address)).text)
    const fields = { ...login?.fields, username: 'bob', password: 'builder' }
    assert.equal((await other.ask('/login', fields, address)).status, 303)
  })

  test('touches neither assets nor metadata nor health, whatever is asked of them', async () => {
    const headers = newAddress()
    const unlimited = [
      '/assets/latchkey.css',
      '/favicon.ico',
      '/jwks',
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-protected-resource/api/photos',
      '/health/live',
      '/health/ready',
    ]
    await often(() => started.ask('/.well-known/oauth-protected-resource/api/none', { headers }))
    assert.equal(
      (await started.ask('/token', { form, headers: { ...headers, ...wrong } })).status,
      401,
    )
    await often(() => started.ask('/nowhere', { headers }))
    assert.equal((await started.ask('/nowhere', { headers })).status, 429)
    for (const path of unlimited) {
      assert.equal((await started.ask(path, { headers })).status, 200, path)
    }
    const missing = await started.ask('/.well-known/oauth-protected-resource/api/none', { headers })
    assert.equal(missing.status, 404)
  })
})

describe('junk that another site sends through the browser of its visitor', () => {
  const causes: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
    ['an image, where the browser says so', '/nowhere', { 'sec-fetch-site': 'cross-site' }],
    ['a form, where the browser says so', '/login', { 'sec-fetch-site': 'cross-site' }],
    ['a form of a sibling site', '/login', { 'sec-fetch-site': 'same-site' }],
    ['a form, by its Origin alone', '/login', { origin: 'https://evil.example' }],
    [
      'a fetch to an open endpoint',
      '/token',
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    ],
  ]
  for (const [cause, path, headers] of causes) {
    test(`becomes 429 by itself, and not what the visitor sends: ${cause}`, async () => {
      const address = newAddress()
      const junk = () =>
        started.ask(path, { form: { junk: '1' }, headers: { ...address, ...headers } })
      const refused = await often(junk)
      assert.equal(refused.filter(({ status }) => status === 429 || status < 400).length, 0)
      assert.equal((await junk()).status, 429)
      const own = { headers: address }
      assert.equal((await started.ask('/nowhere', own)).status, 404)
      const bearer = { headers: { ...address, authorization: 'Bearer junk' } }
      assert.equal((await started.ask('/api/photos', bearer)).status, 401)
      const credentials = { form, headers: { ...address, ...wrong } }
      assert.equal((await started.ask('/token', credentials)).status, 401)
    })
  }

  test('is answered where it is right, however much of it there was', async () => {
    const headers = { ...newAddress(), 'sec-fetch-site': 'cross-site' }
    await often(() => started.ask('/nowhere', { headers }))
    const right = { form, headers: { ...headers, authorization: basic(nightlyReport) } }
    assert.equal((await started.ask('/token', right)).status, 200)
    assert.equal((await started.ask('/login', { headers })).status, 200)
  })

  test('a script that says it is another site does not fill the log', async () => {
    const headers = { ...newAddress(), ...wrong, 'sec-fetch-site': 'cross-site' }
    const at = started.notices.length
    await often(
      () => started.ask('/token', { form, headers }),
      defaultLimits.refusalsPerMinute + 70,
    )
    const lines = started.notices.slice(at).filter(({ level }) => level !== 'debug')
    assert.equal(lines.length, defaultLimits.refusalsPerMinute)
  })

  test('an Origin says nothing where browser applications of other sites are at home', async () => {
    const headers = { ...newAddress(), ...wrong, origin: 'https://application.example' }
    await often(() => started.ask('/token', { form, headers }))
    assert.equal((await started.ask('/token', { form, headers })).status, 429)
  })

  test('junk of our own pages counts', async () => {
    for (const own of [{ 'sec-fetch-site': 'same-origin' }, { origin: started.issuer }]) {
      const headers = { ...newAddress(), ...own }
      await often(() => started.ask('/login', { form: {}, headers }))
      assert.equal((await started.ask('/login', { form: {}, headers })).status, 429)
    }
  })
})

describe('the log', () => {
  const lines = (from: number) =>
    started.notices.slice(from).filter(({ level }) => level !== 'debug')

  test('tells of the 429s of an address once a minute, however many there were', async () => {
    const headers = { ...newAddress(), ...wrong }
    const other = { ...newAddress(), ...wrong }
    const beyond = 70
    const at = started.notices.length
    const minute = started.now()
    await often(
      () => started.ask('/token', { form, headers }),
      defaultLimits.refusalsPerMinute + beyond,
    )
    await often(
      () => started.ask('/token', { form, headers: other }),
      defaultLimits.refusalsPerMinute + 1,
    )
    assert.equal(lines(at).length, 2 * defaultLimits.refusalsPerMinute)
    await started.advance(59)
    assert.equal(lines(at).length, 2 * defaultLimits.refusalsPerMinute)
    await started.advance(1)
    const told = {
      level: 'info',
      message: 'requests answered 429',
      minute,
      network: '198.51.100.*',
      reasons: 'too_many_refusals',
    }
    assert.deepEqual(lines(at).slice(2 * defaultLimits.refusalsPerMinute), [
      { ...told, requests: beyond },
      { ...told, requests: 1 },
    ])
    await started.advance(60)
    assert.equal(lines(at).length, 2 * defaultLimits.refusalsPerMinute + 2)
  })

  test('counters still know each of them', async () => {
    const headers = { ...newAddress(), ...wrong }
    const counted = async () => {
      const { text } = await started.ask('/metrics')
      return Number(
        /^latchkey_refusals_total\{reason="too_many_refusals"\} (\d+)$/m.exec(text)?.[1],
      )
    }
    await often(() => started.ask('/token', { form, headers }), defaultLimits.refusalsPerMinute + 1)
    const before = await counted()
    await often(() => started.ask('/token', { form, headers }), 30)
    assert.equal((await counted()) - before, 30)
  })

  test('a service that ends tells what it has noted', async () => {
    const ending = await start()
    const headers = wrong
    await often(() => ending.ask('/token', { form, headers }), defaultLimits.refusalsPerMinute + 5)
    await ending.close()
    const [last] = ending.notices.filter(({ level }) => level !== 'debug').slice(-1)
    assert.deepEqual(
      [last?.message, last?.requests, last?.network],
      ['requests answered 429', 5, '127.0.0.*'],
    )
  })
})
