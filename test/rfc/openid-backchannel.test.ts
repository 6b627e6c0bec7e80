/** OpenID Connect Back-Channel Logout 1.0, by section. */
import assert from 'node:assert/strict'
import type { RequestListener, ServerResponse } from 'node:http'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { logoutLimits } from '../../src/tokens/logout-notices.ts'
import { operatorOf } from '../flows/operator.ts'
import { enter } from '../support/authorization.ts'
import { answerOf, Browser, formsOf } from '../support/browser.ts'
import {
  isLoggedIn,
  type LoggedIn,
  type LoggedInClient,
  logInAt,
  logoutPath,
  redeemAt,
  registerClient,
} from '../support/logout.ts'
import { newVisitor } from '../support/people.ts'
import { authorizePath, callback, codeRequest, walk } from '../support/printing.ts'
import { openSite, type Site } from '../support/site.ts'
import { type Started, start } from '../support/start.ts'

const event = 'http://schemas.openid.net/event/backchannel-logout'

let started: Started
let site: Site
let client: LoggedInClient
let alice: LoggedIn
/** The client's answer to a notice. */
let answer: RequestListener

before(async () => {
  started = await start()
  site = await openSite((incoming, outgoing) => answer(incoming, outgoing))
  client = await registerClient(started, { backchannel_logout_uri: uri() })
})
after(async () => {
  await started.close()
  await site.close()
})
beforeEach(async () => {
  answer = (_incoming, outgoing) => outgoing.end()
  alice = await logInAt(started, client)
})

const uri = (path = '/logout'): string => `http://127.0.0.1:${site.port}${path}`

const status =
  (code: number): RequestListener =>
  (_incoming, outgoing) =>
    outgoing.writeHead(code).end()

/** What came during something, after the housekeeping of a second. */
const sentDuring = async (act: () => Promise<unknown>, seconds = 1) => {
  const before = site.requests.length
  await act()
  await started.advance(seconds)
  return site.requests.slice(before)
}

const tokenIn = (body: string): string => new URLSearchParams(body).get('logout_token') ?? ''

const logOut = ({ browser, idToken } = alice) => browser.ask(logoutPath({ id_token_hint: idToken }))

/** The `sid` of each notice. */
const sids = (requests: Site['requests']) =>
  requests.map(({ body }) => decodeJwt(tokenIn(body)).sid)

/** The latest events of alice about notices, newest first. */
const events = async () => {
  const page = await started.server().store.listEvents({ ownerId: alice.sub as never }, null, 20)
  return page.rows
    .filter(({ type }) => type.startsWith('logout.'))
    .map(({ type, clientId, details }) => ({ type, clientId, ...details }))
}

