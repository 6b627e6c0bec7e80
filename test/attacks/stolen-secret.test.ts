/** A stolen client secret: the operator's action ends the thief's tokens, and for good. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { bearer, type Operator, opensAdmin, operatorOf } from '../flows/operator.ts'
import { answerOf } from '../support/browser.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { obtainCode, obtainTokens, walk } from '../support/printing.ts'
import { basic, startBefore } from '../support/start.ts'
import { type Credentials, redeem, refresh, use } from '../support/tokens.ts'

const service = startBefore()
let operator: Operator
beforeEach(async () => {
  operator = await operatorOf(service)
})

interface Registered {
  readonly id: string
  readonly credentials: Credentials
}

/** A client that may administer clients, so the thief's token opens the admin API. */
const add = async (metadata: object = {}): Promise<Registered> => {
  const { status, body, text } = await operator('POST', 'clients', {
    grant_types: ['client_credentials'],
    scope: 'clients:read clients:write',
    ...metadata,
  })
  assert.equal(status, 201, text)
  return { id: body.client_id, credentials: [body.client_id, body.client_secret] }
}

const ask = (credentials: Credentials) =>
  service.post('/token', { grant_type: 'client_credentials' }, credentials)

const tokenOf = async (credentials: Credentials): Promise<string> => {
  const { status, body, text } = await ask(credentials)
  assert.equal(status, 200, text)
  return body.access_token
}

const rotate = async (id: string, json?: object): Promise<Credentials> => {
  const { status, body, text } = await operator('POST', `clients/${id}/rotate-secret`, json)
  assert.equal(status, 200, text)
  return [id, body.client_secret]
}

const patch = async (id: string, json: object): Promise<void> => {
  const { status, text } = await operator('PATCH', `clients/${id}`, json)
  assert.equal(status, 200, text)
}

describe('a token that was got with the stolen secret ends', () => {
  const answers: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    'with a new secret': (id) => rotate(id),
    'with a new secret, the body being an empty object': (id) => rotate(id, {}),
    'where its client is disabled, and enabled again': async (id) => {
      await patch(id, { disabled: true })
      await patch(id, { disabled: false })
    },
    'with a shorter lifetime': (id) => patch(id, { access_token_seconds: 1800 }),
    'with an end to a lifetime without one': async (id) => {
      await patch(id, { access_token_seconds: null })
      await patch(id, { access_token_seconds: 3600 })
    },
    'with another authentication method': (id) =>
      patch(id, { token_endpoint_auth_method: 'client_secret_post' }),
    'where all tokens of its client are ended': (id) =>
      operator('POST', `clients/${id}/end-tokens`),
  }
  for (const [name, act] of Object.entries(answers)) {
    test(name, async () => {
      const { id, credentials } = await add()
      const stolen = await tokenOf(credentials)
      assert.equal(await opensAdmin(service, stolen), 200)
      await act(id)
      assert.equal(await opensAdmin(service, stolen), 401)
      const path = `/admin/api/clients/${id}/rotate-secret`
      assert.equal((await service.ask(path, { ...bearer(stolen), method: 'POST' })).status, 401)
      await patch(id, { access_token_seconds: 7200, disabled: false })
      assert.equal(await opensAdmin(service, stolen), 401)
    })
  }

  test('and so do those of a client that the thief has made public and confidential again', async () => {
    const { body } = await service.ask('/register', {
      json: { grant_types: ['client_credentials'], response_types: [], scope: 'photos' },
    })
    const { client_id: id, client_secret: secret, registration_access_token: token } = body
    const stolen = await tokenOf([id, secret])
    const put = async (json: object) => {
      const init = { ...bearer(token), method: 'PUT', json: { client_id: id, ...json } }
      const answer = await service.ask(`/register/${id}`, init)
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    }
    const photos = async (held: string) => (await service.ask('/api/photos', bearer(held))).status
    assert.equal(await photos(stolen), 200)
    const redirecting = { redirect_uris: ['https://a.example/'], scope: 'photos' }
    await put({ ...redirecting, token_endpoint_auth_method: 'none' })
    assert.equal(await photos(stolen), 401)
    const again = { grant_types: ['client_credentials'], response_types: [], scope: 'photos' }
    const { client_secret: fresh } = await put(again)
    assert.equal(await photos(stolen), 401)
    assert.equal(await photos(await tokenOf([id, fresh])), 200)
  })

  test('and other changes end nothing', async () => {
    const { id, credentials } = await add()
    const token = await tokenOf(credentials)
    await patch(id, { client_name: 'New', access_token_seconds: 7200, may_introspect: true })
    await patch(id, { access_token_seconds: 7200, disabled: false })
    assert.equal(await opensAdmin(service, token), 200)
  })

  test('and the new secret earns tokens at once', async () => {
    const { id, credentials } = await add()
    const renewed = await rotate(id)
    assert.equal((await ask(credentials)).body.error, 'invalid_client')
    assert.equal(await opensAdmin(service, await tokenOf(renewed)), 200)
  })
})

