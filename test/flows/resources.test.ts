import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { housekeepingLimits } from '../../src/housekeeping.ts'
import { httpLimits } from '../../src/http/limits.ts'
import { type Guard, protect } from '../../src/resource/index.ts'
import { apiLimits } from '../../src/rooms/api/item-fields.ts'
import { StoreFault } from '../../src/store/fault.ts'
import { houseApp, latchkeyAdmin, nightlyReport } from '../support/demo-clients.ts'
import { obtainTokens } from '../support/printing.ts'
import { type Answer, type Form, type Init, start, startBefore } from '../support/start.ts'

let alice: string
let bob: string
let service: string

const tokenOf = async (username: string, password: string, scope = ''): Promise<string> => {
  const form = { grant_type: 'password', username, password, scope }
  return (await started.post('/token', form, houseApp)).body.access_token
}

const started = startBefore(start, async () => {
  alice = await tokenOf('alice', 'wonderland')
  bob = await tokenOf('bob', 'builder')
  const form = { grant_type: 'client_credentials' }
  service = (await started.post('/token', form, nightlyReport)).body.access_token
})

/** A request with a token in the header. */
const ask = (token: string, path: string, { headers, ...init }: Init = {}): Promise<Answer> =>
  started.ask(path, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...(headers as Record<string, string>) },
  })

const put = (path: string, json: unknown, headers = {}, token = alice): Promise<Answer> =>
  ask(token, path, { method: 'PUT', json, headers })

const tagOf = (answer: Answer): string => answer.headers.get('etag') ?? ''

const refused = (answer: Answer): unknown[] => [answer.status, answer.body?.error]

