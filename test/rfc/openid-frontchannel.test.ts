/** OpenID Connect Front-Channel Logout 1.0, by section. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Browser, type Page } from '../support/browser.ts'
import {
  goodbye,
  isLoggedIn,
  type LoggedInClient,
  logInAt,
  logoutPath,
  registerClient,
} from '../support/logout.ts'
import { callback } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'

const front = 'https://app.example/out?a=b'

let plain: LoggedInClient
let named: LoggedInClient

const started = startBefore(start, async () => {
  const members = {
    redirect_uris: [callback, 'https://app.example/cb', 'https://other.example:8443/cb'],
    post_logout_redirect_uris: [goodbye],
  }
  plain = await registerClient(started, { ...members, frontchannel_logout_uri: front })
  named = await registerClient(started, {
    ...members,
    frontchannel_logout_uri: 'https://other.example:8443/out?a=b',
    frontchannel_logout_session_required: true,
  })
})

/** A host that would end a directive of the content security policy. */
const semicolon = 'https://app;sandbox/'

const framesOn = ({ text }: Page): readonly string[] =>
  [...text.matchAll(/<iframe [^>]*src="([^"]*)"/g)].map(([, src = '']) =>
    src.replaceAll('&amp;', '&'),
  )

const policyOf = ({ headers }: Page): string => headers.get('content-security-policy') ?? ''

const back = { post_logout_redirect_uri: goodbye, state: 's' }

describe('section 3: the logged-out page', () => {
  test('has a frame for each client of the session, and goes on by itself', async () => {
    const first = await logInAt(started, plain)
    const { sid } = await logInAt(started, named, { browser: first.browser })
    const page = await first.browser.ask(logoutPath({ id_token_hint: first.idToken, ...back }))
    assert.equal(page.status, 200)
    const identity = new URLSearchParams({ iss: started.issuer, sid })
    assert.deepEqual(framesOn(page).toSorted(), [
      front,
      `https://other.example:8443/out?a=b&${identity}`,
    ])
    assert.match(policyOf(page), /^frame-src [^;]*; default-src 'none';/)
    const [sources = ''] = policyOf(page).split(';')
    assert.deepEqual(sources.split(' ').toSorted(), [
      'frame-src',
      'https://app.example',
      'https://other.example:8443',
    ])
    assert.equal(page.headers.get('refresh'), `3;url=${goodbye}?state=s`)
    assert.match(page.text, /<a href="https:\/\/app\.example\/goodbye\?state=s">Go on to/)
    assert.doesNotMatch(page.text, /<script/)
    assert.equal(await isLoggedIn(first.browser), false)
  })

  test('stays where the application named no address', async () => {
    const { browser, idToken } = await logInAt(started, plain)
    const page = await browser.ask(logoutPath({ id_token_hint: idToken }))
    assert.deepEqual(framesOn(page), [front])
    assert.equal(page.headers.get('refresh'), null)
  })

  test('comes after the button of the logout page, too', async () => {
    const { browser } = await logInAt(started, plain)
    const page = await browser.submit(await browser.ask('/logout'), { decision: 'logout' })
    assert.deepEqual([page.status, framesOn(page)], [200, [front]])
    assert.match(page.headers.getSetCookie()[0] ?? '', /^latchkey_session=; Max-Age=0;/)
  })

  test('has no frame of a client of another session', async () => {
    await logInAt(started, named)
    const { browser, idToken } = await logInAt(started, plain)
    const page = await browser.ask(logoutPath({ id_token_hint: idToken }))
    assert.deepEqual(framesOn(page), [front])
  })

  test('a frame cannot send the page elsewhere', async () => {
    const { browser, idToken } = await logInAt(started, plain)
    const page = await browser.ask(logoutPath({ id_token_hint: idToken }))
    assert.match(page.text, /<iframe [^>]*sandbox="allow-scripts allow-same-origin"/)
  })

  test('somebody who is not logged in gets none', async () => {
    const page = await new Browser(started).ask('/logout')
    assert.deepEqual(framesOn(page), [])
    assert.match(policyOf(page), /^default-src 'none'/)
  })
})

describe('section 2: registration and metadata', () => {
  const register = (frontchannel_logout_uri: string) =>
    started.ask('/register', {
      json: { redirect_uris: ['https://app.example/cb', semicolon], frontchannel_logout_uri },
    })

  test('an address at the host of a redirect URI comes back', async () => {
    const { body } = await register('https://app.example:443/elsewhere')
    assert.equal(body.frontchannel_logout_uri, 'https://app.example:443/elsewhere')
  })

  for (const bad of [
    'https://evil.example/',
    'https://app.example:8443/',
    'http://app.example/',
    'https://sub.app.example/',
    'https://app.example/#x',
    'javascript:alert(1)',
    semicolon,
  ]) {
    test(`${bad} is refused`, async () => {
      const { status, body } = await register(bad)
      assert.deepEqual([status, body.error], [400, 'invalid_client_metadata'])
      assert.match(body.error_description, /^frontchannel_logout_uri/)
    })
  }

  test('the service says that it does this', async () => {
    const { body } = await started.ask('/.well-known/openid-configuration')
    assert.equal(body.frontchannel_logout_supported, true)
    assert.equal(body.frontchannel_logout_session_supported, true)
  })
})
