/** OpenID Connect RP-Initiated Logout 1.0, by section. */
import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { Browser, formsOf } from '../support/browser.ts'
import {
  goodbye,
  isLoggedIn,
  type LoggedIn,
  type LoggedInClient,
  logInAt,
  logoutPath,
  registerClient,
} from '../support/logout.ts'
import { registerOpenid } from '../support/openid.ts'
import { callback } from '../support/printing.ts'
import { formBody, start, startBefore } from '../support/start.ts'

let client: LoggedInClient
let other: LoggedInClient
let alice: LoggedIn

const started = startBefore(start, async () => {
  client = await registerClient(started)
  other = await registerClient(started)
})
beforeEach(async () => {
  alice = await logInAt(started, client)
})

const back = { post_logout_redirect_uri: goodbye, state: 'a b&c' }
const backWithState = `${goodbye}?state=a%20b%26c`

describe('section 2: a hint for the current session', () => {
  test('logs out at once and returns state', async () => {
    const path = logoutPath({ id_token_hint: alice.idToken, ...back })
    const answer = await alice.browser.ask(path)
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, backWithState])
    assert.match(answer.headers.getSetCookie()[0] ?? '', /^latchkey_session=; Max-Age=0;/)
    assert.equal(await isLoggedIn(alice.browser), false)
  })

  test('is accepted after its expiry', async () => {
    await started.advance(2 * 3600)
    const answer = await alice.browser.ask(logoutPath({ id_token_hint: alice.idToken, ...back }))
    assert.equal(answer.headers.get('location'), backWithState)
  })

  test('without an address, the page says that nobody is logged in', async () => {
    const page = await alice.browser.go(logoutPath({ id_token_hint: alice.idToken }))
    assert.match(page.text, /<h1>You are logged out<\/h1>/)
    assert.equal(await isLoggedIn(alice.browser), false)
  })

  test('works by POST of the same site', async () => {
    const answer = await alice.browser.ask('/logout', { id_token_hint: alice.idToken, ...back })
    assert.equal(answer.headers.get('location'), backWithState)
  })

  test('works by POST of another site, where it comes without cookies', async () => {
    const form = { id_token_hint: alice.idToken, ...back }
    const answer = await started.ask('/logout', { form })
    assert.equal(answer.status, 303)
    const location = answer.headers.get('location') ?? ''
    assert.ok(location.startsWith('/logout?id_token_hint='))
    assert.equal((await alice.browser.ask(location)).headers.get('location'), backWithState)
  })

  test('ends what was allowed for the visit', async () => {
    const visit = await logInAt(started, client, { browser: alice.browser, duration: 'session' })
    const { sub } = visit
    const list = () =>
      started.server().store.listAuthorizations({ ownerId: sub as never }, null, 9, started.now())
    const before = (await list()).rows.length
    await alice.browser.ask(logoutPath({ id_token_hint: visit.idToken }))
    assert.equal((await list()).rows.length, before - 1)
  })
})

describe('section 2: it asks', () => {
  const asks: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
    'with client_id alone': () => ({ client_id: client.clientId, ...back }),
    'with a hint that nobody signed': () => ({
      client_id: client.clientId,
      id_token_hint: `${alice.idToken.slice(0, -4)}AAAA`,
      ...back,
    }),
    'with a hint of an earlier session': () => ({ id_token_hint: earlier.idToken, ...back }),
  }
  let earlier: LoggedIn
  before(async () => {
    earlier = await logInAt(started, client)
  })

  for (const [name, request] of Object.entries(asks)) {
    test(name, async () => {
      const page = await alice.browser.ask(logoutPath(request()))
      assert.equal(page.status, 200)
      assert.match(page.text, /<bdi class="name">Shop<\/bdi> asks to log you out here/)
      assert.equal(await isLoggedIn(alice.browser), true)
      const answer = await alice.browser.submit(page, { decision: 'logout' })
      assert.equal(answer.headers.get('location'), backWithState)
      assert.equal(await isLoggedIn(alice.browser), false)
    })
  }

  test('and somebody who stays is led to the account page, still logged in', async () => {
    const page = await alice.browser.ask(logoutPath({ client_id: client.clientId, ...back }))
    const answer = await alice.browser.submit(page, { decision: 'stay' })
    assert.deepEqual([answer.status, new URL(answer.url).pathname], [200, '/account'])
  })

  test('in the language that the application asks for', async () => {
    const path = logoutPath({ client_id: client.clientId, ui_locales: 'zh' })
    assert.match((await alice.browser.ask(path)).text, /要退出登录吗/)
  })

  test('not where nobody is logged in', async () => {
    const nobody = new Browser(started)
    const path = logoutPath({ id_token_hint: alice.idToken, ...back })
    assert.equal((await nobody.ask(path)).headers.get('location'), backWithState)
  })
})

