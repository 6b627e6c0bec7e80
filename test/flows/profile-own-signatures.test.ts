/** Signatures for clients of FAPI 2.0, and registrations of such clients: nothing is by RS256. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { provenBy } from '../support/assertions.ts'
import { type KeyPair, keySetOf, newKeys } from '../support/client-keys.ts'
import { askProven, makeProver, type Prover } from '../support/dpop.ts'
import { orders, startWithJwts } from '../support/elsewhere.ts'
import { memoryOr } from '../support/memory.ts'
import { callback, codeRequest, obtainTokens } from '../support/printing.ts'
import { type Form, type Started, start, startBefore } from '../support/start.ts'
import { bearer, type Operator, operatorOf } from './operator.ts'

const algorithmOf = (jwt: string): string | undefined => decodeProtectedHeader(jwt).alg

describe('a client of fapi-2.0 at a service of spec', () => {
  let operator: Operator
  let keys: KeyPair
  let prover: Prover
  let id: string
  const service = startBefore(
    () => startWithJwts(),
    async () => {
      operator = await operatorOf(service)
      keys = await newKeys('ES256', 'k-1')
      prover = await makeProver(service.now)
      id = (await create({})).body.client_id
    },
  )
  const create = (changes: object, by = keys) =>
    operator('POST', 'clients', {
      profile: 'fapi-2.0',
      grant_types: ['client_credentials'],
      scope: 'orders photos:read',
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: keySetOf(by),
      ...changes,
    })

  /** A request with a proof, repeated with the nonce that the service wants. */
  const ask = async (path: string, form: Form, headers: Readonly<Record<string, string>> = {}) => {
    const send = async (given: Readonly<Record<string, unknown>>) => {
      const dpop = await prover.prove('POST', service.issuer + path, given)
      const assertion = await provenBy(service, id, keys)
      return service.ask(path, { form: { ...form, ...assertion }, headers: { dpop, ...headers } })
    }
    const first = await send({})
    assert.deepEqual([first.status, first.body.error], [400, 'use_dpop_nonce'])
    return send({ nonce: first.headers.get('dpop-nonce') ?? '' })
  }
  const own = { grant_type: 'client_credentials', resource: orders }

  test('gets JWT access tokens by ES256, where others get RS256', async () => {
    const { status, body, text } = await ask('/token', own)
    assert.equal(status, 200, text)
    assert.equal(algorithmOf(body.access_token), 'ES256')
    const { body: other } = await operator('POST', 'clients', {
      grant_types: ['client_credentials'],
      scope: 'orders',
    })
    const plain = await service.post('/token', own, [other.client_id, other.client_secret])
    assert.equal(algorithmOf(plain.body.access_token), 'RS256')
  })

  test('gets signed introspection by ES256', async () => {
    const assertion = await provenBy(service, id, keys)
    const answer = await service.ask('/introspect', {
      form: { token: 'none', ...assertion },
      headers: { accept: 'application/token-introspection+jwt' },
    })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(algorithmOf(answer.text), 'ES256')
    assert.deepEqual(decodeJwt(answer.text).token_introspection, { active: false })
  })

  test('needs a nonce in a proof at an API as well', async () => {
    const { body } = await ask('/token', { grant_type: 'client_credentials', scope: 'photos:read' })
    const read = (claims: Readonly<Record<string, unknown>>) =>
      askProven(service, '/api/photos', body.access_token, prover, { claims })
    const first = await read({})
    assert.deepEqual([first.status, first.body.error], [401, 'use_dpop_nonce'])
    const second = await read({ nonce: first.headers.get('dpop-nonce') ?? '' })
    assert.deepEqual([second.status, second.body], [200, { items: [], next: null }])
  })

  for (const member of [
    'id_token_signed_response_alg',
    'userinfo_signed_response_alg',
    'authorization_signed_response_alg',
    'introspection_signed_response_alg',
    'token_endpoint_auth_signing_alg',
    'request_object_signing_alg',
  ]) {
    test(`registers no RS256 as ${member}`, async () => {
      const { status, body } = await create({ [member]: 'RS256' })
      assert.equal(status, 400)
      assert.equal(
        body.detail,
        'the profile fapi-2.0 takes no signature by RS256 or HS256: use PS256, ES256 or EdDSA',
      )
      assert.equal((await create({ [member]: 'ES256' })).status, 201)
    })
  }
})

describe('fapi-2.0 for the whole service', () => {
  const folders: string[] = []
  after(async () => {
    for (const folder of folders) await rm(folder, { recursive: true })
  })

  /** Tokens of a service of `spec`, and the same store at a service of `fapi-2.0`. */
  const change = async (
    prepare: (service: Started) => Promise<string>,
    use: (service: Started, token: string) => Promise<void>,
  ): Promise<void> => {
    const folder = await mkdtemp(join(memoryOr(), 'latchkey-profile-'))
    folders.push(folder)
    const store = `sqlite:${join(folder, 'latchkey.db')}`
    const mild = await start({ store })
    const token = await prepare(mild)
    await mild.close()
    const strict = await start({ store, profile: 'fapi-2.0' })
    await use(strict, token)
    await strict.close()
  }

  test('signs /userinfo by ES256 for a client that registered RS256', async () => {
    await change(
      async (service) => {
        const operator = await operatorOf(service)
        const changes = { userinfo_signed_response_alg: 'RS256' }
        assert.equal((await operator('PATCH', 'clients/photo-printer', changes)).status, 200)
        const { access_token } = await obtainTokens(service, { ...codeRequest, scope: 'openid' })
        const { text } = await service.ask('/userinfo', bearer(access_token))
        assert.equal(algorithmOf(text), 'RS256')
        return access_token
      },
      async (service, token) => {
        const { status, text } = await service.ask('/userinfo', bearer(token))
        assert.equal(status, 200)
        assert.equal(algorithmOf(text), 'ES256')
      },
    )
  })

  test('hands out a request_uri for less than 600 seconds', async () => {
    const keys = await newKeys('ES256', 'k-1')
    const service = await start({ profile: 'fapi-2.0' })
    const limits = { ...service.server().settings.limits, pushedRequestSeconds: 600 }
    await service.close()
    const longest = await start({ profile: 'fapi-2.0', limits })
    const { body } = await (await operatorOf(longest))('POST', 'clients', {
      redirect_uris: [callback],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: keySetOf(keys),
    })
    const request = { response_type: 'code', redirect_uri: callback, code_challenge_method: 'S256' }
    const code_challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
    const push = async (form: Form) =>
      longest.post('/par', { ...form, ...(await provenBy(longest, body.client_id, keys)) })
    const pushed = await push({ ...request, code_challenge })
    assert.deepEqual([pushed.status, pushed.body.expires_in], [201, 599])
    const { redirect_uri: _, ...bare } = request
    const refused = await push({ ...bare, code_challenge })
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_request'])
    await longest.close()
  })

  test('names no query and no RS256 in the metadata of its APIs', async () => {
    const service = await start({ profile: 'fapi-2.0' })
    const path = '/.well-known/oauth-protected-resource/api/photos'
    const { body } = await service.ask(path)
    assert.deepEqual(body.bearer_methods_supported, ['header', 'body'])
    assert.deepEqual(body.dpop_signing_alg_values_supported, ['ES256', 'EdDSA', 'PS256'])
    await service.close()
  })
})
