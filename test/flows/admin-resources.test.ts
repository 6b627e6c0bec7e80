/** `/admin/api/resources`: resources are created, changed and deleted while the service runs. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sortWords } from '../../src/model/scope-word.ts'
import { nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { codeRequest, obtainTokens } from '../support/printing.ts'
import { start } from '../support/start.ts'
import { introspect, refresh, use } from '../support/tokens.ts'
import { type Operator, operatorOf, problem, startWithOperator } from './operator.ts'

const { service, operator } = startWithOperator()

const words = { title: 'Orders', read: 'See your orders', write: 'Place orders' }
const members = {
  ...words,
  actions: {},
  details: {},
  destructive: [],
  uri: null,
  access_token_format: 'opaque',
  introspection_clients: [],
}

/** The details of the only event of this type about a resource. */
const toldOf = async (name: string, type: string) => {
  const { body } = await operator('GET', 'events?limit=100')
  const events = body.items.filter(
    (event: { type: string; details: { resource?: string } }) =>
      event.type === type && event.details.resource === name,
  )
  assert.equal(events.length, 1)
  assert.equal(events[0].actor.type, 'operator')
  return events[0].details
}

let count = 0
/** A name, and a URI, that no other test has. */
const fresh = () => ({ name: `orders-${++count}`, uri: `https://api-${count}.example/v1` })

const create = async (given: object = {}) => {
  const { name } = fresh()
  const { status, body, text } = await operator('POST', 'resources', { name, ...words, ...given })
  assert.equal(status, 201, text)
  return body
}

const scopesSupported = async () =>
  (await service.ask('/.well-known/oauth-authorization-server')).body.scopes_supported

