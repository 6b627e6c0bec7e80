/** The admin API: who gets in, and the clients of the service. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keySetOf, newKeys } from '../support/client-keys.ts'
import { houseApp, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { callback, obtainTokens } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'
import { bearer, type Operator, operatorOf, problem } from './operator.ts'

const everything =
  'calendar:read calendar:write contacts:read contacts:write photos:read photos:write'

let operator: Operator
const service = startBefore(start, async () => {
  operator = await operatorOf(service)
})

const printer = {
  client_id: 'photo-printer',
  client_id_issued_at: Date.UTC(2026, 10, 21, 12) / 1000,
  client_name: 'Photo Printer',
  redirect_uris: [callback],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'client_secret_basic',
  scope: everything,
  required_scope: '',
  application_type: 'web',
  access_token_seconds: 3600,
  refresh_token_seconds: 2592000,
  trusted: false,
  may_introspect: false,
  disabled: false,
  old_secret_expires_at: null,
  registered_by: 'operator',
  set_by_operator: [],
  manages_itself: false,
}

/** A client of the tests' own, so that no test changes what another one looks at. */
const create = async (metadata: object = {}) => {
  const { status, body, text } = await operator('POST', 'clients', {
    grant_types: ['client_credentials'],
    ...metadata,
  })
  assert.equal(status, 201, text)
  return body
}

const tokenOf = (client: readonly [string, string], scope = 'photos:read') =>
  service.post('/token', { grant_type: 'client_credentials', scope }, client)

