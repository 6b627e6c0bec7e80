/** Client registration (RFC 7591) and its management (RFC 7592), from outside. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { registrationBytes } from '../../src/rooms/oauth/register.ts'
import { joinNames, methodNames } from '../support/advertised.ts'
import { answerOf, Browser } from '../support/browser.ts'
import { callback, walk } from '../support/printing.ts'
import { type Init, start, startBefore } from '../support/start.ts'
import { bearer, operatorOf } from './operator.ts'

const everything =
  'calendar:read calendar:write contacts:read contacts:write photos:read photos:write'

const metadata = { client_name: 'Prints', redirect_uris: [callback] }

const service = startBefore()

const register = async (json: unknown = metadata, init: Init = {}) =>
  service.ask('/register', { ...init, json })

/** Asks about a registration with its registration access token. */
const manage = (method: string, id: string, token: string, json?: unknown) =>
  service.ask(`/register/${id}`, {
    ...(token === '' ? {} : bearer(token)),
    method,
    ...(json === undefined ? {} : { json }),
  })

const wrongToken = {
  error: 'invalid_token',
  error_description: 'this is not the registration access token of this client',
}

describe('POST /register', () => {
  it('DR-01: answers 201 with id, secret once and the metadata in force, not to be stored', async () => {
    const { status, headers, body } = await register({
      ...metadata,
      scope: 'photos:read,attic:read',
      client_uri: 'https://prints.example/',
      token_endpoint_auth_method: 'client_secret_post',
    })
    assert.equal(status, 201)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('pragma'), 'no-cache')
    assert.equal(headers.get('content-type'), 'application/json;charset=UTF-8')
    const { client_id, client_secret, registration_access_token, ...rest } = body
    assert.match(client_secret, /^lk_cs_[\w-]{43}$/)
    assert.match(registration_access_token, /^lk_reg_[\w-]{43}$/)
    assert.deepEqual(rest, {
      client_id_issued_at: service.now(),
      client_secret_expires_at: 0,
      registration_client_uri: `${service.issuer}/register/${client_id}`,
      client_name: 'Prints',
      redirect_uris: [callback],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'photos:read',
      required_scope: '',
      client_uri: 'https://prints.example/',
      application_type: 'web',
    })
  })

  it('gives a client without a secret none', async () => {
    const { body } = await register({ ...metadata, token_endpoint_auth_method: 'none' })
    assert.equal(body.token_endpoint_auth_method, 'none')
    assert.equal('client_secret' in body, false)
    assert.equal('client_secret_expires_at' in body, false)
  })

  it('registers a client that walks the whole way', async () => {
    const { body } = await register({
      ...metadata,
      grant_types: ['authorization_code', 'refresh_token'],
      scope: everything,
    })
    const request = {
      response_type: 'code',
      client_id: body.client_id,
      redirect_uri: callback,
      state: 's',
    }
    const { code = '' } = answerOf(await walk(service, request))
    const tokens = await service.post(
      '/token',
      { grant_type: 'authorization_code', code, redirect_uri: callback },
      [body.client_id, body.client_secret],
    )
    assert.equal(tokens.status, 200, tokens.text)
    assert.equal(tokens.body.scope, everything)
    assert.match(tokens.body.refresh_token, /^lk_rt_/)
  })

  it('DR-02: refuses with the codes of RFC 7591', async () => {
    const badUri = await register({ redirect_uris: ['http://prints.example/'] })
    assert.equal(badUri.status, 400)
    assert.deepEqual(badUri.body, {
      error: 'invalid_redirect_uri',
      error_description:
        "redirect_uris[0] 'http://prints.example/' is http but not on a loopback address",
    })
    const badMethod = await register({ ...metadata, token_endpoint_auth_method: 'tls' })
    assert.equal(badMethod.status, 400)
    assert.deepEqual(badMethod.body, {
      error: 'invalid_client_metadata',
      error_description: `token_endpoint_auth_method has to be ${joinNames(methodNames, 'or')}, not tls`,
    })
  })

  it('refuses bodies that are no JSON object, or nest without end (H-12)', async () => {
    const send = async (body: string, type = 'application/json') => {
      const headers = { 'content-type': type }
      const { status, body: said } = await service.ask('/register', {
        method: 'POST',
        body,
        headers,
      })
      return [status, said.error]
    }
    assert.deepEqual(await send('{'), [400, 'invalid_request'])
    assert.deepEqual(await send('[]'), [400, 'invalid_request'])
    assert.deepEqual(await send('null'), [400, 'invalid_request'])
    assert.deepEqual(await send('['.repeat(10_000)), [400, 'invalid_request'])
    assert.deepEqual(await send('{"contacts":['.repeat(50)), [400, 'invalid_request'])
    assert.deepEqual(await send(' '.repeat(registrationBytes + 1)), [413, 'too_large'])
    assert.deepEqual(await send('{}', 'text/plain'), [415, 'unsupported_media_type'])
  })

  it('DR-03: what strangers may not set does not stick', async () => {
    const { status, body } = await register(
      JSON.parse(
        `{"redirect_uris":["${callback}"],"trusted":true,"may_introspect":true,"disabled":true,
          "access_token_seconds":null,"client_id":"photo-printer","client_secret":"mine",
          "registered_by":"operator","__proto__":{"trusted":true}}`,
      ),
    )
    assert.equal(status, 201)
    assert.notEqual(body.client_id, 'photo-printer')
    assert.notEqual(body.client_secret, 'mine')
    const operator = await operatorOf(service)
    const { body: stored } = await operator('GET', `clients/${body.client_id}`)
    const { trusted, may_introspect, disabled, access_token_seconds, registered_by } = stored
    assert.deepEqual(
      { trusted, may_introspect, disabled, access_token_seconds, registered_by },
      {
        trusted: false,
        may_introspect: false,
        disabled: false,
        access_token_seconds: 3600,
        registered_by: 'itself',
      },
    )
  })

  it('DR-04: the authentication method it answers is the one that holds', async () => {
    const { body } = await register(metadata)
    const without = await service.post('/token', {
      grant_type: 'authorization_code',
      code: 'x',
      redirect_uri: callback,
      client_id: body.client_id,
    })
    assert.equal(without.status, 401)
    assert.equal(without.body.error, 'invalid_client')
  })

  it('DR-05: neither the password grant nor the operator resources can be registered for', async () => {
    const password = await register({ ...metadata, grant_types: ['password'] })
    assert.equal(password.status, 400)
    assert.equal(password.body.error, 'invalid_client_metadata')
    const admin = await register({ ...metadata, scope: 'clients:write photos:read owners' })
    assert.equal(admin.status, 201)
    assert.equal(admin.body.scope, 'photos:read')
  })

  it('DR-06: links that people see are http or https', async () => {
    for (const member of ['client_uri', 'logo_uri', 'tos_uri', 'policy_uri']) {
      for (const uri of ['javascript:alert(1)', 'data:text/html,x']) {
        const { status, body } = await register({ ...metadata, [member]: uri })
        assert.equal(status, 400)
        assert.deepEqual(body, {
          error: 'invalid_client_metadata',
          error_description: `${member} has to be an http or https URL of at most 2048 characters`,
        })
      }
    }
  })

  it('DR-11: a redirect goes to the registered host and to none that looks like it', async () => {
    const { body } = await register({ redirect_uris: ['https://trusted.example/cb'] })
    for (const host of [
      'trusted.example.evil',
      'eviltrusted.example',
      'trusted.example@evil.example',
    ]) {
      const page = await new Browser(service).go(
        `/authorize?response_type=code&client_id=${body.client_id}&redirect_uri=${encodeURIComponent(`https://${host}/cb`)}`,
      )
      assert.equal(page.status, 400)
      assert.equal(page.headers.get('location'), null)
    }
  })

  it('DR-12: a name is normalised, limited, and shown with the host it sends people to', async () => {
    const { body } = await register({
      client_name: 'Cafe\u0301 \u202eknab',
      redirect_uris: ['https://prints.example/cb'],
      scope: 'photos',
    })
    assert.equal(body.client_name, 'Café \u202eknab')
    const browser = new Browser(service)
    const login = await browser.go(
      `/authorize?response_type=code&client_id=${body.client_id}&redirect_uri=https://prints.example/cb`,
    )
    const consent = await browser.logIn(login, 'alice', 'wonderland')
    assert.match(consent.text, /Café knab/)
    assert.match(consent.text, /prints\.example/)
    const long = await register({ ...metadata, client_name: 'n'.repeat(201) })
    assert.equal(long.status, 400)
  })
})