describe('POST /admin/api/resources', () => {
  it('creates a built-in resource, whose items are served at once', async () => {
    const { name } = fresh()
    const made = await operator('POST', 'resources', { name, ...words })
    assert.equal(made.status, 201)
    assert.deepEqual(made.body, { name, ...members })
    assert.equal(made.headers.get('location'), `${service.issuer}/admin/api/resources/${name}`)
    assert.deepEqual((await operator('GET', `resources/${name}`)).body, made.body)
    assert.equal((await service.ask(`/api/${name}`)).status, 401)
    assert.ok((await scopesSupported()).includes(`${name}:write`))
    const metadata = await service.ask(`/.well-known/oauth-protected-resource/api/${name}`)
    assert.deepEqual(metadata.body.scopes_supported, [`${name}:read`, `${name}:write`])
    assert.deepEqual(await toldOf(name, 'resource.created'), { resource: name, uri: null })
  })

  it('creates a resource elsewhere, which the built-in API does not serve', async () => {
    const { name, uri } = fresh()
    const given = {
      name,
      title: { en: 'Orders', zh: '订单' },
      read: { en: 'See your orders', zh: '查看订单' },
      write: 'Place orders',
      actions: { refund: { en: 'Refund orders', zh: '退款' }, export: 'Export orders' },
      details: { amount: { en: 'Amount', zh: '金额' }, note: 'Note' },
      destructive: ['write', 'refund:spend'],
      uri,
      access_token_format: 'opaque',
      introspection_clients: ['photo-printer'],
    }
    const made = await operator('POST', 'resources', given)
    assert.equal(made.status, 201)
    assert.deepEqual(made.body, given)
    const permissions = ['export', 'read', 'refund', 'write'].map((action) => `${name}:${action}`)
    const supported = await scopesSupported()
    assert.deepEqual(
      supported.filter((one: string) => one.startsWith(`${name}:`)),
      permissions,
    )
    assert.deepEqual((await service.ask(`/api/${name}`)).status, 404)
    assert.equal(
      (await service.ask(`/.well-known/oauth-protected-resource/api/${name}`)).status,
      404,
    )
  })

  const faults: readonly (readonly [object, number, string])[] = [
    [
      { name: 'My orders' },
      400,
      'the resource needs a "name" of at most 40 lower-case letters, digits and "-"',
    ],
    [
      { read: '' },
      400,
      'the resource needs words for "read": a text, or an object with one per language, such as {"en": "..."}',
    ],
    [
      { title: 'x'.repeat(301) },
      400,
      'the resource has words for "title" of more than 300 characters',
    ],
    [
      { actions: ['refund'] },
      400,
      'the resource needs an object of actions and their words as "actions"',
    ],
    [
      { actions: { read: 'See' } },
      400,
      'the resource has "read" in "actions": its words are the member "read"',
    ],
    [
      { actions: { 'a b': 'See' } },
      400,
      'the resource needs names of at most 40 lower-case letters, digits and "-" in "actions"',
    ],
    [
      { actions: { refund: 1 } },
      400,
      'the resource needs words for "actions.refund": a text, or an object with one per language, such as {"en": "..."}',
    ],
    [
      { details: ['amount'] },
      400,
      'the resource needs an object of members and their words as "details"',
    ],
    [
      { details: { identifier: 'Item' } },
      400,
      'the resource has "identifier" in "details", which has a meaning of its own',
    ],
    [
      { details: { 'an amount': 'Amount' } },
      400,
      'the resource needs names of at most 40 letters, digits, "_" and "-" in "details"',
    ],
    [
      { details: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`m${n}`, 'M'])) },
      400,
      'the resource has more than 20 "details"',
    ],
    [
      { details: { amount: 1 } },
      400,
      'the resource needs words for "details.amount": a text, or an object with one per language, such as {"en": "..."}',
    ],
    [
      { destructive: ['refund'] },
      400,
      'the resource has in "destructive" what is none of its actions, alone or with ":delete" or ":spend": read, write',
    ],
    [
      { destructive: ['write', 'write:delete'] },
      400,
      'the resource has "write" twice in "destructive"',
    ],
    [
      { uri: 'https://a b' },
      400,
      'the resource needs an https URL (or an http one on a loopback address) without fragment or user of at most 512 characters as "uri"',
    ],
    [
      { access_token_format: 'xml' },
      400,
      'the resource needs "opaque" or "jwt" as "access_token_format"',
    ],
    [
      { introspection_clients: 'photo-printer' },
      400,
      'the resource needs a list of texts as "introspection_clients"',
    ],
    [{ more: 1 }, 400, 'the resource has an unknown key "more"'],
    [{ '<b>': 1 }, 400, 'the resource has an unknown key'],
    [
      { name: 'email' },
      422,
      'the resource has the "name" "email", which is a reserved word of a scope',
    ],
    [{ name: 'resources' }, 422, 'the resource has a "name" that the admin API uses'],
    ...[
      'http://api.example',
      'ftp://api.example',
      'https://me@api.example',
      'https://a.example/#x',
      'orders',
    ].map((uri): [object, number, string] => [
      { uri },
      422,
      'the resource needs an https URL (or an http one on a loopback address) without fragment or user as "uri"',
    ]),
    [
      { introspection_clients: ['nobody'] },
      422,
      'introspection_clients names a client that does not exist',
    ],
    [
      { introspection_clients: ['gallery'] },
      422,
      'introspection_clients names a public client, and those cannot introspect',
    ],
    [{ name: 'photos' }, 409, 'there is a resource with this name'],
  ]
  for (const [given, status, detail] of faults) {
    it(`refuses ${JSON.stringify(given).slice(0, 60)} with ${status}`, async () => {
      const answer = await operator('POST', 'resources', { ...fresh(), ...words, ...given })
      assert.equal(answer.status, status)
      const title = status === 409 ? 'conflict' : 'invalid_request'
      assert.deepEqual(answer.body, problem(title, status, detail))
      assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/)
    })
  }

  it('refuses the URIs of the service itself, however they are written', async () => {
    const own = ['', '/', '/api', '/api/photos', '/api/anything', '/admin/api', '/userinfo']
    const upper = service.issuer.replace('http', 'HTTP')
    for (const uri of [...own.map((path) => service.issuer + path), `${upper}/API/../api`]) {
      const answer = await operator('POST', 'resources', { ...fresh(), ...words, uri })
      const detail = 'uri has to be of another API: this one is of the service itself'
      assert.deepEqual(answer.body, problem('invalid_request', 422, detail), uri)
    }
    await create({ uri: `${service.issuer}/mcp` })
  })

  it('refuses a URI that another resource has', async () => {
    const { uri } = await create({ uri: fresh().uri })
    const answer = await operator('POST', 'resources', { ...fresh(), ...words, uri })
    assert.deepEqual(answer.body, problem('conflict', 409, 'another resource has this uri'))
  })
})

