/**
 * DR-10: the metadata document is true. Each test is made from the document. An advertised feature
 * works. A feature of other servers that is not advertised fails with the error of the RFC.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import { hashText } from '../../src/crypto/digest.ts'
import { builtIn } from '../../src/registries.ts'
import { grantTypes } from '../support/advertised.ts'
import { assertionClaims, assertionForm, provenBy, signBySecret } from '../support/assertions.ts'
import { answerOf, Browser, formsOf } from '../support/browser.ts'
import { keySetOf, newKeys } from '../support/client-keys.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import {
  authorizePath,
  callback,
  codeRequest,
  obtainCode,
  obtainTokens,
  walk,
} from '../support/printing.ts'
import { type Answer, type Form, type Started, start } from '../support/start.ts'
import { bearer, type Operator, operatorOf } from './operator.ts'

let started: Started
let operator: Operator

const path = '/.well-known/oauth-authorization-server'
const service = await start()
const { body: document } = await service.ask(path)

before(async () => {
  started = service
  operator = await operatorOf(started)
})
after(() => service.close())

const keys = await newKeys('ES256', 'k-1')

const pathOf = (url: string): string => url.slice(service.issuer.length)

const pkce = (method: string): Readonly<Record<string, string>> => {
  const code_verifier = 'v'.repeat(64)
  const code_challenge = method === 'S256' ? hashText(code_verifier) : code_verifier
  return { code_challenge, code_challenge_method: method, code_verifier }
}

const confidential = builtIn.grants.filter(({ clients }) => clients !== 'any')
const publicGrants = grantTypes.filter((type) => !confidential.some((grant) => grant.type === type))

/** A client for everything, authenticating in one of the ways. */
const register = async (method: string): Promise<Readonly<Record<string, string>>> => {
  const isPublic = method === 'none'
  const { status, body, text } = await operator('POST', 'clients', {
    client_name: 'Everything',
    redirect_uris: [callback],
    token_endpoint_auth_method: method,
    grant_types: isPublic ? publicGrants : document.grant_types_supported,
    response_types: document.response_types_supported,
    ...(isPublic ? {} : { trusted: true }),
    ...(method === 'private_key_jwt' ? { jwks: keySetOf(keys) } : {}),
  })
  assert.equal(status, 201, text)
  return body
}

const ways: Readonly<
  Record<
    string,
    (client: Readonly<Record<string, string>>, path: string, form: Form) => Promise<Answer>
  >
> = {
  client_secret_basic: ({ client_id = '', client_secret = '' }, at, form) =>
    started.post(at, form, [client_id, client_secret]),
  client_secret_post: ({ client_id = '', client_secret = '' }, at, form) =>
    started.post(at, { ...form, client_id, client_secret }),
  client_secret_jwt: async ({ client_id = '', client_secret = '' }, at, form) => {
    const claims = assertionClaims(started, client_id)
    const proof = assertionForm(await signBySecret(claims, client_secret))
    return started.post(at, { ...form, ...proof })
  },
  private_key_jwt: async ({ client_id = '' }, at, form) =>
    started.post(at, { ...form, ...(await provenBy(started, client_id, keys)) }),
  none: ({ client_id = '' }, at, form) => started.post(at, { ...form, client_id }),
}

/** A method that this file can speak; each other one has a test of its own. */
const isSpoken = (method: string): boolean => method in ways

const request = (clientId: string, changes: Form = {}): Form => ({
  response_type: 'code',
  client_id: clientId,
  redirect_uri: callback,
  ...changes,
})

/** The client's tokens for a code with this PKCE. */
const codeForm = async (clientId: string): Promise<Form> => {
  const { code_verifier = '', ...challenge } = pkce('S256')
  const code = await obtainCode(started, request(clientId, challenge))
  return { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier }
}