describe('an item', () => {
  test('is created, read, changed and deleted', async () => {
    const created = await ask(alice, '/api/photos', { json: { title: 'Hatter', tags: ['tea'] } })
    const { id } = created.body
    assert.equal(created.status, 201)
    assert.deepEqual(created.body, { id, title: 'Hatter', tags: ['tea'] })
    assert.equal(created.headers.get('location'), `${started.issuer}/api/photos/${id}`)
    assert.match(tagOf(created), /^"[A-Za-z0-9_-]{12}"$/)

    const read = await ask(alice, `/api/photos/${id}`)
    assert.deepEqual([read.status, read.body, tagOf(read)], [200, created.body, tagOf(created)])
    assert.equal(read.headers.get('content-type'), 'application/json;charset=UTF-8')
    assert.equal(read.headers.get('cache-control'), 'private, no-store')

    const changed = await put(`/api/photos/${id}`, { title: 'March Hare' })
    assert.deepEqual([changed.status, changed.body], [200, { id, title: 'March Hare' }])
    assert.notEqual(tagOf(changed), tagOf(created))
    assert.deepEqual((await ask(alice, `/api/photos/${id}`)).body, { id, title: 'March Hare' })

    const deleted = await ask(alice, `/api/photos/${id}`, { method: 'DELETE' })
    assert.deepEqual([deleted.status, deleted.text], [204, ''])
    const gone = await ask(alice, `/api/photos/${id}`)
    assert.deepEqual(refused(gone), [404, 'not_found'])
    assert.equal(gone.headers.get('www-authenticate'), null)
    const again = await ask(alice, `/api/photos/${id}`, { method: 'DELETE' })
    assert.deepEqual(refused(again), [404, 'not_found'])
  })

  test('is created under a chosen id by PUT', async () => {
    const created = await put('/api/photos/cat.1~x_y-Z', { title: 'Cheshire' })
    assert.equal(created.status, 201)
    assert.equal(created.headers.get('location'), `${started.issuer}/api/photos/cat.1~x_y-Z`)
    assert.deepEqual((await put('/api/photos/cat.1~x_y-Z', { id: 'cat.1~x_y-Z' })).body, {
      id: 'cat.1~x_y-Z',
    })
  })

  test('refuses a number that it would change, and keeps what was there', async () => {
    await put('/api/photos/numbers', { size: 1 })
    const sent = await ask(alice, '/api/photos/numbers', {
      method: 'PUT',
      body: '{"a":1e400,"b":12345678901234567890}',
      headers: { 'content-type': 'application/json' },
    })
    assert.deepEqual(
      [sent.status, sent.body],
      [
        400,
        {
          error: 'invalid_request',
          error_description: 'the number 1e400 at a cannot be kept exactly: send it as a string',
        },
      ],
    )
    const kept = await ask(alice, '/api/photos/numbers')
    assert.deepEqual(kept.body, { id: 'numbers', size: 1 })
    await ask(alice, '/api/photos/numbers', { method: 'DELETE' })
  })

  test('is created from form fields', async () => {
    const created = await ask(alice, '/api/photos', { form: { title: 'Tea & cake', id: 'mine' } })
    assert.equal(created.status, 201)
    assert.notEqual(created.body.id, 'mine')
    assert.deepEqual(created.body, { id: created.body.id, title: 'Tea & cake' })
  })

  test('is created from a form that holds the token as well, and never keeps it', async () => {
    const form = { access_token: alice, title: 'Rabbit' }
    const created = await started.ask('/api/photos', { form })
    assert.equal(created.status, 201)
    assert.deepEqual(created.body, { id: created.body.id, title: 'Rabbit' })
    assert.equal(created.text.includes(alice), false)
  })

  test('is put from a form with the token in the header, never in the form', async () => {
    const title = 'Dormouse'
    const bearer = { authorization: `Bearer ${alice}` }
    const putForm = (headers: Readonly<Record<string, string>>, form: Form) =>
      started.ask('/api/photos/dormouse', { method: 'PUT', headers, form })
    for (const headers of [{}, bearer]) {
      const refused = await putForm(headers, { access_token: alice, title })
      assert.equal(refused.status, 400)
      assert.deepEqual(refused.body, {
        error: 'invalid_request',
        error_description:
          'access_token in a form is for POST only: send the token in the Authorization header',
      })
    }
    const created = await putForm(bearer, { title })
    assert.deepEqual([created.status, created.body], [201, { id: 'dormouse', title }])
  })

  test('has fields of any name, and none that reaches further', async () => {
    const body = '{"__proto__":{"admin":true},"constructor":1,"toString":"x","title":"Gate"}'
    const headers = { 'content-type': 'application/json' }
    const created = await ask(alice, '/api/photos', { method: 'POST', body, headers })
    const read = await ask(alice, `/api/photos/${created.body.id}`)
    assert.equal(read.text, `{"id":"${created.body.id}",${body.slice(1)}`)
    assert.equal(Reflect.get({}, 'admin'), undefined)
  })
})

describe('a body that is no item', () => {
  const wide = Object.fromEntries(
    Array.from({ length: apiLimits.itemFields + 1 }, (_, n) => [`field${n}`, n]),
  )
  const json = { 'content-type': 'application/json' }
  const rows: [string, Init, unknown[]][] = [
    ['JSON that is none', { method: 'POST', body: '{', headers: json }, [400, 'invalid_request']],
    ['a list', { json: [] }, [400, 'invalid_request']],
    ['null', { json: null }, [400, 'invalid_request']],
    ['too many fields', { json: wide }, [400, 'invalid_request']],
    ['too large', { json: { a: 'a'.repeat(httpLimits.jsonBytes) } }, [413, 'too_large']],
    ['a token as a field', { json: { access_token: 'lk_at_x' } }, [400, 'invalid_request']],
    ['a field twice', { form: { title: ['a', 'b'] } }, [400, 'invalid_request']],
    [
      'another type',
      { method: 'POST', body: 'title=a', headers: { 'content-type': 'text/plain' } },
      [415, 'unsupported_media_type'],
    ],
    ['none at all', { method: 'POST' }, [415, 'unsupported_media_type']],
  ]
  for (const [name, init, expected] of rows) {
    test(name, async () => {
      assert.deepEqual(refused(await ask(alice, '/api/calendar', init)), expected)
    })
  }

  test('the id of another item', async () => {
    assert.deepEqual(refused(await put('/api/photos/one', { id: 'two' })), [400, 'invalid_request'])
    assert.deepEqual(refused(await put('/api/photos/1', { id: 1 })), [400, 'invalid_request'])
  })

  test('and nothing of it was kept', async () => {
    const { body } = await ask(alice, '/api/calendar')
    assert.equal(body.items.length, 2)
  })
})

