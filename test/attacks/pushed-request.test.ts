/** Attacks on pushed authorization requests (RFC 9126 section 7). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { extendMethod } from '../../src/clients/methods/extension.ts'
import { defaultLimits } from '../../src/config/settable-limits.ts'
import { assertOnPage, assertOnTheWay, enter, sentTo } from '../support/authorization.ts'
import { answerOf, Browser, formsOf } from '../support/browser.ts'
import { houseApp, latchkeyAdmin, photoPrinter } from '../support/demo-clients.ts'
import { openDocumentSiteBefore } from '../support/document-site.ts'
import { authorizePath, callback, codeRequest, obtainTokens } from '../support/printing.ts'
import {
  goPushed,
  type Pusher,
  push,
  pushedPath,
  tryPush,
  unusable,
  uriStart,
} from '../support/pushing.ts'
import { register } from '../support/registered.ts'
import { type Started, start, startBefore } from '../support/start.ts'
import { redeem } from '../support/tokens.ts'

const site = openDocumentSiteBefore()
const started = startBefore()
const asked = { ...codeRequest, prompt: 'consent' }

/** The header of an operator's program. */
const operatorOf = async (service: Started) => {
  const { body } = await service.post('/token', { grant_type: 'client_credentials' }, latchkeyAdmin)
  return { authorization: `Bearer ${body.access_token}` }
}

/** Every reading of the texts in an address or a cookie that a browser sees. */
const readings = (text: string): string => {
  const words = decodeURIComponent(text).split(/[^\w-]+/)
  return [text, ...words.map((word) => Buffer.from(word, 'base64url').toString('latin1'))].join(' ')
}

describe('a request_uri that somebody else pushed, changed or made up', () => {
  test('of another client: a page, whatever else is sent', async () => {
    const uri = await push(started)
    for (const others of [{}, { redirect_uri: 'http://127.0.0.1:6750/house' }]) {
      const path = authorizePath({ client_id: houseApp[0], request_uri: uri, ...others })
      assertOnPage(await new Browser(started).ask(path), unusable)
    }
    assertOnTheWay(await new Browser(started).ask(pushedPath(uri)), 'login')
  })

  test('with any one character changed, left out or added', async () => {
    const uri = await push(started)
    const text = uri.slice(uriStart.length)
    const places = [0, 1, 5, 20, 60, 100, text.length >> 1, text.length - 17, text.length - 1]
    const changed = places.flatMap((at) => [
      text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1),
      text.slice(0, at) + text.slice(at + 1),
      `${text.slice(0, at)}A${text.slice(at)}`,
    ])
    for (const one of ['', 'x', ...changed, `${text}=`, `${text}.`, text.toLowerCase()]) {
      assertOnPage(await new Browser(started).ask(pushedPath(uriStart + one)), unusable)
    }
  })

  test('that another service made', async () => {
    const other = await start()
    try {
      assertOnPage(await new Browser(started).ask(pushedPath(await push(other))), unusable)
    } finally {
      await other.close()
    }
  })

  test('twice, or two of them', async () => {
    const request_uri = [await push(started), await push(started)]
    const path = authorizePath({ client_id: 'photo-printer', request_uri })
    assertOnPage(await new Browser(started).ask(path), unusable)
    const https = ['https://app.example/request.jwt', await push(started)]
    const mixed = authorizePath({ client_id: 'photo-printer', request_uri: https })
    assertOnPage(await new Browser(started).ask(mixed), unusable)
  })

  test('pushed by a public client in the name of a confidential one', async () => {
    const { status, body } = await started.post('/par', codeRequest)
    assert.deepEqual([status, body.error], [401, 'invalid_client'])
    const { id } = await register(started, { token_endpoint_auth_method: 'none' })
    const form = { ...codeRequest, client_id: 'photo-printer' }
    const both = await started.post('/par', form, [id, ''])
    assert.ok(both.status >= 400)
  })
})