describe('authentication methods', () => {
  for (const method of document.token_endpoint_auth_methods_supported.filter(isSpoken)) {
    test(`${method} is taken at the token endpoint, and a wrong secret is not`, async () => {
      const client = await register(method)
      const ask = ways[method]
      assert.ok(ask, `no test knows the method ${method}`)
      const form = await codeForm(client.client_id ?? '')
      const strange = await ask(
        { ...client, client_secret: 'wrong', client_id: 'x' },
        '/token',
        form,
      )
      assert.deepEqual([strange.status, strange.body.error], [401, 'invalid_client'])
      const right = await ask(client, '/token', form)
      assert.equal(right.status, 200, right.text)
    })
  }

  for (const endpoint of ['revocation', 'introspection'] as const) {
    const methods: readonly string[] = document[`${endpoint}_endpoint_auth_methods_supported`]
    for (const method of Object.keys(ways)) {
      const expected = methods.includes(method) ? 200 : 401
      test(`${method} at the ${endpoint} endpoint: ${expected}`, async () => {
        const client = await register(method)
        const at = pathOf(document[`${endpoint}_endpoint`])
        const answer = await ways[method]?.(client, at, { token: 'x' })
        assert.equal(answer?.status, expected)
      })
    }
  }

  const others = ['tls_client_auth', 'self_signed_tls_client_auth']
  for (const method of others) {
    test(`${method} is not advertised and cannot be registered for`, async () => {
      assert.equal(document.token_endpoint_auth_methods_supported.includes(method), false)
      const { status, body } = await operator('POST', 'clients', {
        client_name: 'Other',
        grant_types: ['client_credentials'],
        token_endpoint_auth_method: method,
      })
      assert.deepEqual([status, body.title], [400, 'invalid_client_metadata'])
    })
  }

  test('a client assertion is refused', async () => {
    const answer = await started.post('/token', {
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: 'eyJhbGciOiJub25lIn0.e30.',
    })
    assert.deepEqual([answer.status, answer.body.error], [401, 'invalid_client'])
  })
})

describe('grant types', () => {
  const forms: Readonly<Record<string, (clientId: string) => Promise<Form>>> = {
    authorization_code: codeForm,
    password: async () => ({ username: 'alice', password: 'wonderland' }),
    client_credentials: async () => ({}),
    refresh_token: async (clientId) => {
      const secret = rotated.get(clientId) ?? ''
      const form = await codeForm(clientId)
      const { body } = await started.post('/token', form, [clientId, secret])
      return { refresh_token: body.refresh_token }
    },
  }
  const rotated = new Map<string, string>()

  /** A grant that this file has no form for: its credential is missed, and its name is known. */
  const assertTaken = async (type: string, client: Readonly<Record<string, string>>) => {
    const { client_id = '', client_secret = '' } = client
    const { body } = await started.post('/token', { grant_type: type }, [client_id, client_secret])
    assert.notEqual(body.error, 'unsupported_grant_type')
    assert.notEqual(body.error, 'unauthorized_client')
  }

  for (const type of document.grant_types_supported) {
    test(`${type} earns a token that works`, async () => {
      const client = await register('client_secret_basic')
      const { client_id = '', client_secret = '' } = client
      rotated.set(client_id, client_secret)
      const form = await forms[type]?.(client_id)
      if (form === undefined && type !== 'implicit') return assertTaken(type, client)
      const token =
        type === 'implicit'
          ? answerOf(await walk(started, request(client_id, { response_type: 'token' })))
          : (
              await started.post('/token', { ...form, grant_type: type }, [
                client_id,
                client_secret,
              ])
            ).body
      assert.ok(token.access_token, JSON.stringify(token))
      const used = await started.ask('/api/photos', bearer(token.access_token))
      assert.equal(used.status, 200)
    })
  }

  const others = [
    'urn:ietf:params:oauth:grant-type:saml2-bearer',
    'implicit',
    'Password',
    'toString',
  ]
  for (const type of others) {
    test(`${type} is no grant_type of the token endpoint`, async () => {
      const { client_id = '', client_secret = '' } = await register('client_secret_basic')
      const answer = await started.post('/token', { grant_type: type }, [client_id, client_secret])
      assert.equal(answer.status, 400)
      assert.equal(answer.body.error, 'unsupported_grant_type')
    })
  }

  test('a grant type of one’s own is advertised where it is on', async () => {
    const own = {
      type: 'https://example.com/grants/nothing',
      clients: 'any' as const,
      open: () => async () => ({ for: 'client' as const, permissions: [] }),
    }
    const extended = await start({ grants: [own] })
    try {
      const { body } = await extended.ask(path)
      assert.deepEqual(body, {
        ...document,
        grant_types_supported: grantTypes.toSpliced(grantTypes.indexOf('implicit'), 0, own.type),
      })
    } finally {
      await extended.close()
    }
  })
})