test('a resource that is full says so', async (t) => {
  t.mock.method(started.server().store, 'putItem', async () => 'full')
  const answer = await ask(alice, '/api/photos', { json: {} })
  assert.deepEqual(refused(answer), [409, 'conflict'])
  assert.match(answer.body.error_description, /at most 100000 items/)
})

describe('conditions (RFC 9110 section 13)', () => {
  test('If-None-Match spares the body of what is known already', async () => {
    const tag = tagOf(await put('/api/photos/etag', { title: 'a' }))
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const answer = await ask(alice, '/api/photos/etag', { headers: { 'if-none-match': known } })
      assert.deepEqual([answer.status, answer.text, tagOf(answer)], [304, '', tag])
    }
    const other = await ask(alice, '/api/photos/etag', { headers: { 'if-none-match': '"x"' } })
    assert.equal(other.status, 200)
  })

  test('If-Match lets nobody overwrite what they have not seen', async () => {
    const first = tagOf(await put('/api/photos/match', { n: 1 }))
    const second = await put('/api/photos/match', { n: 2 }, { 'if-match': first })
    assert.equal(second.status, 200)
    const late = await put('/api/photos/match', { n: 3 }, { 'if-match': first })
    assert.deepEqual(refused(late), [412, 'precondition_failed'])
    const weak = await put('/api/photos/match', { n: 3 }, { 'if-match': `W/${tagOf(second)}` })
    assert.deepEqual(refused(weak), [412, 'precondition_failed'])
    assert.deepEqual((await ask(alice, '/api/photos/match')).body, { id: 'match', n: 2 })
    const read = await ask(alice, '/api/photos/match', { headers: { 'if-match': first } })
    assert.deepEqual(refused(read), [412, 'precondition_failed'])
  })

  test('If-Match creates nothing, If-None-Match: * changes nothing', async () => {
    assert.equal((await put('/api/photos/new', { n: 1 }, { 'if-match': '*' })).status, 412)
    assert.equal((await put('/api/photos/new', { n: 1 }, { 'if-none-match': '*' })).status, 201)
    assert.equal((await put('/api/photos/new', { n: 2 }, { 'if-none-match': '*' })).status, 412)
    assert.deepEqual((await ask(alice, '/api/photos/new')).body, { id: 'new', n: 1 })
  })

  test('If-Match guards deleting as well', async () => {
    const tag = tagOf(await put('/api/photos/end', {}))
    const remove = (match: string) =>
      ask(alice, '/api/photos/end', { method: 'DELETE', headers: { 'if-match': match } })
    assert.equal((await remove('"x"')).status, 412)
    assert.equal((await remove(tag)).status, 204)
  })

  test('of two changes to one version at once, one holds', async () => {
    const tag = tagOf(await put('/api/photos/race', { n: 0 }))
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) => put('/api/photos/race', { n }, { 'if-match': tag })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412, 412])
  })

  test('a malformed one is refused', async () => {
    const answer = await put('/api/photos/etag', {}, { 'if-match': 'x' })
    assert.deepEqual(refused(answer), [400, 'invalid_request'])
  })
})

