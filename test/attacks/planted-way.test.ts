/** Ways to authenticate that somebody planted in a client, before an operator makes it an operator. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { type Operator, operatorOf } from '../flows/operator.ts'
import { provenBy } from '../support/assertions.ts'
import { keySetOf, newKeys } from '../support/client-keys.ts'
import {
  authority,
  clientCertificate,
  postShown,
  proxied,
  subjectName,
} from '../support/mutual-tls.ts'
import { start, startBefore } from '../support/start.ts'

const service = startBefore(() => start({ ...proxied, clientCa: [authority.base64] }))
const planted = await newKeys('ES256', 'k-1')
const own = { grant_type: 'client_credentials' }
const wider = 'clients:read photos:read'
const byName = {
  token_endpoint_auth_method: 'tls_client_auth',
  tls_client_auth_subject_dn: subjectName,
}

let operator: Operator
let planter: Operator
beforeEach(async () => {
  operator = await operatorOf(service)
  planter = await operatorOf(service, 'clients:read clients:write')
})

/** A harmless client of the operator, as the planter has changed it. */
const newPlanted = async (change: object, metadata: object = {}) => {
  const made = await operator('POST', 'clients', {
    grant_types: ['client_credentials'],
    scope: 'photos:read',
    ...metadata,
  })
  assert.equal(made.status, 201, made.text)
  const path = `clients/${made.body.client_id}`
  const changed = await planter('PATCH', path, change)
  assert.equal(changed.status, 200, changed.text)
  return { id: String(made.body.client_id), path }
}

const raise = (path: string, more: object = {}) =>
  operator('PATCH', path, { scope: wider, ...more })

/** The way that the operator has to name. */
const askedFor = async (path: string, more: object = {}): Promise<string> => {
  const { status, body, text } = await raise(path, more)
  assert.deepEqual([status, body.title], [409, 'conflict'], text)
  assert.equal((await operator('GET', path)).body.scope, 'photos:read')
  return /what stays: (\S+)$/.exec(body.detail)?.[1] ?? ''
}

describe('a planted name of a certificate', () => {
  test('is asked about before it opens the admin API', async () => {
    const { id, path } = await newPlanted(byName)
    const way = await askedFor(path)
    assert.match(way, /^certificate:/)
    assert.equal(await askedFor(path, { keep_ways_in: ['certificate:another'] }), way)
    const kept = await raise(path, { keep_ways_in: [way] })
    assert.deepEqual([kept.status, kept.body.scope], [200, wider])
    const { body } = await postShown(service, { ...own, client_id: id }, clientCertificate)
    assert.equal(body.scope, wider)
  })

  test('is asked about as well where the operator adds a second one', async () => {
    const secret = { token_endpoint_auth_method: 'client_secret_basic' }
    const { path } = await newPlanted({ ...byName, ...secret })
    const more = { keep_ways_in: [], tls_client_auth_san_dns: 'job.example' }
    assert.match(await askedFor(path, more), /^certificate:/)
  })

  test('goes without a question where the operator sets another', async () => {
    const { id, path } = await newPlanted(byName)
    const raised = await raise(path, { tls_client_auth_subject_dn: 'CN=operator' })
    assert.equal(raised.status, 200, raised.text)
    const answer = await postShown(service, { ...own, client_id: id }, clientCertificate)
    assert.equal(answer.status, 401)
  })
})

describe('keys that were planted while they proved nothing', () => {
  const byKey = { token_endpoint_auth_method: 'private_key_jwt' }
  const jwks = keySetOf(planted)

  for (const [name, metadata] of [
    ['a client with a secret', {}],
    [
      'a public client',
      {
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code'],
        redirect_uris: ['https://app.example/cb'],
      },
    ],
  ] as const) {
    test(`are asked about: ${name}`, async () => {
      const { id, path } = await newPlanted({ jwks }, metadata)
      const more = { ...byKey, grant_types: ['client_credentials'], response_types: [] }
      const way = await askedFor(path, { ...more, keep_ways_in: [] })
      assert.match(way, /^keys:/)
      const form = await provenBy(service, id, planted)
      assert.equal((await service.post('/token', { ...own, ...form })).status, 401)
      assert.equal((await raise(path, { ...more, keep_ways_in: [way] })).status, 200)
    })
  }

  test('are asked about before a later change makes them count', async () => {
    const { path } = await newPlanted({ jwks })
    assert.match(await askedFor(path, { keep_ways_in: [] }), /^keys:/)
  })
})
