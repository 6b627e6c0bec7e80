/** Nobody is sent anywhere through us but to where a client has registered (RFC 9700 section 4.11). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { askFor, assertOnPage, enter, sentTo } from '../support/authorization.ts'
import { Browser, type Page } from '../support/browser.ts'
import { openDocumentSite } from '../support/document-site.ts'
import { callback, codeRequest, walk } from '../support/printing.ts'
import { formBody, startBefore } from '../support/start.ts'
import type { Changes } from '../support/tokens.ts'

const service = startBefore()

const elsewhere = [
  'https://evil.example',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '\t//evil.example',
  '/\t/evil.example',
  'https:evil.example',
  '%2f%2fevil.example',
  'http://127.0.0.1:6749@evil.example',
  'http://127.0.0.1:6749.evil.example',
  'javascript:alert(1)',
]

/** Names under which others take an address to go on to. */
const names = [
  'next',
  'continue',
  'return_to',
  'redirect',
  'redirect_uri',
  'url',
  'post_logout_redirect_uri',
  'target_link_uri',
  'back',
]

const everywhere = (address: string) => Object.fromEntries(names.map((name) => [name, address]))

const assertStays = (page: Page): void => {
  const location = page.headers.get('location')
  if (location !== null) assert.equal(new URL(location, page.url).origin, service.issuer)
  assert.equal(page.headers.get('refresh'), null)
  assert.doesNotMatch(page.text, /(?:href|src|action|content)="[^"]*evil\.example/)
}

describe('A-23: pages of ours lead to pages of ours', () => {
  const paths = [
    '/',
    '/login',
    '/login?switch=1',
    '/logout',
    '/account',
    '/account/sessions',
    '/account/password',
    '/account/events',
    '/consent',
  ]
  for (const path of paths) {
    test(`GET ${path}`, async () => {
      for (const browser of [new Browser(service), await enter(service)]) {
        for (const address of elsewhere) {
          const query = formBody(everywhere(address))
          assertStays(await browser.ask(`${path}${path.includes('?') ? '&' : '?'}${query}`))
        }
      }
    })
  }

  test('the login form goes to the account page, whatever is added', async () => {
    for (const address of elsewhere) {
      const browser = new Browser(service)
      const login = await browser.go(`/login?${formBody(everywhere(address))}`)
      const fields = { username: 'alice', password: 'wonderland', ...everywhere(address) }
      const page = await browser.submit(login, fields)
      assert.deepEqual([page.status, new URL(page.url).pathname], [200, '/account'])
    }
  })

  test('R-13: the logout form goes to the logout page, whatever is added', async () => {
    for (const address of [...elsewhere, callback]) {
      const browser = await enter(service)
      const logout = await browser.go(`/logout?${formBody(everywhere(address))}`)
      const page = await browser.submit(logout, everywhere(address))
      assert.deepEqual([page.status, page.url], [200, `${service.issuer}/logout`])
    }
  })

  test('a journey that nobody sealed leads nowhere', async () => {
    const said = 'it belongs to another browser, was changed, or cookies are off'
    const browser = await enter(service)
    for (const journey of [...elsewhere, 'x', 'A'.repeat(200)]) {
      for (const path of ['/authorize', '/login', '/consent']) {
        assertOnPage(await browser.ask(`${path}?${formBody({ journey })}`), said)
      }
      const login = await browser.go('/login?switch=1')
      const fields = { username: 'alice', password: 'wonderland', journey }
      assertOnPage(await browser.submit(login, fields), said)
    }
  })

  test('paths that look like hosts are paths that are not there', async () => {
    const pieces = [
      '/',
      '\\',
      '%2f',
      '%5c',
      '..',
      '.',
      '//',
      'evil.example',
      'login',
      '@',
      ':',
      '?',
    ]
    const tails = fc
      .array(fc.constantFrom(...pieces), { maxLength: 6 })
      .map((list) => list.join(''))
    const browser = new Browser(service)
    await fc.assert(
      fc.asyncProperty(tails, async (tail) => {
        assertStays(await browser.ask(`${service.issuer}/${tail}`))
      }),
      { numRuns: 100, examples: [['/evil.example'], ['/evil.example/..'], ['\\evil.example']] },
    )
  })
})

