/** Attacks on token exchange (RFC 8693 section 5): more rights, a longer life, tokens of others, laundered keys. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Operator, operatorOf } from '../flows/operator.ts'
import { helper, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { askProven, makeProver, type Prover, postProven } from '../support/dpop.ts'
import {
  accessTokenType,
  addHelpers,
  exchange,
  exchanged,
  exchangeGrant,
  letAct,
} from '../support/exchange.ts'
import { callback, codeRequest, obtainCode, obtainTokens } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'
import { assertRefused, type Credentials, introspect, use } from '../support/tokens.ts'

let operator: Operator
const service = startBefore(start, async () => {
  operator = await operatorOf(service)
  await letAct(operator, 'photo-printer', ['helper'])
})

const obtain = (scope = 'photos:read contacts:read') =>
  obtainTokens(service, { ...codeRequest, scope })

const unknown =
  'the subject_token is unknown, expired, revoked or paused, or this client may not exchange it'

const ownToken = async (client: readonly [string, string], scope = 'photos') =>
  (await service.post('/token', { grant_type: 'client_credentials', scope }, client)).body
    .access_token

describe('TE-02 more than the subject token allows', () => {
  test('a wider scope, also beside a right name', async () => {
    const { access_token: token } = await obtain()
    for (const scope of ['photos:write', 'photos:read photos:write', 'photos:read calendar']) {
      const { status, body } = await exchange(service, token, helper, { scope })
      assert.deepEqual([status, body.error], [400, 'invalid_scope'], scope)
    }
  })

  test('another audience', async () => {
    const { access_token: token } = await obtain()
    const photos = `${service.issuer}/api/photos`
    const narrowed = await exchanged(service, token, helper, { resource: photos })
    const [other] = await addHelpers(operator, 1)
    for (const changes of [
      { resource: `${service.issuer}/api/contacts` },
      { audience: `${service.issuer}/api/contacts` },
      { audience: 'https://elsewhere.example.com' },
      { resource: photos, audience: `${service.issuer}/api/contacts` },
    ]) {
      const { status, body } = await exchange(service, narrowed, other, changes)
      assert.deepEqual([status, body.error], [400, 'invalid_target'], JSON.stringify(changes))
      const named = Object.keys(changes).join(' or ')
      assert.match(body.error_description, new RegExp(`^${named} (has to be|asks for)`))
    }
    const { body } = await exchange(service, narrowed, other)
    assert.deepEqual((await introspect(service, body.access_token, other)).aud, [photos])
  })

  test('a longer life, by a client whose tokens live longer', async () => {
    await operator('PATCH', 'clients/helper', { access_token_seconds: null })
    const { access_token: subject } = await obtain()
    service.pass(3000)
    const { body } = await exchange(service, subject)
    assert.equal(body.expires_in, 600)
    const again = await exchange(service, body.access_token)
    assert.equal(again.body.expires_in, 600)
    service.pass(600)
    assert.equal(await use(service, again.body.access_token), 401)
    operator = await operatorOf(service)
    await operator('PATCH', 'clients/helper', { access_token_seconds: 3600 })
  })

  test('a refresh token, an ID token, or a token of another kind', async () => {
    const { access_token: token } = await obtain()
    for (const type of ['refresh_token', 'id_token', 'jwt', 'saml2']) {
      const requested_token_type = `urn:ietf:params:oauth:token-type:${type}`
      assertRefused(
        await exchange(service, token, helper, { requested_token_type }),
        'invalid_request',
        `requested_token_type has to be ${accessTokenType}: no other is issued here`,
      )
    }
  })

  test('what the operator does not let the exchanger have', async () => {
    await operator('PATCH', 'clients/helper', { scope: 'calendar' })
    const { access_token: token } = await obtain()
    assertRefused(
      await exchange(service, token),
      'invalid_scope',
      'the subject_token allows nothing that this client may have',
    )
    await operator('PATCH', 'clients/helper', { scope: 'photos contacts calendar' })
  })
})

describe('TE-01 a token that is not to be exchanged', () => {
  test('dead, forged, or of another kind', async () => {
    const tokens = await obtain()
    await service.post('/revoke', { token: tokens.access_token }, photoPrinter)
    const forged = `${(await obtain()).access_token.slice(0, -1)}!`
    for (const token of [tokens.access_token, forged, 'lk_at_', 'nonsense']) {
      assertRefused(await exchange(service, token), 'invalid_request', unknown)
    }
    const { status, body } = await exchange(service, tokens.refresh_token)
    assert.deepEqual([status, body.error], [400, 'invalid_request'])
    assert.match(body.error_description, /^this is a refresh token/)
    const expired = (await obtain()).access_token
    service.pass(3600)
    assertRefused(await exchange(service, expired), 'invalid_request', unknown)
    operator = await operatorOf(service)
  })

  test('of another client, which learns nothing', async () => {
    const { access_token: token } = await obtain()
    const subject = await exchanged(service, token)
    const [stranger] = await addHelpers(operator, 1)
    assert.ok(stranger)
    await letAct(operator, 'helper', [])
    assertRefused(await exchange(service, token, stranger), 'invalid_request', unknown)
    assertRefused(await exchange(service, subject, stranger), 'invalid_request', unknown)
  })

  test('an exchanged one, by the client of its subject token', async () => {
    const changed = [exchangeGrant, 'authorization_code', 'refresh_token']
    await operator('PATCH', 'clients/photo-printer', { grant_types: changed })
    const token = await exchanged(service, (await obtain()).access_token)
    assertRefused(await exchange(service, token, photoPrinter), 'invalid_request', unknown)
  })

  test('of a client itself, which stands for no owner', async () => {
    assertRefused(
      await exchange(service, await ownToken(helper)),
      'invalid_request',
      'the subject_token is of a client itself: only a token for an owner is exchanged',
    )
  })

  test('by a client without the grant, a public one, or nobody', async () => {
    const { access_token: token } = await obtain()
    const { body } = await exchange(service, token, nightlyReport)
    assert.equal(body.error, 'unauthorized_client')
    const form = { grant_type: exchangeGrant, subject_token: token, client_id: 'gallery' }
    assert.equal((await service.post('/token', form)).body.error, 'unauthorized_client')
    const nobody = await service.post('/token', { ...form, client_id: 'helper' })
    assert.equal(nobody.body.error, 'invalid_client')
    const given = { token_endpoint_auth_method: 'none', grant_types: [exchangeGrant] }
    const asked = await operator('POST', 'clients', { client_name: 'Public', ...given })
    assert.equal(asked.status, 400)
  })

  test('after the exchanger was disabled', async () => {
    const token = await exchanged(service, (await obtain()).access_token)
    await operator('PATCH', 'clients/helper', { disabled: true })
    assert.equal(await use(service, token), 401)
    const refused = await exchange(service, token)
    assert.equal(refused.body.error, 'invalid_client')
    await operator('PATCH', 'clients/helper', { disabled: false })
  })

  test('a client that registers itself cannot say who may act for it', async () => {
    const { status, body } = await service.ask('/register', {
      json: { client_name: 'Sly', redirect_uris: ['https://sly.example/'], may_act: ['helper'] },
    })
    assert.deepEqual([status, body.may_act], [201, undefined])
  })
})

describe('an actor token', () => {
  test('of another client, of an owner, dead, or without its type', async () => {
    const { access_token: subject } = await obtain()
    const dead = await ownToken(helper)
    await service.post('/revoke', { token: dead }, helper)
    for (const actor_token of [
      await ownToken(nightlyReport),
      await exchanged(service, subject),
      subject,
      dead,
      'nonsense',
    ]) {
      const changes = { actor_token, actor_token_type: accessTokenType }
      assertRefused(
        await exchange(service, subject, helper, changes),
        'invalid_request',
        'the actor_token has to be a living access token that this client got for itself by client_credentials',
      )
    }
    for (const changes of [
      { actor_token: await ownToken(helper) },
      { actor_token_type: accessTokenType },
      { actor_token: await ownToken(helper), actor_token_type: 'id_token' },
    ]) {
      const { status, body } = await exchange(service, subject, helper, changes)
      assert.deepEqual([status, body.error], [400, 'invalid_request'])
    }
  })

  test('does not outlive the token that it proved', async () => {
    await operator('PATCH', 'clients/helper', { access_token_seconds: 60 })
    const actor = { actor_token: await ownToken(helper), actor_token_type: accessTokenType }
    await operator('PATCH', 'clients/helper', { access_token_seconds: 3600 })
    const { body } = await exchange(service, (await obtain()).access_token, helper, actor)
    assert.equal(body.expires_in, 60)
  })
})

describe('a bound token', () => {
  const prove = (prover: Prover) => prover.prove('POST', `${service.issuer}/token`)
  const ofExchange = (token: string) => ({
    grant_type: exchangeGrant,
    subject_token: token,
    subject_token_type: accessTokenType,
  })

  const obtainBound = async (
    prover: Prover,
    client: Credentials = photoPrinter,
    redirect_uri = callback,
  ) => {
    const request = { ...codeRequest, client_id: client[0], redirect_uri, scope: 'photos' }
    const code = await obtainCode(service, request)
    const form = { grant_type: 'authorization_code', code, redirect_uri }
    return (await postProven(service, form, client, await prove(prover))).body.access_token
  }

  test('is not laundered into a bearer token: the new one is bound as well', async () => {
    const [own, other] = [await makeProver(service.now), await makeProver(service.now)]
    const token = await obtainBound(own)
    assertRefused(
      await exchange(service, token),
      'invalid_request',
      'the subject_token is bound to a key: prove a key of this client with the request',
    )
    const { body } = await postProven(service, ofExchange(token), helper, await prove(other))
    assert.equal(body.token_type, 'DPoP')
    assert.equal(await use(service, body.access_token), 401)
    assert.equal((await askProven(service, '/api/photos', body.access_token, own)).status, 401)
    assert.equal((await askProven(service, '/api/photos', body.access_token, other)).status, 200)
  })

  test('of the client itself needs the very key of that token', async () => {
    const [own, other] = [await makeProver(service.now), await makeProver(service.now)]
    const token = await obtainBound(own, helper, 'http://127.0.0.1:6750/helper')
    for (const proof of [await prove(other), null]) {
      const answer =
        proof === null
          ? await exchange(service, token)
          : await postProven(service, ofExchange(token), helper, proof)
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_dpop_proof'])
    }
    const { body } = await postProven(service, ofExchange(token), helper, await prove(own))
    assert.equal(body.token_type, 'DPoP')
  })
})

describe('rows without end', () => {
  test('a client that registered itself is slowed for one user, and not for others', async () => {
    const { body: sly } = await service.ask('/register', {
      json: {
        client_name: 'Sly',
        redirect_uris: ['https://sly.example/'],
        grant_types: ['authorization_code', exchangeGrant],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    })
    const client = [sly.client_id, sly.client_secret] as const
    await letAct(operator, 'photo-printer', ['helper', sly.client_id])
    const { access_token: token } = await obtain()
    for (let made = 0; made < 300; made++) await exchanged(service, token, client)
    // The one that goes beyond is made, and the next one waits.
    await exchanged(service, token, client)
    const { status, body, headers } = await exchange(service, token, client)
    assert.deepEqual([status, headers.get('retry-after')], [429, '60'])
    assert.equal(
      body.error_description,
      'too many exchanges for this user: use each token until it expires',
    )
    await exchanged(service, token)
    service.pass(60)
    await exchanged(service, token, client)
    await letAct(operator, 'photo-printer', ['helper'])
  })
})

describe('pairwise subjects of a client above', () => {
  test('are not undone by an exchange: neither the public sub nor the name is told', async () => {
    const { sub: open } = await introspect(service, (await obtain()).access_token)
    await operator('PATCH', 'clients/photo-printer', { subject_type: 'pairwise' })
    const { access_token: subject } = await obtain('openid photos:read')
    const [other] = await addHelpers(operator, 1)
    assert.ok(other)
    const token = await exchanged(service, subject)
    const further = await exchanged(service, token, other)
    const root = await introspect(service, subject)
    const [first, second] = [
      await introspect(service, token, helper),
      await introspect(service, further, other),
    ]
    const subs = [open, root.sub, first.sub, second.sub]
    assert.equal(new Set(subs).size, 4)
    assert.deepEqual([first.active, first.username, second.username], [true, undefined, undefined])
    const info = await service.ask('/userinfo', { headers: { authorization: `Bearer ${token}` } })
    assert.equal(info.body.sub, first.sub)
    await operator('PATCH', 'clients/photo-printer', { subject_type: 'public' })
  })
})

describe('rights only shrink', () => {
  test('along any chain of exchanges, whatever each of them asks for', async () => {
    const others = [helper, ...(await addHelpers(operator, 3))]
    const { access_token: root } = await obtain('photos contacts:read calendar:write')
    const names = [
      'photos:read',
      'photos:write',
      'contacts:read',
      'calendar:write',
      'calendar:read',
    ]
    const scopeOf = async (token: string, client: readonly [string, string]) =>
      new Set<string>((await introspect(service, token, client)).scope.split(' '))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.option(fc.subarray(names, { minLength: 1 })), { minLength: 1, maxLength: 4 }),
        async (asked) => {
          let token = root
          let before = await scopeOf(root, photoPrinter)
          for (const [i, scope] of asked.entries()) {
            const client = others[i] ?? helper
            const changes = scope === null ? {} : { scope: scope.join(' ') }
            const { status, body } = await exchange(service, token, client, changes)
            const isWithin = scope === null || scope.every((name) => before.has(name))
            assert.equal(status, isWithin ? 200 : 400)
            if (!isWithin) return assert.equal(body.error, 'invalid_scope')
            const after = await scopeOf(body.access_token, client)
            assert.deepEqual(after, scope === null ? before : new Set(scope))
            token = body.access_token
            before = after
          }
        },
      ),
      { numRuns: 30 },
    )
  })
})