describe('one kind of secret is never taken for another', () => {
  test('a request_uri is no code, token, journey or anything else', async () => {
    const uri = await push(started)
    const text = uri.slice(uriStart.length)
    for (const presented of [uri, text, `lk_ac_${text}`]) {
      const code = await redeem(started, presented)
      assert.deepEqual([code.status, code.body.error], [400, 'invalid_grant'])
      const form = { grant_type: 'refresh_token', refresh_token: presented }
      const refreshed = await started.post('/token', form, photoPrinter)
      assert.deepEqual([refreshed.status, refreshed.body.error], [400, 'invalid_grant'])
      const { body } = await started.post('/introspect', { token: presented }, photoPrinter)
      assert.deepEqual(body, { active: false })
      const page = await (await enter(started)).ask(
        `/authorize?journey=${encodeURIComponent(presented)}`,
      )
      assert.equal(page.status, 400)
    }
  })

  test('a token, code or journey is no request_uri', async () => {
    const { access_token, refresh_token } = await obtainTokens(started)
    const login = await new Browser(started).ask(pushedPath(await push(started)))
    const journey = new URL(login.headers.get('location') ?? '', started.issuer).searchParams
    for (const text of [access_token, refresh_token, journey.get('journey') ?? '']) {
      for (const one of [text, text.slice('lk_at_'.length)]) {
        assertOnPage(await new Browser(started).ask(pushedPath(uriStart + one)), unusable)
      }
    }
  })
})

describe('a request that was answered', () => {
  test('cannot be answered again from another page that was open', async () => {
    const uri = await push(started, asked)
    const one = await enter(started)
    const other = await enter(started, 'bob', 'builder')
    const [mine, theirs] = [await goPushed(one, uri), await goPushed(other, uri)]
    const { code = '' } = sentTo(await one.submit(mine, { decision: 'allow' }), `${callback}?`)
    for (const decision of ['allow', 'deny']) {
      const late = await other.submit(theirs, { decision })
      assertOnPage(late, 'This request was answered already, or its approval has ended')
    }
    assert.equal((await redeem(started, code)).status, 200)
  })

  test('of twenty who finish it at once, one gets a code', async () => {
    const uri = await push(started, asked)
    const browsers = await Promise.all(Array.from({ length: 5 }, () => enter(started)))
    const open = await Promise.all(browsers.map((browser) => goPushed(browser, uri)))
    const pages = await Promise.all(
      browsers.flatMap((browser, i) =>
        Array.from({ length: 4 }, async () => {
          const page = open[i]
          if (page === undefined) throw new Error('no page')
          return browser.submit(page, { decision: 'allow' })
        }),
      ),
    )
    const sent = pages.filter((page) => page.headers.get('location') !== null)
    assert.equal(sent.length, 1)
    const [first] = sent
    assert.ok(first)
    const code = answerOf(first).code ?? ''
    assert.equal((await redeem(started, code)).status, 200)
  })

  test('ends with a page that waited for a mail as well', async () => {
    const uri = await push(started, asked)
    const waiting = new Browser(started)
    const login = await goPushed(waiting, uri)
    const browser = await enter(started)
    const page = await browser.submit(await goPushed(browser, uri), { decision: 'deny' })
    sentTo(page, `${callback}?`)
    const late = await waiting.logIn(login, 'alice', 'wonderland')
    assertOnPage(late, 'This request was answered already, or its approval has ended')
  })

  test('stays answered for as long as a page of it may be open', async () => {
    const short = await start()
    try {
      const uri = await push(short, asked)
      const [one, other] = [await enter(short), await enter(short, 'bob', 'builder')]
      const [mine, theirs] = [await goPushed(one, uri), await goPushed(other, uri)]
      sentTo(await one.submit(mine, { decision: 'deny' }), `${callback}?`)
      await short.advance(890)
      assertOnPage(
        await other.submit(theirs, { decision: 'allow' }),
        'This request was answered already, or its approval has ended',
      )
    } finally {
      await short.close()
    }
  })
})