/** All places outside that a link or a form of a page leads to. */
const leadsTo = ({ text }: Page): readonly string[] =>
  [...text.matchAll(/(?:href|action)="([a-z.]+:[^"]*)"/g)].map(([, to = '']) =>
    to.replaceAll('&amp;', '&'),
  )

describe('A-17: a client that registered itself sends nobody on at once', () => {
  const phish = 'https://phish.example/cb'
  const register = async (members: object = {}) => {
    const json = { redirect_uris: [phish], scope: 'photos', ...members }
    return (await service.ask('/register', { json })).body.client_id as string
  }
  const wrong: Readonly<Record<string, Changes>> = {
    invalid_scope: { scope: 'attic' },
    unsupported_response_type: { response_type: 'foo' },
    unauthorized_client: { response_type: 'token' },
    invalid_request: { prompt: 'foo' },
    invalid_target: { resource: 'x' },
  }
  const refused = 'The application asked for something that it does not get here. It got no answer'
  const onward = (page: Page): Readonly<Record<string, string>> => {
    const [to = ''] = leadsTo(page)
    assert.match(
      page.text,
      /<a class="button" href="[^"]*">Go on to <bdi>phish.example<\/bdi><\/a>/,
    )
    assert.ok(to.startsWith(phish), to)
    return Object.fromEntries(new URLSearchParams(to.slice(phish.length + 1)))
  }
  for (const [error, changes] of Object.entries(wrong)) {
    test(`${error}: a page with a link, whoever is there`, async () => {
      const asked = { ...changes, client_id: await register(), redirect_uri: phish }
      const browser = await enter(service)
      for (const visitor of [new Browser(service), browser]) {
        const page = await askFor(service, asked, visitor)
        assertOnPage(page, refused)
        assert.deepEqual([onward(page).error, onward(page).state], [error, 'xyz'])
      }
      const silent = error === 'invalid_request' ? {} : { prompt: 'none' }
      assertOnPage(await askFor(service, { ...asked, ...silent }, browser), refused)
    })
  }

  test('nor does one whose URI opens an application, or that asks for a form', async () => {
    const uri = 'com.phish:/cb'
    const asked = { ...wrong.invalid_scope, redirect_uri: uri }
    const browser = await enter(service)
    const client_id = await register({ redirect_uris: [uri] })
    const page = await askFor(service, { ...asked, client_id }, browser)
    assertOnPage(page, refused)
    assert.match(page.text, /Go on to <bdi>com.phish<\/bdi>/)
    const form = { ...wrong.invalid_scope, response_mode: 'form_post', redirect_uri: phish }
    const posted = await askFor(service, { ...form, client_id: await register() }, browser)
    assertOnPage(posted, refused)
    assert.deepEqual(leadsTo(posted), [phish])
    assert.match(posted.text, /<input type="hidden" name="error" value="invalid_scope">/)
    assert.doesNotMatch(posted.text, /<script/)
  })

  test('but whoever has approved it is sent on', async () => {
    const browser = await enter(service)
    const asked = { client_id: await register(), redirect_uri: phish }
    await walk(service, { ...codeRequest, ...asked }, {}, browser)
    const page = await askFor(service, { ...asked, scope: 'attic' }, browser)
    assert.equal(sentTo(page, `${phish}?`).error, 'invalid_scope')
    const other = await askFor(
      service,
      { ...asked, scope: 'attic' },
      await enter(service, 'bob', 'builder'),
    )
    assertOnPage(other, refused)
  })

  test('and so is everybody to the own computer', async () => {
    const asked = { client_id: await register({ redirect_uris: [callback] }), scope: 'attic' }
    assert.equal(sentTo(await askFor(service, asked), `${callback}?`).error, 'invalid_scope')
  })

  // Our choice: whom an operator registered is trusted with an answer at once.
  test('one that the operator registered is answered', async () => {
    for (const [error, changes] of Object.entries(wrong)) {
      const mark = error === 'unauthorized_client' ? '#' : '?'
      const page = await askFor(service, changes)
      assert.equal(sentTo(page, `${callback}${mark}`).error, error)
    }
  })
})

