/** OAuth 2.0 Form Post Response Mode: the response is the fields of a form that posts itself. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Operator, operatorOf } from '../flows/operator.ts'
import { askFor, assertOnPage, enter } from '../support/authorization.ts'
import { type Browser, formsOf, type Page } from '../support/browser.ts'
import { callback, codeRequest, walk } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'
import { assertGranted, type Changes, redeem, use } from '../support/tokens.ts'

let operator: Operator
/** A browser in which alice is logged in and has approved the demo's web application. */
let approved: Browser

const service = startBefore(start, async () => {
  operator = await operatorOf(service)
  approved = await enter(service)
  await walk(service, codeRequest, {}, approved)
})

const posted = { ...codeRequest, response_mode: 'form_post' }

/** No form-action: browsers would apply it to redirects of the application, too. */
const policy =
  "script-src 'self'; default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'"

/** Checks the form and headers of a page, and returns the fields that it posts. */
const postedTo = (page: Page, action: string): Readonly<Record<string, string>> => {
  assert.equal(page.status, 200, page.text)
  assert.deepEqual(
    [
      'location',
      'content-type',
      'cache-control',
      'referrer-policy',
      'x-frame-options',
      'content-security-policy',
    ].map((name) => page.headers.get(name)),
    [null, 'text/html; charset=utf-8', 'no-store', 'strict-origin', 'DENY', policy],
  )
  const forms = formsOf(page.text)
  assert.equal(forms.length, 1)
  assert.match(page.text, /<form method="post" action="[^"]+">/)
  assert.match(page.text, /<button class="primary" type="submit">/)
  assert.match(page.text, /<script src="\/assets\/form-post.js"><\/script>/)
  assert.equal(forms[0]?.action, action)
  return Object.fromEntries(
    Object.entries(forms[0]?.fields ?? {}).map(([name, values]) => {
      assert.equal(values.length, 1)
      return [name, values[0] ?? '']
    }),
  )
}

/** A confidential client with other redirect URIs, which alice has approved. */
const clientAt = async (redirectUri: string): Promise<string> => {
  const metadata = { redirect_uris: [redirectUri], scope: 'photos', client_name: 'A <b>Client</b>' }
  const { status, body } = await operator('POST', 'clients', metadata)
  assert.equal(status, 201)
  return body.client_id
}

const askAt = async (redirectUri: string, changes: Changes = {}): Promise<Page> => {
  const client_id = await clientAt(redirectUri)
  const request = { ...posted, client_id, redirect_uri: redirectUri, ...changes }
  return walk(service, request as Readonly<Record<string, string>>, {}, approved)
}

describe('section 2: the form', () => {
  test('carries code, state and iss, and nothing else; the code is worth tokens', async () => {
    const page = await walk(service, posted)
    const { code = '', ...rest } = postedTo(page, callback)
    assert.deepEqual(rest, { state: 'xyz', iss: service.issuer })
    const tokens = await redeem(service, code)
    assertGranted(tokens, { scope: tokens.body.scope, expires_in: 3600, refreshable: true })
    assert.equal(await use(service, tokens.body.access_token), 200)
  })

  test('goes without a page of ours where the owner has approved before', async () => {
    const page = await askFor(service, { response_mode: 'form_post' }, approved)
    assert.match(postedTo(page, callback).code ?? '', /^lk_ac_/)
    const byForm = await approved.ask('/authorize', posted)
    assert.match(postedTo(byForm, callback).code ?? '', /^lk_ac_/)
  })

  test('carries the token of the implicit grant, as text', async () => {
    const request = {
      response_type: 'token',
      client_id: 'gallery',
      redirect_uri: 'http://127.0.0.1:6750/gallery',
      scope: 'photos:read',
      state: 'xyz',
      response_mode: 'form_post',
    }
    const { access_token = '', ...rest } = postedTo(
      await walk(service, request),
      request.redirect_uri,
    )
    assert.deepEqual(rest, {
      token_type: 'Bearer',
      expires_in: '3600',
      scope: 'photos:read',
      state: 'xyz',
      iss: service.issuer,
    })
    assert.equal(await use(service, access_token), 200)
  })

  test('returns any state unchanged', async () => {
    for (const state of ['"><script>alert(1)</script>&amp;\'', 'ÄÖ 字 +%20', ' x ', '\t']) {
      const page = await askFor(service, { response_mode: 'form_post', state }, approved)
      assert.equal(postedTo(page, callback).state, state)
    }
  })

  test('has no place for line breaks, which browsers change: such a state is refused', async () => {
    for (const state of ['a\nb', 'a\rb', 'a\r\nb']) {
      const page = await askFor(service, { response_mode: 'form_post', state }, approved)
      assert.deepEqual(postedTo(page, callback), {
        error: 'invalid_request',
        error_description: 'a form cannot return a state with line breaks unchanged',
        iss: service.issuer,
      })
      const inQuery = await askFor(service, { state }, approved)
      const location = new URL(inQuery.headers.get('location') ?? '')
      assert.equal(location.searchParams.get('state'), state)
    }
  })

  test('says who is gone back to, whose name stays text', async () => {
    const page = await askAt('https://app.example/callback')
    assert.match(page.text, /Back to <bdi class="name">A &lt;b&gt;Client&lt;\/b&gt;<\/bdi>/)
    assert.match(page.text, /<strong>app\.example<\/strong>/)
    const chinese = await askFor(
      service,
      { response_mode: 'form_post', ui_locales: 'zh' },
      approved,
    )
    assert.match(chinese.text, /返回 <bdi class="name">Photo Printer<\/bdi>/)
    postedTo(chinese, callback)
  })

  test('comes once of one journey', async () => {
    const browser = await enter(service)
    const asked = await browser.go(
      `/authorize?${new URLSearchParams({ ...posted, prompt: 'consent' })}`,
    )
    const page = await browser.submit(asked, { decision: 'allow' })
    const { code = '' } = postedTo(page, callback)
    assert.equal((await redeem(service, code)).status, 200)
    assertOnPage(
      await browser.ask(page.url),
      'this request was answered already, or its approval has ended',
    )
  })
})

