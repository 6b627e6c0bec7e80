/** Audiences: two APIs elsewhere, the built-in one, `/userinfo` and the admin API (RFC 8707). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { askFor, enter, sentTo } from '../support/authorization.ts'
import { houseApp, latchkeyAdmin, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import {
  obtainFor,
  orders,
  type ResourceValues,
  startWithElsewhere,
  tools,
} from '../support/elsewhere.ts'
import { idTokenClaims } from '../support/openid.ts'
import { authorizePath, callback, codeRequest, obtainCode, walk } from '../support/printing.ts'
import { startBefore } from '../support/start.ts'
import { assertRefused, introspect, redeem, refresh } from '../support/tokens.ts'
import { bearer, operatorOf } from './operator.ts'

let photos: string
let contacts: string
let userinfo: string
let admin: string

const service = startBefore(startWithElsewhere, async () => {
  photos = `${service.issuer}/api/photos`
  contacts = `${service.issuer}/api/contacts`
  userinfo = `${service.issuer}/userinfo`
  admin = `${service.issuer}/admin/api`
})

const obtain = (scope: string, resource: ResourceValues, atToken?: ResourceValues) =>
  obtainFor(service, scope, resource, atToken)

/** Status and error of a token at a built-in API. */
const at = async (uri: string, token: string): Promise<readonly unknown[]> => {
  const { status, body } = await service.ask(uri, bearer(token))
  return [status, body.error ?? body.title]
}

const other = [401, 'invalid_token'] as const

const whole = (...uris: string[]): string =>
  [service.issuer, `${service.issuer}/api`, ...uris].join(', ')

describe('from the request to the token', () => {
  test('one API elsewhere: the page, the code, the token and its successors', async () => {
    const tokens = await obtain('tools', tools)
    assert.equal(tokens.scope, 'tools:read tools:write')
    const next = (await refresh(service, tokens.refresh_token)).body
    assert.equal(next.scope, 'tools:read tools:write')
    for (const { access_token } of [tokens, next]) {
      assert.deepEqual((await introspect(service, access_token)).aud, [tools])
    }
  })

  test('the consent page names the host of an API elsewhere, and of no other', async () => {
    for (const [language, at] of [
      ['en', 'at mcp.example.com'],
      ['zh', '位于 mcp.example.com'],
    ] as const) {
      const browser = await enter(service, 'bob', 'builder')
      const request = { ...codeRequest, scope: 'tools photos', ui_locales: language }
      const page = await browser.go(authorizePath(request))
      const notes = [...page.text.matchAll(/ <small class="beside">([^<]*)<\/small>/g)].map(
        ([, note = '']) => note,
      )
      assert.deepEqual(
        notes.filter((note) => note.includes('example')),
        [at],
      )
    }
  })

  test('several at once; a token request takes one of them, and the next another', async () => {
    const tokens = await obtain('tools orders photos', [tools, orders], orders)
    assert.equal(tokens.scope, 'orders:read orders:write')
    assert.deepEqual((await introspect(service, tokens.access_token)).aud, [orders])
    const ask = async (token: string, changes: Readonly<Record<string, ResourceValues>>) => {
      const { body } = await refresh(service, token, photoPrinter, changes)
      return { ...body, aud: (await introspect(service, body.access_token)).aud }
    }
    const second = await ask(tokens.refresh_token, { resource: tools })
    assert.deepEqual([second.scope, second.aud], ['tools:read tools:write', [tools]])
    const third = await ask(second.refresh_token, {})
    assert.deepEqual(
      [third.scope, third.aud],
      ['orders:read orders:write tools:read tools:write', [orders, tools]],
    )
  })

  test('an action beyond read and write', async () => {
    const form = {
      grant_type: 'client_credentials',
      scope: 'orders:refund tools',
      resource: orders,
    }
    const { body } = await service.post('/token', form, nightlyReport)
    assert.equal(body.scope, 'orders:refund')
  })

  test('an empty resource is none', async () => {
    const tokens = await obtain('tools photos:read', '', '')
    assert.equal(tokens.scope, 'photos:read tools:read tools:write')
    assert.deepEqual((await introspect(service, tokens.access_token)).aud, [photos, tools])
  })

  test('without one, the audience follows from the scope', async () => {
    const tokens = await obtain('openid tools:read photos:read', [])
    assert.deepEqual((await introspect(service, tokens.access_token)).aud, [
      userinfo,
      photos,
      tools,
    ])
  })

  test('the service as a whole is what is built in', async () => {
    const tokens = await obtain('openid tools photos:read', `${service.issuer}/`)
    assert.equal(tokens.scope, 'openid photos:read')
    assert.deepEqual((await introspect(service, tokens.access_token)).aud, [userinfo, photos])
    assert.deepEqual(await at(photos, tokens.access_token), [200, undefined])
    assert.deepEqual(await at(userinfo, tokens.access_token), [200, undefined])
  })

  test('a resource alone, without scope, gives what is registered of it', async () => {
    const { issuer } = service
    const rows: [ResourceValues, string][] = [
      [tools, 'tools:read tools:write'],
      [orders, 'orders:read orders:refund orders:write'],
      [[tools, `${issuer}/api/photos`], 'photos:read photos:write tools:read tools:write'],
    ]
    for (const [resource, scope] of rows) {
      const form = { grant_type: 'client_credentials', resource }
      const { body } = await service.post('/token', form, nightlyReport)
      assert.equal(body.scope, scope)
    }
  })

  test('the password grant carries it to its successors', async () => {
    const form = { grant_type: 'password', username: 'alice', password: 'wonderland' }
    const { body } = await service.post('/token', { ...form, resource: tools }, houseApp)
    assert.equal(body.scope, 'tools:read tools:write')
    const beyond = await refresh(service, body.refresh_token, houseApp, { resource: orders })
    assertRefused(
      beyond,
      'invalid_target',
      `resource asks for more than was approved: approved is only ${tools}`,
    )
    const { access_token } = (await refresh(service, body.refresh_token, houseApp)).body
    assert.deepEqual((await introspect(service, access_token, houseApp)).aud, [tools])
  })

  test('an implicit token carries it, and no words', async () => {
    const request = {
      response_type: 'token',
      client_id: 'gallery',
      redirect_uri: 'http://127.0.0.1:6750/gallery',
      scope: 'openid photos tools',
      resource: tools,
    }
    const page = await walk(service, request)
    const { scope, access_token = '' } = sentTo(page, 'http://127.0.0.1:6750/gallery#')
    assert.equal(scope, 'tools:read tools:write')
    assert.deepEqual(await at(userinfo, access_token), other)
  })
})

