/** Token exchange (RFC 8693): a client acts for the owner of a token, by a token of its own that allows no more. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { helper, photoPrinter } from '../support/demo-clients.ts'
import {
  accessTokenType,
  addHelpers,
  exchange,
  exchanged,
  exchangeGrant,
  letAct,
} from '../support/exchange.ts'
import { codeRequest, obtainCode, obtainTokens } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'
import { assertRefused, introspect, redeem, refresh, use } from '../support/tokens.ts'
import { bearer, type Operator, operatorOf } from './operator.ts'

let operator: Operator
const service = startBefore(start, async () => {
  operator = await operatorOf(service)
  await letAct(operator, 'photo-printer', ['helper'])
})

const obtain = async (scope = 'photos contacts:read'): Promise<string> =>
  (await obtainTokens(service, { ...codeRequest, scope })).access_token

/** A token that an owner approved for the helper itself. */
const obtainOwn = async (): Promise<string> => {
  const there = 'http://127.0.0.1:6750/helper'
  const request = {
    response_type: 'code',
    client_id: 'helper',
    redirect_uri: there,
    scope: 'photos',
  }
  const code = await obtainCode(service, request)
  return (await redeem(service, code, helper, { redirect_uri: there })).body.access_token
}

const obtainOfClient = async (client = helper, scope = 'photos'): Promise<string> =>
  (await service.post('/token', { grant_type: 'client_credentials', scope }, client)).body
    .access_token

describe('an exchange', () => {
  test('the whole answer, and what introspection and APIs make of the token', async () => {
    const subject = await obtain()
    const answer = await exchange(service, subject)
    assert.equal(answer.status, 200, answer.text)
    const { access_token: token, ...rest } = answer.body
    assert.deepEqual(rest, {
      issued_token_type: accessTokenType,
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'contacts:read photos:read photos:write',
    })
    assert.match(token, /^lk_at_/)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const before = await introspect(service, subject)
    const { jti, ...told } = await introspect(service, token, helper)
    assert.notEqual(jti, before.jti)
    const { jti: _, ...toldBefore } = before
    const act = { sub: 'helper', client_id: 'helper' }
    assert.deepEqual(told, { ...toldBefore, client_id: 'helper', act })
    assert.equal(await use(service, token), 200)
  })

  test('the client of the subject token is told nothing about the new one', async () => {
    const token = await exchanged(service, await obtain())
    assert.deepEqual(await introspect(service, token, photoPrinter), { active: false })
  })

  test('scope, resource and audience narrow it', async () => {
    const subject = await obtain()
    const photos = `${service.issuer}/api/photos`
    for (const [changes, scope, aud] of [
      [{ scope: 'photos:read' }, 'photos:read', [photos]],
      [{ resource: photos }, 'photos:read photos:write', [photos]],
      [{ audience: photos }, 'photos:read photos:write', [photos]],
      [
        { audience: [photos, `${service.issuer}/api/contacts`] },
        'contacts:read photos:read photos:write',
        [`${service.issuer}/api/contacts`, photos],
      ],
    ] as const) {
      const { status, body, text } = await exchange(service, subject, helper, changes)
      assert.equal(status, 200, text)
      assert.equal(body.scope, scope)
      assert.deepEqual((await introspect(service, body.access_token, helper)).aud, aud)
    }
  })

  test('its life ends with that of the subject token', async () => {
    const subject = await obtain()
    await service.advance(1000)
    const { body } = await exchange(service, subject)
    assert.equal(body.expires_in, 2600)
    await service.advance(2599)
    assert.equal(await use(service, body.access_token), 200)
    await service.advance(1)
    assert.equal(await use(service, body.access_token), 401)
  })

  test('its own token may be exchanged by every client with the grant', async () => {
    const { status, body, text } = await exchange(service, await obtainOwn(), helper, {
      scope: 'photos:read',
    })
    assert.equal(status, 200, text)
    assert.deepEqual((await introspect(service, body.access_token, helper)).act, {
      sub: 'helper',
      client_id: 'helper',
    })
  })

  test('an actor token says again who acts', async () => {
    const actor = { actor_token: await obtainOfClient(), actor_token_type: accessTokenType }
    const token = await exchanged(service, await obtain(), helper, actor)
    assert.deepEqual((await introspect(service, token, helper)).act, {
      sub: 'helper',
      client_id: 'helper',
    })
  })

  test('a chain names each actor, the latest first, and four at most', async () => {
    const others = await addHelpers(await operatorOf(service), 4)
    let token = await exchanged(service, await obtain())
    let act: object = { sub: 'helper', client_id: 'helper' }
    for (const client of others.slice(0, 3)) {
      token = await exchanged(service, token, client)
      act = { sub: client[0], client_id: client[0], act }
      assert.deepEqual((await introspect(service, token, client)).act, act)
      assert.equal(await use(service, token), 200)
    }
    const [, , , fifth] = others
    assert.ok(fifth)
    assertRefused(
      await exchange(service, token, fifth),
      'invalid_request',
      'the subject_token was exchanged 4 times already: no further client may act',
    )
  })

  test('userinfo tells the owner, within the words of the token', async () => {
    const subject = await obtain('openid profile photos')
    const token = await exchanged(service, subject)
    const [before, after] = await Promise.all(
      [subject, token].map((one) => service.ask('/userinfo', bearer(one))),
    )
    assert.deepEqual(after?.body, before?.body)
    const narrowed = await exchanged(service, subject, helper, { scope: 'photos' })
    assert.equal((await service.ask('/userinfo', bearer(narrowed))).status, 403)
  })

  test('neither an ID token nor a refresh token comes along', async () => {
    const scope = 'openid offline_access photos'
    const { body } = await exchange(service, await obtain(scope))
    assert.deepEqual(Object.keys(body).sort(), [
      'access_token',
      'expires_in',
      'issued_token_type',
      'scope',
      'token_type',
    ])
    assert.equal(body.scope, 'openid photos:read photos:write')
  })
})

describe('what ends, pauses or narrows the subject token does so to the new one', () => {
  test('at the next request', async () => {
    const tokens = await obtainTokens(service, { ...codeRequest, scope: 'photos' })
    const token = await exchanged(service, tokens.access_token)
    await refresh(service, tokens.refresh_token)
    assert.equal(await use(service, token), 200)
    await service.post('/revoke', { token: tokens.access_token }, photoPrinter)
    assert.equal(await use(service, token), 401)
    assert.deepEqual(await introspect(service, token, helper), { active: false })
  })
})

describe('the metadata', () => {
  test('names the grant type', async () => {
    const { body } = await service.ask('/.well-known/oauth-authorization-server')
    assert.ok(body.grant_types_supported.includes(exchangeGrant))
  })
})
