/** `/userinfo` (OpenID Connect Core section 5.3): tells the claims of the words that a token carries. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { demoOwners } from '../../src/demo/people.ts'
import { houseApp, nightlyReport } from '../support/demo-clients.ts'
import { codeRequest, obtainTokens } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'
import { bearer, type Operator, operatorOf } from './operator.ts'

let operator: Operator

const started = startBefore(start, async () => {
  operator = await operatorOf(started)
})

const tokenOf = async (username: string, password: string, scope = 'openid'): Promise<string> => {
  const form = { grant_type: 'password', username, password, scope }
  const { status, body, text } = await started.post('/token', form, houseApp)
  assert.equal(status, 200, text)
  return body.access_token
}

const userinfo = (token: string) => started.ask('/userinfo', bearer(token))

const [{ name, email, claims: stored }] = demoOwners
const { address, phone_number, phone_number_verified, ...profile } = stored

describe('each word tells its claims, and no others', () => {
  const { updatedAt } = { updatedAt: Date.UTC(2026, 10, 21, 12) / 1000 }
  const claims = {
    openid: {},
    profile: { ...profile, name, preferred_username: 'alice', updated_at: updatedAt },
    email: { email, email_verified: true },
    address: { address },
    phone: { phone_number, phone_number_verified },
  }
  const rows: readonly (readonly [string, object])[] = [
    ...Object.entries(claims),
    ['openid email', claims.email],
    ['email phone photos:read', { ...claims.email, ...claims.phone }],
    ['openid offline_access contacts', {}],
    [
      'profile email address phone',
      { ...claims.profile, ...claims.email, ...claims.address, ...claims.phone },
    ],
  ]
  for (const [scope, told] of rows) {
    test(scope, async () => {
      const answer = await userinfo(await tokenOf('alice', 'wonderland', scope))
      assert.equal(answer.status, 200)
      const { sub, ...rest } = answer.body
      assert.match(sub, /^[0-9a-z]{26}$/)
      assert.deepEqual(rest, told)
      assert.equal(answer.headers.get('cache-control'), 'private, no-store')
    })
  }

  test('what is not known is left out', async () => {
    const username = 'nameless'
    const password = 'correct horse battery'
    const { body: owner } = await operator('POST', 'owners', { username, password })
    const words = 'openid profile email address phone'
    const { body } = await userinfo(await tokenOf(username, password, words))
    const { created_at } = owner
    assert.deepEqual(body, {
      sub: owner.id,
      preferred_username: username,
      updated_at: created_at,
    })
  })
})

test('sub is opaque, the same at each time, and another one for each owner', async () => {
  const [first, second, other] = await Promise.all([
    userinfo(await tokenOf('alice', 'wonderland')),
    userinfo(await tokenOf('alice', 'wonderland', 'profile')),
    userinfo(await tokenOf('bob', 'builder')),
  ])
  assert.match(first.body.sub, /^[0-9a-z]{26}$/)
  assert.equal(second.body.sub, first.body.sub)
  assert.notEqual(other.body.sub, first.body.sub)
})

test('takes the token by POST as well', async () => {
  const token = await tokenOf('bob', 'builder', 'profile')
  const byForm = await started.ask('/userinfo', { form: { access_token: token } })
  assert.deepEqual([byForm.status, byForm.body.name], [200, 'Bob Mason'])
  const byHeader = await started.ask('/userinfo', { method: 'POST', ...bearer(token) })
  assert.deepEqual([byHeader.status, byHeader.body.name], [200, 'Bob Mason'])
})

describe('without a word', () => {
  for (const scope of ['photos', 'photos:read offline_access', '']) {
    test(`it refuses ${JSON.stringify(scope)}, and says what would do`, async () => {
      const answer = await userinfo(await tokenOf('alice', 'wonderland', scope))
      assert.equal(answer.status, 403)
      assert.deepEqual(answer.body, {
        error: 'insufficient_scope',
        error_description: 'the access token does not allow this',
      })
      assert.equal(
        answer.headers.get('www-authenticate'),
        `Bearer realm="latchkey", error="insufficient_scope", error_description="the access token does not allow this", scope="openid", resource_metadata="${started.issuer}/.well-known/oauth-protected-resource"`,
      )
    })
  }
})

test('what was narrowed is told no more, with the token from before', async () => {
  const scope = 'openid email phone photos:read'
  const { access_token } = await obtainTokens(started, { ...codeRequest, scope })
  const told = async () => {
    const { status, body } = await userinfo(access_token)
    return [status, ...Object.keys(body)]
  }
  const { body: list } = await operator('GET', 'authorizations?client=photo-printer')
  const path = `authorizations/${list.items[0].id}`
  const narrowTo = (kept: string) => operator('PATCH', path, { scope: kept })
  const phone = ['phone_number', 'phone_number_verified']
  assert.deepEqual(await told(), [200, 'sub', 'email', 'email_verified', ...phone])
  await narrowTo('openid phone photos:read')
  assert.deepEqual(await told(), [200, 'sub', ...phone])
  await narrowTo('openid photos:read')
  assert.deepEqual(await told(), [200, 'sub'])
  await narrowTo('photos:read')
  assert.deepEqual(await told(), [403, 'error', 'error_description'])
})

test('a client by itself is nobody (CC-02)', async () => {
  const form = { grant_type: 'client_credentials', scope: 'photos:read openid profile' }
  const { body } = await started.post('/token', form, nightlyReport)
  assert.equal(body.scope, 'photos:read')
  const answer = await userinfo(body.access_token)
  assert.equal(answer.status, 403)
  assert.deepEqual(answer.body, {
    error: 'insufficient_scope',
    error_description: 'no owner stands behind this access token: it belongs to the client itself',
  })
})