describe('a planned rotation', () => {
  test('keeps the old secret for the stated time, and nothing that it earned for longer', async () => {
    const { id, credentials: old } = await add()
    const before = await tokenOf(old)
    await service.advance(10)
    const { body } = await operator('POST', `clients/${id}/rotate-secret`, {
      keep_old_seconds: 600,
    })
    assert.equal(body.old_secret_expires_at, service.now() + 600)
    const renewed: Credentials = [id, body.client_secret]
    const early = (await ask(renewed)).body
    assert.equal(early.expires_in, 3600)

    await service.advance(599)
    const late = (await ask(old)).body
    assert.equal(late.expires_in, 1)
    const introspected = await service.post('/introspect', { token: before }, renewed)
    assert.equal(introspected.body.exp, service.now() + 1)
    for (const token of [before, late.access_token, early.access_token]) {
      assert.equal(await opensAdmin(service, token), 200)
    }

    await service.advance(1)
    assert.equal((await ask(old)).body.error, 'invalid_client')
    assert.deepEqual(
      [
        await opensAdmin(service, before),
        await opensAdmin(service, late.access_token),
        await opensAdmin(service, early.access_token),
      ],
      [401, 401, 200],
    )
  })

  test('lets no token without an end outlive the secret that it was got with', async () => {
    const { id, credentials: old } = await add({ access_token_seconds: null })
    const unlimited = await tokenOf(old)
    const renewed = await rotate(id, { keep_old_seconds: 60 })
    const { body } = await ask(old)
    assert.equal(body.expires_in, 60)
    assert.equal('expires_in' in (await ask(renewed)).body, false)
    await service.advance(60)
    assert.deepEqual(
      [await opensAdmin(service, unlimited), await opensAdmin(service, body.access_token)],
      [401, 401],
    )
  })

  test('is cut short by one that keeps nothing, and by the next one that keeps', async () => {
    for (const json of [{}, { keep_old_seconds: 600 }]) {
      const { id, credentials: first } = await add()
      const stolen = await tokenOf(first)
      const second = await rotate(id, { keep_old_seconds: 600 })
      assert.equal(await opensAdmin(service, stolen), 200)
      await rotate(id, json)
      assert.equal((await ask(first)).body.error, 'invalid_client')
      assert.equal(await opensAdmin(service, stolen), 401)
      assert.equal((await ask(second)).status, 'keep_old_seconds' in json ? 200 : 401)
    }
  })

  test('ends tokens of both secrets with end-tokens, and keeps both secrets', async () => {
    const { id, credentials: old } = await add()
    const renewed = await rotate(id, { keep_old_seconds: 600 })
    const tokens = [await tokenOf(old), await tokenOf(renewed)]
    await operator('POST', `clients/${id}/end-tokens`)
    for (const token of tokens) assert.equal(await opensAdmin(service, token), 401)
    assert.equal(await opensAdmin(service, await tokenOf(old)), 200)
    assert.equal(await opensAdmin(service, await tokenOf(renewed)), 200)
  })

  test('is refused for a time that is none, and then changes nothing', async () => {
    const { id, credentials } = await add()
    for (const json of [
      { keep_old_seconds: -1 },
      { keep_old_seconds: 1.5 },
      { keep_old_seconds: '60' },
      { keep_old_seconds: 30 * 24 * 3600 + 1 },
      { keep_old: 60 },
    ]) {
      const { status, body } = await operator('POST', `clients/${id}/rotate-secret`, json)
      assert.deepEqual([status, body.title], [400, 'invalid_request'])
    }
    assert.equal((await ask(credentials)).status, 200)
  })
})