describe('response types and modes', () => {
  for (const type of document.response_types_supported) {
    test(`${type} is answered with a ${type}`, async () => {
      const { client_id = '' } = await register('client_secret_basic')
      const asked = request(client_id, {
        response_type: type,
        scope: 'openid photos:read',
        nonce: 'n',
      })
      const answer = answerOf(await walk(started, asked))
      const members = ['code', 'id_token', 'access_token']
      assert.deepEqual(
        members.filter((name) => name in answer).sort(),
        type
          .replace(/\btoken/, 'access_token')
          .split(' ')
          .toSorted(),
      )
    })
  }

  test('every mode works somewhere, none puts a token into the query', async () => {
    const { client_id = '' } = await register('client_secret_basic')
    const works = new Set<string>()
    for (const response_type of document.response_types_supported) {
      for (const response_mode of document.response_modes_supported) {
        const page = await walk(started, request(client_id, { response_type, response_mode }))
        const location = page.headers.get('location')
        const [form] = location === null ? formsOf(page.text) : []
        const posted = Object.entries(form?.fields ?? {}).map(([name, [text = '']]) => [name, text])
        const sent = location === null ? Object.fromEntries(posted) : answerOf(page)
        const isSigned = sent.response !== undefined
        const answer = isSigned ? decodeJwt<Record<string, string>>(sent.response ?? '') : sent
        const { search = '' } = location === null ? {} : new URL(location)
        assert.ok(search === '' || answer.access_token === undefined)
        assert.equal(isSigned, response_mode.endsWith('jwt') && answer.iss !== undefined)
        if (answer.error !== undefined || answer.iss === undefined) continue
        const way = location === null ? 'form_post' : search === '' ? 'fragment' : 'query'
        works.add(isSigned ? `${way}.jwt` : way)
        if (response_mode === 'jwt') works.add('jwt')
      }
    }
    assert.deepEqual([...works].sort(), document.response_modes_supported.toSorted())
  })

  const types = ['id-token', 'code code', 'code none', 'none', 'CODE', 'device']
  for (const type of types) {
    test(`response_type ${type} is refused`, async () => {
      const { client_id = '' } = await register('client_secret_basic')
      const page = await new Browser(started).go(
        authorizePath(request(client_id, { response_type: type })),
      )
      assert.equal(answerOf(page).error, 'unsupported_response_type')
    })
  }

  for (const mode of ['web_message', 'web_message.jwt', 'jwt.jwt', 'JWT', '.jwt']) {
    test(`UI-06: response_mode ${mode} is refused`, async () => {
      const { client_id = '' } = await register('client_secret_basic')
      const page = await new Browser(started).go(
        authorizePath(request(client_id, { response_mode: mode })),
      )
      assert.equal(answerOf(page).error, 'invalid_request')
    })
  }
})

describe('PKCE', () => {
  for (const method of document.code_challenge_methods_supported) {
    test(`${method} is taken and enforced`, async () => {
      const { client_id = '' } = await register('none')
      const { code_verifier = '', ...challenge } = pkce(method)
      const redeem = async (verifier: string) =>
        started.post('/token', {
          grant_type: 'authorization_code',
          code: await obtainCode(started, request(client_id, challenge)),
          redirect_uri: callback,
          client_id,
          code_verifier: verifier,
        })
      assert.equal((await redeem(code_verifier)).status, 200)
      assert.equal((await redeem('w'.repeat(64))).body.error, 'invalid_grant')
    })
  }

  for (const method of ['plain', 's256', 'S512']) {
    test(`${method} is refused`, async () => {
      const { client_id = '' } = await register('none')
      const { code_verifier, ...challenge } = pkce(method)
      const page = await new Browser(started).go(authorizePath(request(client_id, challenge)))
      assert.equal(answerOf(page).error, 'invalid_request')
    })
  }
})

describe('prompts', () => {
  const expected: Readonly<Record<string, RegExp>> = {
    none: /error=consent_required/,
    login: /\/login\?/,
    consent: /\/consent\?/,
    select_account: /\/login\?/,
  }
  for (const prompt of document.prompt_values_supported) {
    test(`${prompt} does what it says`, async () => {
      const { client_id = '' } = await register('client_secret_basic')
      const browser = new Browser(started)
      await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
      const page = await browser.ask(authorizePath(request(client_id, { prompt })))
      assert.match(page.headers.get('location') ?? '', expected[prompt] ?? /^never$/)
    })
  }

  test('create is refused', async () => {
    const { client_id = '' } = await register('client_secret_basic')
    const page = await new Browser(started).go(
      authorizePath(request(client_id, { prompt: 'create' })),
    )
    assert.equal(answerOf(page).error, 'invalid_request')
  })
})

