/** Leaving protections out: PKCE, the client's secret, the redirect URI. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operatorOf } from '../flows/operator.ts'
import { answerOf } from '../support/browser.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import {
  challenge,
  galleryCallback,
  galleryRequest,
  redeemPublicly,
  verifier,
} from '../support/gallery.ts'
import { callback, codeRequest, obtainCode, walk } from '../support/printing.ts'
import { startBefore } from '../support/start.ts'
import { assertRefused, redeem, refresh } from '../support/tokens.ts'
import { deadCode, failedClient } from '../support/told.ts'

const service = startBefore()

const missingVerifier =
  'parameter code_verifier is missing: the authorization request had a code_challenge'
const strayVerifier = 'code_verifier came, but the authorization request had no code_challenge'

/** The answer to a refused authorization request. */
const refusedAuthorization = async (request: Readonly<Record<string, string>>) => {
  const { error, error_description, code, access_token, ...rest } = answerOf(
    await walk(service, request),
  )
  assert.deepEqual([code, access_token], [undefined, undefined])
  assert.deepEqual(rest, { state: 'xyz', iss: service.issuer })
  return [error, error_description]
}

const without = (request: Readonly<Record<string, string>>, ...names: readonly string[]) =>
  Object.fromEntries(Object.entries(request).filter(([name]) => !names.includes(name)))

describe('PKCE at the authorization endpoint', () => {
  test('a public client cannot do without', async () => {
    const bare = without(galleryRequest, 'code_challenge', 'code_challenge_method')
    assert.deepEqual(await refusedAuthorization(bare), [
      'invalid_request',
      'parameter code_challenge is missing: a public client has to use PKCE',
    ])
    const empty = { ...galleryRequest, code_challenge: '', code_challenge_method: '' }
    assert.equal((await refusedAuthorization(empty))[0], 'invalid_request')
  })

  test('no method but S256, and no default to plain', async () => {
    const plain = { ...galleryRequest, code_challenge: verifier, code_challenge_method: 'plain' }
    const said = ['invalid_request', 'code_challenge_method has to be S256']
    const requests = [
      plain,
      without(galleryRequest, 'code_challenge_method'),
      { ...galleryRequest, code_challenge_method: 's256' },
      { ...galleryRequest, code_challenge_method: 'none' },
      { ...codeRequest, code_challenge: verifier, code_challenge_method: 'plain' },
    ]
    for (const request of requests) assert.deepEqual(await refusedAuthorization(request), said)
  })

  test('a method without a challenge is no request without PKCE', async () => {
    const request = { ...codeRequest, code_challenge_method: 'S256' }
    assert.deepEqual(await refusedAuthorization(request), [
      'invalid_request',
      'parameter code_challenge is missing',
    ])
  })

  test('a challenge that is no digest is refused', async () => {
    const { code_challenge } = challenge
    const malformed = [
      'x',
      code_challenge.slice(1),
      `${code_challenge}=`,
      `${code_challenge.slice(0, -1)}N`,
      code_challenge.replace('-', '+'),
    ]
    for (const text of malformed) {
      const form = { ...codeRequest, ...challenge, code_challenge: text }
      const [error, said] = await refusedAuthorization(form)
      assert.equal(error, 'invalid_request')
      assert.match(said ?? '', /^code_challenge has to be 43 characters of base64url/)
    }
  })
})

describe('PKCE at the token endpoint', () => {
  test('a challenge is enforced for a confidential client, too; a missing verifier burns nothing', async () => {
    const code = await obtainCode(service, { ...codeRequest, ...challenge })
    for (const code_verifier of [undefined, '']) {
      const answer = await redeem(service, code, photoPrinter, { code_verifier })
      assertRefused(answer, 'invalid_grant', missingVerifier)
    }
    const right = await redeem(service, code, photoPrinter, { code_verifier: verifier })
    assert.equal(right.status, 200)
  })

  test('and for a public client', async () => {
    const code = await obtainCode(service, galleryRequest)
    const answer = await redeemPublicly(service, code, { code_verifier: undefined })
    assertRefused(answer, 'invalid_grant', missingVerifier)
    assert.equal((await redeemPublicly(service, code)).status, 200)
  })

  test('the challenge itself is not the verifier', async () => {
    const code = await obtainCode(service, galleryRequest)
    const answer = await redeemPublicly(service, code, { code_verifier: challenge.code_challenge })
    assertRefused(answer, 'invalid_grant', deadCode)
  })

  test('RFC 9700 section 2.1.1: a verifier for a code without a challenge is refused', async () => {
    // The attacker began a request without PKCE, and now injects its code where a verifier is sent.
    const code = await obtainCode(service)
    const answer = await redeem(service, code, photoPrinter, { code_verifier: verifier })
    assertRefused(answer, 'invalid_request', strayVerifier)
    assert.equal((await redeem(service, code)).status, 200)
  })
})

describe('the secret', () => {
  test('a confidential client does not become a public one by leaving it out', async () => {
    const code = await obtainCode(service, { ...codeRequest, ...challenge })
    const answer = await redeem(service, code, null, {
      client_id: 'photo-printer',
      code_verifier: verifier,
    })
    assertRefused(answer, 'invalid_client', failedClient)
    const right = await redeem(service, code, photoPrinter, { code_verifier: verifier })
    const renewed = await refresh(service, right.body.refresh_token, null, {
      client_id: 'photo-printer',
    })
    assertRefused(renewed, 'invalid_client', failedClient)
  })

  test('a client that was public and is confidential now needs its secret from then on', async () => {
    const operator = await operatorOf(service)
    const { body: made } = await operator('POST', 'clients', {
      redirect_uris: [callback],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    })
    const request = { ...codeRequest, ...challenge, client_id: made.client_id }
    const publicly = { client_id: made.client_id, code_verifier: verifier }
    const first = await redeem(service, await obtainCode(service, request), null, publicly)
    const code = await obtainCode(service, request)
    const { body: changed } = await operator('PATCH', `clients/${made.client_id}`, {
      token_endpoint_auth_method: 'client_secret_basic',
    })
    const token: string = first.body.refresh_token
    const client = [made.client_id, changed.client_secret] as const
    assertRefused(await redeem(service, code, null, publicly), 'invalid_client', failedClient)
    const renewed = await refresh(service, token, null, { client_id: made.client_id })
    assertRefused(renewed, 'invalid_client', failedClient)
    const right = await redeem(service, code, client, { code_verifier: verifier })
    assert.equal(right.status, 200)
    assert.equal((await refresh(service, token, client)).status, 200)
  })
})

describe('the way of the answer', () => {
  test('a token never comes in a query, whoever asks for it', async () => {
    const request = {
      response_type: 'token',
      client_id: 'gallery',
      redirect_uri: galleryCallback,
      state: 'xyz',
      response_mode: 'query',
    }
    const page = await walk(service, request)
    const { hash, search } = new URL(page.headers.get('location') ?? '')
    assert.equal(search, '')
    assert.match(hash, /^#error=invalid_request&/)
  })

  test('no response type but those that are built and registered', async () => {
    const types = {
      'code none': 'unsupported_response_type',
      'code token': 'unauthorized_client',
      id_token: 'unauthorized_client',
      token: 'unauthorized_client',
    }
    for (const [response_type, error] of Object.entries(types)) {
      const said = await refusedAuthorization({ ...codeRequest, response_type })
      assert.equal(said[0], error)
    }
  })
})