describe('the door of the admin API', () => {
  const routes: readonly (readonly [string, string, string])[] = [
    ['GET', 'clients', 'clients:read'],
    ['POST', 'clients', 'clients:write'],
    ['GET', 'clients/photo-printer', 'clients:read'],
    ['PATCH', 'clients/photo-printer', 'clients:write'],
    ['DELETE', 'clients/photo-printer', 'clients:write'],
    ['POST', 'clients/photo-printer/rotate-secret', 'clients:write'],
    ['POST', 'clients/photo-printer/end-tokens', 'clients:write'],
    ['POST', 'clients/photo-printer/revoke-registration', 'clients:write'],
    ['GET', 'owners', 'owners:read'],
    ['POST', 'owners', 'owners:write'],
    ['GET', 'owners/x', 'owners:read'],
    ['PATCH', 'owners/x', 'owners:write'],
    ['DELETE', 'owners/x', 'owners:write'],
    ['POST', 'owners/x/set-password', 'owners:write'],
    ['GET', 'resources', 'resources:read'],
    ['POST', 'resources', 'resources:write'],
    ['GET', 'resources/photos', 'resources:read'],
    ['PATCH', 'resources/photos', 'resources:write'],
    ['DELETE', 'resources/photos', 'resources:write'],
    ['GET', 'keys', 'keys:read'],
    ['POST', 'keys', 'keys:write'],
    ['DELETE', 'keys/x', 'keys:write'],
    ['GET', 'authorizations', 'authorizations:read'],
    ['PATCH', 'authorizations/x', 'authorizations:write'],
    ['DELETE', 'authorizations/x', 'authorizations:write'],
    ['GET', 'events', 'events:read'],
  ]
  const ask = (method: string, path: string, headers: Readonly<Record<string, string>> = {}) =>
    service.ask(`/admin/api/${path}`, {
      method,
      headers,
      ...(method === 'POST' || method === 'PATCH' ? { json: {} } : {}),
    })

  it('asks for a token, naming the scope and no error (RFC 6750 section 3.1)', async () => {
    for (const [method, path, scope] of routes) {
      const { status, headers, body } = await ask(method, path)
      assert.equal(status, 401)
      assert.deepEqual(body, { type: 'about:blank', title: 'Unauthorized', status: 401 })
      assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/)
      assert.equal(
        headers.get('www-authenticate'),
        `Bearer realm="latchkey", scope="${scope}", resource_metadata="${service.issuer}/.well-known/oauth-protected-resource/admin/api"`,
      )
    }
  })

  it('takes the token from the header alone', async () => {
    const { body } = await tokenOf(['latchkey-admin', 'latchkey-admin-secret'], 'clients:read')
    const query = await service.ask(`/admin/api/clients?access_token=${body.access_token}`, {
      headers: { 'cache-control': 'no-store' },
    })
    assert.equal(query.status, 401)
    for (const authorization of [`Basic ${body.access_token}`, 'x']) {
      const other = await ask('GET', 'clients', { authorization })
      assert.deepEqual(other.body, { type: 'about:blank', title: 'Unauthorized', status: 401 })
    }
    const { status, headers } = await ask('GET', 'clients', { authorization: 'Bearer lk_at_x' })
    assert.equal(status, 401)
    assert.match(headers.get('www-authenticate') ?? '', /error="invalid_token"/)
  })

  it('needs the scope of each request', async () => {
    const all =
      'clients:read clients:write owners:read owners:write authorizations:read authorizations:write events:read resources:read resources:write keys:read keys:write'
    for (const [method, path, scope] of routes) {
      const others = all.split(' ').filter((name) => name !== scope)
      const { body: token } = await tokenOf(
        ['latchkey-admin', 'latchkey-admin-secret'],
        others.join(' '),
      )
      const { status, headers, body } = await ask(method, path, {
        authorization: `Bearer ${token.access_token}`,
      })
      assert.equal(status, 403, `${method} ${path}`)
      const detail = `the access token does not allow ${scope}`
      assert.deepEqual(body, problem('insufficient_scope', 403, detail))
      assert.match(
        headers.get('www-authenticate') ?? '',
        new RegExp(`error="insufficient_scope".*scope="${scope}"`),
      )
    }
  })

  it('RS-16: refuses a token that an owner stands behind, whatever its client may do', async () => {
    const { access_token: token } = await obtainTokens(service)
    for (const [method, path] of routes) {
      const { status, body } = await ask(method, path, { authorization: `Bearer ${token}` })
      assert.equal(status, 403)
      assert.deepEqual(
        body,
        problem(
          'insufficient_scope',
          403,
          'the admin API is for tokens that a client got for itself, and for those of latchkey login',
        ),
      )
    }
    const both = await create({
      grant_types: ['password'],
      trusted: true,
      scope: 'clients:read photos:read',
    })
    const { body: earned } = await service.post(
      '/token',
      { grant_type: 'password', username: 'alice', password: 'wonderland' },
      [both.client_id, both.client_secret],
    )
    const { status } = await service.ask('/admin/api/clients', bearer(earned.access_token))
    assert.equal(status, 403)
  })

  it('a token of a client without any of it gets nowhere', async () => {
    const { body } = await tokenOf(nightlyReport)
    const { status } = await service.ask('/admin/api/clients', bearer(body.access_token))
    assert.equal(status, 403)
  })
})

