/** OAuth 2.0 Pushed Authorization Requests (RFC 9126), section by section. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultLimits } from '../../src/config/settable-limits.ts'
import { assertOnPage, assertOnTheWay, enter, sentTo } from '../support/authorization.ts'
import { answerOf, Browser } from '../support/browser.ts'
import { type KeyPair, keySetOf, newKeys, objectClaims, sign } from '../support/client-keys.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { openDocumentSiteBefore } from '../support/document-site.ts'
import { authorizePath, callback, codeRequest } from '../support/printing.ts'
import { goPushed, push, pushedPath, tryPush, unusable, uriStart } from '../support/pushing.ts'
import { type Registered, register } from '../support/registered.ts'
import { start, startBefore } from '../support/start.ts'
import { redeem } from '../support/tokens.ts'

let keys: KeyPair
let signer: Registered
const site = openDocumentSiteBefore()
const started = startBefore(start, async () => {
  keys = await newKeys('ES256', 'k-1')
  signer = await register(started, { jwks: keySetOf(keys) })
})
const refusedWith = async (form: Readonly<Record<string, string>>, client = photoPrinter) => {
  const { status, body } = await tryPush(started, form, client)
  return [status, body.error, body.error_description]
}

describe('section 2.1: the request', () => {
  test('the client authenticates as at the token endpoint', async () => {
    const wrong = await tryPush(started, codeRequest, ['photo-printer', 'wrong'])
    assert.equal(wrong.status, 401)
    assert.deepEqual(wrong.body, {
      error: 'invalid_client',
      error_description: 'client authentication failed',
    })
    assert.match(wrong.headers.get('www-authenticate') ?? '', /^Basic /)
    const bare = await started.post('/par', codeRequest)
    assert.deepEqual([bare.status, bare.body.error], [401, 'invalid_client'])
    const posted = { ...codeRequest, client_secret: 'photo-printer-secret' }
    assert.equal((await started.post('/par', posted)).status, 201)
    const both = await tryPush(started, posted)
    assert.deepEqual([both.status, both.body.error], [400, 'invalid_request'])
  })

  test('a public client pushes without a secret', async () => {
    const { id, redirectUri } = await register(started, { token_endpoint_auth_method: 'none' })
    const form = {
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'photos:read',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbGJSstw-cM0',
      code_challenge_method: 'S256',
    }
    const uri = await push(started, form, [id])
    assertOnTheWay(await new Browser(started).ask(pushedPath(uri, id)), 'login')
    const { code_challenge: _, code_challenge_method: _method, ...without } = form
    const { status, body } = await tryPush(started, without, [id])
    assert.deepEqual([status, body.error], [400, 'invalid_request'])
  })

  test('a client that is a metadata document may be new', async () => {
    const id = site.serve('/pushing.json', { redirect_uris: [callback] })
    const form = {
      ...codeRequest,
      scope: 'photos:read',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbGJSstw-cM0',
      code_challenge_method: 'S256',
    }
    const uri = await push(started, form, [id])
    assertOnTheWay(await new Browser(started).ask(pushedPath(uri, id)), 'login')
    const gone = await tryPush(started, form, [site.url('/nowhere.json')])
    assert.deepEqual([gone.status, gone.body.error], [400, 'invalid_request'])
  })

  test('request_uri cannot be pushed', async () => {
    const request_uri = await push(started)
    for (const uri of [request_uri, 'https://app.example/request.jwt']) {
      assert.deepEqual(await refusedWith({ ...codeRequest, request_uri: uri }), [
        400,
        'invalid_request',
        'request_uri cannot be pushed: push the parameters, or a request object',
      ])
    }
  })

  test('parameters in the query, and repeated ones, are refused', async () => {
    const inQuery = await started.post('/par?scope=openid', codeRequest, photoPrinter)
    assert.deepEqual([inQuery.status, inQuery.body.error], [400, 'invalid_request'])
    const twice = { ...codeRequest, scope: ['openid', 'photos:read'] }
    assert.equal((await tryPush(started, twice)).body.error, 'invalid_request')
  })

  const refusals: Readonly<Record<string, readonly [changes: object, error: string]>> = {
    'no response_type': [{ response_type: '' }, 'invalid_request'],
    'an unknown response_type': [{ response_type: 'x' }, 'unsupported_response_type'],
    'a response_type not registered': [{ response_type: 'token' }, 'unauthorized_client'],
    'a foreign redirect_uri': [{ redirect_uri: 'https://evil.example/' }, 'invalid_request'],
    'no redirect_uri': [{ redirect_uri: '' }, 'invalid_request'],
    'an unknown scope': [{ scope: 'attic' }, 'invalid_scope'],
    'an unknown resource': [{ resource: 'https://evil.example/' }, 'invalid_target'],
    'a wrong prompt': [{ prompt: 'none login' }, 'invalid_request'],
    'a wrong max_age': [{ max_age: '-1' }, 'invalid_request'],
    'malformed claims': [{ claims: '[]' }, 'invalid_request'],
    'a foreign hint': [{ id_token_hint: 'x' }, 'invalid_request'],
    'PKCE plain': [{ code_challenge: 'x', code_challenge_method: 'plain' }, 'invalid_request'],
    'an unknown response_mode': [{ response_mode: 'web_message' }, 'invalid_request'],
    'a state that is too long': [{ state: 'x'.repeat(5000) }, 'invalid_request'],
    authorization_details: [{ authorization_details: '[]' }, 'invalid_authorization_details'],
  }
  for (const [what, [changes, error]] of Object.entries(refusals)) {
    test(`what /authorize refuses is refused here as JSON: ${what}`, async () => {
      const { status, body, headers } = await tryPush(started, { ...codeRequest, ...changes })
      assert.deepEqual([status, body.error], [400, error])
      assert.deepEqual(Object.keys(body), ['error', 'error_description'])
      assert.equal(headers.get('content-type'), 'application/json;charset=UTF-8')
      const browser = await enter(started)
      const page = await browser.ask(authorizePath({ ...codeRequest, ...changes }))
      const location = page.headers.get('location')
      assert.ok(page.status === 400 || answerOf(page).error === error, location ?? page.text)
    })
  }
})

describe('section 2.2: the answer', () => {
  test('201, request_uri and expires_in, kept by nobody', async () => {
    const { status, body, headers } = await tryPush(started)
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body), ['request_uri', 'expires_in'])
    assert.ok(body.request_uri.startsWith(uriStart))
    assert.equal(body.expires_in, 60)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('content-type'), 'application/json;charset=UTF-8')
  })

  test('equal requests get different URIs', async () => {
    const uris = await Promise.all(Array.from({ length: 20 }, () => push(started)))
    assert.equal(new Set(uris).size, 20)
  })
})

describe('section 2.3: errors', () => {
  test('405 for another method', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { status, headers } = await started.ask('/par', { method })
      assert.deepEqual([status, headers.get('allow')], [405, 'POST, OPTIONS'])
    }
  })

  test('413 for a request that is too large', async () => {
    const claims = JSON.stringify({ userinfo: { ['x'.repeat(3000)]: null } })
    const resource = Array.from(
      { length: 8 },
      (_, n) => `${started.issuer}/${n}${'x'.repeat(1500)}`,
    )
    const { status, body } = await tryPush(started, { ...codeRequest, claims, resource })
    assert.deepEqual(
      [status, body],
      [
        413,
        {
          error: 'invalid_request',
          error_description: 'the pushed request is longer than 10240 characters',
        },
      ],
    )
    const large = { ...codeRequest, x: 'x'.repeat(70_000) }
    assert.equal((await tryPush(started, large)).status, 413)
  })
})

describe('section 3: request objects', () => {
  const objectOf = (changes: object = {}, header: object = { typ: 'oauth-authz-req+jwt' }) =>
    sign({ ...objectClaims(started, signer), ...changes }, keys, { ...header })
  const pushObject = (request: string, others: object = {}) =>
    tryPush(started, { ...others, request }, signer.credentials)

  test('only the parameters inside count', async () => {
    const outside = { scope: 'photos:write', state: 'outside', redirect_uri: callback }
    const { status, body } = await pushObject(await objectOf(), outside)
    assert.equal(status, 201)
    const browser = await enter(started)
    const page = await goPushed(browser, body.request_uri, signer.id)
    assert.match(page.url, /\/consent/)
    const done = await browser.submit(page, { decision: 'allow' })
    const { code = '', state } = sentTo(done, `${signer.redirectUri}?`)
    assert.equal(state, 'inside')
    const form = { grant_type: 'authorization_code', code, redirect_uri: signer.redirectUri }
    const tokens = await started.post('/token', form, signer.credentials)
    assert.equal(tokens.body.scope, 'openid photos:read')
  })

  test('typ is oauth-authz-req+jwt, JWT or absent', async () => {
    for (const typ of ['oauth-authz-req+jwt', 'JWT', undefined]) {
      const request = await objectOf({ scope: 'photos:read' }, { typ })
      assert.equal((await pushObject(request)).status, 201)
    }
  })

  const faults: Readonly<Record<string, () => object>> = {
    'has expired': () => ({ exp: started.now() }),
    'is not valid yet': () => ({ nbf: started.now() + 120 }),
    'is of another issuer': () => ({ iss: 'photo-printer' }),
    'is for another service': () => ({ aud: 'https://other.example' }),
    'names another client': () => ({ client_id: 'photo-printer' }),
    'names a request_uri': () => ({ request_uri: 'https://app.example/x' }),
  }
  for (const [what, changes] of Object.entries(faults)) {
    test(`one that ${what} is refused`, async () => {
      const { status, body } = await pushObject(await objectOf(changes()))
      assert.deepEqual([status, body.error], [400, 'invalid_request_object'])
    })
  }

  test('aud may be a list with the issuer in it', async () => {
    const aud = ['https://other.example', started.issuer]
    assert.equal((await pushObject(await objectOf({ aud }))).status, 201)
  })

  test('a client of signed requests has to push one, with iss, aud and exp', async () => {
    const { id, redirectUri, credentials } = await register(started, {
      jwks: keySetOf(keys),
      require_signed_request_object: true,
    })
    const plain = { ...codeRequest, redirect_uri: redirectUri }
    assert.equal((await tryPush(started, plain, credentials)).body.error, 'invalid_request')
    const claims = objectClaims(started, { id, redirectUri })
    const whole = await sign(claims, keys)
    assert.equal((await tryPush(started, { request: whole }, credentials)).status, 201)
    for (const name of ['iss', 'aud', 'exp'] as const) {
      const { [name]: _, ...rest } = claims
      const { body } = await tryPush(started, { request: await sign(rest, keys) }, credentials)
      assert.equal(body.error, 'invalid_request_object')
    }
  })

  test('what the object asks is checked as well', async () => {
    const { body } = await pushObject(await objectOf({ scope: 'attic' }))
    assert.equal(body.error, 'invalid_scope')
  })
})

describe('section 4: the authorization request', () => {
  test('client_id and request_uri alone lead to a code', async () => {
    const uri = await push(started, { ...codeRequest, scope: 'photos:read' })
    const browser = new Browser(started)
    const login = await goPushed(browser, uri)
    const consent = await browser.logIn(login, 'alice', 'wonderland')
    const page = await browser.submit(consent, { decision: 'allow' })
    const { code = '', ...rest } = sentTo(page, `${callback}?`)
    assert.deepEqual(rest, { state: 'xyz', iss: started.issuer })
    const { body } = await redeem(started, code)
    assert.equal(body.scope, 'photos:read')
  })

  test('it may be posted', async () => {
    const request_uri = await push(started)
    const browser = await enter(started)
    const page = await browser.go('/authorize', { client_id: 'photo-printer', request_uri })
    assert.match(page.url, /\/consent/)
  })

  test('no other parameter counts', async () => {
    const request_uri = await push(started, { ...codeRequest, scope: 'photos:read' })
    const others = {
      redirect_uri: 'https://evil.example/',
      response_type: 'token',
      scope: 'photos:write',
      state: 'outside',
      prompt: 'none',
      request: 'x',
    }
    const browser = await enter(started, 'bob', 'builder')
    const asked = { client_id: 'photo-printer', request_uri, ...others }
    const page = await browser.go(authorizePath(asked))
    const done = await browser.submit(page, { decision: 'allow' })
    const { code = '', state } = sentTo(done, `${callback}?`)
    assert.equal(state, 'xyz')
    assert.equal((await redeem(started, code)).body.scope, 'photos:read')
  })

  test('client_id is needed, once', async () => {
    const request_uri = await push(started)
    const browser = await enter(started)
    const none = await browser.ask(authorizePath({ request_uri }))
    assertOnPage(none, 'Parameter client_id is missing')
    const twice = await browser.ask(
      authorizePath({ request_uri, client_id: ['photo-printer', 'photo-printer'] }),
    )
    assertOnPage(twice, 'Parameter client_id came more than once')
  })

  test('an expired one is a page', async () => {
    const uri = await push(started)
    started.pass(59)
    assertOnTheWay(await new Browser(started).ask(pushedPath(uri)), 'login')
    started.pass(1)
    const page = await new Browser(started).ask(pushedPath(uri))
    assertOnPage(page, unusable)
  })

  test('a page that is open goes on after the expiry', async () => {
    const browser = new Browser(started)
    const login = await goPushed(browser, await push(started))
    started.pass(600)
    const consent = await browser.logIn(login, 'alice', 'wonderland')
    const page = await browser.submit(consent, { decision: 'allow' })
    assert.equal(typeof sentTo(page, `${callback}?`).code, 'string')
  })

  test('a restart loses none', async () => {
    const uri = await push(started)
    await started.restart()
    assertOnTheWay(await new Browser(started).ask(pushedPath(uri)), 'login')
  })
})

describe('section 7.3: one use', () => {
  test('a reload before the answer does no harm', async () => {
    const uri = await push(started, { ...codeRequest, prompt: 'consent' })
    const browser = new Browser(started)
    for (let times = 0; times < 3; times++) {
      assertOnTheWay(await browser.ask(pushedPath(uri)), 'login')
    }
    await browser.logIn(await goPushed(browser, uri), 'alice', 'wonderland')
    for (let times = 0; times < 3; times++) {
      assertOnTheWay(await browser.ask(pushedPath(uri)), 'consent')
    }
    const page = await browser.submit(await goPushed(browser, uri), { decision: 'allow' })
    assert.equal(typeof sentTo(page, `${callback}?`).code, 'string')
  })

  test('a code, a denial and a silent refusal use it up', async () => {
    const asked = { ...codeRequest, prompt: 'consent' }
    for (const decision of ['allow', 'deny']) {
      const uri = await push(started, asked)
      const browser = await enter(started)
      const page = await browser.submit(await goPushed(browser, uri), { decision })
      sentTo(page, `${callback}?`)
      assertOnPage(await browser.ask(pushedPath(uri)), unusable)
      assertOnPage(await new Browser(started).ask(pushedPath(uri)), unusable)
    }
    const silent = await push(started, { ...codeRequest, prompt: 'none' })
    const page = await new Browser(started).ask(pushedPath(silent))
    assert.equal(sentTo(page, `${callback}?`).error, 'login_required')
    assertOnPage(await new Browser(started).ask(pushedPath(silent)), unusable)
  })

  test('a restart does not forget it', async () => {
    const uri = await push(started, { ...codeRequest, prompt: 'consent' })
    const browser = await enter(started)
    sentTo(await browser.submit(await goPushed(browser, uri), { decision: 'deny' }), `${callback}?`)
    await started.restart()
    assertOnPage(await new Browser(started).ask(pushedPath(uri)), unusable)
  })
})

describe('sections 5 and 6: requests that have to be pushed', () => {
  test('a client may register for that', async () => {
    const { id, redirectUri, credentials, body } = await register(started, {
      require_pushed_authorization_requests: true,
    })
    assert.equal(body.require_pushed_authorization_requests, true)
    const asked = { ...codeRequest, client_id: id, redirect_uri: redirectUri, scope: 'openid' }
    const browser = await enter(started)
    const page = await browser.ask(authorizePath(asked))
    assert.deepEqual(answerOf(page).error, 'invalid_request')
    assert.equal(
      answerOf(page).error_description,
      'the request has to be pushed first: send the request_uri that it gets',
    )
    const uri = await push(started, asked, credentials)
    assertOnTheWay(await browser.ask(pushedPath(uri, id)), 'consent')
  })

  test('nothing else pushes: neither a request object nor an https request_uri', async () => {
    const uri = site.url('/object.jwt')
    const { id, redirectUri } = await register(started, {
      jwks: keySetOf(keys),
      request_uris: [uri],
      require_pushed_authorization_requests: true,
    })
    const browser = await enter(started)
    const request = await sign(objectClaims(started, { id, redirectUri }), keys)
    for (const object of [{ request }, { request_uri: uri }]) {
      const page = await browser.ask(authorizePath({ client_id: id, ...object }))
      assertOnPage(page, 'The application has to push its request first')
    }
    assert.equal(site.asked('/object.jwt'), 0)
  })
})

describe('LATCHKEY_REQUIRE_PAR', () => {
  const strict = startBefore(() => start({ requirePar: true }))

  test('every client has to push', async () => {
    const { body } = await strict.ask('/.well-known/oauth-authorization-server')
    assert.equal(body.require_pushed_authorization_requests, true)
    const browser = await enter(strict)
    const page = await browser.ask(authorizePath(codeRequest))
    assert.equal(sentTo(page, `${callback}?`).error, 'invalid_request')
    const uri = await push(strict)
    assertOnTheWay(await browser.ask(pushedPath(uri)), 'consent')
    const { redirect_uri: _, ...unproven } = codeRequest
    assertOnPage(
      await browser.ask(authorizePath(unproven)),
      'The application has to push its request first',
    )
  })
})

test('LATCHKEY_LIMIT_PUSHED_REQUEST_SECONDS', async () => {
  const limits = { ...defaultLimits, pushedRequestSeconds: 5 }
  const short = await start({ limits })
  try {
    const { body } = await tryPush(short)
    assert.equal(body.expires_in, 5)
    short.pass(5)
    assertOnPage(await new Browser(short).ask(pushedPath(body.request_uri)), unusable)
  } finally {
    await short.close()
  }
})

test('a DPoP proof is not passed over', async () => {
  const { status, body } = await started.ask('/par', {
    form: { ...codeRequest, client_secret: 'photo-printer-secret' },
    headers: { dpop: 'x' },
  })
  assert.deepEqual([status, body.error], [400, 'invalid_dpop_proof'])
})
