/** Attacks on device authorization: guessed codes, stolen codes, and codes that somebody else sent (RFC 8628 section 5). */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { defaultLimits } from '../../src/config/settable-limits.ts'
import { deviceLimits } from '../../src/features/device/limits.ts'
import { pollLimits } from '../../src/tokens/polled-request.ts'
import { Browser } from '../support/browser.ts'
import { latchkeyAdmin } from '../support/demo-clients.ts'
import {
  approveDevice,
  arrive,
  askForDevice,
  deviceGrant,
  enterCode,
  poll,
} from '../support/devices.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import { type Started, start } from '../support/start.ts'

const { refusalsPerMinute } = defaultLimits

describe('device authorization', () => {
  let started: Started
  beforeEach(async () => {
    started = await start()
  })
  afterEach(() => started.close())

  const admin = async (method: string, path: string, json?: object): Promise<number> => {
    const form = { grant_type: 'client_credentials' }
    const { body } = await started.post('/token', form, latchkeyAdmin)
    const headers = { authorization: `Bearer ${body.access_token}` }
    return (await started.ask(path, { method, headers, ...(json && { json }) })).status
  }

  it('DV-02 makes a browser wait after five wrong codes', async () => {
    const browser = new Browser(started)
    for (let i = 0; i < 6; i++) {
      assert.equal((await enterCode(browser, 'BBBB-BBBB')).status, 400)
    }
    const { user_code } = await askForDevice(started)
    const held = await enterCode(browser, user_code)
    assert.equal(held.status, 429)
    assert.equal(held.headers.get('retry-after'), '1')
    started.pass(1)
    assert.match((await enterCode(browser, user_code)).url, /\/login\?/)
  })

  it('DV-02 makes an address wait after fifty, whatever its cookies', async () => {
    for (let i = 0; i < 51; i++) {
      assert.equal((await enterCode(new Browser(started), 'BBBB-BBBB')).status, 400)
    }
    const { user_code } = await askForDevice(started)
    assert.equal((await enterCode(new Browser(started), user_code)).status, 429)
  })

  it('DV-02 strangers who guess keep no logged-in owner of their network from the page', async () => {
    const owner = new Browser(started)
    await owner.logIn(await owner.go('/login'), 'bob', 'builder')
    const known = new Browser(started)
    await known.logIn(await known.go('/login'), 'alice', 'wonderland')
    for (const name of known.cookies.keys()) if (/session/.test(name)) known.cookies.delete(name)
    for (let i = 0; i < 52; i++) await enterCode(new Browser(started), 'BBBB-BBBB')
    const { user_code } = await askForDevice(started)
    assert.equal((await enterCode(new Browser(started), user_code)).status, 429)
    assert.match((await enterCode(owner, user_code)).url, /\/device\?journey=/)
    assert.match((await enterCode(known, user_code)).url, /\/login\?/)
  })

  it('DV-02 makes an owner wait after five wrong codes, in whichever browser', async () => {
    for (let i = 0; i < 6; i++) {
      const browser = new Browser(started)
      await browser.logIn(await browser.go('/login'), 'bob', 'builder')
      assert.equal((await enterCode(browser, 'BBBB-BBBB')).status, 400)
    }
    const browser = new Browser(started)
    await browser.logIn(await browser.go('/login'), 'bob', 'builder')
    assert.equal((await enterCode(browser, 'BBBB-BBBB')).status, 429)
  })

  it('DV-02 lets nobody buy guesses with the code of an own device', async () => {
    const browser = new Browser(started)
    const { user_code } = await askForDevice(started)
    for (let i = 0; i < 6; i++) {
      assert.equal((await enterCode(browser, 'BBBB-BBBB')).status, 400)
      if (i < 5) assert.match((await enterCode(browser, user_code)).url, /\/login\?/)
    }
    assert.equal((await enterCode(browser, 'BBBB-BBBB')).status, 429)
  })

  it('DV-02 counts a text that is no code, too', async () => {
    const browser = new Browser(started)
    for (let i = 0; i < 6; i++) assert.equal((await enterCode(browser, `a${i}`)).status, 400)
    assert.equal((await enterCode(browser, 'a')).status, 429)
  })

  it('DV-04 a stolen device code earns another client nothing, and costs the device nothing', async () => {
    const codes = await askForDevice(started)
    await approveDevice(started, codes)
    const json = {
      client_name: 'Thief',
      grant_types: [deviceGrant],
      token_endpoint_auth_method: 'none',
    }
    const { client_id } = (await started.ask('/register', { json })).body
    const stolen = await poll(started, codes, { client_id })
    assert.deepEqual(stolen.body, {
      error: 'invalid_grant',
      error_description: 'the device code is unknown, used, or was issued to another client',
    })
    assert.equal((await poll(started, codes)).status, 200)
  })

  it('a device code with another secret is unknown', async () => {
    const codes = await askForDevice(started)
    await approveDevice(started, codes)
    const forged = `${codes.device_code.slice(0, -43)}${'A'.repeat(43)}`
    for (const device_code of [forged, `${codes.device_code}A`, codes.device_code.slice(0, -1)]) {
      assert.equal((await poll(started, { device_code })).body.error, 'invalid_grant')
    }
    assert.equal((await poll(started, codes)).status, 200)
  })

  it('RC-06 many polls at once after the approval earn one token', async () => {
    const codes = await askForDevice(started)
    await approveDevice(started, codes)
    const answers = await Promise.all(Array.from({ length: 20 }, () => poll(started, codes)))
    const won = answers.filter(({ status }) => status === 200)
    assert.equal(won.length, 1)
    const lost = answers.filter(({ status }) => status !== 200)
    assert.deepEqual([...new Set(lost.map(({ body }) => body.error))], ['invalid_grant'])
    const read = await started.ask('/api/photos', {
      headers: { authorization: `Bearer ${won[0]?.body.access_token}` },
    })
    assert.equal(read.status, 200)
  })

  it('AC-14 a device code is no authorization code and no refresh token, and they are none', async () => {
    const codes = await askForDevice(started)
    await approveDevice(started, codes)
    const client_id = 'tv-player'
    const { device_code } = codes
    const asRefresh = { grant_type: 'refresh_token', refresh_token: device_code, client_id }
    assert.equal((await started.post('/token', asRefresh)).body.error, 'invalid_grant')
    const tokens = (await poll(started, codes)).body
    for (const wrong of [tokens.refresh_token, tokens.access_token]) {
      const { body } = await poll(started, { device_code: wrong })
      assert.equal(body.error, 'invalid_grant')
      assert.match(body.error_description, /but a device code \(lk_dc_\.\.\.\) belongs here/)
    }
  })

  it('the page says that nobody should type a code that somebody sent', async () => {
    const codes = await askForDevice(started)
    const entry = await new Browser(started).go(codes.verification_uri_complete)
    assert.match(entry.text, /Did somebody send you a code\? Do not enter it/)
    const { page } = await arrive(started, codes)
    assert.match(page.text, /Did somebody send you this code, or read it out to you\?/)
    assert.equal((await poll(started, codes)).body.error, 'authorization_pending')
  })

  it('AT-21 the page of one browser decides nothing in another', async () => {
    const codes = await askForDevice(started)
    const { page } = await arrive(started, codes)
    const victim = new Browser(started)
    await victim.logIn(await victim.go('/login'), 'bob', 'builder')
    const relayed = await victim.go(page.url)
    assert.equal(relayed.status, 400)
    assert.match(relayed.text, /belongs to another browser|another browser/)
    assert.equal((await poll(started, codes)).body.error, 'authorization_pending')
  })

  it('a form of another site decides nothing', async () => {
    const codes = await askForDevice(started)
    const { browser, page } = await arrive(started, codes)
    const journey = new URL(page.url).searchParams.get('journey') ?? ''
    for (const form of [{ user_code: codes.user_code }, { journey, decision: 'deny' }]) {
      assert.equal((await browser.go('/device', form)).status, 403)
    }
    assert.equal((await poll(started, codes)).body.error, 'authorization_pending')
  })

  it('consent is never skipped: a journey leads to it only past the page that says who asks', async () => {
    const codes = await askForDevice(started)
    const { browser, page } = await arrive(started, codes)
    const journey = new URL(page.url).searchParams.get('journey') ?? ''
    for (const path of ['/authorize', '/consent']) {
      const led = await browser.go(`${path}?${new URLSearchParams({ journey })}`)
      assert.match(led.url, /\/device\?journey=/, path)
    }
    assert.equal((await poll(started, codes)).body.error, 'authorization_pending')
  })

  it('nobody is led past that page by another person who went on from it', async () => {
    const codes = await askForDevice(started)
    const { browser, page } = await arrive(started, codes)
    const consent = await browser.submit(page, { decision: 'continue' })
    const to = /href="([^"]*\/login\?journey=[^"]*switch=1)"/.exec(consent.text)?.[1] ?? ''
    const login = await browser.go(to.replaceAll('&amp;', '&'))
    const led = await browser.logIn(login, 'bob', 'builder')
    assert.match(led.url, /\/device\?journey=/)
    assert.match(led.text, /Does your device show/)
    assert.ok(led.text.includes(codes.user_code))
    const own = await browser.submit(led, { decision: 'continue' })
    assert.match(own.url, /\/consent\?/)
  })

  it('the code of a device stands in no URL after it was typed', async () => {
    const codes = await askForDevice(started)
    const plain = codes.user_code.replace('-', '')
    const { browser, page } = await arrive(started, codes)
    assert.ok(page.text.includes(codes.user_code))
    const consent = await browser.submit(page, { decision: 'continue' })
    for (const { url } of [page, consent]) {
      const journey = new URL(url).searchParams.get('journey') ?? ''
      const readable = Buffer.from(journey, 'base64url').toString('latin1')
      assert.ok(readable.includes('photos'), 'the test reads what is readable')
      assert.ok(!readable.includes(plain) && !url.includes(codes.user_code))
    }
    const login = await enterCode(new Browser(started), codes.user_code)
    assert.ok(login.text.includes('href="http://localhost:6749/device"'), login.text)
    assert.ok(!login.text.includes(plain) && !login.text.includes(codes.user_code))
  })

  it('the journey of an application ends at no device page', async () => {
    const browser = new Browser(started)
    const login = await browser.go(authorizePath(codeRequest))
    const consent = await browser.logIn(login, 'alice', 'wonderland')
    const { search } = new URL(consent.url)
    assert.equal((await browser.go(`/device${search}`)).status, 400)
  })

  it('a request of a client cannot claim to be that of a device', async () => {
    const query = { client_id: 'tv-player', response_type: '', scope: 'photos:read' }
    const page = await new Browser(started).go(`/authorize?${new URLSearchParams(query)}`)
    assert.equal(page.status, 400)
  })

  const changes: Readonly<Record<string, () => Promise<number>>> = {
    'the client is disabled': () =>
      admin('PATCH', '/admin/api/clients/tv-player', { disabled: true }),
    'the tokens of the client are ended': () =>
      admin('POST', '/admin/api/clients/tv-player/end-tokens'),
    'the client lost the grant': () =>
      admin('PATCH', '/admin/api/clients/tv-player', { grant_types: ['refresh_token'] }),
  }
  for (const [name, change] of Object.entries(changes)) {
    it(`an approval earns nothing once ${name}`, async () => {
      const codes = await askForDevice(started)
      await approveDevice(started, codes)
      const status = await change()
      assert.ok(status < 300, String(status))
      assert.notEqual((await poll(started, codes)).status, 200)
    })
  }

  it('an approval earns nothing once its owner has ended it', async () => {
    const codes = await askForDevice(started)
    await approveDevice(started, codes)
    const form = { grant_type: 'client_credentials' }
    const { body } = await started.post('/token', form, latchkeyAdmin)
    const headers = { authorization: `Bearer ${body.access_token}` }
    const listed = await started.ask('/admin/api/authorizations?client=tv-player', { headers })
    const [{ id }] = listed.body.items
    assert.equal(await admin('DELETE', `/admin/api/authorizations/${id}`), 204)
    assert.deepEqual((await poll(started, codes)).body, {
      error: 'invalid_grant',
      error_description: 'the device code is unknown, used, or was issued to another client',
    })
  })

  it('one network cannot fill the store with codes', async () => {
    const service = await start({ trustedProxies: ['127.0.0.1'] })
    try {
      const tryFrom = (address: string) =>
        service.ask('/device_authorization', {
          form: { client_id: 'tv-player', scope: 'photos:read' },
          headers: { 'x-forwarded-for': address },
        })
      const { ofAddress, ofNetwork } = deviceLimits
      for (let i = 0; i < ofNetwork; i++) {
        const address = `203.0.113.${Math.floor(i / ofAddress)}`
        assert.equal((await tryFrom(address)).status, 200)
      }
      const { status, headers, body } = await tryFrom('203.0.113.200')
      assert.equal(status, 429)
      assert.equal(headers.get('retry-after'), '60')
      assert.equal(body.error_description, 'too many devices in this network wait for a decision')
      assert.equal((await tryFrom('198.51.100.1')).status, 200)
      service.pass(600)
      assert.equal((await tryFrom('203.0.113.200')).status, 200)
    } finally {
      await service.close()
    }
  })

  it('one address leaves room for others in its network', async () => {
    const service = await start({ trustedProxies: ['127.0.0.1'] })
    try {
      const tryFrom = async (address: string): Promise<number> => {
        const form = { client_id: 'tv-player', scope: 'photos:read' }
        const headers = { 'x-forwarded-for': address }
        return (await service.ask('/device_authorization', { form, headers })).status
      }
      for (let i = 0; i < deviceLimits.ofAddress; i++) {
        assert.equal(await tryFrom('203.0.113.7'), 200)
      }
      assert.equal(await tryFrom('203.0.113.7'), 429)
      assert.equal(await tryFrom('203.0.113.8'), 200)
    } finally {
      await service.close()
    }
  })

  it('polls that come in time are not held against the address, in any number', async () => {
    const codes = await Promise.all(
      Array.from({ length: deviceLimits.ofAddress }, () => askForDevice(started)),
    )
    const limit = refusalsPerMinute
    for (let asked = 0; asked <= limit; asked += codes.length) {
      const answers = await Promise.all(codes.map((code) => poll(started, code)))
      const errors = new Set(answers.map(({ body }) => body.error))
      assert.deepEqual([...errors], ['authorization_pending'])
      started.pass(5)
    }
  })

  it('polls that always come too soon count as refused, beyond the first few', async () => {
    const codes = await askForDevice(started)
    assert.equal((await poll(started, codes)).body.error, 'authorization_pending')
    for (let i = 0; i < pollLimits.slowDownsOfRoutine; i++) {
      const { reference, body } = await poll(started, codes)
      assert.deepEqual([body.error, reference], ['slow_down', null])
    }
    for (let i = 0; i < refusalsPerMinute; i++) {
      const { status, reference } = await poll(started, codes)
      assert.equal(status, 400)
      assert.notEqual(reference, null)
    }
    assert.equal((await poll(started, codes)).status, 429)
    assert.equal((await poll(started, await askForDevice(started))).status, 400)
  })
})
