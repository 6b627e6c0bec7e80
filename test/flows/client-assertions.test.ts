/** Clients that prove themselves by assertions: `private_key_jwt` and `client_secret_jwt` (RFC 7523). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signatureAlgorithms } from '../../src/model/key.ts'
import { assertionClaims, assertionForm, provenBy, signBySecret } from '../support/assertions.ts'
import { type KeyPair, keySetOf, newKeys } from '../support/client-keys.ts'
import { nightlyReport } from '../support/demo-clients.ts'
import type { Form } from '../support/start.ts'
import { assertRefused } from '../support/tokens.ts'
import { failedClient } from '../support/told.ts'
import { startWithOperator } from './operator.ts'

const { service, operator } = startWithOperator()

const grant = { grant_type: 'client_credentials', scope: 'photos:read' }

const create = async (metadata: object) => {
  const said = { grant_types: ['client_credentials'], ...metadata }
  const { status, body, text } = await operator('POST', 'clients', said)
  assert.equal(status, 201, text)
  return body
}

const createWithKeys = async (metadata: object = {}, ...pairs: readonly KeyPair[]) => {
  const method = { token_endpoint_auth_method: 'private_key_jwt' }
  return create({ ...method, jwks: keySetOf(...pairs), ...metadata })
}

const ask = (form: Form, path = '/token') => service.post(path, { ...grant, ...form })

describe('private_key_jwt', () => {
  for (const algorithm of signatureAlgorithms) {
    test(`a key for ${algorithm}`, async () => {
      const keys = await newKeys(algorithm, 'k-1')
      const { client_id: id, ...rest } = await createWithKeys({}, keys)
      assert.equal(rest.client_secret, undefined)
      assert.equal(rest.token_endpoint_auth_method, 'private_key_jwt')
      const { status, body } = await ask(await provenBy(service, id, keys))
      assert.deepEqual([status, body.token_type, body.scope], [200, 'Bearer', 'photos:read'])
    })
  }

  test('at every door that a client has', async () => {
    const keys = await newKeys('ES256', 'k-1')
    const { client_id: id } = await createWithKeys({}, keys)
    const { body } = await ask(await provenBy(service, id, keys))
    const token = body.access_token
    const told = await service.post('/introspect', {
      token,
      ...(await provenBy(service, id, keys)),
    })
    assert.deepEqual([told.status, told.body.client_id], [200, id])
    const revoked = await service.post('/revoke', { token, ...(await provenBy(service, id, keys)) })
    assert.equal(revoked.status, 200)
    const later = await service.post('/introspect', {
      token,
      ...(await provenBy(service, id, keys)),
    })
    assert.deepEqual(later.body, { active: false })
  })

  test('every shape of a good assertion', async () => {
    const keys = await newKeys('ES256', 'k-1')
    const { client_id: id } = await createWithKeys({}, keys)
    const { issuer } = service
    const now = service.now()
    const changes = [
      { aud: [issuer] },
      { exp: now + 3600 },
      { exp: now + 1.5 },
      { iat: undefined },
      { iat: now + 60, nbf: now + 60 },
      { iat: now - 86_400 },
      { more: { things: [1] } },
    ]
    for (const change of changes) {
      const { status } = await ask(await provenBy(service, id, keys, change))
      assert.equal(status, 200, JSON.stringify(change))
    }
    for (const typ of [
      'JWT',
      'jwt',
      'client-authentication+jwt',
      'application/client-authentication+jwt',
    ]) {
      const { status } = await ask(await provenBy(service, id, keys, {}, { typ }))
      assert.equal(status, 200, typ)
    }
    const named = await ask({ client_id: id, ...(await provenBy(service, id, keys)) })
    assert.equal(named.status, 200)
  })

  test('what is said wrongly, by the client itself', async () => {
    const keys = await newKeys('ES256', 'k-1')
    const { client_id: id } = await createWithKeys({}, keys)
    const { issuer } = service
    const now = service.now()
    const audience = `aud of the client assertion has to be ${issuer} alone`
    const endpoint = `${audience}: the token endpoint is not taken`
    const subject = 'iss and sub of the client assertion have to be the client_id'
    const times = 'the client assertion needs exp, and exp, nbf and iat have to be numbers'
    const early = 'the client assertion is not valid yet'
    const expired = 'the client assertion has expired'
    const faults: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
      [{ aud: undefined }, audience],
      [{ aud: [] }, audience],
      [{ aud: 'https://other.example' }, audience],
      [{ aud: `${issuer}/` }, audience],
      [{ aud: [issuer, 'https://other.example'] }, audience],
      [{ aud: [issuer, issuer] }, audience],
      [{ aud: { [issuer]: true } }, audience],
      [{ aud: `${issuer}/token` }, endpoint],
      [{ aud: [`${issuer}/token`] }, endpoint],
      [{ aud: [issuer, `${issuer}/token`] }, endpoint],
      [{ iss: 'other' }, subject],
      [{ iss: undefined }, subject],
      [{ exp: undefined }, times],
      [{ exp: String(now + 60) }, times],
      [{ nbf: 'now' }, times],
      [{ iat: null }, times],
      [{ exp: now }, expired],
      [{ exp: now - 1 }, expired],
      [{ nbf: now + 61 }, early],
      [{ iat: now + 61 }, early],
      [{ exp: now + 3601 }, 'exp of the client assertion has to be at most 3600 seconds ahead'],
      [{ jti: undefined }, 'the client assertion needs a jti'],
      [{ jti: '' }, 'the client assertion needs a jti'],
      [{ jti: 7 }, 'the client assertion needs a jti'],
    ]
    for (const [change, said] of faults) {
      assertRefused(await ask(await provenBy(service, id, keys, change)), 'invalid_client', said)
    }
    const typ = 'typ of the client assertion has to be absent or jwt or client-authentication+jwt'
    for (const other of ['at+jwt', 'oauth-authz-req+jwt', 'dpop+jwt', '', 7, null]) {
      const form = await provenBy(service, id, keys, {}, { typ: other })
      assertRefused(await ask(form), 'invalid_client', typ)
    }
    await service.advance(60)
  })

  test('the token endpoint as audience, where the operator lets it', async () => {
    const keys = await newKeys('ES256', 'k-1')
    const { client_id: id } = await createWithKeys({ accept_token_endpoint_audience: true }, keys)
    const { issuer } = service
    const endpoint = `${issuer}/token`
    for (const aud of [endpoint, [endpoint], [issuer, endpoint], issuer]) {
      assert.equal((await ask(await provenBy(service, id, keys, { aud }))).status, 200)
    }
    for (const aud of ['https://other.example', [endpoint, 'https://other.example'], []]) {
      assert.equal((await ask(await provenBy(service, id, keys, { aud }))).status, 401)
    }
    const taken = { accept_token_endpoint_audience: false }
    const { body } = await operator('PATCH', `clients/${id}`, taken)
    assert.equal(body.accept_token_endpoint_audience, undefined)
    assert.equal((await ask(await provenBy(service, id, keys, { aud: endpoint }))).status, 401)
  })

  test('a registered algorithm is the only one', async () => {
    const [one, other] = [await newKeys('RS256', 'a'), await newKeys('PS256', 'b')]
    const metadata = { token_endpoint_auth_signing_alg: 'PS256' }
    const { client_id: id } = await createWithKeys(metadata, one, other)
    assert.equal((await ask(await provenBy(service, id, other))).status, 200)
    assertRefused(await ask(await provenBy(service, id, one)), 'invalid_client', failedClient)
  })

  test('EdDSA and Ed25519 are one algorithm (RFC 9864 section 2.2)', async () => {
    const [one, other] = [await newKeys('EdDSA', 'a'), await newKeys('Ed25519', 'b')]
    for (const registered of ['EdDSA', 'Ed25519']) {
      const metadata = { token_endpoint_auth_signing_alg: registered }
      const { client_id: id } = await createWithKeys(metadata, one, other)
      assert.equal((await ask(await provenBy(service, id, one))).status, 200)
      assert.equal((await ask(await provenBy(service, id, other))).status, 200)
    }
  })

  test('the assertion is used up, whatever becomes of the request', async () => {
    const keys = await newKeys('ES256', 'k-1')
    const { client_id: id } = await createWithKeys({}, keys)
    const said = 'the client assertion was used before: make a new one for each request'
    const requests: readonly Form[] = [
      { scope: 'photos:read' },
      { grant_type: 'authorization_code', code: 'wrong', redirect_uri: 'https://app.example/cb' },
      { grant_type: 'unheard-of' },
    ]
    for (const request of requests) {
      const form = await provenBy(service, id, keys)
      await service.post('/token', { ...grant, ...request, ...form })
      assertRefused(await ask(form), 'invalid_client', said)
    }
    // A refused assertion uses nothing up.
    const jti = 'one-of-its-own'
    assert.equal((await ask(await provenBy(service, id, keys, { jti, aud: 'x' }))).status, 401)
    assert.equal((await ask(await provenBy(service, id, keys, { jti }))).status, 200)
  })

  test('a jti is one of its client', async () => {
    const keys = await newKeys('ES256', 'k-1')
    const [one, other] = [await createWithKeys({}, keys), await createWithKeys({}, keys)]
    for (const { client_id: id } of [one, other]) {
      const { status } = await ask(await provenBy(service, id, keys, { jti: 'the same' }))
      assert.equal(status, 200)
    }
  })
})

describe('client_secret_jwt', () => {
  const method = { token_endpoint_auth_method: 'client_secret_jwt' }

  const proveBySecret = async (id: string, secret: string): Promise<Form> =>
    assertionForm(await signBySecret(assertionClaims(service, id), secret))

  test('the secret signs and is never sent', async () => {
    const { client_id: id, client_secret: secret } = await create(method)
    const form = await proveBySecret(id, secret)
    assert.equal((await ask(form)).status, 200)
    assert.equal((await ask(form)).status, 401)
    const sent = await service.post('/token', grant, [id, secret])
    assertRefused(sent, 'invalid_client', failedClient)
    assertRefused(await ask(await proveBySecret(id, `${secret}x`)), 'invalid_client', failedClient)
    const { body } = await operator('GET', `clients/${id}`)
    assert.equal(JSON.stringify(body).includes(secret), false)
  })

  test('a rotated secret, and the old one for a while', async () => {
    const { client_id: id, client_secret: before } = await create(method)
    const rotate = (json: object) => operator('POST', `clients/${id}/rotate-secret`, json)
    const { body } = await rotate({ keep_old_seconds: 100 })
    const now = body.client_secret
    assert.equal((await ask(await proveBySecret(id, now))).status, 200)
    const old = await ask(await proveBySecret(id, before))
    assert.equal(old.status, 200)
    const token = old.body.access_token
    const introspect = async () =>
      (await service.post('/introspect', { token, ...(await proveBySecret(id, now)) })).body.active
    assert.equal(await introspect(), true)
    await service.advance(101)
    assertRefused(await ask(await proveBySecret(id, before)), 'invalid_client', failedClient)
    assert.equal(await introspect(), false)
    const last = (await rotate({})).body.client_secret
    assert.equal((await ask(await proveBySecret(id, now))).status, 401)
    assert.equal((await ask(await proveBySecret(id, last))).status, 200)
  })

  test('a change of the method: a hashed secret is no key, so there is a new one', async () => {
    const made = await create({})
    const { client_id: id, client_secret: first } = made
    const change = (to: string) =>
      operator('PATCH', `clients/${id}`, { token_endpoint_auth_method: to })
    const { body: changed } = await change('client_secret_jwt')
    assert.match(changed.client_secret, /^lk_cs_/)
    assert.notEqual(changed.client_secret, first)
    assert.equal((await ask(await proveBySecret(id, changed.client_secret))).status, 200)
    assert.equal((await ask(await proveBySecret(id, first))).status, 401)
    const { body: back } = await change('client_secret_basic')
    assert.equal(back.client_secret, undefined)
    const kept = await service.post('/token', grant, [id, changed.client_secret])
    assert.equal(kept.status, 200)
    assert.equal((await ask(await proveBySecret(id, changed.client_secret))).status, 401)
  })

  test('the secret is in the database in no readable form', async () => {
    const { client_id: id } = await create(method)
    const client = await service.server().store.findClient(id)
    assert.match(client?.sealedSecret ?? '', /^gcm\./)
    const { client_id: other } = await create({})
    assert.equal((await service.server().store.findClient(other))?.sealedSecret, null)
  })

  test('after a restart', async () => {
    const { client_id: id, client_secret: secret } = await create(method)
    const form = await proveBySecret(id, secret)
    assert.equal((await ask(form)).status, 200)
    await service.restart()
    const said = 'the client assertion was used before: make a new one for each request'
    assertRefused(await ask(form), 'invalid_client', said)
    assert.equal((await ask(await proveBySecret(id, secret))).status, 200)
  })
})

describe('what else is refused', () => {
  test('another type, and one half without the other', async () => {
    const keys = await newKeys('ES256', 'k-1')
    const { client_id: id } = await createWithKeys({}, keys)
    const good = await provenBy(service, id, keys)
    const { client_assertion, client_assertion_type } = good
    const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
    const said = `client_assertion needs the client_assertion_type ${type}`
    const saml = 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer'
    const forms = [
      { client_assertion: client_assertion ?? '' },
      { client_assertion_type: client_assertion_type ?? '' },
      { ...good, client_assertion_type: saml },
    ]
    for (const form of forms) assertRefused(await ask(form), 'invalid_client', said)
  })

  test('a second way beside it', async () => {
    const keys = await newKeys('ES256', 'k-1')
    const { client_id: id } = await createWithKeys({}, keys)
    const good = await provenBy(service, id, keys)
    const basic = await service.post('/token', { ...grant, ...good }, nightlyReport)
    const said =
      'the request has credentials in the Authorization header and in client_assertion: use one of the two'
    assertRefused(basic, 'invalid_request', said)
    const post = await ask({ ...good, client_id: id, client_secret: 'x' })
    assert.deepEqual([post.status, post.body.error], [400, 'invalid_request'])
    assert.equal((await ask(good)).status, 200)
  })

  test('what no JWT is', async () => {
    const said = 'client_assertion has to be a signed JWT that names the client in iss and sub'
    for (const text of ['x', '..', 'a.b.c', 'e30.e30.', `${'a'.repeat(17_000)}.b.c`]) {
      assertRefused(await ask(assertionForm(text)), 'invalid_client', said)
    }
  })
})

describe('the explanation', () => {
  const explained = async (form: Form) => {
    const { reference } = await ask(form)
    const { body } = await operator('GET', `refusals/${reference}`)
    return [body.reason, body.received[0].name, body.expected]
  }

  test('of another key tells what a signature has to be', async () => {
    const keys = await newKeys('ES256', 'k')
    const { client_id: id } = await createWithKeys({}, keys)
    const form = await provenBy(service, id, await newKeys('ES256', 'k'))
    const said = 'a signature by a registered key, or by a key of the platform'
    assert.deepEqual(await explained(form), ['assertion_signature', 'client_assertion', [said]])
  })

  test('of an unknown client points to the assertion that names it', async () => {
    const form = await provenBy(service, 'nobody', await newKeys('ES256', 'k'))
    const said = 'the client_id of a registered client as sub'
    assert.deepEqual(await explained(form), ['assertion_client', 'client_assertion', [said]])
    const both = await explained({ ...form, client_id: 'nobody' })
    assert.deepEqual(both.slice(0, 2), ['unknown_client', 'client_id'])
  })
})

describe('registration', () => {
  const refused = async (metadata: object): Promise<string> => {
    const said = { grant_types: ['client_credentials'], ...metadata }
    const { status, body } = await operator('POST', 'clients', said)
    assert.equal(status, 400)
    return body.detail
  }

  test('needs keys of the client, and an algorithm of the method', async () => {
    const method = { token_endpoint_auth_method: 'private_key_jwt' }
    const keys =
      'token_endpoint_auth_method private_key_jwt needs jwks with a key for signatures, or jwks_uri'
    assert.equal(await refused(method), keys)
    const { publicKey } = await newKeys('ES256', 'k')
    const jwks = { keys: [{ ...publicKey, use: 'enc' }] }
    assert.equal(await refused({ ...method, jwks }), keys)
    const good = { ...method, jwks: { keys: [publicKey] } }
    const names = signatureAlgorithms.slice(0, -1).join(', ')
    assert.equal(
      await refused({ ...good, token_endpoint_auth_signing_alg: 'HS256' }),
      `token_endpoint_auth_signing_alg has to be ${names} or ${signatureAlgorithms.at(-1)} for private_key_jwt`,
    )
    assert.equal(
      await refused({
        token_endpoint_auth_method: 'client_secret_jwt',
        token_endpoint_auth_signing_alg: 'ES256',
      }),
      'token_endpoint_auth_signing_alg has to be HS256 for client_secret_jwt',
    )
    assert.match(
      await refused({ ...good, jwks_uri: 'https://app.example/jwks' }),
      /jwks and jwks_uri exclude each other/,
    )
    const empty = { jwks: { keys: [] }, jwks_uri: 'https://app.example/jwks' }
    assert.equal(await refused(empty), 'jwks and jwks_uri exclude each other')
  })

  test("by itself, and what is the operator's alone stays out", async () => {
    const keys = await newKeys('ES256', 'k-1')
    const { status, body } = await service.ask('/register', {
      json: {
        redirect_uris: ['https://app.example/cb'],
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: keySetOf(keys),
        accept_token_endpoint_audience: true,
        federated_credentials: [
          {
            issuer: 'https://evil.example',
            subject: 's',
            audience: 'a',
            jwks_uri: 'https://evil.example/k',
          },
        ],
      },
    })
    assert.equal(status, 201)
    assert.equal(body.client_secret, undefined)
    const told = (await operator('GET', `clients/${body.client_id}`)).body
    const { accept_token_endpoint_audience: accepts, federated_credentials: trusted } = told
    assert.deepEqual([accepts, trusted], [undefined, undefined])
  })

  test('keys keep their certificates', async () => {
    const { publicKey } = await newKeys('ES256', 'k')
    const x5c = ['MIIBszCCAVmgAwIBAgIUQ0E=', 'MIIBszCCAVmgAwIBAgIUQ0F=']
    const jwks = { keys: [{ ...publicKey, x5c }] }
    const made = await create({ token_endpoint_auth_method: 'private_key_jwt', jwks })
    assert.deepEqual(made.jwks, jwks)
    for (const bad of [['not base64!'], [7], Array(6).fill('AAAA'), ['A'.repeat(17_000)]]) {
      const said = await refused({ jwks: { keys: [{ ...publicKey, x5c: bad }] } })
      assert.match(said, /^jwks/)
    }
  })
})

test('the metadata name the methods and their algorithms', async () => {
  const { body } = await service.ask('/.well-known/oauth-authorization-server')
  for (const endpoint of ['token', 'revocation', 'introspection']) {
    const methods = body[`${endpoint}_endpoint_auth_methods_supported`]
    assert.ok(methods.includes('private_key_jwt') && methods.includes('client_secret_jwt'))
    assert.deepEqual(body[`${endpoint}_endpoint_auth_signing_alg_values_supported`], [
      'HS256',
      ...signatureAlgorithms,
    ])
  }
})
