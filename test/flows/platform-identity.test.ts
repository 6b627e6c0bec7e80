/** Clients proved by their platform: tokens of an issuer that the operator trusts. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JWK } from 'jose'
import { assertionForm } from '../support/assertions.ts'
import { type KeyPair, keySetOf, newKeys, sign } from '../support/client-keys.ts'
import { openDocumentSiteBefore } from '../support/document-site.ts'
import type { Form } from '../support/start.ts'
import { assertRefused } from '../support/tokens.ts'
import { failedClient } from '../support/told.ts'
import { startWithOperator } from './operator.ts'

const { service, operator } = startWithOperator()
const site = openDocumentSiteBefore()

const keys = await newKeys('RS256', 'platform-1')
const subject = 'system:serviceaccount:reports:nightly'
const audience = 'https://auth.example'

/** Serves the metadata and keys of an issuer of its own. */
const openIssuer = (name: string, change: Readonly<Record<string, string>> = {}, set?: object) => {
  const issuer = site.url(`/${name}`)
  const reply = (path: string, json: object): string =>
    site.answer(path, (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(json))
    })
  const jwks_uri = reply(`/${name}/keys`, set ?? keySetOf(keys))
  reply(`/${name}/.well-known/openid-configuration`, { issuer, jwks_uri, ...change })
  return { issuer, jwks_uri }
}

const create = async (metadata: object) => {
  const said = { grant_types: ['client_credentials'], ...metadata }
  const { status, body, text } = await operator('POST', 'clients', said)
  assert.equal(status, 201, text)
  return body
}

interface Said {
  readonly claims?: Readonly<Record<string, unknown>>
  readonly header?: Readonly<Record<string, unknown>>
  readonly by?: KeyPair
}

const prove = async (issuer: string, id: string, { claims, header, by = keys }: Said = {}) => {
  const now = service.now()
  const usual = { iss: issuer, sub: subject, aud: [audience], iat: now, exp: now + 3600 }
  const all = Object.entries({ ...usual, ...claims }).filter(([, value]) => value !== undefined)
  const token = await sign(Object.fromEntries(all), by, header)
  return { client_id: id, ...assertionForm(token) }
}

const ask = (form: Form) => service.post('/token', { grant_type: 'client_credentials', ...form })

describe('a token of the platform', () => {
  test('proves a client that has no secret, and may come again', async () => {
    const { issuer } = openIssuer('cluster')
    const made = await create({ federated_credentials: [{ issuer, subject, audience }] })
    const { client_id: id } = made
    assert.deepEqual(made.federated_credentials, [{ issuer, subject, audience }])
    assert.deepEqual(
      [made.client_secret, made.token_endpoint_auth_method],
      [undefined, 'private_key_jwt'],
    )
    const form = await prove(issuer, id)
    for (let n = 0; n < 2; n++) assert.equal((await ask(form)).status, 200)
    const introspected = await service.post('/introspect', { token: 'x', ...form })
    assert.deepEqual([introspected.status, introspected.body], [200, { active: false }])
    assert.equal(site.asked('/cluster/.well-known/openid-configuration'), 1)
    assert.equal(site.asked('/cluster/keys'), 1)
    for (const typ of ['JWT', 'JOSE']) {
      assert.equal((await ask(await prove(issuer, id, { header: { typ } }))).status, 200)
    }
  })

  for (const algorithm of ['PS256', 'ES256', 'EdDSA']) {
    test(`signed with ${algorithm}, by keys at a URL of the operator`, async () => {
      const by = await newKeys(algorithm, 'k')
      const { jwks_uri } = openIssuer(`by-${algorithm}`, {}, keySetOf(by))
      const issuer = 'spiffe://example.org'
      const federated_credentials = [{ issuer, subject, audience, jwks_uri }]
      const { client_id: id } = await create({ federated_credentials })
      assert.equal((await ask(await prove(issuer, id, { by }))).status, 200)
    })
  }

  test('is one way of a client beside its own', async () => {
    const { issuer } = openIssuer('beside')
    const { client_id: id, client_secret: secret } = await create({})
    const federated_credentials = [{ issuer, subject, audience }]
    await operator('PATCH', `clients/${id}`, { federated_credentials })
    assert.equal((await ask(await prove(issuer, id))).status, 200)
    const form = { grant_type: 'client_credentials' }
    assert.equal((await service.post('/token', form, [id, secret])).status, 200)
    await operator('PATCH', `clients/${id}`, { federated_credentials: null })
    assertRefused(await ask(await prove(issuer, id)), 'invalid_client', failedClient)
  })

  test('finds a new key of the issuer', async () => {
    const { issuer } = openIssuer('rotating')
    const { client_id: id } = await create({
      federated_credentials: [{ issuer, subject, audience }],
    })
    assert.equal((await ask(await prove(issuer, id))).status, 200)
    const next = await newKeys('ES256', 'platform-2')
    openIssuer('rotating', {}, keySetOf(next))
    assert.equal((await ask(await prove(issuer, id, { by: next }))).status, 401)
    service.pass(31)
    assert.equal((await ask(await prove(issuer, id, { by: next }))).status, 200)
    assert.equal((await ask(await prove(issuer, id))).status, 401)
    await service.advance(60)
  })

  test('may sign by EdDSA under its newer name (RFC 9864 section 2.2)', async () => {
    const named = await newKeys('Ed25519', 'platform-3')
    const { issuer } = openIssuer('curve', {}, keySetOf(named))
    const { client_id: id } = await create({
      federated_credentials: [{ issuer, subject, audience }],
    })
    assert.equal((await ask(await prove(issuer, id, { by: named }))).status, 200)
  })

  test('has its audience as a string under fapi-2.0, whatever the audience is', async () => {
    const by = await newKeys('ES256', 'platform-4')
    const { issuer } = openIssuer('strictest', {}, keySetOf(by))
    const { client_id: id } = await create({
      profile: 'fapi-2.0',
      federated_credentials: [{ issuer, subject, audience }],
    })
    const listed = await ask(await prove(issuer, id, { by }))
    const inList =
      'the profile fapi-2.0 needs one string as aud of the client assertion: the issuer, or the audience of the platform'
    assertRefused(listed, 'invalid_client', inList)
    const named = await ask(await prove(issuer, id, { by, claims: { aud: audience } }))
    const unbound =
      'the profile fapi-2.0 binds each token to a key: send a DPoP proof, or use a certificate'
    assertRefused(named, 'invalid_dpop_proof', unbound)
  })
})