describe('end-tokens', () => {
  test('ends codes, access tokens and refresh tokens of owners, and not what they approved', async () => {
    const tokens = await obtainTokens(service)
    const code = await obtainCode(service)
    assert.equal(await use(service, tokens.access_token), 200)
    const approved = await operator('GET', 'authorizations?client=photo-printer')

    const { status, body } = await operator('POST', 'clients/photo-printer/end-tokens')

    assert.deepEqual([status, body.client_id], [200, 'photo-printer'])
    assert.equal(await use(service, tokens.access_token), 401)
    assert.equal((await refresh(service, tokens.refresh_token)).body.error, 'invalid_grant')
    assert.equal((await redeem(service, code)).body.error, 'invalid_grant')
    const left = await operator('GET', 'authorizations?client=photo-printer')
    assert.deepEqual(left.body, approved.body)
    const again = answerOf(await walk(service))
    const { body: fresh } = await redeem(service, again.code ?? '')
    assert.equal(await use(service, fresh.access_token), 200)
    assert.equal((await refresh(service, fresh.refresh_token)).status, 200)
  })

  test('is not for an operator who may do less than the client', async () => {
    const { credentials } = await add({ scope: 'clients:write' })
    const less = await operatorOf(service, undefined, credentials)
    const { status, body } = await less('POST', 'clients/latchkey-admin/end-tokens')
    assert.deepEqual([status, body.title], [403, 'insufficient_scope'])
    assert.equal((await less('POST', 'clients/nobody/end-tokens')).status, 404)
  })
})

describe('a shorter lifetime of access tokens', () => {
  test("bounds owners' tokens from before it, and a longer one brings none back", async () => {
    const { access_token: token, refresh_token: next } = await obtainTokens(service)
    await patch('photo-printer', { access_token_seconds: 600 })
    await service.advance(599)
    assert.equal(await use(service, token), 200)
    const { body } = await service.post('/introspect', { token }, photoPrinter)
    assert.equal(body.exp, service.now() + 1)
    await service.advance(1)
    assert.equal(await use(service, token), 401)
    operator = await operatorOf(service)
    await patch('photo-printer', { access_token_seconds: 3600 })
    assert.equal(await use(service, token), 401)
    const { body: fresh } = await refresh(service, next)
    assert.equal(fresh.expires_in, 3600)
    await service.advance(3599)
    assert.equal(await use(service, fresh.access_token), 200)
    await service.advance(1)
    assert.equal(await use(service, fresh.access_token), 401)
  })

  test('is told truly, also where it is made longer again within the same second', async () => {
    const { refresh_token: next } = await obtainTokens(service)
    await patch('photo-printer', { access_token_seconds: 60 })
    await patch('photo-printer', { access_token_seconds: 3600 })
    const { body } = await refresh(service, next)
    await service.advance(body.expires_in - 1)
    assert.equal(await use(service, body.access_token), 200)
    await service.advance(1)
    assert.equal(await use(service, body.access_token), 401)
  })

  test('and a longer one lengthens no token', async () => {
    const { access_token: token } = await obtainTokens(service)
    const { id, credentials } = await add({ access_token_seconds: 60 })
    const own = await tokenOf(credentials)
    await patch('photo-printer', { access_token_seconds: null })
    await patch(id, { access_token_seconds: null })
    await service.advance(60)
    assert.equal(await opensAdmin(service, own), 401)
    await service.advance(3540)
    assert.equal(await use(service, token), 401)
  })
})

test('an old secret is no longer taken in any way in which it could be sent', async () => {
  const { id, credentials } = await add()
  await rotate(id)
  const form = { grant_type: 'client_credentials' }
  const [, secret] = credentials
  const ways = [
    { form, headers: { authorization: basic(credentials) } },
    { form: { ...form, client_id: id, client_secret: secret } },
  ]
  for (const init of ways) {
    assert.equal((await service.ask('/token', init)).body.error, 'invalid_client')
  }
})
