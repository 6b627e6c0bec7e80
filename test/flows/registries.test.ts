/** A further entry of each registry works everywhere: metadata, registration, endpoints. Or the service does not start. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type ClientMethod, invalidClient } from '../../src/clients/methods/method.ts'
import { builtIn, type Registries } from '../../src/registries.ts'
import type { PromptValue } from '../../src/requests/prompts.ts'
import type { ResponseType } from '../../src/responses/response.ts'
import { collectMetadata } from '../../src/rooms/oauth/metadata.ts'
import {
  grantTypes,
  joinNames,
  methodNames,
  promptNames,
  provingMethods,
} from '../support/advertised.ts'
import { answerOf, Browser } from '../support/browser.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { everyResponseType } from '../support/openid.ts'
import { authorizePath, callback, walk } from '../support/printing.ts'
import { basic, start, startBefore } from '../support/start.ts'
import { assertRefused } from '../support/tokens.ts'
import { failedClient } from '../support/told.ts'
import { languages } from '../support/view.ts'
import { type Operator, operatorOf, problem } from './operator.ts'

/** A client holds a badge to a reader; the badge follows from its software id. */
const badge: ClientMethod = {
  name: 'badge',
  place: 'the header X-Badge',
  alsoFor: [],
  issues: 'nothing',
  lacks: ({ display }) => (display.software_id === undefined ? 'software_id' : null),
  read({ headers }) {
    const [id, given] = headers.get('x-badge')?.split(' ') ?? []
    if (id === undefined) return null
    if (given === undefined) return invalidClient('bad_badge')
    return {
      id,
      verify: (client) =>
        given === `badge-of-${client.display.software_id}` ? client : invalidClient('wrong_badge'),
    }
  },
}

/** Answers with the hour of the approval, in words that may come in any order. */
const codeHour: ResponseType = {
  type: 'code hour',
  grantTypes: ['authorization_code', 'hourly'],
  mode: 'fragment',
  modes: ['fragment'],
  namesRedirectUri: true,
  exchanged: true,
  tellsLogin: false,
  open:
    () =>
    async ({ trace }) => ({ hour: new Date(trace.at * 1000).toISOString().slice(11, 13) }),
}

const reconfirm: PromptValue = { value: 'reconfirm', does: 'consent', alone: true }

let operator: Operator

const service = startBefore(
  () =>
    start({
      clientMethods: [badge],
      responseTypes: [codeHour],
      prompts: [reconfirm],
    }),
  async () => {
    operator = await operatorOf(service)
  },
)

const metadata = async () => (await service.ask('/.well-known/oauth-authorization-server')).body

