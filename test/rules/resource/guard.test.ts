import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGuard } from '../../../src/resource/index.ts'

const url = 'https://api.example.com/prints'

const guard = createGuard({
  verify: async (token) =>
    token === 'right' ? { permissions: ['photos:read'], name: 'alice' } : null,
  resourceMetadata: 'https://api.example.com/.well-known/oauth-protected-resource',
})

const ask = (headers: Record<string, string>, needs = 'photos:read', query = '') =>
  guard(new Request(url + query, { headers }), needs, ({ name }) => Response.json({ name }))

const metadata = 'resource_metadata="https://api.example.com/.well-known/oauth-protected-resource"'

test('a token that allows it is let through, with what is known of it', async () => {
  const answer = await ask({ authorization: 'Bearer right' })
  assert.deepEqual([answer.status, await answer.json()], [200, { name: 'alice' }])
  assert.equal(answer.headers.get('cache-control'), null)
})

test('a token in the query leaves no copy of the answer (RS-07)', async () => {
  const answer = await ask({ 'cache-control': 'no-store' }, 'photos:read', '?access_token=right')
  assert.deepEqual([answer.status, await answer.json()], [200, { name: 'alice' }])
  assert.equal(answer.headers.get('cache-control'), 'private, no-store')
  assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
})

test('no token: a challenge without an error (RS-01)', async () => {
  const answer = await ask({})
  assert.equal(answer.status, 401)
  assert.equal(
    answer.headers.get('www-authenticate'),
    `Bearer realm="latchkey", scope="photos:read", ${metadata}`,
  )
})

test('a token that says nothing to it is refused (RS-02, RS-15)', async () => {
  const answer = await ask({ authorization: 'Bearer wrong' })
  assert.equal(answer.status, 401)
  assert.deepEqual(await answer.json(), {
    error: 'invalid_token',
    error_description: 'the access token is unknown, expired or revoked',
  })
  assert.equal(answer.headers.get('cache-control'), 'private, no-store')
})

test('a permission that is not there is told by name (RS-03)', async () => {
  const answer = await ask({ authorization: 'Bearer right' }, 'photos:write')
  assert.equal(answer.status, 403)
  assert.equal(
    answer.headers.get('www-authenticate'),
    `Bearer realm="latchkey", error="insufficient_scope", error_description="the access token does not allow this", scope="photos:write", ${metadata}`,
  )
})

test('a verifier that fails lets nobody through (RS-15)', async () => {
  const broken = createGuard({
    verify: async () => {
      throw new Error('the network is down')
    },
  })
  let reached = false
  const request = new Request(url, { headers: { authorization: 'Bearer right' } })
  await assert.rejects(
    broken(request, 'photos:read', () => {
      reached = true
      return new Response()
    }),
    /the network is down/,
  )
  assert.equal(reached, false)
})
