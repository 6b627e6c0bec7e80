/** A stolen key, or another proof without a secret: taking it away ends what the thief got with it. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { bearer, type Operator, opensAdmin, operatorOf } from '../flows/operator.ts'
import { provenBy } from '../support/assertions.ts'
import { assertOnPage, assertOnTheWay } from '../support/authorization.ts'
import { Browser } from '../support/browser.ts'
import { type KeyPair, keySetOf, newKeys } from '../support/client-keys.ts'
import {
  authority,
  clientCertificate,
  postShown,
  proxied,
  subjectName,
} from '../support/mutual-tls.ts'
import { callback, codeRequest } from '../support/printing.ts'
import { pushedPath, unusable } from '../support/pushing.ts'
import { start, startBefore } from '../support/start.ts'

const service = startBefore(() => start({ ...proxied, clientCa: [authority.base64] }))
const own = { grant_type: 'client_credentials' }
const byKey = { token_endpoint_auth_method: 'private_key_jwt' }
const stolen = await newKeys('ES256', 'k-1')
const fresh = await newKeys('ES256', 'k-2')
const site = 'https://job.example'
const credential = { issuer: 'https://ci.example', subject: 'job', audience: 'latchkey' }

let operator: Operator
beforeEach(async () => {
  operator = await operatorOf(service)
})

const machine = { grant_types: ['client_credentials'], scope: 'clients:read' }

/** A client of the operator, which may read clients by the admin API. */
const add = async (metadata: object): Promise<string> => {
  const { status, body, text } = await operator('POST', 'clients', { ...machine, ...metadata })
  assert.equal(status, 201, text)
  return body.client_id
}

const patch = async (id: string, json: object): Promise<void> => {
  const { status, text } = await operator('PATCH', `clients/${id}`, json)
  assert.equal(status, 200, text)
}

const tokenOf = async (id: string, keys: KeyPair): Promise<string> => {
  const { status, body, text } = await service.post('/token', {
    ...own,
    ...(await provenBy(service, id, keys)),
  })
  assert.equal(status, 200, text)
  return body.access_token
}

describe('a token that was got with a stolen key ends', () => {
  const both = keySetOf(stolen, fresh)
  const answers: Readonly<Record<string, object>> = {
    'with other keys': { jwks: keySetOf(fresh) },
    'where one of two keys is taken away': { jwks: keySetOf(fresh), client_name: 'New' },
    'where the keys move to a URL': { jwks: null, jwks_uri: `${site}/keys` },
    'where it is for encryption alone from now on': {
      jwks: { keys: [{ ...stolen.publicKey, use: 'enc' }, fresh.publicKey] },
    },
  }
  for (const [name, change] of Object.entries(answers)) {
    test(name, async () => {
      const id = await add({ ...byKey, jwks: both })
      const token = await tokenOf(id, stolen)
      assert.equal(await opensAdmin(service, token), 200)
      await patch(id, change)
      assert.equal(await opensAdmin(service, token), 401)
      await patch(id, { jwks_uri: null, jwks: both })
      assert.equal(await opensAdmin(service, token), 401)
    })
  }

  test('and the key that stays earns tokens at once', async () => {
    const id = await add({ ...byKey, jwks: both })
    await patch(id, { jwks: keySetOf(fresh) })
    assert.equal(await opensAdmin(service, await tokenOf(id, fresh)), 200)
  })

  test('and a key for encryption ends nothing when it goes', async () => {
    const { publicKey } = await newKeys('ES256', 'k-3')
    const jwks = { keys: [stolen.publicKey, { ...publicKey, use: 'enc' }] }
    const id = await add({ ...byKey, jwks })
    const token = await tokenOf(id, stolen)
    await patch(id, { jwks: keySetOf(stolen) })
    assert.equal(await opensAdmin(service, token), 200)
  })

  test('and a key more, or the same ones in another order, end nothing', async () => {
    const id = await add({ ...byKey, jwks: keySetOf(stolen) })
    const token = await tokenOf(id, stolen)
    await patch(id, { jwks: keySetOf(stolen, fresh) })
    await patch(id, { jwks: keySetOf(fresh, stolen) })
    await patch(id, { federated_credentials: [credential] })
    assert.equal(await opensAdmin(service, token), 200)
  })

  test('where the client, which registered itself, takes the key away', async () => {
    const metadata = {
      ...byKey,
      grant_types: ['client_credentials'],
      response_types: [],
      scope: 'photos:read',
    }
    const json = { ...metadata, jwks: keySetOf(stolen) }
    const { body } = await service.ask('/register', { json })
    const { client_id: id, registration_access_token: registration } = body
    const token = await tokenOf(id, stolen)
    const photos = async () => (await service.ask('/api/photos', bearer(token))).status
    assert.equal(await photos(), 200)
    const put = { client_id: id, ...metadata, jwks: keySetOf(fresh) }
    const init = { ...bearer(registration), method: 'PUT', json: put }
    assert.equal((await service.ask(`/register/${id}`, init)).status, 200)
    assert.equal(await photos(), 401)
  })
})

test('what was pushed with a stolen key ends with it', async () => {
  const id = await add({
    ...byKey,
    grant_types: ['authorization_code'],
    redirect_uris: [callback],
    scope: 'photos:read',
    jwks: keySetOf(stolen),
  })
  const form = { ...codeRequest, client_id: id, scope: 'photos:read' }
  const proof = await provenBy(service, id, stolen)
  const { body, text } = await service.post('/par', { ...form, ...proof })
  assert.ok(body.request_uri, text)
  const path = pushedPath(body.request_uri, id)
  assertOnTheWay(await new Browser(service).ask(path), 'login')
  await patch(id, { jwks: keySetOf(fresh) })
  assertOnPage(await new Browser(service).ask(path), unusable)
})

describe('a token ends together with another proof of its client', () => {
  const named = {
    token_endpoint_auth_method: 'tls_client_auth',
    tls_client_auth_subject_dn: subjectName,
  }
  const tokenByName = async (id: string): Promise<string> =>
    (await postShown(service, { ...own, client_id: id }, clientCertificate)).body.access_token

  for (const [name, change] of [
    ['the name of its certificate', { tls_client_auth_subject_dn: 'CN=other' }],
    [
      'the name, for one of another kind',
      { tls_client_auth_subject_dn: null, tls_client_auth_san_dns: 'job.example' },
    ],
  ] as const) {
    test(name, async () => {
      const id = await add(named)
      const token = await tokenByName(id)
      assert.equal(await opensAdmin(service, token), 200)
      await patch(id, change)
      assert.equal(await opensAdmin(service, token), 401)
    })
  }

  for (const [name, federated_credentials] of [
    ['a platform', null],
    ['a platform, for another subject of it', [{ ...credential, subject: 'other' }]],
  ] as const) {
    test(name, async () => {
      const id = await add({
        ...byKey,
        jwks: keySetOf(fresh),
        federated_credentials: [credential],
      })
      // The tokens of all proofs have the same seal.
      const token = await tokenOf(id, fresh)
      await patch(id, { federated_credentials })
      assert.equal(await opensAdmin(service, token), 401)
    })
  }

  test('the URL of its keys', async () => {
    const jwks_uri = `${site}/keys`
    const metadata = { token_endpoint_auth_method: 'client_secret_basic', jwks_uri }
    const { body: client } = await operator('POST', 'clients', { ...machine, ...metadata })
    const { body } = await service.post('/token', own, [client.client_id, client.client_secret])
    await patch(client.client_id, { jwks_uri: `${jwks_uri}/new` })
    assert.equal(await opensAdmin(service, body.access_token), 401)
  })
})