describe('DR-08: outside the demo', () => {
  const invited = { authorization: 'Bearer an-initial-access-token' }
  const uninvited = {
    error: 'invalid_token',
    error_description: 'registration needs the initial access token that the operator gives out',
  }

  it('nobody registers where no initial access token is set', async () => {
    const closed = await start({ demo: false })
    try {
      for (const headers of [{}, invited, { authorization: 'Basic YTpi' }]) {
        const answer = await closed.ask('/register', { json: metadata, headers })
        assert.equal(answer.status, 401)
        assert.deepEqual(answer.body, headers === invited ? uninvited : {})
        assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer /)
      }
    } finally {
      await closed.close()
    }
  })

  it('whoever presents it may register', async () => {
    const guarded = await start({ demo: false, registrationToken: 'an-initial-access-token' })
    try {
      const ask = async (headers: Readonly<Record<string, string>>) =>
        (await guarded.ask('/register', { json: metadata, headers })).status
      assert.equal(await ask({}), 401)
      assert.equal(await ask({ authorization: 'Bearer an-initial-access-tokem' }), 401)
      assert.equal(await ask({ authorization: 'Basic an-initial-access-token' }), 401)
      assert.equal(await ask(invited), 201)
    } finally {
      await guarded.close()
    }
  })
})