describe('what the browser gets to see', () => {
  test('neither the parameters nor the secret, in no address and no cookie (CVE-2024-4540)', async () => {
    const hidden = {
      state: 'state-of-the-client',
      nonce: 'nonce-of-the-client',
      login_hint: 'somebody-hinted',
    }
    const form = { ...asked, scope: 'openid photos:read', ...hidden }
    const { body } = await tryPush(started, { ...form, client_secret: photoPrinter[1] }, [
      'photo-printer',
    ])
    const secrets = [...Object.values(hidden), photoPrinter[1], 'photos:read', callback]
    const browser = new Browser(started)
    const check = (text: string): void => {
      const seen = readings(text)
      for (const secret of secrets) assert.ok(!seen.includes(secret), `${secret} in ${text}`)
    }
    check(body.request_uri)
    const login = await goPushed(browser, body.request_uri)
    check(login.url)
    assert.match(login.text, /somebody-hinted/)
    for (const cookie of browser.cookies.values()) check(cookie)
    const consent = await browser.logIn(login, 'alice', 'wonderland')
    check(consent.url)
    check(String(formsOf(consent.text)[0]?.fields.journey))
    for (const cookie of browser.cookies.values()) check(cookie)
    sentTo(await browser.submit(consent, { decision: 'deny' }), `${callback}?`)
  })

  test('credentials of any method stay behind: the record of a refusal lacks them', async () => {
    const badge = extendMethod({
      name: 'badge',
      place: 'the parameter badge',
      read(_headers, parameters) {
        const shown = parameters.find('badge')
        return shown === null ? null : { id: 'badged', isRight: async () => shown === 'b4dg3-1' }
      },
    })
    const other = await start({ clientMethods: [badge] })
    try {
      const headers = await operatorOf(other)
      const made = {
        client_id: 'badged',
        redirect_uris: [callback],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'badge',
      }
      await other.ask('/admin/api/clients', { json: made, headers })
      const { status, body } = await other.ask('/par', {
        form: { ...codeRequest, client_id: 'badged', badge: 'b4dg3-1' },
      })
      assert.equal(status, 201, JSON.stringify(body))
      const json = { redirect_uris: ['https://moved.example/'] }
      await other.ask('/admin/api/clients/badged', { method: 'PATCH', json, headers })
      const path = `${pushedPath(body.request_uri, 'badged')}`
      const page = await new Browser(other).ask(path)
      assertOnPage(page, 'redirect_uri is not registered for this client')
      await other.advance(5)
      const told = await other.ask(`/admin/api/refusals/${page.reference}`, { headers })
      const names = told.body.request.map(({ name }: { name: string }) => name)
      const sent = ['client_id', 'response_type', 'redirect_uri', 'state']
      assert.deepEqual(names.slice(0, 4), sent)
      assert.ok(!names.includes('others'), JSON.stringify(told.body.request))
    } finally {
      await other.close()
    }
  })
})

describe('a client that changes after it pushed', () => {
  const newClient = async (client_id: string): Promise<Pusher> => {
    const json = { client_id, redirect_uris: [callback], grant_types: ['authorization_code'] }
    const headers = await operatorOf(started)
    const { body } = await started.ask('/admin/api/clients', { json, headers })
    return [client_id, body.client_secret]
  }

  test('a new secret ends what was pushed with the old one', async () => {
    const client = await newClient('changing')
    const uri = await push(started, codeRequest, client)
    assertOnTheWay(await new Browser(started).ask(pushedPath(uri, 'changing')), 'login')
    const path = '/admin/api/clients/changing/rotate-secret'
    const { status } = await started.ask(path, {
      method: 'POST',
      json: {},
      headers: await operatorOf(started),
    })
    assert.equal(status, 200)
    assertOnPage(await new Browser(started).ask(pushedPath(uri, 'changing')), unusable)
  })

  test('an old secret that goes on pushes until its end', async () => {
    const client = await newClient('rotating')
    const before = await push(started, codeRequest, client)
    const path = '/admin/api/clients/rotating/rotate-secret'
    const json = { keep_old_seconds: 30 }
    const { status, text } = await started.ask(path, {
      method: 'POST',
      json,
      headers: await operatorOf(started),
    })
    assert.equal(status, 200, text)
    const after = await push(started, codeRequest, client)
    for (const uri of [before, after]) {
      assertOnTheWay(await new Browser(started).ask(pushedPath(uri, 'rotating')), 'login')
    }
    started.pass(31)
    for (const uri of [before, after]) {
      assertOnPage(await new Browser(started).ask(pushedPath(uri, 'rotating')), unusable)
    }
  })

  test('a redirect URI that was taken away gets nothing', async () => {
    const client = await newClient('moving')
    const uri = await push(started, codeRequest, client)
    const json = { redirect_uris: ['https://moved.example/'] }
    const headers = await operatorOf(started)
    await started.ask('/admin/api/clients/moving', { method: 'PATCH', json, headers })
    const page = await new Browser(started).ask(pushedPath(uri, 'moving'))
    assertOnPage(page, 'redirect_uri is not registered for this client')
  })

  test('a disabled client is unknown', async () => {
    const client = await newClient('leaving')
    const uri = await push(started, codeRequest, client)
    const headers = await operatorOf(started)
    const json = { disabled: true }
    await started.ask('/admin/api/clients/leaving', { method: 'PATCH', json, headers })
    const page = await new Browser(started).ask(pushedPath(uri, 'leaving'))
    assertOnPage(page, 'client_id names no client of this service')
    const { status } = await tryPush(started, codeRequest, client)
    assert.equal(status, 401)
  })
})

