/** Revocation: its effects and their limits. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { StoreFault } from '../../src/store/fault.ts'
import { houseApp, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { newPerson, password } from '../support/people.ts'
import { obtainTokens } from '../support/printing.ts'
import { type Answer, startBefore } from '../support/start.ts'
import { operatorOf } from './operator.ts'

const started = startBefore()

const used = async (token: string): Promise<number> =>
  (await started.ask('/api/photos', { headers: { authorization: `Bearer ${token}` } })).status

const refresh = (token: string, client = photoPrinter as readonly [string, string]) =>
  started.post('/token', { grant_type: 'refresh_token', refresh_token: token }, client)

const revoke = (token: string, client = photoPrinter as readonly [string, string]) =>
  started.post('/revoke', { token }, client)

const assertRevoked = (answer: Answer): void =>
  assert.deepEqual([answer.status, answer.body], [200, {}])

const ownToken = async (): Promise<string> =>
  (await started.post('/token', { grant_type: 'client_credentials' }, nightlyReport)).body
    .access_token

describe('RV-07: an access token goes alone', () => {
  test('its refresh token lives, and what that earns', async () => {
    const first = await obtainTokens(started)
    assertRevoked(await revoke(first.access_token))
    assert.equal(await used(first.access_token), 401)
    const second = (await refresh(first.refresh_token)).body
    assert.equal(await used(second.access_token), 200)
    assert.equal(await used(first.access_token), 401)
  })

  test("a client's own token leaves its other tokens alone", async () => {
    const [one, other] = [await ownToken(), await ownToken()]
    assertRevoked(await revoke(one, nightlyReport))
    assert.deepEqual([await used(one), await used(other)], [401, 200])
  })
})

describe('a token whose owner or client is disabled can be revoked, and stays so once enabled', () => {
  for (const kind of ['access_token', 'refresh_token'] as const) {
    test(`the owner is disabled: ${kind}`, async () => {
      const { id, username, operator } = await newPerson(started)
      const form = { grant_type: 'password', username, password }
      const { body: tokens } = await started.post('/token', form, houseApp)
      await operator('PATCH', `owners/${id}`, { disabled: true })
      assertRevoked(await revoke(tokens[kind], houseApp))
      await operator('PATCH', `owners/${id}`, { disabled: false })
      assert.equal(await used(tokens.access_token), 401)
      const status = kind === 'access_token' ? 200 : 400
      assert.equal((await refresh(tokens.refresh_token, houseApp)).status, status)
    })
  }
})

test('RV-11: two grants of one owner and client are independent', async () => {
  const a = await obtainTokens(started)
  const b = await obtainTokens(started)
  assertRevoked(await revoke(a.refresh_token))
  assert.deepEqual([await used(a.access_token), await used(b.access_token)], [401, 200])
  assert.equal((await refresh(a.refresh_token)).body.error, 'invalid_grant')
  assert.equal((await refresh(b.refresh_token)).status, 200)
})

test('tokens of the password grant are revoked as others are', async () => {
  const form = { grant_type: 'password', username: 'bob', password: 'builder' }
  const tokens = (await started.post('/token', form, houseApp)).body
  assertRevoked(await revoke(tokens.refresh_token, houseApp))
  assert.equal(await used(tokens.access_token), 401)
  assert.equal((await refresh(tokens.refresh_token, houseApp)).body.error, 'invalid_grant')
})

test('an older refresh token still ends its family: it names the family that it is of', async () => {
  const first = await obtainTokens(started)
  const second = (await refresh(first.refresh_token)).body
  assertRevoked(await revoke(first.refresh_token))
  assert.equal(await used(second.access_token), 401)
  assert.equal((await refresh(second.refresh_token)).body.error, 'invalid_grant')
})

test('an unlimited token that was revoked stays so for good', async () => {
  const operator = await operatorOf(started)
  const made = await operator('POST', 'clients', {
    client_name: 'Clock',
    grant_types: ['client_credentials'],
    access_token_seconds: null,
  })
  const client = [made.body.client_id, made.body.client_secret] as const
  const issue = async () =>
    (await started.post('/token', { grant_type: 'client_credentials' }, client)).body.access_token
  const [one, other] = [await issue(), await issue()]
  assertRevoked(await revoke(one, client))
  await started.advance(10 * 365 * 24 * 3600)
  assert.deepEqual([await used(one), await used(other)], [401, 200])
})

describe('RV-09: a store that fails has revoked nothing, and nobody is told otherwise', () => {
  const rows = [
    ['an access token', 'access_token', 'endToken'],
    ['a refresh token', 'refresh_token', 'endFamily'],
  ] as const
  for (const [what, member, step] of rows) {
    test(what, async (t) => {
      const tokens = await obtainTokens(started)
      const failing = t.mock.method(started.server().store, step, async () => {
        throw new StoreFault('failed', 'the disk is full')
      })
      const answer = await revoke(tokens[member])
      assert.equal(answer.status, 503)
      assert.equal(answer.headers.get('retry-after'), '1')
      assert.deepEqual(answer.body, {
        error: 'temporarily_unavailable',
        error_description: 'the store cannot be reached',
      })
      failing.mock.restore()
      assert.equal(await used(tokens.access_token), 200)
      assertRevoked(await revoke(tokens[member]))
      assert.equal(await used(tokens.access_token), 401)
    })
  }
})

test('RV-10, ST-08: what was revoked stays so over a restart', async () => {
  const [single, family] = [await obtainTokens(started), await obtainTokens(started)]
  const own = await ownToken()
  assertRevoked(await revoke(single.access_token))
  assertRevoked(await revoke(family.refresh_token))
  assertRevoked(await revoke(own, nightlyReport))
  await started.restart()
  assert.equal(await used(single.access_token), 401)
  assert.equal(await used(family.access_token), 401)
  assert.equal(await used(own), 401)
  assert.equal((await refresh(family.refresh_token)).body.error, 'invalid_grant')
  assert.equal((await refresh(single.refresh_token)).status, 200)
})

describe('RV-12: counterfeits', () => {
  test('a thousand of them are answered alike and change nothing', async () => {
    const { access_token: token } = await obtainTokens(started)
    const counterfeit = (i: number): string => {
      const at = 6 + (i % (token.length - 6))
      const other = token[at] === 'A' ? 'B' : 'A'
      return token.slice(0, at) + other + token.slice(at + 1)
    }
    const answers = await Promise.all(
      Array.from({ length: 1000 }, (_, i) => revoke(counterfeit(i))),
    )
    assert.deepEqual(
      [...new Set(answers.map(({ status, text }) => `${status} ${text}`))],
      ['200 {}'],
    )
    assert.equal(await used(token), 200)
  })

  test('whatever text comes is no token of ours', async () => {
    const prefix = fc.constantFrom('', 'lk_at_', 'lk_rt_', 'lk_ac_')
    const text = fc
      .string({ unit: 'binary', minLength: 1 })
      .filter((one) => !/[\0\ufffd]/.test(one))
    const wellFormed = text.filter((one) => one.isWellFormed())
    await fc.assert(
      fc.asyncProperty(prefix, wellFormed, async (kind, rest) => {
        assertRevoked(await revoke(kind + rest))
      }),
      { numRuns: 200 },
    )
  })
})