describe('GET /admin/api/clients', () => {
  it('ST-09, DR-13: shows everything but secrets and digests, to readers and writers alike', async () => {
    const reader = await operatorOf(service, 'clients:read')
    const { status, headers, body } = await reader('GET', 'clients/photo-printer')
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    const { acts: _, ...told } = body
    assert.deepEqual(told, printer)
    const list = await reader('GET', 'clients')
    assert.deepEqual(
      list.body.items.find((item: { client_id: string }) => item.client_id === 'photo-printer'),
      printer,
    )
    assert.equal(/secret(?!_basic|_post|_expires_at)|digest|salt/i.test(list.text), false)
  })

  it('goes through all of them page by page', async () => {
    const whole = await operator('GET', 'clients?limit=100')
    const seen: unknown[] = []
    let path = 'clients?limit=2'
    for (let pages = 0; pages < 100; pages++) {
      const { body } = await operator('GET', path)
      assert.ok(body.items.length <= 2)
      seen.push(...body.items)
      if (body.next === null) break
      path = `clients?limit=2&after=${body.next}`
    }
    assert.deepEqual(seen, whole.body.items)
    assert.ok(seen.length >= 5)
  })

  it('H-11: takes nothing but its own cursors, ids and numbers', async () => {
    const hostile = [
      "' or 1=1 --",
      '"; drop table clients; --',
      '*)(uid=*',
      '{"$ne":null}',
      '$.[*]',
      '%',
      'ä',
      'a'.repeat(5000),
      '-1',
    ]
    const lists: readonly (readonly [string, readonly string[]])[] = [
      ['clients', ['after']],
      ['owners', ['after']],
      ['authorizations', ['after', 'owner', 'client']],
      ['events', ['after', 'before', 'owner', 'client']],
    ]
    for (const [list, names] of lists) {
      for (const name of [...names, 'limit']) {
        for (const text of hostile) {
          // An id that a client may have is no attack, only unknown.
          if (text === '-1' && (name === 'client' || list === 'clients') && name !== 'limit')
            continue
          const { status, body } = await operator(
            'GET',
            `${list}?${name}=${encodeURIComponent(text)}`,
          )
          assert.equal(status, 400, `${list} ${name} ${text}`)
          assert.match(body.detail, new RegExp(`^${name} has to be `))
        }
      }
      for (const limit of ['0', '05', '101', '1.5', '1e2', ' 5', '٣']) {
        const { status } = await operator('GET', `${list}?limit=${encodeURIComponent(limit)}`)
        assert.equal(status, 400)
      }
      const { status, body } = await operator('GET', `${list}?sort=name`)
      assert.equal(status, 400)
      assert.match(body.detail, /^a parameter is not known here: this list takes after, limit/)
      const twice = await operator('GET', `${list}?limit=1&limit=2`)
      assert.equal(twice.status, 400)
    }
    for (const text of hostile) {
      const { status } = await operator('GET', `clients/${encodeURIComponent(text)}`)
      assert.equal(status, 404)
    }
  })
})