describe('sections 2.4 and 2.5: the request', () => {
  test('carries a logout token in a form', async () => {
    const [request, ...others] = await sentDuring(() => logOut())
    assert.ok(request)
    assert.deepEqual(others, [])
    assert.equal(request.method, 'POST')
    assert.equal(request.url, '/logout')
    assert.equal(request.headers['content-type'], 'application/x-www-form-urlencoded')
    assert.deepEqual([...new URLSearchParams(request.body).keys()], ['logout_token'])
    const keys = createLocalJWKSet((await started.ask('/jwks')).body)
    const currentDate = new Date(started.now() * 1000)
    const { payload, protectedHeader } = await jwtVerify(tokenIn(request.body), keys, {
      currentDate,
      typ: 'logout+jwt',
    })
    assert.deepEqual(Object.keys(protectedHeader).toSorted(), ['alg', 'kid', 'typ'])
    const { jti, ...claims } = payload
    assert.match(String(jti), /^[0-9a-z]{26}$/)
    const iat = Number(claims.iat)
    assert.deepEqual(claims, {
      iss: started.issuer,
      sub: alice.sub,
      aud: client.clientId,
      iat,
      exp: iat + 120,
      sid: alice.sid,
      events: { [event]: {} },
    })
  })

  test('comes also after a login whose access token is for an API alone', async () => {
    const asked = { scope: 'openid photos', resource: `${started.issuer}/api/photos` }
    const login = await logInAt(started, client, asked)
    assert.deepEqual(sids(await sentDuring(() => logOut(login))), [login.sid])
  })

  test('is signed by the algorithm of the registration', async () => {
    const members = { backchannel_logout_uri: uri(), id_token_signed_response_alg: 'ES256' }
    const other = await registerClient(started, members)
    const login = await logInAt(started, other)
    const [request] = await sentDuring(() => logOut(login))
    const [header = ''] = tokenIn(request?.body ?? '').split('.')
    assert.equal(JSON.parse(Buffer.from(header, 'base64url').toString()).alg, 'ES256')
  })

  test('tells a pairwise client its own subject', async () => {
    const members = { backchannel_logout_uri: uri(), subject_type: 'pairwise' }
    const login = await logInAt(started, await registerClient(started, members))
    const [request] = await sentDuring(() => logOut(login))
    assert.notEqual(login.sub, alice.sub)
    assert.equal(decodeJwt(tokenIn(request?.body ?? '')).sub, login.sub)
  })

  test('a logout token is no id_token_hint', async () => {
    const [request] = await sentDuring(() => logOut())
    const next = await logInAt(started, client)
    const page = await next.browser.ask(
      logoutPath({ id_token_hint: tokenIn(request?.body ?? ''), client_id: client.clientId }),
    )
    assert.match(page.text, /<h1>Log out\?<\/h1>/)
    assert.equal(await isLoggedIn(next.browser), true)
  })

  test('an ID token is no logout token: it has neither the type nor events', () => {
    const [header = ''] = alice.idToken.split('.')
    assert.equal(JSON.parse(Buffer.from(header, 'base64url').toString()).typ, 'JWT')
    assert.equal('events' in decodeJwt(alice.idToken), false)
  })
})