describe('a list', () => {
  test('comes in pages that leave nothing out', async () => {
    for (let n = 0; n < 5; n++) await put(`/api/contacts/c${n}`, { n }, {}, service)
    const seen: string[] = []
    const sizes: number[] = []
    let after = ''
    do {
      const query = after === '' ? '' : `&after=${after}`
      const { body } = await ask(service, `/api/contacts?limit=2${query}`)
      seen.push(...body.items.map(({ id }: { id: string }) => id))
      sizes.push(body.items.length)
      after = body.next ?? ''
    } while (after !== '')
    assert.deepEqual(seen, ['c0', 'c1', 'c2', 'c3', 'c4'])
    assert.deepEqual(sizes, [2, 2, 1])
  })

  test('of nothing is empty', async () => {
    const { status, body } = await ask(service, '/api/calendar')
    assert.deepEqual([status, body], [200, { items: [], next: null }])
  })

  const bad = ['limit=0', 'limit=101', 'limit=-1', 'limit=1.5', 'limit=two', 'after=!', 'after=Li4']
  for (const query of [...bad, 'limit=1&limit=1']) {
    test(`with ${query} is refused`, async () => {
      const answer = await ask(alice, `/api/photos?${query}`)
      assert.deepEqual(refused(answer), [400, 'invalid_request'])
    })
  }
})

describe('a form that carries only the token reads', () => {
  test('with read permission alone, as GET would', async () => {
    const reader = await tokenOf('alice', 'wonderland', 'calendar:read')
    const list = await started.ask('/api/calendar', { form: { access_token: reader } })
    assert.deepEqual([list.status, list.body], [200, (await ask(reader, '/api/calendar')).body])
    const page = await started.ask('/api/calendar?limit=1', { form: { access_token: reader } })
    assert.equal(page.body.items.length, 1)
    const write = await started.ask('/api/calendar', { form: { access_token: reader, a: 'b' } })
    assert.deepEqual(refused(write), [403, 'insufficient_scope'])
    assert.match(write.headers.get('www-authenticate') ?? '', /scope="calendar:write"/)
  })
})

describe('a form that carries only the token, sent to an item', () => {
  const path = '/api/calendar/form'

  test('reads it, as GET would', async () => {
    const tag = tagOf(await put(path, { title: 'Croquet' }))
    const reader = await tokenOf('alice', 'wonderland', 'calendar:read')
    const answer = await started.ask(path, { form: { access_token: reader } })
    assert.deepEqual([answer.status, answer.body], [200, { id: 'form', title: 'Croquet' }])
    assert.equal(tagOf(answer), tag)
  })

  test('writes nothing, whatever else it carries', async () => {
    const form = { access_token: alice, title: 'Flamingos' }
    const said = 'a POST to an item only reads it, with a form of nothing but access_token'
    const more = await started.ask(path, { form })
    assert.deepEqual(refused(more), [400, 'invalid_request'])
    const json = await ask(alice, path, { json: { title: 'Flamingos' } })
    assert.deepEqual(refused(json), [415, 'unsupported_media_type'])
    const header = await ask(alice, path, { form: {} })
    assert.deepEqual(refused(header), [400, 'invalid_request'])
    for (const { body } of [more, json, header]) {
      assert.equal(body.error_description, `${said}; an item is written with PUT`)
    }
    assert.deepEqual((await ask(alice, path)).body, { id: 'form', title: 'Croquet' })
  })
})

describe('whose items they are (RS-20)', () => {
  test('one owner never reaches those of another', async () => {
    const { body } = await ask(alice, '/api/photos', { json: { title: 'Private' } })
    const path = `/api/photos/${body.id}`
    assert.deepEqual(refused(await ask(bob, path)), [404, 'not_found'])
    assert.deepEqual(refused(await ask(bob, path, { method: 'DELETE' })), [404, 'not_found'])
    assert.equal((await put(path, { title: 'Mine' }, {}, bob)).status, 201)
    assert.deepEqual((await ask(alice, path)).body, { id: body.id, title: 'Private' })
    const titles = (await ask(bob, '/api/photos')).body.items.map(
      ({ title }: { title: string }) => title,
    )
    assert.deepEqual(titles.sort(), ['Mine', 'Scaffolding', 'The new bridge'])
  })

  test('a client by itself reaches its own, never those of an owner (CC-02)', async () => {
    const { id } = (await ask(alice, '/api/photos')).body.items[0]
    assert.deepEqual(refused(await ask(service, `/api/photos/${id}`)), [404, 'not_found'])
    await put('/api/photos/report', { pages: 3 }, {}, service)
    assert.deepEqual((await ask(service, '/api/photos')).body.items, [{ id: 'report', pages: 3 }])
    assert.deepEqual(refused(await ask(alice, '/api/photos/report')), [404, 'not_found'])
  })
})