describe('POST /admin/api/clients', () => {
  it('answers 201 with the secret, once, and where the client is to be found', async () => {
    const { status, headers, body } = await operator('POST', 'clients', {
      client_id: 'calendar-wall',
      client_name: 'Calendar Wall',
      redirect_uris: ['https://wall.example/cb'],
      scope: 'calendar',
      required_scope: 'calendar:read',
      access_token_seconds: null,
      refresh_token_seconds: 60,
      may_introspect: true,
      contacts: ['wall@example.com'],
      application_type: 'web',
    })
    assert.equal(status, 201)
    assert.equal(headers.get('location'), `${service.issuer}/admin/api/clients/calendar-wall`)
    const { client_secret, client_secret_expires_at, ...rest } = body
    assert.match(client_secret, /^lk_cs_[\w-]{43}$/)
    assert.equal(client_secret_expires_at, 0)
    assert.deepEqual(rest, {
      ...printer,
      client_id: 'calendar-wall',
      client_name: 'Calendar Wall',
      redirect_uris: ['https://wall.example/cb'],
      grant_types: ['authorization_code'],
      scope: 'calendar:read calendar:write',
      required_scope: 'calendar:read',
      access_token_seconds: null,
      refresh_token_seconds: 60,
      may_introspect: true,
      contacts: ['wall@example.com'],
      application_type: 'web',
    })
    const { acts, ...read } = (await operator('GET', 'clients/calendar-wall')).body
    assert.deepEqual(read, rest)
    assert.deepEqual(acts.days, [])
  })

  it('RC-10: an id is given once, also to ten at the same time', async () => {
    const wish = { client_id: 'sought-after', grant_types: ['client_credentials'] }
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => operator('POST', 'clients', wish)),
    )
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [201, ...Array(9).fill(409)])
    assert.deepEqual(
      answers.find(({ status }) => status === 409)?.body,
      problem('conflict', 409, 'there is a client with this client_id'),
    )
  })

  it('names what is wrong and what is unknown', async () => {
    const detail = async (metadata: object) => {
      const { status, body } = await operator('POST', 'clients', metadata)
      assert.equal(status, 400)
      return [body.title, body.detail]
    }
    assert.deepEqual(await detail({ redirect_uris: ['ftp://x'] }), [
      'invalid_redirect_uri',
      "redirect_uris[0] 'ftp://x' has a scheme that is neither https nor private to an application",
    ])
    assert.deepEqual(await detail({ client_id: 7 }), [
      'invalid_client_metadata',
      'client_id has to be text',
    ])
    assert.deepEqual(await detail({ refresh_token_seconds: null }), [
      'invalid_client_metadata',
      'refresh_token_seconds has to be a whole number from 1 to 315360000',
    ])
    const [title, said] = await detail({ secret: 'mine' })
    assert.equal(title, 'invalid_client_metadata')
    assert.match(String(said), /^unknown: secret; known: client_name, /)
  })

  it('an access token may be unlimited, and then says so by silence', async () => {
    const made = await create({ access_token_seconds: null })
    const { body } = await tokenOf([made.client_id, made.client_secret])
    assert.equal('expires_in' in body, false)
    await service.advance(10 * 365 * 24 * 3600)
    const { status } = await service.ask('/api/photos', bearer(body.access_token))
    assert.equal(status, 200)
    operator = await operatorOf(service)
  })

  it('nobody makes or takes over a client that may administer more than they may', async () => {
    const clerk = await operatorOf(service, 'clients:read clients:write')
    const lacking = async (method: string, path: string, json?: object) => {
      const { status, headers, body } = await clerk(method, path, json)
      assert.equal(status, 403)
      assert.equal(body.detail, 'this client may administer what the access token may not')
      return /scope="([^"]*)"/.exec(headers.get('www-authenticate') ?? '')?.[1]
    }
    const wish = { grant_types: ['client_credentials'], scope: 'clients:write owners:write' }
    assert.equal(await lacking('POST', 'clients', wish), 'owners:write')
    const all =
      'authorizations:read authorizations:write events:read groups:read groups:write issuers:read issuers:write keys:read keys:write owners:read owners:write resources:read resources:write streams:read streams:write'
    assert.equal(await lacking('POST', 'clients/latchkey-admin/rotate-secret'), all)
    assert.equal(await lacking('PATCH', 'clients/latchkey-admin', { client_name: 'Mine' }), all)
    assert.equal(await lacking('DELETE', 'clients/latchkey-admin'), all)
    const made = await create()
    assert.equal(
      await lacking('PATCH', `clients/${made.client_id}`, { scope: 'events:read' }),
      'events:read',
    )
    const own = await clerk('POST', 'clients', { ...wish, scope: 'clients:read photos:read' })
    assert.equal(own.status, 201)
  })
})

describe('DR-10: metadata are true of registration', () => {
  it('every advertised grant type, response type and method can be registered for, and no other', async () => {
    const { body: metadata } = await service.ask('/.well-known/oauth-authorization-server')
    const statusOf = async (said: object) =>
      (await operator('POST', 'clients', { redirect_uris: [callback], trusted: true, ...said }))
        .status
    for (const type of metadata.grant_types_supported) {
      assert.equal(await statusOf({ grant_types: [type] }), 201, type)
    }
    for (const type of metadata.response_types_supported) {
      assert.equal(await statusOf({ response_types: [type] }), 201, type)
    }
    for (const method of metadata.token_endpoint_auth_methods_supported) {
      const keys = method === 'private_key_jwt' ? { jwks: keySetOf(await newKeys('ES256')) } : {}
      assert.equal(await statusOf({ token_endpoint_auth_method: method, ...keys }), 201, method)
    }
    for (const type of ['urn:ietf:params:oauth:grant-type:saml2-bearer', 'magic']) {
      assert.equal(metadata.grant_types_supported.includes(type), false)
      assert.equal(await statusOf({ grant_types: [type] }), 400)
    }
    for (const method of ['tls_client_auth', 'magic']) {
      assert.equal(metadata.token_endpoint_auth_methods_supported.includes(method), false)
      assert.equal(await statusOf({ token_endpoint_auth_method: method }), 400)
    }
  })
})