describe('a further client authentication method', () => {
  const said = {
    grant_types: ['client_credentials'],
    token_endpoint_auth_method: 'badge',
    software_id: 'turnstile',
  }
  const token = { grant_type: 'client_credentials', scope: 'photos:read' }
  const withBadge = (path: string, form: Readonly<Record<string, string>>, value: string) =>
    service.ask(path, { form, headers: { 'x-badge': value } })
  let id: string

  before(async () => {
    const { status, body, text } = await service.ask('/register', { json: said })
    assert.equal(status, 201, text)
    assert.equal(body.token_endpoint_auth_method, 'badge')
    assert.equal('client_secret' in body, false)
    id = body.client_id
  })

  test('is in the metadata of each endpoint that takes it', async () => {
    const names = [...methodNames, 'badge']
    const document = await metadata()
    assert.deepEqual(document.token_endpoint_auth_methods_supported, names)
    assert.deepEqual(document.revocation_endpoint_auth_methods_supported, names)
    const proving = [...provingMethods, 'badge']
    assert.deepEqual(document.introspection_endpoint_auth_methods_supported, proving)
  })

  test('needs what it says at registration', async () => {
    const { software_id: _, ...without } = said
    const refused = await service.ask('/register', { json: without })
    assert.deepEqual(
      [refused.status, refused.body],
      [
        400,
        {
          error: 'invalid_client_metadata',
          error_description: 'token_endpoint_auth_method badge needs software_id',
        },
      ],
    )
    const detail = `token_endpoint_auth_method has to be ${joinNames([...methodNames, 'badge'], 'or')}, not ticket`
    const json = { ...said, token_endpoint_auth_method: 'ticket' }
    const unknown = await operator('POST', 'clients', json)
    assert.deepEqual(unknown.body, problem('invalid_client_metadata', 400, detail))
  })

  test('authenticates at the token endpoint, at introspection and at revocation', async () => {
    const right = `${id} badge-of-turnstile`
    const { status, body, text } = await withBadge('/token', token, right)
    assert.equal(status, 200, text)
    const asked = { token: body.access_token }
    const introspected = await withBadge('/introspect', asked, right)
    assert.deepEqual([introspected.body.active, introspected.body.client_id], [true, id])
    assert.equal((await withBadge('/revoke', asked, right)).status, 200)
    assert.equal((await withBadge('/introspect', asked, right)).body.active, false)
  })

  test('is refused where it is wrong, unreadable, or of another client', async () => {
    const values = [`${id} badge-of-others`, id, 'nightly-report badge-of-undefined', 'nobody x']
    for (const value of values) {
      assertRefused(await withBadge('/token', token, value), 'invalid_client', failedClient)
    }
    const other = await withBadge(
      '/token',
      { ...token, client_id: 'x' },
      `${id} badge-of-turnstile`,
    )
    const differs = 'client_id in the body differs from the one in the header X-Badge'
    assertRefused(other, 'invalid_request', differs)
  })

  test('holds its clients to it exactly', async () => {
    assertRefused(
      await service.post('/token', { ...token, client_id: id }),
      'invalid_client',
      failedClient,
    )
    assertRefused(
      await service.post('/token', token, [id, 'badge-of-turnstile']),
      'invalid_client',
      failedClient,
    )
    const both = await service.ask('/token', {
      form: token,
      headers: { 'x-badge': `${id} badge-of-turnstile`, authorization: basic([id, 'x']) },
    })
    const twice =
      'the request has credentials in the Authorization header and in the header X-Badge: use one of the two'
    assertRefused(both, 'invalid_request', twice)
  })

  test('makes no public client, and none with a secret', async () => {
    const { status, body } = await operator('POST', `clients/${id}/rotate-secret`)
    assert.equal(status, 400)
    const detail = 'the client authenticates without a secret'
    assert.deepEqual(body, problem('invalid_request', 400, detail))
  })

  test('a secret comes and goes with the method', async () => {
    const made = (await operator('POST', 'clients', said)).body
    const change = (method: string) =>
      operator('PATCH', `clients/${made.client_id}`, { token_endpoint_auth_method: method })
    const secret = (await change('client_secret_post')).body.client_secret
    assert.match(secret, /^lk_cs_/)
    assert.equal((await service.post('/token', token, [made.client_id, secret])).status, 200)
    assert.equal('client_secret' in (await change('badge')).body, false)
    const old = await service.post('/token', token, [made.client_id, secret])
    assertRefused(old, 'invalid_client', failedClient)
  })
})

