/** The client credentials grant: a client in its own name, which nobody takes for an owner. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { latchkeyAdmin, nightlyReport } from '../support/demo-clients.ts'
import { type Form, start, startBefore } from '../support/start.ts'
import {
  assertGranted,
  assertRefused,
  type Changes,
  type Credentials,
  introspect,
  use,
  withChanges,
} from '../support/tokens.ts'
import { everything, failedClient } from '../support/told.ts'
import { bearer, type Operator, operatorOf, problem } from './operator.ts'

let operator: Operator
const service = startBefore(start, async () => {
  operator = await operatorOf(service)
})

const form: Form = { grant_type: 'client_credentials' }

const ask = (changes: Changes = {}, client: Credentials = nightlyReport) =>
  service.post('/token', withChanges(form, changes), client)

const create = async (metadata: object = {}) => {
  const said = { grant_types: ['client_credentials'], ...metadata }
  const { status, body, text } = await operator('POST', 'clients', said)
  assert.equal(status, 201, text)
  return body
}

describe('the parameters', () => {
  test('grant_type alone asks for everything', async () => {
    const answer = await ask()
    assertGranted(answer, { scope: everything, expires_in: 3600, refreshable: false })
  })

  test('grant_type is required', async () => {
    for (const value of [undefined, '']) {
      const answer = await ask({ grant_type: value })
      assertRefused(answer, 'invalid_request', 'parameter grant_type is missing')
    }
  })

  test('scope is optional; commas, spaces and names of resources', async () => {
    const rows = {
      'photos:read': 'photos:read',
      photos: 'photos:read photos:write',
      'photos:read,contacts:write': 'contacts:write photos:read',
      ' calendar:read , photos ': 'calendar:read photos:read photos:write',
    }
    for (const [asked, scope] of Object.entries(rows)) {
      const answer = await ask({ scope: asked })
      assertGranted(answer, { scope, expires_in: 3600, refreshable: false })
    }
  })

  test('each token is another one, and lives for itself', async () => {
    const [one, other] = [(await ask()).body.access_token, (await ask()).body.access_token]
    assert.notEqual(one, other)
    assert.equal((await service.post('/revoke', { token: one }, nightlyReport)).status, 200)
    assert.deepEqual([await use(service, one), await use(service, other)], [401, 200])
  })

  test('it ends when it says', async () => {
    const { body } = await ask()
    await service.advance(3599)
    assert.equal(await use(service, body.access_token), 200)
    await service.advance(1)
    assert.equal(await use(service, body.access_token), 401)
    operator = await operatorOf(service)
  })
})

describe('CC-01: for confidential clients only', () => {
  test('a public client is refused, and cannot even be registered for it', async () => {
    const answer = await service.post('/token', { ...form, client_id: 'gallery' })
    assertRefused(answer, 'unauthorized_client', 'the client may not use this grant_type')
    const said = { grant_types: ['client_credentials'], token_endpoint_auth_method: 'none' }
    const { status, body } = await operator('POST', 'clients', said)
    assert.equal(status, 400)
    const detail = 'grant type client_credentials is not for a client without a secret'
    assert.deepEqual(body, problem('invalid_client_metadata', 400, detail))
  })
})

describe('CC-02: a client cannot look like an owner', () => {
  test("its token says that it is the client's own", async () => {
    const { body } = await ask({ scope: 'photos:read' })
    const { jti, ...said } = await introspect(service, body.access_token, nightlyReport)
    assert.deepEqual(said, {
      active: true,
      scope: 'photos:read',
      client_id: 'nightly-report',
      token_type: 'Bearer',
      exp: service.now() + 3600,
      iat: service.now(),
      sub: 'nightly-report',
      aud: [`${service.issuer}/api/photos`],
      iss: service.issuer,
    })
    assert.match(jti, /^[0-9a-z]{26}$/)
  })

  test('no client is registered under the id of an owner, nor under any of that form', async () => {
    const { body: owners } = await operator('GET', 'owners')
    for (const { id } of owners.items) {
      const { status, body } = await operator('POST', 'clients', {
        client_id: id,
        grant_types: ['client_credentials'],
      })
      assert.deepEqual([status, body.title], [400, 'invalid_client_metadata'])
    }
  })

  test('a client named like an owner reaches nothing of the owner', async () => {
    const made = await create({ client_id: 'alice' })
    const { body } = await ask({}, ['alice', made.client_secret])
    const info = await service.ask('/userinfo', bearer(body.access_token))
    assert.deepEqual([info.status, info.body.error], [403, 'insufficient_scope'])
    const photos = await service.ask('/api/photos', bearer(body.access_token))
    assert.deepEqual(photos.body, { items: [], next: null })
  })

  test('two clients keep their things apart', async () => {
    const made = await create()
    const own = (await ask({}, [made.client_id, made.client_secret])).body.access_token
    const other = (await ask()).body.access_token
    const item = await service.ask('/api/photos', { ...bearer(own), json: { title: 'mine' } })
    assert.equal(item.status, 201)
    const path = `/api/photos/${item.body.id}`
    assert.equal((await service.ask(path, bearer(own))).status, 200)
    assert.equal((await service.ask(path, bearer(other))).status, 404)
  })
})

describe('CC-03: only what the client itself is registered for', () => {
  const beyond = 'scope names no permission that this client may ask for'

  test('a scope that is not registered is refused; beside one that is, it is left out', async () => {
    const mine = await ask({ scope: 'clients:write' })
    assertRefused(mine, 'invalid_scope', `${beyond}: clients:write`)
    const theirs = await ask({ scope: 'photos:read' }, latchkeyAdmin)
    assertRefused(theirs, 'invalid_scope', `${beyond}: photos:read`)
    // The contract (section 3): unknown names beside known ones are left out.
    const { body } = await ask({ scope: 'clients:write photos:read' })
    assert.equal(body.scope, 'photos:read')
    const { status } = await service.ask('/admin/api/clients', bearer(body.access_token))
    assert.equal(status, 403)
  })

  test('RF-16: what is taken from the client is gone from its tokens at once', async () => {
    const made = await create({ scope: 'photos:read contacts:read' })
    const { body } = await ask({}, [made.client_id, made.client_secret])
    assert.equal(await use(service, body.access_token), 200)
    await operator('PATCH', `clients/${made.client_id}`, { scope: 'contacts:read' })
    assert.equal(await use(service, body.access_token), 403)
    const seen = await introspect(service, body.access_token, [made.client_id, made.client_secret])
    assert.equal(seen.scope, 'contacts:read')
  })
})

test('CC-04: a client that is disabled or deleted gets nothing', async () => {
  const made = await create()
  const client = [made.client_id, made.client_secret] as const
  await operator('PATCH', `clients/${made.client_id}`, { disabled: true })
  assertRefused(await ask({}, client), 'invalid_client', failedClient)
  await operator('DELETE', `clients/${made.client_id}`)
  assertRefused(await ask({}, client), 'invalid_client', failedClient)
})

test('nothing is written for a token of the client itself, and it outlives a restart', async () => {
  const written = async () => (await operator('GET', 'events?client=nightly-report')).body.items
  const earlier = await written()
  const { body } = await ask()
  await service.restart()
  assert.equal(await use(service, body.access_token), 200)
  assert.deepEqual(await written(), earlier)
})