describe('PATCH /admin/api/clients/{client_id}', () => {
  it('changes what is named and leaves the rest', async () => {
    const made = await create({ client_name: 'Before', logo_uri: 'https://a.example/l.png' })
    const { client_secret, client_secret_expires_at, ...rest } = made
    const { status, body } = await operator('PATCH', `clients/${made.client_id}`, {
      client_name: 'After',
      logo_uri: null,
    })
    const { logo_uri, ...without } = rest
    assert.equal(status, 200)
    assert.deepEqual(body, { ...without, client_name: 'After' })
    const idle = await operator('PATCH', `clients/${made.client_id}`, {})
    assert.deepEqual([idle.status, idle.body], [200, body])
  })

  it('what two operators change at once both holds', async () => {
    const made = await create()
    await Promise.all([
      operator('PATCH', `clients/${made.client_id}`, { client_name: 'Named' }),
      operator('PATCH', `clients/${made.client_id}`, { access_token_seconds: 60 }),
    ])
    const { body } = await operator('GET', `clients/${made.client_id}`)
    assert.deepEqual([body.client_name, body.access_token_seconds], ['Named', 60])
  })

  it('a narrower scope holds for tokens that are out already', async () => {
    const made = await create({ scope: 'photos contacts' })
    const { body } = await tokenOf([made.client_id, made.client_secret], 'photos contacts')
    const status = async () =>
      (await service.ask('/api/contacts', bearer(body.access_token))).status
    assert.equal(await status(), 200)
    await operator('PATCH', `clients/${made.client_id}`, { scope: 'photos' })
    assert.equal(await status(), 403)
  })

  it('CA-14: a disabled client gets nothing, and its tokens are dead at once', async () => {
    const { body: earned } = await service.post(
      '/token',
      { grant_type: 'password', username: 'alice', password: 'wonderland' },
      houseApp,
    )
    const made = await create({ may_introspect: true })
    const watcher = [made.client_id, made.client_secret] as const
    const isActive = async () =>
      (await service.post('/introspect', { token: earned.access_token }, watcher)).body.active
    const refresh = () =>
      service.post(
        '/token',
        { grant_type: 'refresh_token', refresh_token: earned.refresh_token },
        houseApp,
      )
    assert.equal(await isActive(), true)

    const { body } = await operator('PATCH', 'clients/house-app', { disabled: true })
    assert.equal(body.disabled, true)
    const refused = await refresh()
    assert.deepEqual(
      [refused.status, refused.body],
      [401, { error: 'invalid_client', error_description: 'client authentication failed' }],
    )
    assert.equal(await isActive(), false)
    const photos = await service.ask('/api/photos', bearer(earned.access_token))
    assert.equal(photos.status, 401)

    await operator('PATCH', 'clients/house-app', { disabled: false })
    assert.equal(await isActive(), true)
  })

  it('DR-09: is judged by the state it leads to', async () => {
    const made = await create()
    const { status, body } = await operator('PATCH', `clients/${made.client_id}`, {
      token_endpoint_auth_method: 'none',
    })
    assert.equal(status, 400)
    assert.deepEqual(
      body,
      problem(
        'invalid_client_metadata',
        400,
        'grant type client_credentials is not for a client without a secret',
      ),
    )
  })
})