describe('/register/{client_id}', () => {
  it('GET answers what is in force, with the token that was presented and no secret (DR-13)', async () => {
    const { body: made } = await register(metadata)
    const { client_secret, client_secret_expires_at, ...shown } = made
    const { status, headers, body } = await manage(
      'GET',
      made.client_id,
      made.registration_access_token,
    )
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.deepEqual(body, shown)
  })

  it('DR-07: a wrong, foreign or absent token, an unknown client: one and the same refusal', async () => {
    const [{ body: mine }, { body: theirs }] = [await register(metadata), await register(metadata)]
    const cases: readonly (readonly [string, string])[] = [
      [mine.client_id, 'lk_reg_wrong'],
      [mine.client_id, ''],
      [mine.client_id, mine.client_secret],
      [mine.client_id, theirs.registration_access_token],
      ['photo-printer', mine.registration_access_token],
      ['photo-printer', 'photo-printer-secret'],
      ['nobody', mine.registration_access_token],
      ['n'.repeat(5000), mine.registration_access_token],
    ]
    for (const method of ['GET', 'PUT', 'DELETE']) {
      for (const [id, token] of cases) {
        const json =
          method === 'PUT' ? { ...metadata, client_id: id, client_name: 'Taken over' } : undefined
        const { status, headers, body } = await manage(method, id, token, json)
        assert.equal(status, 401)
        const error = token === '' ? '' : ', error="invalid_token"'
        assert.equal(headers.get('www-authenticate'), `Bearer realm="latchkey"${error}`)
        // RFC 6750 section 3.1: without a token there is no error.
        assert.deepEqual(body, token === '' ? {} : wrongToken)
      }
    }
    const { body } = await manage('GET', mine.client_id, mine.registration_access_token)
    assert.equal(body.client_name, 'Prints')
  })

  it('PUT replaces what the client says of itself', async () => {
    const { body: made } = await register({
      ...metadata,
      scope: 'photos',
      logo_uri: 'https://prints.example/logo.png',
    })
    const token = made.registration_access_token
    const { status, body } = await manage('PUT', made.client_id, token, {
      client_id: made.client_id,
      client_secret: made.client_secret,
      client_name: 'Better prints',
      redirect_uris: ['https://prints.example/cb'],
      scope: 'photos:read',
      logo_uri: null,
    })
    assert.equal(status, 200)
    assert.deepEqual(body, {
      client_id: made.client_id,
      client_id_issued_at: made.client_id_issued_at,
      client_name: 'Better prints',
      redirect_uris: ['https://prints.example/cb'],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'photos:read',
      required_scope: '',
      application_type: 'web',
      registration_access_token: token,
      registration_client_uri: made.registration_client_uri,
    })
    assert.deepEqual((await manage('GET', made.client_id, token)).body, body)
  })

  it('PUT says whom it is about, and brings no secret of its own (RFC 7592 section 2.2)', async () => {
    const { body: made } = await register(metadata)
    const put = async (said: object) =>
      (
        await manage('PUT', made.client_id, made.registration_access_token, {
          ...metadata,
          ...said,
        })
      ).body.error_description
    assert.equal(await put({}), 'client_id has to be the one of this client')
    assert.equal(
      await put({ client_id: 'photo-printer' }),
      'client_id has to be the one of this client',
    )
    assert.equal(
      await put({ client_id: made.client_id, client_secret: 'mine' }),
      'client_secret, if given, has to be the issued one',
    )
    const old = await service.post(
      '/token',
      { grant_type: 'authorization_code', code: 'x', redirect_uri: callback },
      [made.client_id, made.client_secret],
    )
    assert.equal(old.body.error, 'invalid_grant')
  })

  it('DR-09: a change is judged by the state it leads to', async () => {
    const { body: made } = await register({ grant_types: ['client_credentials'] })
    const token = made.registration_access_token
    const put = (said: object) =>
      manage('PUT', made.client_id, token, { client_id: made.client_id, ...said })
    const open = await put({
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'none',
    })
    assert.equal(open.status, 400)
    assert.equal(open.body.error, 'invalid_client_metadata')
    const bare = await put({ token_endpoint_auth_method: 'none' })
    assert.equal(bare.body.error, 'invalid_redirect_uri')
    const { status, body } = await put({ ...metadata, token_endpoint_auth_method: 'none' })
    assert.equal(status, 200)
    assert.equal('client_secret' in body, false)
    const { body: closed } = await put(metadata)
    assert.match(closed.client_secret, /^lk_cs_[\w-]{43}$/)
    assert.notEqual(closed.client_secret, made.client_secret)
    assert.equal(closed.client_secret_expires_at, 0)
  })

  it('DELETE ends the client, its tokens and its registration token', async () => {
    const { body: made } = await register({ grant_types: ['client_credentials'] })
    const credentials = [made.client_id, made.client_secret] as const
    const { body: tokens } = await service.post(
      '/token',
      { grant_type: 'client_credentials', scope: 'photos:read' },
      credentials,
    )
    const photos = () => service.ask('/api/photos', bearer(tokens.access_token))
    assert.equal((await photos()).status, 200)

    const gone = await manage('DELETE', made.client_id, made.registration_access_token)
    assert.deepEqual(
      [gone.status, gone.text, gone.headers.get('cache-control')],
      [204, '', 'no-store'],
    )

    assert.equal((await photos()).status, 401)
    const after = await service.post('/token', { grant_type: 'client_credentials' }, credentials)
    assert.equal(after.status, 401)
    for (const method of ['GET', 'DELETE']) {
      const again = await manage(method, made.client_id, made.registration_access_token)
      assert.deepEqual([again.status, again.body], [401, wrongToken])
    }
  })

  it('is closed to a client that an operator disabled', async () => {
    const { body: made } = await register(metadata)
    const operator = await operatorOf(service)
    await operator('PATCH', `clients/${made.client_id}`, { disabled: true })
    const { status, body } = await manage('GET', made.client_id, made.registration_access_token)
    assert.deepEqual([status, body], [401, wrongToken])
  })

  it('leaves no secret in the log', async () => {
    const { body: made } = await register(metadata)
    await manage('GET', made.client_id, made.registration_access_token)
    await manage('GET', made.client_id, 'lk_reg_wrong')
    const log = JSON.stringify(service.notices)
    for (const secret of [made.client_secret, made.registration_access_token, 'lk_reg_wrong']) {
      assert.equal(log.includes(secret), false)
    }
  })
})