describe('a further response type', () => {
  const said = { redirect_uris: [callback], token_endpoint_auth_method: 'none' }

  test('is in the metadata, with its grant type', async () => {
    const document = await metadata()
    assert.deepEqual(document.response_types_supported, [...everyResponseType, 'code hour'])
    assert.deepEqual(document.grant_types_supported, [...grantTypes, 'hourly'])
  })

  test('can be registered for, its words in any order, and brings its grant types', async () => {
    const json = { ...said, response_types: ['hour code', 'code hour', 'code'] }
    const { status, body, text } = await service.ask('/register', { json })
    assert.equal(status, 201, text)
    assert.deepEqual(body.response_types, ['code hour', 'code'])
    assert.deepEqual(body.grant_types, ['authorization_code', 'hourly'])
  })

  test('is for nobody who has not named it', async () => {
    const json = { ...said, grant_types: ['authorization_code'] }
    const { body } = await service.ask('/register', { json })
    assert.deepEqual(body.response_types, ['code'])
    const refused = async (metadata: object) =>
      (await service.ask('/register', { json: { ...said, ...metadata } })).body.error_description
    assert.equal(
      await refused({ grant_types: ['authorization_code'], response_types: ['code hour'] }),
      'response type code hour needs grant type hourly',
    )
    assert.equal(
      await refused({ grant_types: ['authorization_code', 'hourly'] }),
      'grant type hourly needs response type code hour',
    )
    assert.equal(
      await refused({ response_types: ['hour'] }),
      'response_types holds nothing known here: it may hold code, token, id_token, id_token token, code id_token, code token, code id_token token and code hour',
    )
  })

  test('is answered, its words in any order', async () => {
    const json = { ...said, response_types: ['code hour'] }
    const { client_id } = (await service.ask('/register', { json })).body
    const asked = {
      client_id,
      redirect_uri: callback,
      scope: 'photos:read',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    }
    for (const response_type of ['code hour', 'hour code']) {
      const page = await walk(service, { ...asked, response_type })
      assert.deepEqual(answerOf(page), { hour: '12', iss: service.issuer })
      assert.match(page.headers.get('location') ?? '', /#hour=12/)
    }
    const code = await walk(service, { ...asked, response_type: 'code' })
    assert.equal(answerOf(code).error, 'unauthorized_client')
    const half = await walk(service, { ...asked, response_type: 'hour' })
    assert.equal(answerOf(half).error, 'unsupported_response_type')
  })
})

test('a further prompt value is in the metadata, has its effect, and stands alone', async () => {
  assert.deepEqual((await metadata()).prompt_values_supported, [...promptNames, 'reconfirm'])
  const request = {
    response_type: 'code',
    client_id: photoPrinter[0],
    redirect_uri: callback,
    scope: 'photos:read',
  }
  const browser = new Browser(service)
  await walk(service, request, {}, browser)
  assert.ok(answerOf(await browser.go(authorizePath(request))).code)
  const again = await browser.go(authorizePath({ ...request, prompt: 'reconfirm' }))
  assert.match(again.url, /\/consent\?/)
  const both = await browser.go(authorizePath({ ...request, prompt: 'login reconfirm' }))
  assert.equal(answerOf(both).error_description, 'prompt reconfirm stands alone')
})

describe('the service does not start', () => {
  const grant = (type: string) => ({
    type,
    clients: 'any' as const,
    open: () => async () => ({ for: 'client' as const, permissions: [] }),
  })
  const faulty: readonly (readonly [string, Partial<Registries>, string])[] = [
    [
      'with a built-in grant type once more',
      { grants: [grant('password')] },
      'there are two entries for the grant type "password"',
    ],
    [
      'with one further grant type twice',
      { grants: [grant('urn:example:a'), grant('urn:example:a')] },
      'there are two entries for the grant type "urn:example:a"',
    ],
    [
      'with a built-in method once more',
      { clientMethods: [{ ...badge, name: 'none' }] },
      'there are two entries for the client authentication method "none"',
    ],
    [
      'with a response type twice, its words in another order',
      { responseTypes: [codeHour, { ...codeHour, type: 'hour code' }] },
      'there are two entries for the response type "hour code"',
    ],
    [
      'with a prompt value twice',
      { prompts: [{ ...reconfirm, value: 'login' }] },
      'there are two entries for the prompt value "login"',
    ],
    [
      'with a name that cannot be sent',
      { prompts: [{ ...reconfirm, value: 're confirm' }] },
      'the prompt value "re confirm" cannot be sent: it is not one word',
    ],
    [
      'with a proof of possession twice',
      { proofs: builtIn.proofs },
      'there are two entries for the proof of possession "x5t#S256"',
    ],
    [
      'with a response type without a name',
      { responseTypes: [{ ...codeHour, type: '' }] },
      'the response type "" cannot be sent: it is not one word',
    ],
  ]
  for (const [name, added, message] of faulty) {
    test(name, async () => {
      await assert.rejects(start(added), { name: 'RegistryFault', message })
    })
  }
})

test('two endpoints with one member of the metadata are a fault', () => {
  const { settings } = service.server()
  const resources = { list: () => settings.resources, words: [] }
  const given = { settings, languages, resources, registries: builtIn }
  const fragments = [() => ({ issuer: 'a' }), () => ({ issuer: 'a' })]
  assert.throws(() => collectMetadata(fragments, given), {
    message: 'two endpoints set the metadata member issuer',
  })
})
