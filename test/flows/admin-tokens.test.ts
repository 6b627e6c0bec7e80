/** A token that an operator presents: its kind, the reason of its refusal, and its end. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { codeRequest, obtainCode } from '../support/printing.ts'
import { type Answer, start, startBefore } from '../support/start.ts'
import { redeem } from '../support/tokens.ts'
import { type Operator, operatorOf, problem } from './operator.ts'

const nightly = ['nightly-report', 'nightly-report-secret'] as const
const house = ['house-app', 'house-app-secret'] as const

let operator: Operator

const service = startBefore(start, async () => {
  operator = await operatorOf(service)
})

const inspect = async (token: string) => (await operator('POST', 'tokens/inspect', { token })).body

const tokensOf = async (form = {}, client = house): Promise<Answer['body']> =>
  (
    await service.post(
      '/token',
      {
        grant_type: 'password',
        username: 'alice',
        password: 'wonderland',
        scope: 'photos',
        ...form,
      },
      client,
    )
  ).body

const own = async (): Promise<string> =>
  (
    await service.post(
      '/token',
      { grant_type: 'client_credentials', scope: 'photos:read' },
      nightly,
    )
  ).body.access_token

/** Kind, whether it is accepted, and why not. */
const stateOf = async (token: string) => {
  const { kind, active, refused, explanation } = await inspect(token)
  assert.equal(explanation === null, active)
  return [kind, active, refused]
}

