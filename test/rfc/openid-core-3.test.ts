/**
 * Response types of OpenID Connect (OpenID Connect Core sections 3.2 and 3.3, OAuth 2.0 Multiple
 * Response Type Encoding Practices): the parameters of each answer, and the requests refused.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sentTo } from '../support/authorization.ts'
import { answerOf, Browser, formsOf, type Page } from '../support/browser.ts'
import {
  everyResponseType,
  hashInToken,
  idTokenClaims,
  registerOpenid,
  requestAs,
} from '../support/openid.ts'
import { assertPlaced } from '../support/placed.ts'
import { authorizePath, callback, walk } from '../support/printing.ts'
import { type Form, start, startBefore } from '../support/start.ts'
import { redeem, use } from '../support/tokens.ts'

let client: readonly [string, string]

const service = startBefore(start, async () => {
  client = await registerOpenid(service)
})

const requestOf = (response_type: string, changes: Form = {}): Form =>
  requestAs(client, response_type, changes)

const answerTo = async (response_type: string, changes: Form = {}) =>
  answerOf(await walk(service, requestOf(response_type, changes)))

const refusalOf = async (request: Form) => {
  const page = await new Browser(service).ask(authorizePath(request))
  return sentTo(page, `${callback}#`)
}

const without = ({ [String('nonce')]: _, ...request }: Form): Form => request

const combinations = everyResponseType.slice(2)
const withIdToken = combinations.filter((type) => type.includes('id_token'))

/** The parameters that each word of a response type brings. */
const brought: Readonly<Record<string, readonly string[]>> = {
  code: ['code'],
  token: ['access_token', 'token_type', 'expires_in', 'scope'],
  id_token: ['id_token'],
}

describe('Multiple Response Types section 5: each word brings its parameters, in the fragment', () => {
  for (const type of combinations) {
    test(type, async () => {
      const page = await walk(service, requestOf(type))
      const answer = sentTo(page, `${callback}#`)
      const expected = type.split(' ').flatMap((word) => brought[word] ?? [])
      assert.deepEqual(Object.keys(answer).sort(), [...expected, 'iss', 'state'].sort())
      assert.equal(answer.iss, service.issuer)
      assert.equal(answer.state, 'xyz')
    })
  }

  test('in any order of the words', async () => {
    const answer = await answerTo('token id_token code')
    assert.ok(answer.code && answer.id_token && answer.access_token)
    await assertPlaced(service, answer.access_token)
  })

  test('token alone brings no ID token, even with openid', async () => {
    const { access_token, ...answer } = await answerTo('token')
    assert.match(access_token ?? '', /^lk_at_/)
    assert.deepEqual(answer, {
      token_type: 'Bearer',
      expires_in: '3600',
      scope: 'openid photos:read',
      state: 'xyz',
      iss: service.issuer,
    })
  })
})

describe('section 3.3.2.11: the ID token is bound to what comes beside it', () => {
  for (const type of withIdToken) {
    test(type, async () => {
      const { id_token: idToken, code, access_token: token } = await answerTo(type)
      const { sub, sid, ...claims } = await idTokenClaims(service, idToken, client[0])
      assert.match(String(sub), /^[0-9a-z]{26}$/)
      assert.match(String(sid), /^[\w-]{22}$/)
      assert.deepEqual(claims, {
        iss: service.issuer,
        aud: client[0],
        azp: client[0],
        iat: service.now(),
        exp: service.now() + 3600,
        auth_time: service.now(),
        acr: '1',
        amr: ['pwd'],
        nonce: 'n-1',
        ...(token === undefined ? {} : { at_hash: hashInToken(token) }),
        ...(code === undefined ? {} : { c_hash: hashInToken(code) }),
      })
    })
  }

  test('section 3.3.3.6: the ID token of the code is about the same login', async () => {
    const { id_token: front, code = '' } = await answerTo('code id_token')
    const { body } = await redeem(service, code, client)
    const about = async (idToken: string | undefined) => {
      const { iss, sub, aud, auth_time, nonce, sid } = await idTokenClaims(
        service,
        idToken,
        client[0],
      )
      return { iss, sub, aud, auth_time, nonce, sid }
    }
    assert.deepEqual(await about(body.id_token), await about(front))
  })
})

