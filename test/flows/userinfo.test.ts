import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { houseApp, nightlyReport, type Started, start } from '../support/start.ts'

let started: Started

before(async () => {
  started = await start()
})
after(() => started.close())

const tokenOf = async (username: string, password: string, scope = ''): Promise<string> => {
  const form = { grant_type: 'password', username, password, scope }
  return (await started.post('/token', form, houseApp)).body.access_token
}

const userinfo = (token: string) =>
  started.ask('/userinfo', { headers: { authorization: `Bearer ${token}` } })

test('tells who the owner is', async () => {
  const answer = await userinfo(await tokenOf('alice', 'wonderland'))
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, {
    sub: answer.body.sub,
    preferred_username: 'alice',
    name: 'Alice Liddell',
    email: 'alice@example.com',
  })
  assert.equal(answer.headers.get('cache-control'), 'private, no-store')
})

test('sub is opaque, the same at each time, and another one for each owner', async () => {
  const [first, second, other] = await Promise.all([
    userinfo(await tokenOf('alice', 'wonderland')),
    userinfo(await tokenOf('alice', 'wonderland', 'profile:read')),
    userinfo(await tokenOf('bob', 'builder')),
  ])
  assert.match(first.body.sub, /^[0-9a-z]{26}$/)
  assert.equal(second.body.sub, first.body.sub)
  assert.notEqual(other.body.sub, first.body.sub)
})

test('takes the token by POST as well', async () => {
  const token = await tokenOf('bob', 'builder', 'profile:read')
  const byForm = await started.ask('/userinfo', { form: { access_token: token } })
  assert.deepEqual([byForm.status, byForm.body.name], [200, 'Bob Mason'])
  const byHeader = await started.ask('/userinfo', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  assert.deepEqual([byHeader.status, byHeader.body.name], [200, 'Bob Mason'])
})

test('needs profile:read', async () => {
  const answer = await userinfo(await tokenOf('alice', 'wonderland', 'photos profile:write'))
  assert.equal(answer.status, 403)
  assert.equal(
    answer.headers.get('www-authenticate'),
    `Bearer realm="latchkey", error="insufficient_scope", error_description="the access token does not allow this", scope="profile:read", resource_metadata="${started.issuer}/.well-known/oauth-protected-resource"`,
  )
})

test('a client by itself is nobody (CC-02)', async () => {
  const form = { grant_type: 'client_credentials', scope: 'profile:read' }
  const { body } = await started.post('/token', form, nightlyReport)
  const answer = await userinfo(body.access_token)
  assert.equal(answer.status, 403)
  assert.deepEqual(answer.body, {
    error: 'insufficient_scope',
    error_description: 'no owner stands behind this access token: it belongs to the client itself',
  })
})