describe('scopes, resources and the issuer', () => {
  test('every scope can be asked for, and comes', async () => {
    for (const scope of document.scopes_supported.filter((name: string) => name.includes(':'))) {
      const form = { grant_type: 'client_credentials', scope }
      const client = ['nightly-report', 'nightly-report-secret'] as const
      const { status, body } = await started.post('/token', form, client)
      assert.deepEqual([status, body.scope], [200, scope])
    }
  })

  test('every word of an owner can be asked for, and its claims come', async () => {
    const words = document.scopes_supported.filter((name: string) => !name.includes(':'))
    const scope = words.join(' ')
    assert.equal(scope, 'address email groups offline_access openid phone profile')
    const tokens = await obtainTokens(started, { ...codeRequest, scope })
    assert.equal(tokens.scope, scope)
    const { body } = await started.ask(
      pathOf(document.userinfo_endpoint),
      bearer(tokens.access_token),
    )
    const ofIdTokens = ['iss', 'auth_time', 'acr']
    assert.deepEqual(
      [...Object.keys(body), ...ofIdTokens].toSorted(),
      document.claims_supported.toSorted(),
    )
  })

  for (const scope of ['openid', 'offline_access', 'clients:read', 'photos:delete']) {
    test(`scope ${scope} is refused`, async () => {
      const form = { grant_type: 'client_credentials', scope }
      const client = ['nightly-report', 'nightly-report-secret'] as const
      const { status, body } = await started.post('/token', form, client)
      assert.deepEqual([status, body.error], [400, 'invalid_scope'])
    })
  }

  test('every protected resource says of itself that it takes tokens of this service', async () => {
    for (const resource of document.protected_resources) {
      const at = `/.well-known/oauth-protected-resource${pathOf(resource)}`
      const { body } = await started.ask(at)
      assert.equal(body.resource, resource)
      assert.deepEqual(body.authorization_servers, [document.issuer])
    }
  })

  test('answers and refusals carry iss', async () => {
    assert.equal(document.authorization_response_iss_parameter_supported, true)
    assert.equal(answerOf(await walk(started)).iss, document.issuer)
    const refused = await new Browser(started).go(
      authorizePath(request('photo-printer', { response_type: 'x' })),
    )
    assert.equal(answerOf(refused).iss, document.issuer)
  })
})

describe('endpoints', () => {
  test('registration takes a client, which is known then', async () => {
    const metadata = { client_name: 'Mine', redirect_uris: ['https://mine.example/back'] }
    const made = await started.ask(pathOf(document.registration_endpoint), { json: metadata })
    assert.equal(made.status, 201, made.text)
    const page = await new Browser(started).go(
      authorizePath({
        ...request(made.body.client_id),
        redirect_uri: 'https://mine.example/back',
        scope: 'openid',
      }),
    )
    assert.match(page.url, /\/login\?/)
  })

  test('userinfo and jwks answer', async () => {
    const tokens = await obtainTokens(started, { ...codeRequest, scope: 'openid' })
    const userinfo = pathOf(document.userinfo_endpoint)
    assert.equal((await started.ask(userinfo, bearer(tokens.access_token))).status, 200)
    assert.equal((await started.ask(pathOf(document.jwks_uri))).status, 200)
    const revoke = pathOf(document.revocation_endpoint)
    await started.post(revoke, { token: tokens.access_token }, photoPrinter)
    assert.equal((await started.ask(userinfo, bearer(tokens.access_token))).status, 401)
  })

  test('what is not advertised is not there', async () => {
    const others = { check_session_iframe: '/check_session' }
    for (const [member, at] of Object.entries(others)) {
      assert.equal(member in document, false)
      for (const method of ['GET', 'POST']) {
        assert.equal((await started.ask(at, { method })).status, 404)
      }
    }
  })

  test('registration is not there for strangers where it is not advertised', async () => {
    const closed = await start({ demo: false })
    try {
      assert.equal('registration_endpoint' in (await closed.ask(path)).body, false)
      const metadata = { client_name: 'Mine', redirect_uris: ['https://mine.example/back'] }
      assert.equal((await closed.ask('/register', { json: metadata })).status, 401)
    } finally {
      await closed.close()
    }
  })
})
