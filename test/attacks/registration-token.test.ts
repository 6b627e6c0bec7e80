/** A registration token in wrong hands: it undoes nothing that the operator set, and can be ended. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { bearer, type Operator, operatorOf } from '../flows/operator.ts'
import { callback } from '../support/printing.ts'
import { startBefore } from '../support/start.ts'

const service = startBefore()
let operator: Operator
beforeEach(async () => {
  operator = await operatorOf(service)
})

const evil = 'https://evil.example/callback'

/** A client as it registers itself, with both its redirecting grants. */
const metadata = {
  client_name: 'Prints',
  redirect_uris: [callback, 'https://prints.example/back'],
  grant_types: ['authorization_code', 'implicit'],
  response_types: ['code', 'token'],
  token_endpoint_auth_method: 'client_secret_basic',
  scope: 'photos',
  logo_uri: 'https://prints.example/logo.png',
}

const register = async (given: object = metadata) => {
  const { status, body, text } = await service.ask('/register', { json: given })
  assert.equal(status, 201, text)
  const { client_id: id, client_secret: secret, registration_access_token: token } = body
  const manage = (method: string, json?: unknown) =>
    service.ask(`/register/${id}`, {
      ...bearer(token),
      method,
      ...(json === undefined ? {} : { json }),
    })
  return { id, secret, manage, put: (json: object) => manage('PUT', { client_id: id, ...json }) }
}

const patch = async (id: string, json: object) => {
  const { status, body, text } = await operator('PATCH', `clients/${id}`, json)
  assert.equal(status, 200, text)
  return body
}

const held = (names: string) => ({
  error: 'invalid_client_metadata',
  error_description: `${names}: set by the operator, so the client cannot change it`,
})

const wrongToken = {
  error: 'invalid_token',
  error_description: 'this is not the registration access token of this client',
}

describe('what the operator set of a client stays', () => {
  const without = { response_types: ['code'], grant_types: ['authorization_code'] }
  const rows: readonly (readonly [string, object, object, string])[] = [
    [
      'a grant type that it took away',
      { grant_types: ['authorization_code'] },
      metadata,
      'grant_types, response_types',
    ],
    [
      'a response type that it took away',
      { response_types: ['code'] },
      metadata,
      'grant_types, response_types',
    ],
    ['a redirect URI that it took away', { redirect_uris: [callback] }, metadata, 'redirect_uris'],
    [
      'the redirect URIs that it added to',
      { add_redirect_uris: ['https://prints.example/new'] },
      metadata,
      'redirect_uris',
    ],
    [
      'the method',
      { token_endpoint_auth_method: 'client_secret_post' },
      metadata,
      'token_endpoint_auth_method',
    ],
    ['its name', { client_name: 'An Impostor' }, metadata, 'client_name'],
    ['a logo that it took away', { logo_uri: null }, metadata, 'logo_uri'],
  ]
  for (const [name, set, wanted, names] of rows) {
    test(name, async () => {
      const { id, put } = await register()
      const before = await patch(id, set)
      const { status, body } = await put(wanted)
      assert.deepEqual([status, body], [400, held(names)])
      const { acts: _acts, ...after } = (await operator('GET', `clients/${id}`)).body
      assert.deepEqual(after, before)
    })
  }

  test('also where it named what was so already', async () => {
    const { id, put } = await register()
    const pinned = await patch(id, { redirect_uris: metadata.redirect_uris })
    assert.deepEqual(pinned.set_by_operator, ['redirect_uris'])
    const { status, body } = await put({ ...metadata, redirect_uris: [evil] })
    assert.deepEqual([status, body], [400, held('redirect_uris')])
  })

  test('the secret, which is neither dropped nor made anew', async () => {
    const { id, put } = await register()
    const { body: rotated } = await operator('POST', `clients/${id}/rotate-secret`)
    assert.deepEqual(rotated.set_by_operator, ['client_secret'])
    const asPublic = { ...metadata, token_endpoint_auth_method: 'none' }
    assert.deepEqual((await put(asPublic)).body, held('client_secret'))
    assert.equal('client_secret' in (await put(metadata)).body, false)
  })

  test('the method of a client that the operator made confidential', async () => {
    const { id, put } = await register({ ...metadata, token_endpoint_auth_method: 'none' })
    await patch(id, { token_endpoint_auth_method: 'client_secret_basic' })
    const { body } = await put({ ...metadata, token_endpoint_auth_method: 'none' })
    assert.deepEqual(body, held('token_endpoint_auth_method, client_secret'))
  })

  test('while the client may leave it out, repeat it, and change the rest', async () => {
    const { id, put } = await register()
    await patch(id, { client_name: 'Prints, checked', ...without, logo_uri: null })
    const { logo_uri, ...others } = metadata
    const repeated = { ...others, ...without, client_name: 'Prints, checked', scope: 'photos:read' }
    assert.equal((await put(repeated)).status, 200)
    const { status, body } = await put({ redirect_uris: ['https://prints.example/other'] })
    assert.equal(status, 200)
    const { client_name, grant_types, response_types, redirect_uris } = body
    assert.deepEqual(
      { client_name, grant_types, response_types, redirect_uris },
      {
        client_name: 'Prints, checked',
        ...without,
        redirect_uris: ['https://prints.example/other'],
      },
    )
  })

  test('however many of its changes are under way while the operator makes one', async () => {
    const { id, put } = await register()
    const wanted = { ...metadata, redirect_uris: [evil] }
    await Promise.all([put(wanted), patch(id, { redirect_uris: [callback] }), put(wanted)])
    const { body } = await operator('GET', `clients/${id}`)
    assert.deepEqual(body.redirect_uris, [callback])
  })

  test('and of a client of the operator nothing is noted', async () => {
    const made = await operator('POST', 'clients', { grant_types: ['client_credentials'] })
    const { client_id: id } = made.body
    const changed = await patch(id, { client_name: 'New' })
    assert.deepEqual(changed.set_by_operator, [])
  })
})

