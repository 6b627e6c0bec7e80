/** Device authorization (RFC 8628), from the code on the device to its tokens. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeJwt } from 'jose'
import { provenBy } from '../support/assertions.ts'
import { Browser, formsOf, type Page } from '../support/browser.ts'
import { keySetOf, newKeys } from '../support/client-keys.ts'
import {
  approveDevice,
  arrive,
  askForDevice,
  deviceGrant,
  enterCode,
  poll,
  tryDevice,
} from '../support/devices.ts'
import { makeProver, type Prover } from '../support/dpop.ts'
import { assertPlaced } from '../support/placed.ts'
import { start, startBefore } from '../support/start.ts'
import { operatorOf, startWithOperator } from './operator.ts'

const started = startBefore()

const pendingBody = {
  error: 'authorization_pending',
  error_description: 'nobody has decided yet: ask again',
}

describe('POST /device_authorization', () => {
  it('answers with both codes (RFC 8628 section 3.2)', async () => {
    const { status, headers, body } = await tryDevice(started)
    const { device_code, user_code, ...rest } = body
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.match(device_code, /^lk_dc_[0-9a-z]{26}[\w-]{43}$/)
    assert.match(user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    assert.deepEqual(rest, {
      verification_uri: `${started.issuer}/device`,
      verification_uri_complete: `${started.issuer}/device?user_code=${user_code}`,
      expires_in: 600,
      interval: 5,
    })
  })

  it('refuses a client that is not registered for it', async () => {
    const answer = await tryDevice(started, {}, { client_id: 'gallery' })
    assert.equal(answer.status, 400)
    assert.deepEqual(answer.body, {
      error: 'unauthorized_client',
      error_description: `the client is not registered for the grant type ${deviceGrant}`,
    })
  })

  it('refuses an unknown scope, resource and detail as /authorize does', async () => {
    const refused = async (form: Record<string, string>) =>
      (await tryDevice(started, form)).body.error
    assert.equal(await refused({ scope: 'nothing:read' }), 'invalid_scope')
    assert.equal(await refused({ resource: 'https://elsewhere.example' }), 'invalid_target')
    assert.equal(
      await refused({ authorization_details: '[{"type":"x"}]' }),
      'invalid_authorization_details',
    )
  })

  it('authenticates the client', async () => {
    const answer = await tryDevice(started, {}, { client_id: 'photo-printer' })
    assert.equal(answer.status, 401)
    assert.equal(answer.body.error, 'invalid_client')
  })

  it('takes its times from the limits', async () => {
    const limits = { deviceCodeSeconds: 30, deviceIntervalSeconds: 2 }
    const other = await start()
    const { limits: before } = other.server().settings
    await other.close()
    const short = await start({ limits: { ...before, ...limits } })
    try {
      const { expires_in, interval } = await askForDevice(short)
      assert.deepEqual({ expires_in, interval }, { expires_in: 30, interval: 2 })
    } finally {
      await short.close()
    }
  })
})

describe('the way through the browser', () => {
  it('asks for the code, the login, whether to go on, and for consent', async () => {
    const codes = await askForDevice(started)
    const browser = new Browser(started)
    const entry = await browser.go('/device')
    assert.deepEqual(Object.keys(formsOf(entry.text)[0]?.fields ?? {}), ['csrf', 'user_code'])
    const login = await browser.submit(entry, { user_code: codes.user_code })
    assert.match(login.url, /\/login\?/)
    const asking = await browser.logIn(login, 'alice', 'wonderland')
    assert.match(asking.url, /\/device\?journey=/)
    assert.ok(asking.text.includes('TV Player'))
    assert.ok(asking.text.includes(codes.user_code))
    assert.ok(asking.text.includes('127.0.0.*'))
    assert.match(asking.text, /<time datetime="2026-11-21T12:00:00Z"/)
    const consent = await browser.submit(asking, { decision: 'continue' })
    assert.match(consent.url, /\/consent\?/)
    const end = await browser.submit(consent, { decision: 'allow' })
    assert.equal(end.status, 200)
    assert.match(end.text, /<h1>Your device goes on<\/h1>/)
    const { status, body } = await poll(started, codes)
    const { access_token, refresh_token, ...rest } = body
    assert.equal(status, 200)
    assert.match(access_token, /^lk_at_/)
    assert.match(refresh_token, /^lk_rt_/)
    assert.deepEqual(rest, {
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'photos:read',
      refresh_token_timeout: 2_592_000,
    })
    const read = await started.ask('/api/photos', {
      headers: { authorization: `Bearer ${access_token}` },
    })
    assert.equal(read.status, 200)
    assert.equal((await browser.go(end.url)).status, 200, 'the last page may be loaded again')
  })

  it('takes the code in any case, with spaces or dashes, or with neither', async () => {
    for (const write of [
      (code: string) => code.toLowerCase(),
      (code: string) => code.replace('-', ''),
      (code: string) => ` ${code.replace('-', ' ')} `,
      (code: string) => [...code.replace('-', '')].join('–'),
    ]) {
      const { user_code } = await askForDevice(started)
      const page = await enterCode(new Browser(started), write(user_code))
      assert.match(page.url, /\/login\?/, write(user_code))
    }
  })

  it('only fills in the code of verification_uri_complete', async () => {
    const codes = await askForDevice(started)
    const browser = new Browser(started)
    const page = await browser.go(codes.verification_uri_complete)
    assert.deepEqual(formsOf(page.text)[0]?.fields.user_code, [codes.user_code])
    assert.deepEqual((await poll(started, codes)).body, pendingBody)
    assert.match((await browser.submit(page)).url, /\/login\?/)
  })

  it('asks for consent although the same was approved before', async () => {
    await approveDevice(started, await askForDevice(started))
    const { page, browser } = await arrive(started, await askForDevice(started))
    assert.match((await browser.submit(page, { decision: 'continue' })).url, /\/consent\?/)
  })

  it('names no place that the answer goes to, but the device', async () => {
    const json = {
      client_name: 'Stranger',
      grant_types: [deviceGrant],
      token_endpoint_auth_method: 'none',
    }
    const client = { client_id: (await started.ask('/register', { json })).body.client_id }
    const { body } = await tryDevice(started, { scope: 'photos:read' }, client)
    const { browser, page } = await arrive(started, body)
    const consent = await browser.submit(page, { decision: 'continue' })
    assert.match(consent.url, /\/consent\?/)
    const main = consent.text.slice(consent.text.indexOf('<main'))
    assert.ok(!main.includes(`<code>${new URL(started.issuer).host}`), main)
    assert.match(main, /Either way, the answer goes to the device that shows the code\./)
    const { user_code } = await askForDevice(started)
    const known = await browser.submit(await enterCode(browser, user_code), {
      decision: 'continue',
    })
    assert.match(known.text, /Either way, the answer goes to the device/)
  })

  it('gives only what was ticked', async () => {
    const codes = await askForDevice(started, { scope: 'photos contacts' })
    await approveDevice(started, codes, { permission: ['contacts:read'] })
    assert.equal((await poll(started, codes)).body.scope, 'contacts:read')
  })

  for (const where of ['the page that says who asks', 'the consent page'] as const) {
    it(`denies on ${where}`, async () => {
      const codes = await askForDevice(started)
      const { browser, page } = await arrive(started, codes)
      const isFirst = where !== 'the consent page'
      const from = isFirst ? page : await browser.submit(page, { decision: 'continue' })
      const end = await browser.submit(from, { decision: 'deny' })
      assert.match(end.text, /<h1>You denied access<\/h1>/)
      const answer = await poll(started, codes)
      assert.equal(answer.status, 400)
      assert.deepEqual(answer.body, {
        error: 'access_denied',
        error_description: 'the resource owner denied access',
      })
    })
  }

  it('says that a code is over, at each step, and approves nothing then', async () => {
    const codes = await askForDevice(started, { scope: 'calendar:read' })
    const { browser, page } = await arrive(started, codes, ['bob', 'builder'])
    const { browser: second, page: other } = await arrive(started, codes)
    const consent = await browser.submit(page, { decision: 'continue' })
    await second.submit(other, { decision: 'deny' })
    const end = await browser.submit(consent, { decision: 'allow' })
    assert.equal(end.status, 400)
    assert.match(end.text, /<h1>This code is over<\/h1>/)
    assert.match((await enterCode(browser, codes.user_code)).text, /No device shows this code now/)
    assert.doesNotMatch((await browser.go('/account')).text, /TV Player/)
  })

  it('lets the owner decide otherwise until the device has asked', async () => {
    const codes = await askForDevice(started, { scope: 'photos:read contacts:read' })
    const { browser, page } = await arrive(started, codes)
    const consent = await browser.submit(page, { decision: 'continue' })
    await browser.submit(consent, { decision: 'allow', duration: 'forever' })
    const back = await browser.go(consent.url)
    const less = { decision: 'allow', duration: 'session', permission: ['contacts:read'] }
    assert.match((await browser.submit(back, less)).text, /<h1>Your device goes on<\/h1>/)
    assert.equal((await poll(started, codes)).body.scope, 'contacts:read')
    const late = await browser.go(consent.url)
    assert.equal(late.status, 400)
  })

  it('lets the owner deny what was allowed, until the device has asked', async () => {
    const codes = await askForDevice(started)
    const { browser, page } = await arrive(started, codes)
    const consent = await browser.submit(page, { decision: 'continue' })
    const allowed = await browser.submit(consent, { decision: 'allow' })
    const end = await browser.submit(await browser.go(consent.url), { decision: 'deny' })
    assert.match(end.text, /<h1>You denied access<\/h1>/)
    assert.match((await browser.go(allowed.url)).text, /<h1>This code is over<\/h1>/)
    assert.equal((await poll(started, codes)).body.error, 'access_denied')
  })

  it('denies what nobody here can approve, and says so', async () => {
    const impossible = [
      '{"id_token":{"acr":{"essential":true,"values":["phr"]}}}',
      '{"id_token":{"sub":{"value":"nobody"}}}',
    ]
    for (const claims of impossible) {
      const codes = await askForDevice(started, { scope: 'openid photos:read', claims })
      const { page } = await arrive(started, codes)
      assert.equal(page.status, 400)
      assert.match(page.text, /<h1>This device gets no access<\/h1>/)
      assert.equal((await poll(started, codes)).body.error, 'access_denied')
    }
  })

  it('leads on where the application was paused meanwhile', async () => {
    await approveDevice(started, await askForDevice(started))
    const codes = await askForDevice(started)
    const { browser, page } = await arrive(started, codes)
    const consent = await browser.submit(page, { decision: 'continue' })
    const location = await browser.ask('/consent', {
      ...formsOf(consent.text)[0]?.fields,
      decision: 'allow',
    })
    const operator = await operatorOf(started)
    for (const { id } of (await operator('GET', 'authorizations?client=tv-player')).body.items) {
      await operator('PATCH', `authorizations/${id}`, { paused: true })
    }
    const resume = await browser.go(location.headers.get('location') ?? '')
    assert.match(resume.url, /\/resume\?/)
    assert.match(resume.text, /If you leave it paused, the device gets no access\./)
    const end = await browser.submit(resume, { decision: 'resume' })
    assert.match(end.text, /<h1>Your device goes on<\/h1>/)
    assert.equal((await poll(started, codes)).status, 200)
  })

  it('is kept with the network and the time of the device, for its owner', async () => {
    const codes = await askForDevice(started)
    started.pass(120)
    const { browser, page } = await arrive(started, codes)
    const consent = await browser.submit(page, { decision: 'continue' })
    await browser.submit(consent, { decision: 'allow' })
    assert.equal((await poll(started, codes)).status, 200)
    const events = await browser.go('/account/events')
    assert.match(events.text, /got access on a device\. The device asked on <time/)
    assert.match(events.text, /<bdi dir="ltr">127\.0\.0\.\*<\/bdi>/)
  })
})

describe('polling', () => {
  it('is pending, and slows down a device that comes too soon, for good', async () => {
    const codes = await askForDevice(started)
    const error = async () => (await poll(started, codes)).body.error
    assert.deepEqual((await poll(started, codes)).body, pendingBody)
    const soon = await poll(started, codes)
    assert.equal(soon.status, 400)
    assert.deepEqual(soon.body, {
      error: 'slow_down',
      error_description: 'ask again after five more seconds than before',
    })
    started.pass(9)
    assert.equal(await error(), 'slow_down')
    started.pass(15)
    assert.equal(await error(), 'authorization_pending')
    started.pass(14)
    assert.equal(await error(), 'slow_down')
    started.pass(20)
    assert.equal(await error(), 'authorization_pending')
  })

  it('by another client neither counts nor earns anything', async () => {
    const codes = await askForDevice(started)
    const metadata = {
      client_name: 'Other',
      grant_types: [deviceGrant],
      token_endpoint_auth_method: 'none',
    }
    const { body } = await started.ask('/register', { json: metadata })
    const foreign = await poll(started, codes, { client_id: body.client_id })
    assert.equal(foreign.status, 400)
    assert.deepEqual(foreign.body, {
      error: 'invalid_grant',
      error_description: 'the device code is unknown, used, or was issued to another client',
    })
    assert.deepEqual((await poll(started, codes)).body, pendingBody)
  })

  it('ends with the code', async () => {
    const codes = await askForDevice(started)
    started.pass(600)
    const answer = await poll(started, codes)
    assert.equal(answer.status, 400)
    assert.deepEqual(answer.body, {
      error: 'expired_token',
      error_description: 'the device code has expired: ask for another',
    })
    await started.advance(3600)
    await started.advance(1)
  })

  it('earns tokens once', async () => {
    const codes = await askForDevice(started)
    await approveDevice(started, codes)
    const first = await poll(started, codes)
    assert.equal(first.status, 200)
    const again = await poll(started, codes)
    assert.equal(again.status, 400)
    assert.equal(again.body.error, 'invalid_grant')
    const read = await started.ask('/api/photos', {
      headers: { authorization: `Bearer ${first.body.access_token}` },
    })
    assert.equal(read.status, 200, 'a device that asks twice keeps its tokens')
  })

  it('goes on after a restart', async () => {
    const codes = await askForDevice(started)
    await approveDevice(started, codes)
    await started.restart()
    assert.equal((await poll(started, codes)).status, 200)
    await started.restart()
    assert.equal((await poll(started, codes)).body.error, 'invalid_grant')
  })
})

describe('what a device gets', () => {
  it('with a proof is bound to its key, though the code is not (RFC 9449)', async () => {
    const codes = await askForDevice(started)
    const form = { grant_type: deviceGrant, client_id: 'tv-player', device_code: codes.device_code }
    const [first, second] = [await makeProver(started.now), await makeProver(started.now)]
    const prove = async (prover: Prover) => {
      const proof = await prover.prove('POST', `${started.issuer}/token`)
      return started.ask('/token', { form, headers: { dpop: proof } })
    }
    assert.equal((await prove(first)).body.error, 'authorization_pending')
    await approveDevice(started, codes)
    const { status, body } = await prove(second)
    assert.deepEqual([status, body.token_type], [200, 'DPoP'])
    const refresh = { grant_type: 'refresh_token', client_id: 'tv-player' }
    const bare = await started.post('/token', { ...refresh, refresh_token: body.refresh_token })
    assert.equal(bare.body.error, 'invalid_dpop_proof')
  })

  it('has an ID token where openid was asked and allowed', async () => {
    const codes = await askForDevice(started, { scope: 'openid profile photos:read' })
    await approveDevice(started, codes)
    const { body } = await poll(started, codes)
    assert.equal(body.scope, 'openid photos:read profile')
    assert.equal(decodeJwt(body.id_token).aud, 'tv-player')
  })

  it('has the details that were ticked, and narrows them at the poll', async () => {
    const details = [{ type: 'photos', actions: ['read', 'write'] }]
    const authorization_details = JSON.stringify(details)
    const codes = await askForDevice(started, { authorization_details })
    await approveDevice(started, codes)
    const narrow = [{ type: 'photos', actions: ['read'] }]
    const { body } = await poll(started, codes, { authorization_details: JSON.stringify(narrow) })
    assert.deepEqual(body.authorization_details, narrow)
    assert.equal(body.scope, '')
  })

  it('is for the resource that was asked for', async () => {
    const resource = `${started.issuer}/api/photos`
    const codes = await askForDevice(started, { scope: 'photos contacts', resource })
    await approveDevice(started, codes)
    assert.equal((await poll(started, codes)).body.scope, 'photos:read photos:write')
  })

  it('is listed on the account page, and ends there', async () => {
    const { browser, page } = await arrive(started, await askForDevice(started))
    await browser.submit(await browser.submit(page, { decision: 'continue' }), {
      decision: 'allow',
    })
    assert.match((await browser.go('/account')).text, /TV Player/)
  })
})

describe('a device that can keep a key', () => {
  const { service, operator } = startWithOperator()

  it('authenticates at both endpoints by private_key_jwt', async () => {
    const keys = await newKeys('ES256', 'k-1')
    const { body } = await operator('POST', 'clients', {
      client_name: 'Box',
      grant_types: [deviceGrant],
      scope: 'photos:read',
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: keySetOf(keys),
    })
    const { client_id } = body
    const wrong = await tryDevice(service, {}, { client_id })
    assert.deepEqual([wrong.status, wrong.body.error], [401, 'invalid_client'])
    const asked = await tryDevice(service, {}, await provenBy(service, client_id, keys))
    assert.equal(asked.status, 200, asked.text)
    const { device_code } = asked.body
    const form = { grant_type: deviceGrant, device_code }
    const early = await service.post('/token', {
      ...form,
      ...(await provenBy(service, client_id, keys)),
    })
    assert.equal(early.body.error, 'authorization_pending')
  })
})

describe('a client of the operator with a proof at each poll', () => {
  const { service, operator } = startWithOperator()

  it('uses a proof up where it gets tokens, and by no poll before (RFC 9449)', async () => {
    const { body } = await operator('POST', 'clients', {
      client_name: 'Box',
      grant_types: [deviceGrant],
      scope: 'photos:read',
    })
    const { client_id, client_secret } = body
    const client = { client_id, client_secret }
    const { body: codes } = await tryDevice(service, { scope: 'photos:read' }, client)
    const prover = await makeProver(service.now)
    const proof = await prover.prove('POST', `${service.issuer}/token`)
    const ask = (device_code: string) => {
      const form = { grant_type: deviceGrant, device_code, ...client }
      return service.ask('/token', { form, headers: { dpop: proof } })
    }
    for (let i = 0; i < 3; i++) {
      assert.equal((await ask(codes.device_code)).body.error, 'authorization_pending')
      service.pass(5)
    }
    await approveDevice(service, codes)
    const { status, body: tokens } = await ask(codes.device_code)
    assert.deepEqual([status, tokens.token_type], [200, 'DPoP'])
    const { body: others } = await tryDevice(service, { scope: 'photos:read' }, client)
    await approveDevice(service, others)
    assert.equal((await ask(others.device_code)).body.error, 'invalid_dpop_proof')
  })
})

describe('an application that asks on both ways', () => {
  const { service, operator } = startWithOperator()
  const redirect_uri = 'https://both.example/cb'

  const prepare = async () => {
    const { body } = await operator('POST', 'clients', {
      client_name: 'Both Ways',
      redirect_uris: [redirect_uri],
      grant_types: ['authorization_code', deviceGrant],
      scope: 'photos:read',
    })
    const { client_id, client_secret } = body
    const query = { client_id, redirect_uri, response_type: 'code', scope: 'photos:read' }
    return {
      path: `/authorize?${new URLSearchParams(query)}`,
      ask: async () =>
        (await tryDevice(service, { scope: 'photos:read' }, { client_id, client_secret })).body,
      logIn: async (browser: Browser, page: Page) => browser.logIn(page, 'alice', 'wonderland'),
    }
  }

  const connect = async (browser: Browser, asking: Page): Promise<Page> => {
    const consent = await browser.submit(asking, { decision: 'continue' })
    assert.match(consent.url, /\/consent\?/)
    assert.doesNotMatch(consent.text, /has changed since/)
    return browser.submit(consent, { decision: 'allow' })
  }

  it('has not changed where a device asks after a browser, and is not asked again', async () => {
    const { path, ask, logIn } = await prepare()
    const browser = new Browser(service)
    const consent = await logIn(browser, await browser.go(path))
    const first = await browser.submit(consent, { decision: 'allow' })
    assert.match(first.headers.get('location') ?? '', /^https:\/\/both\.example\/cb\?code=/)
    await connect(browser, await enterCode(browser, (await ask()).user_code))
    const again = await browser.go(path)
    assert.match(again.headers.get('location') ?? '', /^https:\/\/both\.example\/cb\?code=/)
  })

  it('has not changed where a browser asks after a device, and is asked for its host', async () => {
    const { path, ask, logIn } = await prepare()
    const browser = new Browser(service)
    const login = await enterCode(browser, (await ask()).user_code)
    await connect(browser, await logIn(browser, login))
    const consent = await browser.go(path)
    assert.match(consent.url, /\/consent\?/)
    assert.doesNotMatch(consent.text, /has changed since/)
  })
})

describe('the metadata', () => {
  it('name the endpoint and the grant, also under the URL for certificates', async () => {
    const settings = { mtlsUrl: 'https://mtls.example.com', trustedProxies: ['127.0.0.1'] }
    const service = await start(settings)
    try {
      const { body } = await service.ask('/.well-known/oauth-authorization-server')
      const endpoint = `${service.issuer}/device_authorization`
      assert.equal(body.device_authorization_endpoint, endpoint)
      assert.ok(body.grant_types_supported.includes(deviceGrant))
      assert.equal(
        body.mtls_endpoint_aliases.device_authorization_endpoint,
        'https://mtls.example.com/device_authorization',
      )
    } finally {
      await service.close()
    }
  })
})

it('ids of all that began here name the shard key of their owner', () => assertPlaced(started))
