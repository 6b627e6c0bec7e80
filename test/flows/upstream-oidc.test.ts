/** Logins by an OpenID provider: a real second Latchkey. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Browser, formsOf, type Page } from '../support/browser.ts'
import { codeAt, setUpCodes } from '../support/factors.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import { atProvider, formTo, leave, openPair, type Pair } from '../support/upstream.ts'

let pair: Pair

before(async () => {
  pair = await openPair()
})
after(() => pair.close())

const back = async (browser: Browser, page: Page, as?: readonly [string, string]) => {
  const url = await leave(browser, page)
  return browser.go(await atProvider(pair.provider, url, as))
}

/** Alice here links alice there. */
const link = async (browser: Browser): Promise<Page> => {
  await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
  const page = await browser.go('/account/security')
  const { action, fields } = formTo(page, '/account/upstreams')
  const answer = await browser.ask(action, fields)
  return browser.go(await atProvider(pair.provider, answer.headers.get('location') ?? ''))
}

const typesOf = async (browser: Browser) => (await browser.go('/account/events')).text

describe('a login by an upstream', () => {
  test('asks the provider with PKCE, a nonce, and a state that holds no secret', async () => {
    const browser = new Browser(pair.service)
    const page = await browser.go(
      authorizePath({ ...codeRequest, login_hint: 'alice@example.com' }),
    )
    assert.match(page.text, /Log in with The other one/)
    const url = new URL(await leave(browser, page))
    const { state, nonce, code_challenge, ...asked } = Object.fromEntries(url.searchParams)
    assert.equal(url.origin + url.pathname, `${pair.provider.issuer}/authorize`)
    assert.deepEqual(asked, {
      response_type: 'code',
      client_id: pair.provider.clientId,
      redirect_uri: `${pair.service.issuer}/login/with/other/callback`,
      scope: 'openid profile email',
      code_challenge_method: 'S256',
      ui_locales: 'en',
      login_hint: 'alice@example.com',
    })
    assert.match(`${nonce} ${code_challenge}`, /^[\w-]{43} [\w-]{43}$/)
    assert.ok(
      !Buffer.from(state ?? '', 'base64url')
        .toString()
        .includes(browser.cookies.get('latchkey_browser') ?? '?'),
    )
  })

  test('makes a new owner where nobody is linked, and knows that owner from then on', async () => {
    const browser = new Browser(pair.service)
    const met = await back(browser, await browser.go(authorizePath(codeRequest)), [
      'bob',
      'builder',
    ])
    assert.match(met.text, /You are new here/)
    const { action, fields } = formTo(met, '/login/with/other/new')
    const consent = await browser.go(action, fields)
    assert.match(consent.text, /Photo Printer/)
    const account = await browser.go('/account')
    const username = /bob-\d{6}/.exec(account.text)?.[0]
    assert.ok(username, account.text)
    const again = new Browser(pair.service)
    const inside = await back(again, await again.go('/login'), ['bob', 'builder'])
    assert.ok(inside.text.includes(username), inside.text)
    assert.equal(inside.url, `${pair.service.issuer}/account`)
    const repeated = await browser.go(action, fields)
    assert.match(repeated.text, /This login was finished already/)
  })

  test('is marked as last used in this browser, by the way alone, until another way is used', async () => {
    const marked = async (browser: Browser): Promise<readonly string[]> =>
      [
        ...(await browser.go('/login?switch=1')).text.matchAll(
          />([^<>]+) <span class="tag good">/g,
        ),
      ].map(([, text = '']) => text)
    const browser = new Browser(pair.service)
    assert.deepEqual(await marked(browser), [])
    await back(browser, await browser.go('/login'), ['bob', 'builder'])
    assert.equal(browser.cookies.get('latchkey_way'), 'with.other')
    assert.deepEqual(await marked(browser), ['Log in with The other one'])
    await browser.logIn(await browser.go('/login?switch=1'), 'alice', 'no password of hers')
    assert.deepEqual(await marked(browser), ['Log in with The other one'])
    await browser.logIn(await browser.go('/login?switch=1'), 'alice', 'wonderland')
    assert.equal(browser.cookies.get('latchkey_way'), 'password')
    assert.deepEqual(await marked(browser), ['Log in'])
    for (const way of ['with.gone', 'alice', '"><script>', 'x'.repeat(50)]) {
      browser.cookies.set('latchkey_way', way)
      assert.deepEqual(await marked(browser), [])
    }
  })

  test('the last way in is not unlinked', async () => {
    const browser = new Browser(pair.service)
    await back(browser, await browser.go('/login'), ['bob', 'builder'])
    const page = await browser.go('/account/security')
    assert.match(page.text, /linked <span data-as="when"><time|Linked <span data-as="when"><time/)
    const { action, fields } = formTo(page, '/account/upstreams')
    assert.deepEqual(fields.action, ['unlink'])
    assert.match((await browser.go(action, fields)).text, /you could not log in any more/)
  })

  test('an owner links an account, logs in with it, and unlinks it', async () => {
    const browser = new Browser(pair.service)
    assert.match((await link(browser)).text, /The account is linked/)
    const other = new Browser(pair.service)
    const inside = await back(other, await other.go('/login'))
    assert.match(inside.text, /Alice Liddell/)
    assert.match(await typesOf(other), /You linked an account at another service/)
    const page = await other.go('/account/security')
    const { action, fields } = formTo(page, '/account/upstreams')
    assert.match((await other.go(action, fields)).text, /no longer logs you in here/)
    const stranger = new Browser(pair.service)
    assert.match((await back(stranger, await stranger.go('/login'))).text, /You are new here/)
  })

  test('a linked account stays with its owner', async () => {
    const first = new Browser(pair.service)
    await link(first)
    const second = new Browser(pair.service)
    await second.logIn(await second.go('/login'), 'bob', 'builder')
    const { action, fields } = formTo(await second.go('/account/security'), '/account/upstreams')
    const answer = await second.ask(action, fields)
    const page = await second.go(
      await atProvider(pair.provider, answer.headers.get('location') ?? ''),
    )
    assert.match(page.text, /that account is linked to somebody else here/)
  })

  // Alice is linked by the test before.
  test('a second factor is still asked for', async () => {
    const browser = new Browser(pair.service)
    await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
    const secret = await setUpCodes(browser, pair.service.now())
    await pair.service.advance(60)
    const other = new Browser(pair.service)
    const second = await back(other, await other.go('/login'))
    assert.match(second.url, /\/login\/second/)
    assert.ok(!other.cookies.has('latchkey_session'))
    const [form] = formsOf(second.text)
    assert.ok(form)
    const inside = await other.submitForm(second, form, {
      code: codeAt(secret, pair.service.now()),
    })
    assert.match(inside.text, /Alice Liddell/)
  })
})