describe('sessions that end', () => {
  const ends: Readonly<Record<string, () => Promise<unknown>>> = {
    'by the logout page': async () => alice.browser.submit(await alice.browser.go('/logout')),
    'by the operator, who disables the owner': async () => {
      const operator = await operatorOf(started)
      await operator('PATCH', `owners/${alice.sub}`, { disabled: true })
      await operator('PATCH', `owners/${alice.sub}`, { disabled: false })
    },
    'by another owner who logs in instead': async () =>
      alice.browser.logIn(await alice.browser.go('/login?switch=1'), 'bob', 'builder'),
  }
  for (const [name, end] of Object.entries(ends)) {
    test(name, async () => {
      assert.deepEqual(
        sids(await sentDuring(end)).filter((sid) => sid === alice.sid),
        [alice.sid],
      )
    })
  }

  test('by "end this session" and "end all others", but not the session that asks', async () => {
    const here = await logInAt(started, client)
    await started.advance(1)
    const there = await logInAt(started, client)
    const page = await here.browser.go('/account/sessions')
    const one = formsOf(page.text).find(({ fields }) => fields.session !== undefined)
    assert.ok(one)
    const first = await sentDuring(() => here.browser.submitForm(page, one, { action: 'end' }))
    assert.deepEqual(sids(first), [there.sid])
    const rest = await sentDuring(() =>
      here.browser.submitForm(page, one, { action: 'end-others' }),
    )
    assert.ok(sids(rest).includes(alice.sid))
    assert.equal(sids(rest).includes(here.sid), false)
  })

  test('by a new password, and by a deletion of the owner', async () => {
    const { id, operator, browser, username } = await newVisitor(started)
    const first = await logInAt(started, client, { browser })
    const changed = await sentDuring(() =>
      operator('POST', `owners/${id}/set-password`, { password: 'another long password' }),
    )
    assert.deepEqual(sids(changed), [first.sid])
    await browser.logIn(await browser.go('/login'), username, 'another long password')
    const second = await logInAt(started, client, { browser })
    assert.deepEqual(sids(await sentDuring(() => operator('DELETE', `owners/${id}`))), [second.sid])
  })

  test('not by themselves', async () => {
    assert.deepEqual(await sentDuring(() => started.advance(13 * 3600)), [])
  })

  test('not by a login of the same owner: the next logout tells the earlier sid, too', async () => {
    const again = () => alice.browser.go('/login?switch=1')
    const quiet = await sentDuring(async () =>
      alice.browser.logIn(await again(), 'alice', 'wonderland'),
    )
    assert.deepEqual(quiet, [])
    const sent = await sentDuring(async () =>
      alice.browser.submit(await alice.browser.go('/logout')),
    )
    assert.deepEqual(sids(sent), [alice.sid])
  })

  test('before the code is redeemed: the client hears of it right after', async () => {
    const browser = new Browser(started)
    const request = { ...codeRequest, client_id: client.clientId, scope: 'openid' }
    const page = await walk(started, request, {}, browser)
    await browser.submit(await browser.go('/logout'))
    const sent = await sentDuring(() => redeemAt(started, client, page))
    assert.equal(sent.length, 1)
  })

  test('after an ID token in the authorization response', async () => {
    const implicit = {
      backchannel_logout_uri: uri(),
      grant_types: ['implicit'],
      response_types: ['id_token'],
    }
    const { clientId } = await registerClient(started, implicit)
    const browser = new Browser(started)
    const request = { ...codeRequest, client_id: clientId, scope: 'openid', nonce: 'n' }
    await walk(started, { ...request, response_type: 'id_token' }, {}, browser)
    const sent = await sentDuring(async () => browser.submit(await browser.go('/logout')))
    assert.equal(sent.length, 1)
  })

  test('without openid nobody is logged in at the client, and nothing is sent', async () => {
    const browser = new Browser(started)
    const request = { ...codeRequest, client_id: client.clientId, scope: 'photos:read' }
    await redeemAt(started, client, await walk(started, request, {}, browser))
    assert.deepEqual(await sentDuring(async () => browser.submit(await browser.go('/logout'))), [])
  })

  test('and a client that asks without a page is told that nobody is logged in', async () => {
    await logOut()
    const request = { ...codeRequest, client_id: client.clientId, scope: 'openid', prompt: 'none' }
    const page = await alice.browser.ask(authorizePath(request))
    assert.equal(answerOf(page).error, 'login_required')
  })
})

describe('section 2.8: the answer', () => {
  const { firstPauseSeconds } = logoutLimits
  const { noticeSeconds: giveUpSeconds } = logoutLimits

  for (const code of [200, 204]) {
    test(`${code} is success`, async () => {
      answer = status(code)
      await sentDuring(() => logOut())
      assert.deepEqual((await events())[0], {
        type: 'logout.delivered',
        clientId: client.clientId,
        tries: 1,
      })
      assert.deepEqual(await sentDuring(() => started.advance(giveUpSeconds)), [])
    })
  }

  test('400 is final', async () => {
    answer = status(400)
    assert.equal((await sentDuring(() => logOut())).length, 1)
    assert.deepEqual((await events())[0], {
      type: 'logout.failed',
      clientId: client.clientId,
      reason: 'status_400',
      tries: 1,
    })
    assert.deepEqual(await sentDuring(() => started.advance(giveUpSeconds)), [])
  })

  test('503 is tried again after a pause, also after a restart, with another jti', async () => {
    answer = status(503)
    const [first] = await sentDuring(() => logOut())
    assert.deepEqual(await sentDuring(async () => {}, firstPauseSeconds - 1), [])
    await started.restart()
    answer = status(200)
    const [second, ...more] = await sentDuring(async () => {}, 1)
    assert.deepEqual(more, [])
    const [one, two] = [first, second].map((sent) => decodeJwt(tokenIn(sent?.body ?? '')))
    assert.deepEqual([one?.sid, two?.sid], [alice.sid, alice.sid])
    assert.notEqual(one?.jti, two?.jti)
    assert.deepEqual((await events())[0], {
      type: 'logout.delivered',
      clientId: client.clientId,
      tries: 2,
    })
  })

  test('the tries end after a day', async () => {
    answer = status(500)
    await sentDuring(() => logOut())
    let tries = 1
    for (let hours = 0; hours < 30; hours++) {
      tries += (await sentDuring(() => started.advance(3600))).length
    }
    assert.ok(tries > 20)
    assert.deepEqual((await events())[0], {
      type: 'logout.failed',
      clientId: client.clientId,
      reason: 'status_500',
      tries,
    })
  })

  test('the owner sees it on the account page', async () => {
    await sentDuring(() => logOut())
    const browser = new Browser(started)
    await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
    const page = await browser.go('/account/events')
    assert.match(page.text, /<bdi class="name">Shop<\/bdi><\/b> was told of your logout/)
  })
})