describe('what is refused', () => {
  test('an unknown one, with a list of what there is', async () => {
    const calendar = `${service.issuer}/api/calendar`
    const scim = `${service.issuer}/scim/v2`
    const there = whole(photos, contacts, calendar, tools, orders, admin, scim)
    const said = `resource has to be one of ${there}`
    const strangers = [
      `${tools}/`,
      `${orders}/?`,
      'http://orders.example.com',
      userinfo,
      `${service.issuer}/api/tools`,
      `${service.issuer}/api/`,
      'orders',
      tools.toUpperCase(),
    ]
    for (const resource of strangers) {
      const form = { grant_type: 'client_credentials', resource }
      assertRefused(await service.post('/token', form, nightlyReport), 'invalid_target', said)
      const mixed = { ...form, resource: [tools, resource] }
      assertRefused(await service.post('/token', mixed, nightlyReport), 'invalid_target', said)
      const page = await askFor(service, { resource: [tools, resource] })
      const { error, error_description } = sentTo(page, `${callback}?`)
      assert.deepEqual([error, error_description], ['invalid_target', said])
    }
  })

  test('one that the scope does not reach, with what it is for', async () => {
    const form = { grant_type: 'client_credentials', scope: 'photos tools', resource: orders }
    assertRefused(
      await service.post('/token', form, nightlyReport),
      'invalid_target',
      `the scope has no permission on what resource names: it is for ${photos}, ${tools}`,
    )
  })
})

describe('a token for one audience is none for another', () => {
  test('which the answer says in words, with a challenge', async () => {
    const { access_token } = await obtain('tools', tools)
    const answer = await service.ask('/api/photos', bearer(access_token))
    const said = `the access token is for another resource: ask for one with resource=${photos}`
    assert.deepEqual(answer.body, { error: 'invalid_token', error_description: said })
    const metadata = `${service.issuer}/.well-known/oauth-protected-resource/api/photos`
    assert.equal(
      answer.headers.get('www-authenticate'),
      `Bearer realm="latchkey", error="invalid_token", error_description="${said}", resource_metadata="${metadata}"`,
    )
  })

  test('and at /userinfo, too, with a value that resource may have', async () => {
    const tokens = await obtain('openid tools', [], tools)
    const { body } = await service.ask(userinfo, bearer(tokens.access_token))
    const said = `the access token is for another resource: ask for one with resource=${service.issuer}`
    assert.deepEqual(body, { error: 'invalid_token', error_description: said })
    const changes = { resource: service.issuer }
    const next = (await refresh(service, tokens.refresh_token, photoPrinter, changes)).body
    assert.equal((await service.ask(userinfo, bearer(next.access_token))).status, 200)
  })

  test('without resource, a token of another scope lacks scope only', async () => {
    const { access_token } = await obtain('tools', [])
    assert.deepEqual(await at(photos, access_token), [403, 'insufficient_scope'])
  })

  test('at introspection: each API is told of its own part of its own tokens', async () => {
    const inactive = { active: false }
    const both = await obtain('openid tools:read orders photos', [tools, orders, service.issuer])
    const own = await introspect(service, both.access_token)
    assert.equal(own.scope, 'openid orders:read orders:write photos:read photos:write tools:read')
    const aud = [userinfo, orders, photos, tools]
    assert.deepEqual(own.aud, aud)
    assert.deepEqual(await introspect(service, both.access_token, houseApp), {
      ...own,
      scope: 'tools:read',
    })
    assert.deepEqual(await introspect(service, both.access_token, nightlyReport), {
      ...own,
      scope: 'orders:read orders:write',
    })
    const { access_token } = await obtain('tools:read orders', tools)
    const told = await introspect(service, access_token, houseApp)
    assert.deepEqual([told.active, told.scope, told.aud], [true, 'tools:read', [tools]])
    assert.deepEqual(await introspect(service, access_token, nightlyReport), inactive)
    // Not its own client, no gateway, and the API of nothing.
    assert.deepEqual(await introspect(service, access_token, latchkeyAdmin), inactive)
    const { refresh_token } = both
    assert.deepEqual(await introspect(service, refresh_token, houseApp), inactive)
  })

  test('a gateway is told of all', async () => {
    const operator = await operatorOf(service)
    const { body } = await operator('POST', 'clients', {
      grant_types: ['client_credentials'],
      may_introspect: true,
    })
    const { access_token } = await obtain('tools:read orders:read', tools)
    const told = await introspect(service, access_token, [body.client_id, body.client_secret])
    assert.deepEqual([told.scope, told.aud], ['tools:read', [tools]])
  })
})

