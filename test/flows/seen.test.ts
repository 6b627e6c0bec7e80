/** `If-Match` at the admin API: a change happens to what the operator saw, or not at all. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeResource } from '../../src/config/resources.ts'
import { hashShown } from '../../src/operations/seen.ts'
import { trace } from '../store/moments.ts'
import { keySetOf, newKeys } from '../support/client-keys.ts'
import { operatorOf, problem, startWithOperator } from './operator.ts'

const { service, operator } = startWithOperator()

const words = { title: 'Bills', read: 'See bills', write: 'Pay bills' }
const made = {
  clients: { client_id: 'shop', grant_types: ['client_credentials'], scope: 'photos:read' },
  resources: { name: 'bills', ...words },
  groups: { name: 'Shops' },
  issuers: {
    id: 'acme',
    issuer: 'https://acme.example',
    title: 'Acme',
    jwks: keySetOf(await newKeys('ES256', 'one')),
    owner: 'username',
    grants: ['id-jag'],
    scope: 'photos:read',
  },
}
const changes = {
  clients: { client_name: 'Shops' },
  resources: { title: 'All bills' },
  groups: { name: 'Stores' },
  issuers: { title: 'Acme Corporation' },
}
const kinds = Object.keys(made) as (keyof typeof made)[]

test('each kind is changed and deleted in the state that was seen, and in no other one', async () => {
  const { body: token } = await service.post('/token', { grant_type: 'client_credentials' }, [
    'latchkey-admin',
    'latchkey-admin-secret',
  ])
  const ask = (method: string, path: string, ifMatch: string, json?: object) =>
    service.ask(`/admin/api/${path}`, {
      method,
      headers: { authorization: `Bearer ${token.access_token}`, 'if-match': ifMatch },
      ...(json === undefined ? {} : { json }),
    })
  const changed = problem('precondition_failed', 412, 'it is not as If-Match demands')
  for (const kind of kinds) {
    const { body } = await operator('POST', kind, made[kind])
    const path = `${kind}/${body.client_id ?? body.id ?? body.name}`
    const listed = async () => {
      const { items } = (await operator('GET', `${kind}?limit=100`)).body
      return items.find(
        (one: typeof body) => (one.client_id ?? one.id ?? one.name) === path.split('/')[1],
      )
    }
    const shown = await listed()
    assert.ok(shown, kind)
    const seen = `"${hashShown(shown)}"`
    const read = await operator('GET', path)
    assert.equal(read.headers.get('etag'), seen, kind)
    const other = await ask('PATCH', path, '"other"', changes[kind])
    assert.deepEqual([kind, other.status, other.body], [kind, 412, changed])
    assert.equal((await ask('PATCH', path, `"other", ${seen}`, changes[kind])).status, 200, kind)
    for (const method of ['PATCH', 'DELETE']) {
      const late = await ask(method, path, seen, method === 'PATCH' ? changes[kind] : undefined)
      assert.deepEqual([kind, late.status, late.body], [kind, 412, changed])
    }
    assert.equal((await ask('DELETE', path, 'no tag')).status, 400, kind)
    const action = await ask('POST', kind === 'clients' ? `${path}/end-tokens` : kind, seen, {})
    assert.deepEqual(
      [action.status, action.body.detail],
      [400, 'this action does not compare If-Match: leave it out'],
    )
    assert.equal((await ask('DELETE', path, `"${hashShown(await listed())}"`)).status, 204, kind)
    assert.equal((await operator('GET', path)).status, 404, kind)
  }
})

test('a new client takes the secret of another server, and never tells it', async () => {
  const secret = 'abcdefghij'.repeat(4)
  const given = { client_id: 'moved', grant_types: ['client_credentials'], scope: 'photos:read' }
  for (const wrong of ['short', 7, `${secret}\n`, `${secret} `, 'x'.repeat(40), secret.repeat(6)]) {
    const { status, body } = await operator('POST', 'clients', { ...given, client_secret: wrong })
    assert.deepEqual([status, body.title], [400, 'invalid_client_metadata'], String(wrong))
  }
  const admin = { ...given, scope: 'owners:write', client_secret: secret }
  const refused = (await operator('POST', 'clients', admin)).body
  assert.match(
    refused.detail,
    /^a client with permissions of the admin API has to get a new secret/,
  )
  const needless = { ...given, token_endpoint_auth_method: 'none', client_secret: secret }
  assert.equal((await operator('POST', 'clients', needless)).status, 400)
  const { status, text } = await operator('POST', 'clients', { ...given, client_secret: secret })
  assert.deepEqual([status, text.includes(secret)], [201, false])
  const form = { grant_type: 'client_credentials' }
  assert.equal((await service.post('/token', form, ['moved', secret])).status, 200)
  const events = await operator('GET', 'events?client=moved')
  assert.ok(!events.text.includes(secret))
  const patched = await operator('PATCH', 'clients/moved', { client_secret: secret })
  assert.equal(patched.status, 400)
  // Who may not write clients gives no secret either.
  const reader = await operatorOf(service, 'clients:read')
  assert.equal((await reader('POST', 'clients', { ...given, client_secret: secret })).status, 403)
})

test('a resource that another node changed is compared as it is in the store', async () => {
  const { body } = await operator('POST', 'resources', { name: 'tolls', ...words })
  const { store } = service.server().operated
  const changed = await store.changeResource('tolls', { title: { en: 'Tolls' } }, trace())
  assert.ok(changed !== null && changed !== 'uri_taken')
  const { body: token } = await service.post('/token', { grant_type: 'client_credentials' }, [
    'latchkey-admin',
    'latchkey-admin-secret',
  ])
  const changeIf = (seen: object) =>
    service.ask('/admin/api/resources/tolls', {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${token.access_token}`,
        'if-match': `"${hashShown(seen)}"`,
      },
      json: { read: 'See tolls' },
    })
  assert.equal((await changeIf(body)).status, 412)
  assert.equal((await changeIf(describeResource(changed))).status, 200)
})