describe('POST /admin/api/clients/{client_id}/rotate-secret', () => {
  it('answers a new secret once; the old one is wrong from then on', async () => {
    const made = await create()
    const { status, body } = await operator('POST', `clients/${made.client_id}/rotate-secret`)
    assert.equal(status, 200)
    assert.match(body.client_secret, /^lk_cs_[\w-]{43}$/)
    assert.deepEqual({ ...body, client_secret: '' }, { ...made, client_secret: '' })
    assert.equal((await tokenOf([made.client_id, made.client_secret])).status, 401)
    assert.equal((await tokenOf([made.client_id, body.client_secret])).status, 200)
  })

  it('is not for a client that has none', async () => {
    const { status, body } = await operator('POST', 'clients/gallery/rotate-secret')
    assert.deepEqual(
      [status, body],
      [400, problem('invalid_request', 400, 'a public client has no secret')],
    )
  })
})

describe('DELETE /admin/api/clients/{client_id}', () => {
  it('ends the client, what owners approved for it, and every token', async () => {
    const { access_token: token } = await obtainTokens(service)
    const before = await operator('GET', 'authorizations?client=photo-printer')
    assert.equal(before.body.items.length, 1)

    const gone = await operator('DELETE', 'clients/photo-printer')
    assert.deepEqual([gone.status, gone.text], [204, ''])

    assert.equal((await service.ask('/api/photos', bearer(token))).status, 401)
    assert.equal((await tokenOf(photoPrinter)).status, 401)
    assert.deepEqual((await operator('GET', 'authorizations?client=photo-printer')).body, {
      items: [],
      next: null,
    })
    const expected = [404, problem('not_found', 404, 'there is no such client')]
    for (const [method, path, json] of [
      ['GET', '', undefined],
      ['PATCH', '', {}],
      ['DELETE', '', undefined],
      ['POST', '/rotate-secret', {}],
    ] as const) {
      const { status, body } = await operator(method, `clients/photo-printer${path}`, json)
      assert.deepEqual([status, body], expected)
    }
  })
})

describe('GET /admin/api/clients/{client_id}', () => {
  it('tells what a client did: tokens of its own too, uses, and refusals by reason', async () => {
    const { client_id: id, client_secret: secret } = await create({
      grant_types: ['client_credentials'],
      scope: 'photos:read',
    })
    const own = { grant_type: 'client_credentials' }
    const actsOf = async () => {
      await service.server().operated.counts.flush()
      return (await operator('GET', `clients/${id}`)).body.acts
    }
    assert.deepEqual(await actsOf(), {
      last_token_at: null,
      last_used_at: null,
      owners: 0,
      has_more_owners: false,
      days: [],
      refusals: [],
      refused_by: [],
    })
    for (let i = 0; i < 2; i++) await service.post('/token', own, [id, secret])
    const { body } = await service.post('/token', own, [id, secret])
    const first = service.now()
    await service.server().operated.counts.flush()
    await service.advance(60)
    assert.equal((await service.ask('/api/photos', bearer(body.access_token))).status, 200)
    for (let i = 0; i < 2; i++) await service.post('/token', own, [id, 'wrong'])
    await service.post('/token', { ...own, scope: 'calendar:read' }, [id, secret])
    const day = new Date(first * 1000).toISOString().slice(0, 10)
    const at = service.now()
    const { refused_by, ...acts } = await actsOf()
    assert.deepEqual(acts, {
      last_token_at: first,
      last_used_at: at,
      owners: 0,
      has_more_owners: false,
      days: [{ day, tokens: 3, refused: 3 }],
      refusals: [
        { reason: 'wrong_secret', count: 2, last_at: at },
        { reason: 'unknown_scope', count: 1, last_at: at },
      ],
    })
    assert.deepEqual(
      refused_by.map((one: { profile: string; rules: string[] }) => [one.profile, one.rules]),
      [['fapi-2.0', ['weak_client', 'unbound_token']]],
    )
  })
})