describe('a presented token', () => {
  test('is described with whose it is and what it allows', async () => {
    const { access_token } = await tokensOf()
    const { authorization_id, owner_id, token_id, ...told } = await inspect(`${access_token}\n`)
    assert.deepEqual(told, {
      kind: 'access_token',
      active: true,
      refused: null,
      explanation: null,
      client_id: 'house-app',
      username: 'alice',
      scope: 'photos:read photos:write',
      authorization_details: [],
      audience: [`${service.issuer}/api/photos`],
      issued_at: service.now(),
      expires_at: service.now() + 3600,
    })
    const { body } = await operator('GET', `authorizations/${authorization_id}`)
    assert.deepEqual([body.owner_id, body.client_id], [owner_id, 'house-app'])
    assert.equal(typeof token_id, 'string')
  })

  test('of a client itself has no owner', async () => {
    const { username, owner_id, authorization_id, client_id, active } = await inspect(await own())
    assert.deepEqual(
      [username, owner_id, authorization_id, client_id, active],
      [null, null, null, 'nightly-report', true],
    )
  })

  test('is told apart by kind', async () => {
    const { refresh_token } = await tokensOf()
    assert.deepEqual(await stateOf(refresh_token), ['refresh_token', true, null])
    assert.deepEqual(await stateOf('lk_cs_whatever'), ['client_secret', false, 'no_access'])
    assert.deepEqual(await stateOf('lk_at_cut-off'), ['access_token', false, 'forged'])
    assert.deepEqual(await stateOf('something'), ['unknown', false, 'unknown'])
  })

  test('tells nothing of itself where its seal does not fit', async () => {
    const token = await own()
    const last = token.endsWith('A') ? 'B' : 'A'
    const { explanation, ...told } = await inspect(token.slice(0, -1) + last)
    assert.match(explanation, /^The seal does not fit/)
    assert.deepEqual(told, {
      kind: 'access_token',
      active: false,
      refused: 'forged',
      client_id: null,
      username: null,
      owner_id: null,
      authorization_id: null,
      token_id: null,
      scope: '',
      authorization_details: [],
      audience: [],
      issued_at: null,
      expires_at: null,
    })
  })

  test('that was exchanged for a newer one is used', async () => {
    const { refresh_token } = await tokensOf()
    await tokensOf({ grant_type: 'refresh_token', refresh_token })
    assert.deepEqual(await stateOf(refresh_token), ['refresh_token', false, 'used'])
  })

  test('is refused while its client or its owner is disabled', async () => {
    const { access_token, refresh_token } = await tokensOf()
    const token = await own()
    const { owner_id } = await inspect(access_token)
    for (const path of [`owners/${owner_id}`, 'clients/nightly-report']) {
      assert.equal((await operator('PATCH', path, { disabled: true })).status, 200)
    }
    assert.deepEqual(await stateOf(access_token), ['access_token', false, 'disabled'])
    assert.deepEqual(await stateOf(refresh_token), ['refresh_token', false, 'disabled'])
    assert.deepEqual(await stateOf(token), ['access_token', false, 'forged'])
    for (const path of [`owners/${owner_id}`, 'clients/nightly-report']) {
      await operator('PATCH', path, { disabled: false })
    }
    assert.deepEqual(await stateOf(access_token), ['access_token', true, null])
  })

  test('is refused while its authorization is paused, and for good once that has ended', async () => {
    const { access_token, refresh_token } = await tokensOf()
    const path = `authorizations/${(await inspect(access_token)).authorization_id}`
    await operator('PATCH', path, { paused: true })
    assert.deepEqual(await stateOf(access_token), ['access_token', false, 'paused'])
    assert.deepEqual(await stateOf(refresh_token), ['refresh_token', false, 'paused'])
    await operator('DELETE', path)
    assert.deepEqual(await stateOf(access_token), ['access_token', false, 'ended'])
    assert.deepEqual(await stateOf(refresh_token), ['refresh_token', false, 'ended'])
  })

  test('is revoked by the operator, whosever it is, and the event says who did it', async () => {
    const { access_token, refresh_token } = await tokensOf()
    const revoked = await operator('POST', 'tokens/revoke', { token: access_token })
    assert.deepEqual(revoked.body, { revoked: 'access_token' })
    assert.deepEqual(await stateOf(access_token), ['access_token', false, 'revoked'])
    assert.deepEqual(await stateOf(refresh_token), ['refresh_token', true, null])
    const { body } = await operator('GET', 'events?type=token.revoked')
    const [{ type, actor }] = body.items
    assert.deepEqual(
      [type, actor.type, actor.client_id],
      ['token.revoked', 'operator', 'latchkey-admin'],
    )
    const whole = await operator('POST', 'tokens/revoke', { token: refresh_token })
    assert.deepEqual(whole.body, { revoked: 'refresh_token' })
    assert.deepEqual(await stateOf(refresh_token), ['refresh_token', false, 'ended'])
    const again = await operator('POST', 'tokens/revoke', { token: refresh_token })
    assert.deepEqual(again.body, { revoked: null })
  })

  test('may be a code, which is used once, or an ID token', async () => {
    const code = await obtainCode(service, { ...codeRequest, scope: 'openid photos:read' })
    assert.deepEqual(await stateOf(code), ['authorization_code', true, null])
    const { body } = await redeem(service, code)
    assert.deepEqual(await stateOf(code), ['authorization_code', false, 'used'])
    assert.deepEqual(await stateOf(body.id_token), ['id_token', false, 'no_access'])
  })

  test('reaches neither the log nor the URL', async () => {
    const token = await own()
    await inspect(token)
    assert.ok(!JSON.stringify(service.notices).includes(token))
  })

  test('needs the scope of authorizations', async () => {
    const reader = await operatorOf(service, 'clients:read authorizations:read')
    const { status, body } = await reader('POST', 'tokens/revoke', { token: 'lk_at_x' })
    assert.equal(status, 403)
    assert.deepEqual(
      body,
      problem('insufficient_scope', 403, 'the access token does not allow authorizations:write'),
    )
  })

  test('that has expired says so, with whose it was', async () => {
    const token = await own()
    await service.advance(3601)
    operator = await operatorOf(service)
    const { refused, client_id } = await inspect(token)
    assert.deepEqual([refused, client_id], ['expired', 'nightly-report'])
  })
})