describe('sections 3.2.2.1 and 3.3.2.1: requests that are refused', () => {
  for (const type of withIdToken) {
    test(`${type} without nonce`, async () => {
      assert.deepEqual(await refusalOf(without(requestOf(type))), {
        error: 'invalid_request',
        error_description: 'a response_type with id_token needs the parameter nonce',
        state: 'xyz',
        iss: service.issuer,
      })
    })

    test(`${type} without openid`, async () => {
      assert.deepEqual(await refusalOf(requestOf(type, { scope: 'photos:read' })), {
        error: 'invalid_scope',
        error_description: 'a response_type with id_token needs openid in the scope',
        state: 'xyz',
        iss: service.issuer,
      })
    })
  }

  test('code token needs neither: it brings no ID token', async () => {
    const request = without(requestOf('code token', { scope: 'photos:read' }))
    const { code, access_token, ...answer } = answerOf(await walk(service, request))
    assert.match(code ?? '', /^lk_ac_/)
    assert.match(access_token ?? '', /^lk_at_/)
    assert.equal(answer.scope, 'photos:read')
  })

  for (const type of combinations) {
    test(`${type} is never answered in the query`, async () => {
      const refusal = await refusalOf(requestOf(type, { response_mode: 'query' }))
      assert.equal(refusal.error, 'invalid_request')
      assert.equal(
        refusal.error_description,
        'response_mode has to be fragment or form_post here, each also with .jwt, or jwt',
      )
    })

    test(`${type} of a client that did not register it`, async () => {
      const [id] = await registerOpenid(service, {
        grant_types: ['authorization_code'],
        response_types: ['code'],
      })
      assert.deepEqual(await refusalOf(requestOf(type, { client_id: id })), {
        error: 'unauthorized_client',
        error_description: 'the client is not registered for this response_type',
        state: 'xyz',
        iss: service.issuer,
      })
    })
  }

  test('a public client needs PKCE wherever a code comes', async () => {
    const [id] = await registerOpenid(service, { token_endpoint_auth_method: 'none' })
    for (const type of combinations) {
      const page = await new Browser(service).ask(authorizePath(requestOf(type, { client_id: id })))
      const isRefused = page.headers.get('location')?.startsWith(callback) === true
      assert.equal(isRefused, type.includes('code'), type)
    }
  })
})

test('Form Post: every type is posted on demand, with iss', async () => {
  for (const type of combinations) {
    const page = await walk(service, requestOf(type, { response_mode: 'form_post' }))
    assert.equal(page.status, 200, page.text)
    const [form] = formsOf(page.text)
    assert.equal(form?.action, callback)
    assert.deepEqual(form?.fields.iss, [service.issuer])
    for (const word of type.split(' ')) {
      for (const name of brought[word] ?? []) assert.equal(form?.fields[name]?.length, 1, name)
    }
  }
})

describe('section 3.3: an access token beside a code', () => {
  test('both work, each once, and the code earns tokens of its own', async () => {
    const { code = '', access_token: front = '' } = await answerTo('code token')
    const { status, body } = await redeem(service, code, client)
    assert.equal(status, 200)
    assert.notEqual(body.access_token, front)
    assert.equal(await use(service, front), 200)
    assert.equal(await use(service, body.access_token), 200)
  })

  test('section 3.3.2.5: the front channel never brings a refresh token', async () => {
    const answer = await answerTo('code token', { scope: 'openid offline_access photos:read' })
    assert.equal(answer.refresh_token, undefined)
    assert.equal(answer.scope, 'openid photos:read')
    const { body } = await redeem(service, answer.code ?? '', client)
    assert.match(body.refresh_token, /^lk_rt_/)
    assert.equal(body.scope, 'offline_access openid photos:read')
  })

  test('a replay of the code ends all that this response earned', async () => {
    const { code = '', access_token: front = '' } = await answerTo('code id_token token')
    const { body } = await redeem(service, code, client)
    assert.equal((await redeem(service, code, client)).body.error, 'invalid_grant')
    assert.equal(await use(service, body.access_token), 401)
    assert.equal(await use(service, front), 401)
  })

  test('what another response earned goes on', async () => {
    const other = await answerTo('code token')
    const { code = '' } = await answerTo('code token')
    await redeem(service, code, client)
    await redeem(service, code, client)
    assert.equal(await use(service, other.access_token ?? ''), 200)
    assert.equal((await redeem(service, other.code ?? '', client)).status, 200)
  })

  test('the way to the answer, once more, brings no second token and no second code', async () => {
    const browser = new Browser(service)
    const consent = await browser.go(authorizePath(requestOf('code token', { prompt: 'consent' })))
    const page = await browser.logIn(consent, 'alice', 'wonderland')
    const [form] = formsOf(page.text)
    assert.ok(form)
    const allowed = await browser.ask(form.action, { ...form.fields, decision: 'allow' })
    const onward = allowed.headers.get('location') ?? ''
    const pages: Page[] = await Promise.all([1, 2, 3].map(() => browser.ask(onward)))
    assert.deepEqual(pages.map(({ status }) => status).sort(), [302, 400, 400])
  })
})

describe('Dynamic Registration section 2: grant types go along with response types', () => {
  const register = (metadata: object) =>
    service.ask('/register', { json: { redirect_uris: [callback], ...metadata } })

  for (const [type, grants] of [
    ['id_token', ['implicit']],
    ['id_token token', ['implicit']],
    ['code id_token', ['authorization_code', 'implicit']],
    ['code token', ['authorization_code', 'implicit']],
    ['code id_token token', ['authorization_code', 'implicit']],
  ] as const) {
    test(`${type} brings them`, async () => {
      const { status, body } = await register({ response_types: [type] })
      assert.equal(status, 201)
      assert.deepEqual(body.response_types, [type])
      assert.deepEqual(body.grant_types, grants)
    })

    test(`${type} is refused without them`, async () => {
      const missing = grants.at(-1)
      const { status, body } = await register({
        response_types: [type],
        grant_types: ['authorization_code', 'client_credentials'].filter((one) => one !== missing),
      })
      assert.equal(status, 400)
      assert.equal(body.error, 'invalid_client_metadata')
      assert.match(body.error_description, /^response type .* needs grant type implicit$/)
    })
  }
})