describe('a hostile backchannel_logout_uri', () => {
  const trap = (answered: RequestListener) => {
    answer = answered
    return sentDuring(() => logOut())
  }

  test('that redirects is not followed', async () => {
    const sent = await trap((_incoming, outgoing) =>
      outgoing.writeHead(307, { Location: uri('/elsewhere') }).end(),
    )
    assert.deepEqual(
      sent.map(({ url }) => url),
      ['/logout'],
    )
    answer = status(200)
    assert.deepEqual(sids(await sentDuring(async () => {}, 10)), [alice.sid])
  })

  test('that answers without end is cut off, and tried again', async () => {
    await trap((_incoming, outgoing) => outgoing.end('x'.repeat(100_000)))
    answer = status(200)
    assert.deepEqual(sids(await sentDuring(async () => {}, 10)), [alice.sid])
  })

  test('that never answers delays no page', async () => {
    const held: ServerResponse[] = []
    const came = Promise.withResolvers<void>()
    answer = (_incoming, outgoing) => {
      held.push(outgoing)
      came.resolve()
    }
    const { status: code } = await logOut()
    assert.equal(code, 303)
    await came.promise
    for (const outgoing of held) outgoing.end()
    await started.advance(1)
    assert.deepEqual((await events())[0]?.type, 'logout.delivered')
  })

  test('at a private address is never reached outside the demo', async () => {
    const closed = await start({ demo: false, registration: 'open' })
    try {
      const json = { redirect_uris: ['https://app.example/cb'] }
      for (const bad of [
        uri(),
        'http://10.0.0.1/',
        'https://a@app.example/',
        'https://a.example/#x',
        'ftp://a.example/',
      ]) {
        const members = { ...json, backchannel_logout_uri: bad }
        const { status: code, body } = await closed.ask('/register', { json: members })
        assert.deepEqual([code, body.error], [400, 'invalid_client_metadata'], bad)
        assert.match(body.error_description, /^backchannel_logout_uri/)
      }
    } finally {
      await closed.close()
    }
  })

  test('at a private address gets nothing in the demo, either', async () => {
    const other = await registerClient(started, { backchannel_logout_uri: 'https://10.0.0.1/' })
    const login = await logInAt(started, other)
    await sentDuring(() => logOut(login))
    await started.advance(logoutLimits.noticeSeconds)
    await started.advance(1)
    const [told] = (await events()).filter(({ clientId }) => clientId === other.clientId)
    assert.ok(told)
    const { tries: _, ...failed } = { tries: 0, ...told }
    assert.deepEqual(failed, {
      type: 'logout.failed',
      clientId: other.clientId,
      reason: 'forbidden_address',
    })
  })
})