describe('GET /admin/api/resources', () => {
  it('lists all of them in the order in which they were created', async () => {
    const made = await create()
    const { status, body } = await operator('GET', 'resources')
    assert.equal(status, 200)
    assert.equal(body.next, null)
    const names = body.items.map(({ name }: { name: string }) => name)
    assert.deepEqual(names.slice(0, 3), ['photos', 'contacts', 'calendar'])
    assert.deepEqual(body.items.at(-1), made)
    assert.deepEqual(
      (await operator('GET', 'resources?page=1')).body,
      problem(
        'invalid_request',
        400,
        'a parameter is not known here: this list takes after, limit, search',
      ),
    )
  })

  it('knows no other', async () => {
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const answer = await operator(method, 'resources/none', method === 'PATCH' ? {} : undefined)
      assert.deepEqual(answer.body, problem('not_found', 404, 'there is no such resource'))
    }
  })
})

describe('PATCH /admin/api/resources/{name}', () => {
  it('changes the members that are given', async () => {
    const made = await create({ uri: fresh().uri })
    const path = `resources/${made.name}`
    const change = {
      title: 'Bills',
      actions: { pay: 'Pay bills' },
      destructive: ['pay'],
      uri: null,
    }
    const changed = await operator('PATCH', path, { ...change, name: made.name })
    assert.equal(changed.status, 200)
    assert.deepEqual(changed.body, { ...made, ...change })
    assert.deepEqual((await operator('GET', path)).body, changed.body)
    assert.deepEqual(await toldOf(made.name, 'resource.changed'), {
      resource: made.name,
      changed: 'actions destructive title uri',
      actionsBefore: '{}',
      actions: '{"pay":{"en":"Pay bills"}}',
      destructiveAdded: 'pay',
      titleBefore: JSON.stringify({ en: made.title }),
      title: '{"en":"Bills"}',
      uriBefore: made.uri,
      uri: null,
    })
    assert.deepEqual((await operator('PATCH', path, {})).body, changed.body)
    assert.equal((await operator('PATCH', path, { uri: made.uri })).status, 200)
  })

  it('refuses what no resource may have, and changes nothing then', async () => {
    const other = await create({ uri: fresh().uri })
    const made = await create({ actions: { pay: 'Pay' }, destructive: ['pay'] })
    const faults: readonly (readonly [object, string, number, string])[] = [
      [{ name: 'bills' }, 'invalid_request', 400, 'the name of a resource stays'],
      [
        { actions: {} },
        'invalid_request',
        400,
        'the resource has in "destructive" what is none of its actions, alone or with ":delete" or ":spend": read, write',
      ],
      [
        { title: null },
        'invalid_request',
        400,
        'the resource needs words for "title": a text, or an object with one per language, such as {"en": "..."}',
      ],
      [
        { introspection_clients: ['nobody'] },
        'invalid_request',
        422,
        'introspection_clients names a client that does not exist',
      ],
      [
        { uri: service.issuer },
        'invalid_request',
        422,
        'uri has to be of another API: this one is of the service itself',
      ],
      [{ uri: other.uri }, 'conflict', 409, 'another resource has this uri'],
    ]
    for (const [change, title, status, detail] of faults) {
      const answer = await operator('PATCH', `resources/${made.name}`, change)
      assert.deepEqual(answer.body, problem(title, status, detail))
    }
    assert.deepEqual((await operator('GET', `resources/${made.name}`)).body, made)
  })
})

describe('DELETE /admin/api/resources/{name}', () => {
  it('ends its permissions on the next request, and those alone', async () => {
    const { name } = await create()
    const scope = `photos:read ${name}:read`
    const client = ['printer-of-orders', photoPrinter[1]] as const
    const { body: added } = await operator('POST', 'clients', {
      client_id: client[0],
      grant_types: ['client_credentials'],
      scope,
    })
    const own = [client[0], added.client_secret] as const
    const { body: token } = await service.post('/token', { grant_type: 'client_credentials' }, own)
    assert.equal(token.scope, `${name}:read photos:read`)
    assert.equal((await operator('DELETE', `resources/${name}`)).status, 204)
    assert.equal((await introspect(service, token.access_token, own)).scope, 'photos:read')
    assert.equal(await use(service, token.access_token), 200)
    const again = await service.post('/token', { grant_type: 'client_credentials', scope }, own)
    assert.equal(again.body.scope, 'photos:read')
    assert.ok(!(await scopesSupported()).includes(`${name}:read`))
    assert.deepEqual(await toldOf(name, 'resource.deleted'), { resource: name })
  })

  it('takes from owners what they had allowed, refresh tokens included', async () => {
    const { name } = await create()
    await operator('PATCH', 'clients/photo-printer', { scope: `photos ${name}` })
    const allow = (scope: string) => obtainTokens(service, { ...codeRequest, scope })
    const both = await allow(`photos:read ${name}:read`)
    const only = await allow(`${name}:read`)
    assert.equal((await introspect(service, both.access_token)).scope, `${name}:read photos:read`)
    assert.equal((await operator('DELETE', `resources/${name}`)).status, 204)
    assert.equal((await introspect(service, both.access_token)).scope, 'photos:read')
    assert.equal((await refresh(service, both.refresh_token)).body.scope, 'photos:read')
    const refused = await refresh(service, only.refresh_token)
    assert.equal(refused.body.error, 'invalid_grant')
  })

  it('never gives the name to another, since approvals of the first would hold again', async () => {
    const { name, uri } = await create({ uri: fresh().uri })
    assert.equal((await operator('DELETE', `resources/${name}`)).status, 204)
    const again = await operator('POST', 'resources', { name, ...words })
    const detail =
      'a deleted resource had this name; it is not used again, since earlier approvals would hold again'
    assert.deepEqual(again.body, problem('conflict', 409, detail))
    await create({ uri })
  })
})