describe('words beside a resource', () => {
  test('stay in the code for whoever asks for no resource later', async () => {
    const tokens = await obtain('openid profile tools', tools)
    assert.equal(tokens.scope, 'openid profile tools:read tools:write')
    assert.deepEqual((await introspect(service, tokens.access_token)).aud, [userinfo, tools])
    assert.deepEqual(await at(userinfo, tokens.access_token), [200, undefined])
    const narrowed = await refresh(service, tokens.refresh_token, photoPrinter, { resource: tools })
    assert.equal(narrowed.body.scope, 'tools:read tools:write')
    assert.deepEqual(await at(userinfo, narrowed.body.access_token), other)
  })

  test('an ID token comes where the access token is for an API alone', async () => {
    const claims = JSON.stringify({ id_token: { email: null } })
    const asked = { scope: 'openid tools', resource: tools, nonce: 'once', claims }
    const code = await obtainCode(service, { ...codeRequest, ...asked })
    const { body } = await redeem(service, code, photoPrinter, { resource: tools })
    assert.equal(body.scope, 'tools:read tools:write')
    assert.deepEqual(await at(userinfo, body.access_token), other)
    const told = await idTokenClaims(service, body.id_token, photoPrinter[0])
    assert.deepEqual([told.nonce, told.email], ['once', 'alice@example.com'])
    const next = (await refresh(service, body.refresh_token, photoPrinter, { resource: tools }))
      .body
    assert.equal(next.scope, 'tools:read tools:write')
    const later = await idTokenClaims(service, next.id_token, photoPrinter[0])
    assert.deepEqual([later.sub, later.nonce], [told.sub, undefined])
    const without = await refresh(service, next.refresh_token, photoPrinter, { scope: 'tools' })
    assert.equal(without.body.id_token, undefined)
  })
})

describe('a resource that changes', () => {
  test('its URI: old tokens are for nobody, and a new request is needed', async (t) => {
    const operator = await operatorOf(service)
    const moved = 'https://new.example.com'
    const tokens = await obtain('tools photos', [tools, photos])
    assert.equal((await operator('PATCH', 'resources/tools', { uri: moved })).status, 200)
    t.after(() => operator('PATCH', 'resources/tools', { uri: tools }))
    assert.deepEqual(await introspect(service, tokens.access_token, houseApp), { active: false })
    const own = await introspect(service, tokens.access_token)
    assert.deepEqual([own.scope, own.aud], ['photos:read photos:write', [photos]])
    const next = await refresh(service, tokens.refresh_token, photoPrinter, { resource: moved })
    assertRefused(
      next,
      'invalid_target',
      `resource asks for more than was approved: approved is only ${tools}, ${photos}`,
    )
    const { body } = await refresh(service, tokens.refresh_token)
    assert.equal(body.scope, 'photos:read photos:write')
  })
})

test('the metadata name each audience, and describe what is built in (RFC 9728)', async () => {
  const { issuer } = service
  const calendar = `${issuer}/api/calendar`
  const { body } = await service.ask('/.well-known/oauth-authorization-server')
  const ofOperators = [admin, `${issuer}/scim/v2`]
  const named = [issuer, `${issuer}/api`, photos, contacts, calendar, tools, orders, ...ofOperators]
  assert.deepEqual(body.protected_resources, named)
  const wellKnown = '/.well-known/oauth-protected-resource'
  const api = await service.ask(`${wellKnown}/api`)
  assert.deepEqual(
    api.body.scopes_supported,
    ['calendar', 'contacts', 'photos'].flatMap((name) => [`${name}:read`, `${name}:write`]),
  )
  // An API elsewhere serves its own.
  assert.equal((await service.ask(`${wellKnown}/api/tools`)).status, 404)
})