describe('a registration token that the operator has revoked', () => {
  test('reads, changes and deletes nothing any more', async () => {
    const { id, manage, put } = await register()
    const { status, body } = await operator('POST', `clients/${id}/revoke-registration`)
    assert.deepEqual([status, body.client_id, body.manages_itself], [200, id, false])
    for (const answer of [await manage('GET'), await put(metadata), await manage('DELETE')]) {
      assert.deepEqual([answer.status, answer.body], [401, wrongToken])
    }
    const { acts: _acts, ...after } = (await operator('GET', `clients/${id}`)).body
    assert.deepEqual(after, body)
  })

  test('has ended for changes that are under way at that moment, too', async () => {
    const { id, put } = await register()
    const answers = await Promise.all([
      operator('POST', `clients/${id}/revoke-registration`),
      put({ ...metadata, redirect_uris: [evil] }),
      put({ ...metadata, redirect_uris: [evil] }),
    ])
    assert.equal(answers[0].status, 200)
    for (const { status, body } of answers.slice(1)) {
      if (status !== 200) assert.deepEqual([status, body], [401, wrongToken])
    }
    assert.equal((await put(metadata)).status, 401)
  })

  test('ends once, and is told of once', async () => {
    const { id } = await register()
    await operator('POST', `clients/${id}/revoke-registration`)
    assert.equal((await operator('POST', `clients/${id}/revoke-registration`)).status, 200)
    const { body } = await operator('GET', `events?client=${id}`)
    const types = body.items.map(({ type }: { type: string }) => type).toSorted()
    assert.deepEqual(types, ['client.registered', 'client.registration_revoked'])
  })

  test('leaves the client itself at work', async () => {
    const { id, secret } = await register({
      grant_types: ['client_credentials'],
      response_types: [],
      scope: 'photos',
    })
    await operator('POST', `clients/${id}/revoke-registration`)
    const form = { grant_type: 'client_credentials' }
    assert.equal((await service.post('/token', form, [id, secret])).status, 200)
  })
})