describe('A-18: prompt=none without a login', () => {
  test('is told to a registered URI only', async () => {
    const page = await askFor(service, { prompt: 'none' })
    assert.deepEqual(sentTo(page, `${callback}?`), {
      error: 'login_required',
      error_description: 'the resource owner has to log in',
      state: 'xyz',
      iss: service.issuer,
    })
    for (const redirect_uri of elsewhere) {
      const strange = await askFor(service, { prompt: 'none', redirect_uri })
      assertOnPage(strange, 'redirect_uri is not registered for this client')
    }
    const unknown = await askFor(service, { prompt: 'none', client_id: 'nope' })
    assertOnPage(unknown, 'client_id names no client of this service')
  })

  const asks = async (redirect_uri: string, browser?: Browser) => {
    const json = { redirect_uris: [redirect_uri], scope: 'photos' }
    const { client_id } = (await service.ask('/register', { json })).body
    return askFor(service, { client_id, redirect_uri, prompt: 'none' }, browser)
  }

  // OpenID Connect Core section 3.1.2.6: a silent request waits for it.
  test('is told to a client that registered itself, at https and loopback', async () => {
    for (const uri of ['https://app.example/cb', callback]) {
      assert.equal(sentTo(await asks(uri), `${uri}?`).error, 'login_required')
    }
  })

  test('opens no application that nobody here approved', async () => {
    const said =
      'An application asked, without a page, for a login that is not there. It got no answer'
    const page = await asks('com.phish:/cb')
    assertOnPage(page, said)
    assert.match(page.text, /Go on to <bdi>com.phish<\/bdi>/)
  })

  test('once an owner is there who never approved the client, a page asks', async () => {
    const page = await asks('https://app.example/cb', await enter(service))
    assertOnPage(
      page,
      'The application asked for something that it does not get here. It got no answer',
    )
    assert.match(page.text, /error=consent_required/)
  })

  test('a document gets it once somebody approved it', async (t) => {
    const app = 'https://app.example/cb'
    const host = await openDocumentSite()
    t.after(() => host.site.close())
    const client_id = host.serve('/app.json', { redirect_uris: [app] })
    const code_challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
    const pkce = { code_challenge_method: 'S256', code_challenge }
    const asked = { client_id, redirect_uri: app, scope: 'photos', ...pkce }
    const said =
      'An application asked, without a page, for a login that is not there. It got no answer'
    assertOnPage(await askFor(service, { ...asked, prompt: 'none' }), said)
    await walk(service, { ...codeRequest, ...asked })
    const silent = await askFor(service, { ...asked, prompt: 'none' })
    assert.equal(sentTo(silent, `${app}?`).error, 'login_required')
  })
})

test('A-02: an unknown client with an address of its own', async () => {
  for (const redirect_uri of elsewhere) {
    const page = await askFor(service, { client_id: 'nope', redirect_uri })
    assertOnPage(page, 'client_id names no client of this service')
    assertStays(page)
  }
})

test('the way back to the client holds nothing that the client did not register', async () => {
  const state = 'https://evil.example'
  const page = await walk(service, { ...codeRequest, state, next: state, iss: state })
  const { code, ...rest } = sentTo(page, `${callback}?`)
  assert.deepEqual(rest, { state, iss: service.issuer })
})