describe('section 3: the address of the return', () => {
  const refused = async (request: Readonly<Record<string, string>>, said: RegExp) => {
    const page = await alice.browser.ask(logoutPath(request))
    assert.equal(page.status, 400)
    assert.match(page.text, said)
    assert.equal(page.headers.get('location'), null)
    assert.equal(await isLoggedIn(alice.browser), true)
  }

  for (const uri of [`${goodbye}/`, `${goodbye}?x=1`, 'https://evil.example/', callback]) {
    test(`open redirect: ${uri} is not registered`, () =>
      refused(
        { id_token_hint: alice.idToken, post_logout_redirect_uri: uri },
        /an address that it did not register/,
      ))
  }

  test('open redirect: without a client, the address is ignored', async () => {
    const page = await alice.browser.ask(logoutPath(back))
    assert.match(page.text, /<h1>Log out\?<\/h1>/)
    const answer = await alice.browser.submit(page, { decision: 'logout', ...back })
    assert.equal(new URL(answer.url).pathname, '/logout')
  })

  test('open redirect: a client of a stranger gets no more than a link', async () => {
    const request = formBody({ client_id: client.clientId, ...back })
    const nobody = new Browser(started)
    for (const page of [
      await nobody.ask(`/logout?${request}`),
      await nobody.ask('/logout', { request }),
    ]) {
      assert.deepEqual([page.status, page.headers.get('location')], [200, null])
      assert.equal(page.headers.get('refresh'), null)
      assert.ok(page.text.includes(`href="${backWithState.replace('&', '&amp;')}"`))
    }
  })

  test('a client of the operator goes back at once where nobody is logged in', async () => {
    const [clientId] = await registerOpenid(started, { post_logout_redirect_uris: [goodbye] })
    const page = await new Browser(started).ask(logoutPath({ client_id: clientId, ...back }))
    assert.equal(page.headers.get('location'), backWithState)
  })

  test('open redirect: a changed field of the form leads nowhere else', async () => {
    const page = await alice.browser.ask(logoutPath({ client_id: client.clientId, ...back }))
    const request = `client_id=${client.clientId}&post_logout_redirect_uri=https://evil.example`
    const answer = await alice.browser.submit(page, { decision: 'logout', request })
    assert.equal(answer.status, 400)
    assert.equal(await isLoggedIn(alice.browser), true)
  })

  test('the hint of another client', () =>
    refused(
      { id_token_hint: alice.idToken, client_id: other.clientId, ...back },
      /as another application/,
    ))

  test('an unknown client', () => refused({ client_id: 'nobody', ...back }, /<h1>/))
})

describe('logout CSRF', () => {
  test('by an image: without the cookie nothing ends', async () => {
    const path = logoutPath({ id_token_hint: alice.idToken })
    assert.equal((await started.ask(path)).status, 200)
    assert.equal(await isLoggedIn(alice.browser), true)
  })

  test('by the token of another session of the same owner', async () => {
    const elsewhere = await logInAt(started, client)
    await alice.browser.ask(logoutPath({ id_token_hint: elsewhere.idToken }))
    assert.equal(await isLoggedIn(alice.browser), true)
    assert.equal(await isLoggedIn(elsewhere.browser), true)
  })

  test('by an access token as the hint', async () => {
    const page = await alice.browser.ask(logoutPath({ id_token_hint: 'lk_at_x', ...back }))
    assert.match(page.text, /<h1>Log out\?<\/h1>/)
  })

  test('by a form without its token', async () => {
    const page = await alice.browser.ask('/logout')
    const [form] = formsOf(page.text)
    const answer = await alice.browser.ask('/logout', {
      ...form?.fields,
      csrf: 'x',
      decision: 'logout',
    })
    assert.equal(answer.status, 403)
    assert.equal(await isLoggedIn(alice.browser), true)
  })
})

describe('registration (section 3.1) and metadata (section 2.1)', () => {
  test('post_logout_redirect_uris come back', async () => {
    const uris = [goodbye, 'com.example.app:/bye']
    const { body } = await started.ask('/register', {
      json: { redirect_uris: [callback], post_logout_redirect_uris: uris },
    })
    assert.deepEqual(body.post_logout_redirect_uris, uris)
  })

  for (const uri of ['http://app.example/', 'javascript:alert(1)', `${goodbye}#x`]) {
    test(`${uri} is refused`, async () => {
      const { status, body } = await started.ask('/register', {
        json: { redirect_uris: [callback], post_logout_redirect_uris: [uri] },
      })
      assert.deepEqual([status, body.error], [400, 'invalid_redirect_uri'])
      assert.match(body.error_description, /^post_logout_redirect_uris\[0\]/)
    })
  }

  test('the metadata names the endpoint', async () => {
    const { body } = await started.ask('/.well-known/openid-configuration')
    assert.equal(body.end_session_endpoint, `${started.issuer}/logout`)
  })
})