describe('paths (RS-18)', () => {
  test('an unknown resource is told without asking for a token', async () => {
    const answer = await started.ask('/api/cameras')
    assert.deepEqual(refused(answer), [404, 'not_found'])
    assert.equal(answer.headers.get('www-authenticate'), null)
  })

  const rows: [string, number][] = [
    ['/api/photos/gate', 200],
    ['/api/photos/%67ate', 200],
    ['/api/photos/./gate', 200],
    ['/api/photos/gate;x=1', 400],
    ['/api/photos/gate%00', 400],
    ['/api/photos/a%2fb', 400],
    ['/api/photos/..%2fcontacts', 400],
    [`/api/photos/${'a'.repeat(apiLimits.itemIdCharacters + 1)}`, 400],
    ['/api/photos//gate', 404],
    ['/api//photos', 404],
    ['/api/photos/', 404],
    ['/API/photos', 404],
    ['/api/PHOTOS', 404],
    ['/api/photos/gate/', 404],
    ['/api/__proto__', 404],
  ]
  for (const [path, status] of rows) {
    test(`${path.slice(0, 40)} is ${status}`, async () => {
      await put('/api/photos/gate', {})
      assert.equal((await ask(alice, path)).status, status)
    })
  }
})

describe('methods (RS-19)', () => {
  test('HEAD answers as GET would, without the body, and to nobody else', async () => {
    const tag = tagOf(await put('/api/photos/head', {}))
    const answer = await ask(alice, '/api/photos/head', { method: 'HEAD' })
    assert.deepEqual([answer.status, answer.text, tagOf(answer)], [200, '', tag])
    assert.equal((await started.ask('/api/photos/head', { method: 'HEAD' })).status, 401)
  })

  test('no header and no field turns one into another', async () => {
    await put('/api/photos/kept', {})
    const headers = { 'x-http-method-override': 'DELETE', 'x-http-method': 'DELETE' }
    const answer = await ask(alice, '/api/photos/kept?_method=DELETE', { headers })
    assert.deepEqual([answer.status, answer.body], [200, { id: 'kept' }])
    assert.equal((await ask(alice, '/api/photos/kept')).status, 200)
  })

  test('PATCH is none of them', async () => {
    const answer = await ask(alice, '/api/photos/kept', { method: 'PATCH', json: {} })
    assert.deepEqual(refused(answer), [405, 'method_not_allowed'])
    assert.match(answer.headers.get('allow') ?? '', /\bPUT\b/)
  })
})

test('each use of an owner is noted', async () => {
  const { store } = started.server()
  const { body } = await started.post('/introspect', { token: alice }, houseApp)
  const lastUses = async () =>
    (await store.listAuthorizations({ ownerId: body.sub }, null, 10, started.now())).rows.map(
      ({ lastUsedAt }) => lastUsedAt,
    )
  await started.advance(60)
  const at = started.now()
  await ask(alice, '/api/photos')
  await started.advance(housekeepingLimits.usesFlushSeconds)
  assert.ok((await lastUses()).includes(at))
})