describe('section 2.2: registration, and section 2.1: metadata', () => {
  test('the members come back', async () => {
    const members = {
      backchannel_logout_uri: 'https://app.example/logout?x=1',
      backchannel_logout_session_required: true,
    }
    const { body } = await started.ask('/register', {
      json: { redirect_uris: [callback], ...members },
    })
    assert.deepEqual(
      [body.backchannel_logout_uri, body.backchannel_logout_session_required],
      ['https://app.example/logout?x=1', true],
    )
  })

  test('the service says that it does this', async () => {
    const { body } = await started.ask('/.well-known/openid-configuration')
    assert.equal(body.backchannel_logout_supported, true)
    assert.equal(body.backchannel_logout_session_supported, true)
  })
})

describe('clients that do not answer', () => {
  test('of one owner hold back no notice to the clients of another', async () => {
    const slow: ServerResponse[] = []
    const enough = Promise.withResolvers<void>()
    answer = (incoming, outgoing) => {
      if (incoming.url !== '/slow') return void outgoing.end()
      if (slow.push(outgoing) === logoutLimits.atOncePerOwner) enough.resolve()
    }
    const leave = async (host: string) => {
      const { browser } = await logInAt(started, client)
      for (let number = 0; number < logoutLimits.atOncePerOwner; number++) {
        const backchannel_logout_uri = `http://${host}:${site.port}/slow`
        const owned = await registerClient(started, { backchannel_logout_uri })
        await logInAt(started, owned, { browser })
      }
      await browser.submit(await browser.ask('/logout'), { decision: 'logout' })
    }
    const bob = await enter(started, 'bob', 'builder')
    await logInAt(started, client, { browser: bob })
    await leave('localhost')
    await enough.promise
    // Further ones would take all places of the host of the client.
    await leave('127.0.0.1')
    const before = site.requests.filter(({ url }) => url === '/logout').length
    await bob.submit(await bob.ask('/logout'), { decision: 'logout' })
    while (site.requests.filter(({ url }) => url === '/logout').length === before) {
      await new Promise((resume) => setImmediate(resume))
    }
    assert.equal(slow.length, logoutLimits.atOncePerOwner)
    for (const outgoing of slow) outgoing.end()
    answer = (_incoming, outgoing) => outgoing.end()
  })

  test('hold back no notice to another client, whoever logs out', { timeout: 60_000 }, async () => {
    const slow: ServerResponse[] = []
    // Another name than that of the other client: one host is sent few at once.
    const own = `localhost:${site.port}`
    const enough = Promise.withResolvers<void>()
    answer = (incoming, outgoing) => {
      // Notices of the test before may still come.
      const isOwn = incoming.url === '/slow' && incoming.headers.host === own
      if (!isOwn) return void outgoing.end()
      if (slow.push(outgoing) === logoutLimits.atOncePerClient) enough.resolve()
    }
    const told = () =>
      site.requests.filter(({ url, host }) => url === '/slow' && host === own).length
    const earlier = told()
    const backchannel_logout_uri = `http://${own}/slow`
    const owned = await registerClient(started, { backchannel_logout_uri })
    for (let number = 0; number < 2 * logoutLimits.atOncePerClient; number++) {
      const { browser } = await newVisitor(started)
      await logInAt(started, owned, { browser })
      await browser.submit(await browser.ask('/logout'), { decision: 'logout' })
    }
    await enough.promise
    const before = site.requests.filter(({ url }) => url === '/logout').length
    await logOut()
    while (site.requests.filter(({ url }) => url === '/logout').length === before) {
      await new Promise((resume) => setImmediate(resume))
    }
    assert.equal(slow.length, logoutLimits.atOncePerClient)
    answer = (_incoming, outgoing) => outgoing.end()
    for (const outgoing of slow) outgoing.end()
    // Each place that is free again is for the next of them at once: none of them has failed.
    while (told() < earlier + 2 * logoutLimits.atOncePerClient) {
      await new Promise((resume) => setImmediate(resume))
    }
  })
})
