/** Profiles: what `oauth-2.1` and `fapi-2.0` forbid, for the whole service and for one client. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadSettings } from '../../src/config/load.ts'
import { assertionClaims, provenBy } from '../support/assertions.ts'
import { sentTo } from '../support/authorization.ts'
import { answerOf, Browser } from '../support/browser.ts'
import { type KeyPair, keySetOf, newKeys, sign } from '../support/client-keys.ts'
import { houseApp, latchkeyAdmin, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { makeProver, type Prover } from '../support/dpop.ts'
import { challenge, verifier } from '../support/gallery.ts'
import { authorizePath, callback, codeRequest, obtainTokens } from '../support/printing.ts'
import { type Answer, type Form, type Started, start, startBefore } from '../support/start.ts'
import { refresh } from '../support/tokens.ts'
import { bearer, operatorOf } from './operator.ts'

const said = ({ status, body }: Answer) => [status, body.error, body.error_description]

const metadataOf = async (service: Started) =>
  (await service.ask('/.well-known/oauth-authorization-server')).body

const ask = async (service: Started, form: Form) => {
  const page = await new Browser(service).ask(authorizePath(form))
  return sentTo(page, `${callback}?`)
}

test('a profile that is none does not start', () => {
  assert.throws(() => loadSettings({ env: { LATCHKEY_PROFILE: 'fapi-1.0' }, flags: {} }), {
    message: 'LATCHKEY_PROFILE must be one of spec, oauth-2.1, fapi-2.0, not "fapi-1.0"',
  })
})

describe('oauth-2.1', () => {
  const service = startBefore(() => start({ profile: 'oauth-2.1' }))

  test('what it forbids is absent from the metadata', async () => {
    const body = await metadataOf(service)
    const types: readonly string[] = body.response_types_supported
    assert.ok(types.includes('code') && types.every((type) => !type.split(' ').includes('token')))
    assert.ok(
      !body.grant_types_supported.some((type: string) => ['password', 'implicit'].includes(type)),
    )
    assert.ok(body.token_endpoint_auth_methods_supported.includes('client_secret_basic'))
  })

  test('no password grant, whether the client is registered for it or not', async () => {
    const form = { grant_type: 'password', username: 'alice', password: 'wonderland' }
    for (const client of [houseApp, nightlyReport]) {
      assert.deepEqual(said(await service.post('/token', form, client)), [
        400,
        'unsupported_grant_type',
        'the profile oauth-2.1 has no password grant: use the authorization code grant',
      ])
    }
  })

  test('no token in a redirect', async () => {
    const form = { ...codeRequest, response_type: 'token' }
    const page = await new Browser(service).ask(authorizePath(form))
    const sent = answerOf(page)
    assert.deepEqual(
      [sent.error, sent.error_description],
      [
        'unsupported_response_type',
        'the profile oauth-2.1 hands out no token in a redirect: ask for response_type code',
      ],
    )
  })

  test('PKCE for every code', async () => {
    const sent = await ask(service, codeRequest)
    assert.equal(sent.error, 'invalid_request')
    assert.equal(
      sent.error_description,
      'the profile oauth-2.1 needs a code_challenge for each code',
    )
    const tokens = await obtainCodeTokens(service)
    assert.equal(tokens.status, 200)
  })

  test('no access token in a query', async () => {
    const { body } = await obtainCodeTokens(service)
    const headers = { 'cache-control': 'no-store' }
    const answer = await service.ask(`/api/photos?access_token=${body.access_token}`, { headers })
    assert.deepEqual(said(answer).slice(0, 2), [400, 'invalid_request'])
    assert.match(answer.body.error_description, /^the profile oauth-2\.1 takes no access token/)
    assert.equal((await service.ask('/api/photos', bearer(body.access_token))).status, 200)
  })
})

const obtainCodeTokens = async (service: Started): Promise<Answer> => {
  const browser = new Browser(service)
  let page = await browser.go(service.issuer + authorizePath({ ...codeRequest, ...challenge }))
  page = await browser.logIn(page, 'alice', 'wonderland')
  if (page.url.includes('/consent')) page = await browser.submit(page, { decision: 'allow' })
  const code = sentTo(page, `${callback}?`).code ?? ''
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
  return service.post('/token', { ...form, code_verifier: verifier }, photoPrinter)
}

describe('fapi-2.0', () => {
  let keys: KeyPair
  let prover: Prover
  let id: string
  const service = startBefore(
    () => start({ profile: 'fapi-2.0' }),
    async () => {
      keys = await newKeys('ES256', 'k-1')
      prover = await makeProver(service.now)
      const { body } = await (await operatorOf(service))('POST', 'clients', {
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
        redirect_uris: [callback],
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: keySetOf(keys),
      })
      id = body.client_id
    },
  )
  const own = { grant_type: 'client_credentials', scope: 'photos:read' }

  const proven = async (path: string, form: Form, claims = {}, nonce?: string) => {
    const first = await prover.prove('POST', service.issuer + path, nonce ? { nonce } : {})
    const assertion = await provenBy(service, id, keys, claims)
    return service.ask(path, { form: { ...form, ...assertion }, headers: { dpop: first } })
  }

  test('what it forbids is absent from the metadata', async () => {
    const body = await metadataOf(service)
    assert.deepEqual(body.response_types_supported, ['code'])
    assert.equal(body.require_pushed_authorization_requests, true)
    assert.deepEqual(body.token_endpoint_auth_methods_supported, ['private_key_jwt'])
    for (const [member, value] of Object.entries(body)) {
      if (!member.endsWith('signing_alg_values_supported')) continue
      assert.ok(
        !(value as readonly string[]).some((name) => ['RS256', 'HS256'].includes(name)),
        member,
      )
    }
  })

  test('no client by a secret', async () => {
    assert.deepEqual(said(await service.post('/token', own, nightlyReport)), [
      401,
      'invalid_client',
      'the profile fapi-2.0 takes clients by private_key_jwt or a certificate alone',
    ])
  })

  test('Basic is offered to nobody but a client that tried it', async () => {
    const tried = await service.post('/token', own, nightlyReport)
    assert.match(tried.headers.get('www-authenticate') ?? '', /^Basic /)
    const { status, headers } = await proven('/token', own, { iss: 'another' })
    assert.deepEqual([status, headers.get('www-authenticate')], [401, null])
  })

  test('latchkey-admin works in the demo all the same', async () => {
    const { status } = await service.post(
      '/token',
      { grant_type: 'client_credentials' },
      latchkeyAdmin,
    )
    assert.equal(status, 200)
  })

  test('the command of the first page works as pasted', async () => {
    const { text } = await service.ask('/')
    const [, id = '', secret = ''] = /curl -s -u ([\w-]+):([\w-]+) -d/.exec(text) ?? []
    const form = { grant_type: 'client_credentials' }
    const { status } = await service.post('/token', form, [id, secret])
    assert.equal(status, 200)
  })

  test('no token without a key', async () => {
    const form = { ...own, ...(await provenBy(service, id, keys)) }
    assert.deepEqual(said(await service.post('/token', form)), [
      400,
      'invalid_dpop_proof',
      'the profile fapi-2.0 binds each token to a key: send a DPoP proof, or use a certificate',
    ])
  })

  test('a proof needs a nonce, and then earns a token', async () => {
    const bare = await proven('/token', own)
    assert.deepEqual(said(bare), [
      400,
      'use_dpop_nonce',
      'the profile fapi-2.0 needs a nonce in each DPoP proof: send that of the DPoP-Nonce header of this answer',
    ])
    const nonce = bare.headers.get('dpop-nonce') ?? ''
    const { status, body } = await proven('/token', own, {}, nonce)
    assert.deepEqual([status, body.token_type], [200, 'DPoP'])
  })

  test('the audience of an assertion is a string', async () => {
    const { aud } = assertionClaims(service, id)
    const answer = await proven('/token', own, { aud: [aud] })
    assert.deepEqual(said(answer), [
      401,
      'invalid_client',
      'the profile fapi-2.0 needs one string as aud of the client assertion: the issuer, or the audience of the platform',
    ])
  })

  test('requests are pushed, and have response_type code alone', async () => {
    const request = { ...codeRequest, ...challenge, client_id: id }
    const sent = await ask(service, request)
    assert.deepEqual(
      [sent.error, sent.error_description],
      ['invalid_request', 'the profile fapi-2.0 needs each authorization request pushed to /par'],
    )
    const bare = await proven('/par', request)
    const nonce = bare.headers.get('dpop-nonce') ?? ''
    assert.equal((await proven('/par', request, {}, nonce)).status, 201)
    const { challenge: _, ...bareRequest } = { ...codeRequest, client_id: id, challenge: '' }
    assert.deepEqual(said(await proven('/par', bareRequest, {}, nonce)), [
      400,
      'invalid_request',
      'the profile fapi-2.0 needs a code_challenge for each code',
    ])
  })

  test('a request object needs iss, aud and exp, and no RS256', async () => {
    const nonce = (await proven('/token', own)).headers.get('dpop-nonce') ?? ''
    const full = {
      ...{ iss: id, aud: service.issuer, exp: service.now() + 60, client_id: id },
      ...{ response_type: 'code', redirect_uri: callback, ...challenge },
    }
    const push = async (claims: object, by = keys) => {
      const request = await sign({ ...claims }, by, { typ: 'oauth-authz-req+jwt' })
      return said(await proven('/par', { request }, {}, nonce))
    }
    assert.deepEqual(await push(full), [201, undefined, undefined])
    for (const member of ['iss', 'aud', 'exp']) {
      const loose = Object.fromEntries(Object.entries(full).filter(([name]) => name !== member))
      assert.deepEqual(await push(loose), [
        400,
        'invalid_request_object',
        'the profile fapi-2.0 needs iss, aud and exp in a request object',
      ])
    }
    const rsa = await newKeys('RS256', 'k-1')
    assert.deepEqual(await push(full, rsa), [
      400,
      'invalid_request_object',
      'the profile fapi-2.0 takes no signature by RS256 or HS256: use PS256, ES256 or EdDSA',
    ])
  })

  test('nothing is signed with RS256, by either side', async () => {
    const weak = await makeProver(service.now, 'RS256')
    const proof = await weak.prove('POST', `${service.issuer}/token`)
    const form = { ...own, ...(await provenBy(service, id, keys)) }
    assert.deepEqual(said(await service.ask('/token', { form, headers: { dpop: proof } })), [
      400,
      'invalid_dpop_proof',
      'the profile fapi-2.0 takes no DPoP proof by RS256: use PS256, ES256 or EdDSA',
    ])
    const rsa = await newKeys('RS256', 'k-2')
    const { body } = await (await operatorOf(service))('POST', 'clients', {
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: keySetOf(rsa),
    })
    const signed = { ...own, ...(await provenBy(service, body.client_id, rsa)) }
    assert.deepEqual(said(await service.post('/token', signed)), [
      401,
      'invalid_client',
      'the profile fapi-2.0 takes no signature by RS256 or HS256: use PS256, ES256 or EdDSA',
    ])
  })
})

describe('a client of its own profile', () => {
  const service = startBefore()

  test('is held to it, and no other client is', async () => {
    const operator = await operatorOf(service)
    const { status, body } = await operator('PATCH', 'clients/photo-printer', {
      profile: 'oauth-2.1',
    })
    assert.deepEqual([status, body.profile], [200, 'oauth-2.1'])
    const sent = await ask(service, codeRequest)
    assert.equal(
      sent.error_description,
      'the profile oauth-2.1 needs a code_challenge for each code',
    )
    await operator('PATCH', 'clients/photo-printer', { profile: null })
    const { refresh_token } = await obtainTokens(service)
    assert.equal((await refresh(service, refresh_token)).status, 200)
  })

  test('registers nothing that its profile forbids', async () => {
    const operator = await operatorOf(service)
    const answer = await operator('POST', 'clients', {
      redirect_uris: [callback],
      profile: 'fapi-2.0',
    })
    assert.equal(answer.status, 400)
    assert.match(
      JSON.stringify(answer.body),
      /the profile fapi-2\.0 takes clients by private_key_jwt/,
    )
  })
})