describe('the setting resources', () => {
  it('creates at the first start only: what the operator did later stays', async () => {
    const other = await start()
    try {
      const ask = await operatorOf(other)
      await ask('PATCH', 'resources/photos', { title: 'Pictures' })
      await ask('DELETE', 'resources/contacts')
      await other.restart()
      const [notice] = other.notices.filter(({ resource }) => resource === 'photos')
      assert.deepEqual(notice, {
        level: 'info',
        message:
          'the stored resource differs from the setting resources, and the stored one counts',
        resource: 'photos',
      })
      const again = await operatorOf(other)
      const { body } = await again('GET', 'resources')
      assert.deepEqual(
        body.items.map(({ name, title }: { name: string; title: unknown }) => [name, title]),
        [
          ['photos', 'Pictures'],
          ['calendar', { en: 'Calendar', de: 'Kalender', zh: '日历' }],
        ],
      )
      const metadata = await other.ask('/.well-known/oauth-authorization-server')
      const known = ['calendar:read', 'calendar:write', 'photos:read', 'photos:write']
      assert.deepEqual(metadata.body.scopes_supported, [...known, ...sortWords([])].sort())
    } finally {
      await other.close()
    }
  })

  it('keeps the service from starting where it claims a URI of the service', async () => {
    const { server } = service
    const [photos] = server().settings.resources
    assert.ok(photos)
    const wrong = { ...photos, name: 'own', uri: `${service.issuer}/api` }
    await assert.rejects(start({ resources: [wrong] }), {
      name: 'ResourceConflict',
      message: 'the setting resources: the resource "own" has a "uri" of this service',
    })
  })
})

it('a token of a client may not administer resources without the scope', async () => {
  const { body } = await service.post('/token', { grant_type: 'client_credentials' }, nightlyReport)
  const answer = await service.ask('/admin/api/resources', {
    headers: { authorization: `Bearer ${body.access_token}` },
  })
  assert.deepEqual(
    answer.body,
    problem('insufficient_scope', 403, 'the access token does not allow resources:read'),
  )
})

describe('introspection_clients', () => {
  it('is extended by operators alone: resources:write could name itself', async () => {
    const { body: client } = await operator('POST', 'clients', {
      client_name: 'Catalogue',
      grant_types: ['client_credentials'],
      scope: 'resources:read resources:write',
    })
    const by = [client.client_id, client.client_secret] as const
    const ask = await operatorOf(service, 'resources:write', by)
    const own = { introspection_clients: [client.client_id] }
    const refused = async (answer: ReturnType<Operator>) => {
      const { status, body } = await answer
      assert.deepEqual([status, body.title], [403, 'insufficient_scope'])
    }
    await refused(ask('POST', 'resources', { ...fresh(), ...words, ...own }))
    const { name } = await create({ introspection_clients: ['photo-printer'] })
    await refused(ask('PATCH', `resources/${name}`, own))
    const kept = { introspection_clients: ['photo-printer'], title: 'Orders of the shop' }
    assert.equal((await ask('PATCH', `resources/${name}`, kept)).status, 200)
    assert.equal(
      (await ask('PATCH', `resources/${name}`, { introspection_clients: [] })).status,
      200,
    )
  })
})