describe('where the form may go', () => {
  const targets = [
    'https://app.example/callback',
    'https://app.example:8443/a/b?tenant=1&x=%20',
    "https://app.example/a;b,c'",
    'https://[2001:db8::1]/callback',
    'http://localhost/callback',
  ]
  for (const uri of targets) {
    test(uri, async () => {
      assert.match(postedTo(await askAt(uri), uri).code ?? '', /^lk_ac_/)
    })
  }

  test('the port of a loopback address is the one of the request', async () => {
    const redirect_uri = 'http://127.0.0.1:51004/callback'
    const changes = { response_mode: 'form_post', redirect_uri }
    postedTo(await askFor(service, changes, approved), redirect_uri)
  })

  test('no browser posts to a native application: refused, by redirect', async () => {
    const page = await askAt('com.example.app:/callback')
    const location = new URL(page.headers.get('location') ?? '')
    assert.equal(page.status, 302)
    assert.deepEqual(Object.fromEntries(location.searchParams), {
      error: 'invalid_request',
      error_description:
        'response_mode has to be query or fragment here, each also with .jwt, or jwt',
      state: 'xyz',
      iss: service.issuer,
    })
  })
})

describe('refusals', () => {
  const refusals = {
    invalid_scope: { scope: 'attic' },
    invalid_request: { max_age: 'x' },
    unsupported_response_type: { response_type: 'foo' },
    unauthorized_client: { response_type: 'token' },
  }
  for (const [error, changes] of Object.entries(refusals)) {
    test(`${error} is posted too`, async () => {
      const page = await askFor(service, { ...changes, response_mode: 'form_post' }, approved)
      const { error_description = '', ...rest } = postedTo(page, callback)
      assert.deepEqual(rest, { error, state: 'xyz', iss: service.issuer })
      assert.notEqual(error_description, '')
    })
  }

  test('login_required without a login', async () => {
    const page = await askFor(service, { prompt: 'none', response_mode: 'form_post' })
    assert.equal(postedTo(page, callback).error, 'login_required')
  })

  test('access_denied by the owner', async () => {
    const request = { ...posted, prompt: 'consent' }
    const page = await walk(service, request, { decision: 'deny' })
    assert.deepEqual(postedTo(page, callback), {
      error: 'access_denied',
      error_description: 'the resource owner denied access',
      state: 'xyz',
      iss: service.issuer,
    })
  })

  test('nothing is posted to an unproven redirect URI', async () => {
    const changes = { response_mode: 'form_post', redirect_uri: 'https://evil.example/' }
    const page = await askFor(service, changes, approved)
    assertOnPage(page, 'redirect_uri is not registered for this client')
    assert.deepEqual(formsOf(page.text), [])
  })

  test('a client that registered itself sends nobody anywhere by itself', async () => {
    const metadata = { redirect_uris: ['https://evil.example/'] }
    const { body } = await service.ask('/register', { json: metadata })
    const redirect_uri = 'https://evil.example/'
    const changes = { client_id: body.client_id, redirect_uri, scope: 'attic' }
    const page = await askFor(service, { ...changes, response_mode: 'form_post' })
    assertOnPage(
      page,
      'The application asked for something that it does not get here. It got no answer',
    )
  })
})

test('the metadata names the mode', async () => {
  const { body } = await service.ask('/.well-known/oauth-authorization-server')
  for (const mode of ['form_post', 'form_post.jwt']) {
    assert.ok(body.response_modes_supported.includes(mode))
  }
})