test('a store that cannot be read lets nobody in (RS-15)', async (t) => {
  t.mock.method(started.server().store, 'findStanding', async () => {
    throw new StoreFault('broken', 'the disk is gone')
  })
  const answer = await ask(alice, '/api/photos')
  assert.deepEqual(refused(answer), [503, 'temporarily_unavailable'])
  assert.equal(answer.headers.get('retry-after'), '1')
})

describe("somebody else's API, guarded from afar", () => {
  let guard: Guard
  const logged: string[] = []
  before(async () => {
    const operator = await started.post(
      '/token',
      { grant_type: 'client_credentials' },
      latchkeyAdmin,
    )
    const { body } = await ask(operator.body.access_token, '/admin/api/clients', {
      json: {
        client_name: 'Print shop',
        grant_types: ['client_credentials'],
        may_introspect: true,
      },
    })
    guard = protect({
      issuer: started.issuer,
      resource: `${started.issuer}/api/photos`,
      clientId: body.client_id,
      clientSecret: body.client_secret,
      log: (line) => logged.push(line),
      clock: () => started.now() * 1000,
      fetch: async (url, init) =>
        started.server().fetch(new Request(String(url), init), '127.0.0.1'),
    })
  })

  /** All of a foreign API: it knows nothing of the service but the guard. */
  const prints = (request: Request): Promise<Response> =>
    guard(request, 'photos:read', ({ username, clientId }) =>
      Response.json({ printedFor: username, by: clientId }),
    )
  const print = (token: string) =>
    prints(
      new Request('https://prints.example.com/', { headers: { authorization: `Bearer ${token}` } }),
    )

  test('lets through who may, and says who it is', async () => {
    const answer = await print(alice)
    assert.deepEqual(
      [answer.status, await answer.json()],
      [200, { printedFor: 'alice', by: 'house-app' }],
    )
    assert.deepEqual(await (await print(service)).json(), {
      printedFor: null,
      by: 'nightly-report',
    })
  })

  test('refuses what has been revoked, at the very next request', async () => {
    const token = await tokenOf('alice', 'wonderland')
    assert.equal((await print(token)).status, 200)
    await started.post('/revoke', { token }, houseApp)
    assert.equal((await print(token)).status, 401)
  })

  test('refuses a token for something else, a refresh token and a made-up one', async () => {
    const form = { grant_type: 'password', username: 'bob', password: 'builder' }
    const { body } = await started.post('/token', form, houseApp)
    assert.equal((await print(await tokenOf('bob', 'builder', 'contacts'))).status, 401)
    assert.equal((await print(await tokenOf('bob', 'builder', 'photos:write'))).status, 403)
    assert.equal((await print(body.refresh_token)).status, 401)
    assert.equal((await print('lk_at_x')).status, 401)
  })

  test('asks for a new login once the last one is too old (RFC 9470)', async () => {
    const { access_token } = await obtainTokens(started)
    const headers = { authorization: `Bearer ${access_token}` }
    const delicate = async () => {
      const request = new Request('https://prints.example.com/', { headers })
      const needs = { scope: 'photos:read', maxAge: 300 }
      const answer = await guard(request, needs, () => new Response())
      return [answer.status, answer.headers.get('www-authenticate')]
    }
    assert.deepEqual(await delicate(), [200, null])
    started.pass(300)
    assert.deepEqual(await delicate(), [200, null])
    started.pass(1)
    const metadata = `${started.issuer}/.well-known/oauth-protected-resource/api/photos`
    assert.deepEqual(await delicate(), [
      401,
      `Bearer realm="latchkey", error="insufficient_user_authentication", error_description="the owner has to log in again", max_age="300", scope="photos:read", resource_metadata="${metadata}"`,
    ])
  })

  test('refuses everybody while the issuer cannot tell', async (t) => {
    t.mock.method(started.server().store, 'findStanding', async () => {
      throw new StoreFault('broken', 'the disk is gone')
    })
    const answer = await print(alice)
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '1'])
    assert.equal(logged.at(-1), `latchkey/resource: ${started.issuer}/introspect answers 503`)
  })
})