describe('is refused', () => {
  test('what another subject, audience, issuer or key says', async () => {
    const { issuer } = openIssuer('strict')
    const { client_id: id } = await create({
      federated_credentials: [{ issuer, subject, audience }],
    })
    const { publicKey } = keys
    const stranger = await newKeys('RS256', publicKey.kid)
    const said: readonly Said[] = [
      { claims: { sub: 'system:serviceaccount:reports:other' } },
      { claims: { sub: undefined } },
      { claims: { aud: 'https://other.example' } },
      { claims: { aud: [audience, 'https://other.example'] } },
      { claims: { aud: [] } },
      { claims: { iss: `${issuer}/` } },
      { claims: { iss: undefined } },
      { by: stranger },
      { by: { ...keys, publicKey: { ...publicKey, kid: 'unknown' } as JWK } },
    ]
    for (const one of said) {
      assertRefused(await ask(await prove(issuer, id, one)), 'invalid_client', failedClient)
    }
    await service.advance(60)
  })

  test('what is too old, without an end, or made for something else', async () => {
    const { issuer } = openIssuer('aged')
    const { client_id: id } = await create({
      federated_credentials: [{ issuer, subject, audience }],
    })
    const now = service.now()
    const times = 'the client assertion needs exp, and exp, nbf and iat have to be numbers'
    const old = 'iat of the client assertion has to be at most 3600 seconds ago'
    const typ = 'typ of the client assertion has to be absent or jwt or jose'
    const faults: readonly (readonly [Said, string])[] = [
      [{ claims: { iat: now - 3601 } }, old],
      [{ claims: { iat: undefined } }, 'the client assertion needs iat, at most 3600 seconds ago'],
      [{ claims: { exp: undefined } }, times],
      [{ claims: { exp: now } }, 'the client assertion has expired'],
      [{ claims: { nbf: now + 61 } }, 'the client assertion is not valid yet'],
      [{ header: { typ: 'at+jwt' } }, typ],
      [{ header: { typ: 'logout+jwt' } }, typ],
    ]
    for (const [one, words] of faults) {
      assertRefused(await ask(await prove(issuer, id, one)), 'invalid_client', words)
    }
    const limits = { claims: { iat: now - 3600, exp: now + 86_400 } }
    assert.equal((await ask(await prove(issuer, id, limits))).status, 200)
    await service.advance(60)
  })

  test('an issuer whose document names another, and one that is away', async () => {
    const { issuer: liar } = openIssuer('liar', { issuer: 'https://other.example' })
    const away = site.url('/away')
    for (const issuer of [liar, away]) {
      const { client_id: id } = await create({
        federated_credentials: [{ issuer, subject, audience }],
      })
      assertRefused(await ask(await prove(issuer, id)), 'invalid_client', failedClient)
    }
  })

  test('a platform of another client', async () => {
    const { issuer } = openIssuer('foreign')
    const credential = { issuer, subject, audience }
    const { client_id: trusting } = await create({ federated_credentials: [credential] })
    const { client_id: id } = await create({})
    assert.equal((await ask(await prove(issuer, trusting))).status, 200)
    assertRefused(await ask(await prove(issuer, id)), 'invalid_client', failedClient)
  })

  test('a registration that is malformed', async () => {
    const credential = { issuer: 'https://issuer.example', subject, audience }
    const wrong = [
      [{ ...credential, issuer: 'spiffe://example.org' }],
      [{ ...credential, issuer: 'http://issuer.example' }],
      [{ ...credential, jwks_uri: 'http://issuer.example/keys' }],
      [{ ...credential, subject: '' }],
      [{ issuer: credential.issuer, subject }],
      [{ ...credential, more: 1 }],
      Array(11).fill(credential),
      credential,
    ]
    for (const federated_credentials of wrong) {
      const said = { grant_types: ['client_credentials'], federated_credentials }
      const { status, body } = await operator('POST', 'clients', said)
      assert.deepEqual([status, body.title], [400, 'invalid_client_metadata'])
    }
    const { status, body } = await operator('POST', 'clients', {
      redirect_uris: ['https://app.example/cb'],
      token_endpoint_auth_method: 'none',
      federated_credentials: [credential],
    })
    assert.equal(status, 400)
    assert.match(body.detail, /^federated_credentials are for clients with another/)
  })
})