describe('what a stranger can make the service do', () => {
  test('silent refusals of pushed or signed requests, each with a row or a signature, are bounded', async () => {
    const bounded = await start({ limits: { ...defaultLimits, refusalsPerMinute: 5 } })
    try {
      const silent = { ...codeRequest, prompt: 'none' }
      for (let times = 0; times < 5; times++) {
        const page = await new Browser(bounded).ask(pushedPath(await push(bounded, silent)))
        assert.equal(sentTo(page, `${callback}?`).error, 'login_required')
      }
      const uri = await push(bounded, silent)
      assert.equal((await new Browser(bounded).ask(pushedPath(uri))).status, 429)
      const signed = { ...silent, response_mode: 'jwt' }
      assert.equal((await new Browser(bounded).ask(authorizePath(signed))).status, 429)
      // A right request passes, and so does a refusal that costs nothing.
      assertOnTheWay(await new Browser(bounded).ask(pushedPath(await push(bounded))), 'login')
      const plain = await new Browser(bounded).ask(authorizePath(silent))
      assert.equal(sentTo(plain, `${callback}?`).error, 'login_required')
    } finally {
      await bounded.close()
    }
  })

  test('a script of another site causes no fetch, neither of a document nor of keys', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'empty' }
    const client_id = site.serve('/scripted.json')
    const form = { ...codeRequest, client_id, redirect_uri: 'http://127.0.0.1/callback' }
    const pushed = await started.ask('/par', { form, headers })
    assert.deepEqual([pushed.status, pushed.body.error], [400, 'invalid_request'])
    assert.equal(site.asked('/scripted.json'), 0)
    const keyed = await register(started, {
      jwks_uri: site.url('/scripted-keys.json'),
      authorization_encrypted_response_alg: 'ECDH-ES',
    })
    const asked = { ...codeRequest, client_id: keyed.id, redirect_uri: keyed.redirectUri }
    const silent = authorizePath({ ...asked, prompt: 'none', response_mode: 'jwt' })
    const page = await new Browser(started).ask(silent, undefined, headers)
    assert.equal(page.status, 400)
    const object = { client_id: keyed.id, request: 'eyJhbGciOiJSUzI1NiJ9.e30.AA' }
    const { status } = await started.ask('/par', {
      form: { ...object, client_secret: keyed.secret },
      headers,
    })
    assert.equal(status, 400)
    assert.equal(site.asked('/scripted-keys.json'), 0)
  })

  test('no request_uri stands in the log', async () => {
    const uri = await push(started)
    await new Browser(started).ask(pushedPath(uri))
    await new Browser(started).ask(pushedPath(`${uri}x`))
    const told = JSON.stringify(started.notices)
    assert.ok(!told.includes(uri.slice(uriStart.length, uriStart.length + 40)))
  })
})
