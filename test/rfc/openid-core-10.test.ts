/** Signing and encryption (OpenID Connect Core sections 5.3.2 and 10): answers that only the client can read. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  compactDecrypt,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JWTPayload,
  jwtVerify,
} from 'jose'
import { documentLimits } from '../../src/clients/limits.ts'
import { answerOf } from '../support/browser.ts'
import { type KeyPair, keySetOf, newKeys } from '../support/client-keys.ts'
import { openDocumentSiteBefore } from '../support/document-site.ts'
import { codeRequest, obtainCode, walk } from '../support/printing.ts'
import {
  type Registered,
  register,
  requestOf,
  tokensOf,
  tryRegister,
} from '../support/registered.ts'
import { startBefore } from '../support/start.ts'

const started = startBefore()
const site = openDocumentSiteBefore()

const keyEncryptions = [
  'RSA-OAEP',
  'RSA-OAEP-256',
  'RSA-OAEP-384',
  'RSA-OAEP-512',
  'ECDH-ES',
  'ECDH-ES+A128KW',
  'ECDH-ES+A192KW',
  'ECDH-ES+A256KW',
] as const
const contentEncryptions = ['A128CBC-HS256', 'A256CBC-HS512', 'A128GCM', 'A256GCM'] as const

const decrypted = async (jwe: string, { privateKey }: KeyPair) => {
  const { plaintext, protectedHeader } = await compactDecrypt(jwe, privateKey)
  return { text: Buffer.from(plaintext).toString(), header: protectedHeader }
}

/** The claims of a JWT of this service. */
const verified = async (jwt: string, audience: string): Promise<JWTPayload> => {
  const keys = createLocalJWKSet((await started.ask('/jwks')).body)
  const currentDate = new Date(started.now() * 1000)
  return (await jwtVerify(jwt, keys, { issuer: started.issuer, audience, currentDate })).payload
}

const userinfo = (accessToken: string) =>
  started.ask('/userinfo', { headers: { authorization: `Bearer ${accessToken}` } })

describe('section 10.2: an ID token is signed, then encrypted to a key of the client', () => {
  for (const alg of keyEncryptions) {
    test(alg, async () => {
      const keys = await newKeys(alg, 'enc-1')
      const client = await register(started, {
        jwks: keySetOf(keys),
        id_token_encrypted_response_alg: alg,
      })
      const { id_token: jwe } = await tokensOf(started, client)
      const { text, header } = await decrypted(jwe, keys)
      const { epk: _, ...members } = header
      assert.deepEqual(members, { alg, enc: 'A128CBC-HS256', kid: 'enc-1', cty: 'JWT' })
      assert.equal((await verified(text, client.id)).nonce, 'n-1')
    })
  }

  for (const enc of contentEncryptions) {
    test(enc, async () => {
      const keys = await newKeys('ECDH-ES')
      const client = await register(started, {
        jwks: keySetOf(keys),
        id_token_encrypted_response_alg: 'ECDH-ES',
        id_token_encrypted_response_enc: enc,
      })
      const { id_token: jwe } = await tokensOf(started, client)
      assert.equal((await decrypted(jwe, keys)).header.enc, enc)
    })
  }

  test('to the key that is for it: not to one for signatures or of another type', async () => {
    const right = await newKeys('RSA-OAEP-256', 'right')
    const signing = await newKeys('RSA-OAEP-256', 'signing')
    const keys = [
      (await newKeys('ES256', 'curve')).publicKey,
      { ...signing.publicKey, use: 'sig' },
      { ...signing.publicKey, kid: 'other', alg: 'RSA-OAEP' },
      { ...right.publicKey, use: 'enc' },
    ]
    const client = await register(started, {
      jwks: { keys },
      id_token_encrypted_response_alg: 'RSA-OAEP-256',
    })
    const { id_token: jwe } = await tokensOf(started, client)
    assert.equal((await decrypted(jwe, right)).header.kid, 'right')
  })
})

describe('section 5.3.2: /userinfo as the client registered it', () => {
  const scope = 'openid email'

  const answerFor = async (metadata: object) => {
    const client = await register(started, metadata)
    const { access_token: token } = await tokensOf(started, client, { scope })
    const { status, headers, text } = await userinfo(token)
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'application/jwt')
    assert.equal(headers.get('cache-control'), 'private, no-store')
    return { client, text }
  }

  for (const alg of ['RS256', 'ES256', 'EdDSA', 'ML-DSA-44', 'ML-DSA-87']) {
    test(`signed with ${alg}`, async () => {
      const { client, text } = await answerFor({ userinfo_signed_response_alg: alg })
      assert.equal(decodeProtectedHeader(text).alg, alg)
      const { sub: _, ...claims } = await verified(text, client.id)
      assert.deepEqual(claims, {
        iss: started.issuer,
        aud: client.id,
        email: 'alice@example.com',
        email_verified: true,
      })
    })
  }

  test('signed and encrypted', async () => {
    const keys = await newKeys('RSA-OAEP-256')
    const { client, text } = await answerFor({
      jwks: keySetOf(keys),
      userinfo_signed_response_alg: 'ES256',
      userinfo_encrypted_response_alg: 'RSA-OAEP-256',
      userinfo_encrypted_response_enc: 'A256GCM',
    })
    const { text: jws, header } = await decrypted(text, keys)
    assert.deepEqual(header, { alg: 'RSA-OAEP-256', enc: 'A256GCM', cty: 'JWT' })
    assert.equal((await verified(jws, client.id)).email, 'alice@example.com')
  })

  test('encrypted alone: JSON inside', async () => {
    const keys = await newKeys('ECDH-ES+A256KW')
    const { text } = await answerFor({
      jwks: keySetOf(keys),
      userinfo_encrypted_response_alg: 'ECDH-ES+A256KW',
    })
    const { text: json, header } = await decrypted(text, keys)
    assert.equal(header.cty, undefined)
    assert.equal(JSON.parse(json).email, 'alice@example.com')
  })

  test('with the pairwise subject of the ID token', async () => {
    const client = await register(started, {
      userinfo_signed_response_alg: 'RS256',
      subject_type: 'pairwise',
    })
    const { access_token: token, id_token: idToken } = await tokensOf(started, client)
    assert.equal(decodeJwt((await userinfo(token)).text).sub, decodeJwt(idToken).sub)
  })

  test('a signed answer is no ID token: it hints at nobody', async () => {
    const { client, text } = await answerFor({ userinfo_signed_response_alg: 'RS256' })
    const request = requestOf(client, { id_token_hint: text })
    assert.equal(answerOf(await walk(started, request)).error, 'invalid_request')
  })
})

describe('section 10.2: keys that cannot be had', () => {
  const encrypting = (metadata: object): Promise<Registered> =>
    register(started, { id_token_encrypted_response_alg: 'RSA-OAEP', ...metadata })

  const redeem = (client: Registered, code: string) => {
    const form = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri }
    return started.post('/token', form, client.credentials)
  }

  test('a host that does not answer: 503, and the code is not used up', async () => {
    const keys = await newKeys('RSA-OAEP')
    const path = '/sometimes.json'
    site.answer(path, (_request, response) => response.writeHead(503).end())
    const client = await encrypting({ jwks_uri: site.url(path) })
    const code = await obtainCode(started, requestOf(client))
    const refused = await redeem(client, code)
    assert.equal(refused.status, 503)
    assert.deepEqual(refused.body, {
      error: 'temporarily_unavailable',
      error_description:
        'the host of jwks_uri does not answer, so nothing can be encrypted to the client',
    })
    site.answer(path, (_request, response) => response.end(JSON.stringify(keySetOf(keys))))
    started.pass(30)
    const { id_token: jwe } = (await redeem(client, code)).body
    assert.equal((await decrypted(jwe, keys)).header.alg, 'RSA-OAEP')
  })

  test('at the authorization endpoint, the client is told that its keys cannot be had', async () => {
    const path = '/never.json'
    site.answer(path, (_request, response) => response.writeHead(503).end())
    const client = await encrypting({
      jwks_uri: site.url(path),
      response_types: ['id_token token'],
      grant_types: ['implicit'],
    })
    const page = await walk(started, requestOf(client, { response_type: 'id_token token' }))
    const { error, state, access_token: accessToken } = answerOf(page)
    assert.deepEqual(
      [error, state, accessToken],
      ['temporarily_unavailable', codeRequest.state, undefined],
    )
  })

  test('strangers who ask for tokens cause no more fetches than others', async () => {
    const { failuresOfNetwork } = documentLimits
    for (let number = 0; number < failuresOfNetwork + 5; number++) {
      const jwks_uri = site.url(`/stranger/${number}`)
      const client = await encrypting({ jwks_uri, token_endpoint_auth_method: 'none' })
      const form = { grant_type: 'authorization_code', client_id: client.id, code: 'lk_ac_no' }
      await started.ask('/token', { form })
    }
    const asked = site.site.requests.filter(({ url }) => url.startsWith('/stranger/'))
    assert.ok(asked.length <= failuresOfNetwork, `${asked.length} fetches`)
    started.pass(documentLimits.windowSeconds)
  })

  test('/userinfo causes no more fetches of keys than others, either', async () => {
    const encrypted = { userinfo_encrypted_response_alg: 'RSA-OAEP-256' }
    const client = await register(started, { ...encrypted, jwks_uri: site.url('/userinfo-keys') })
    const { access_token: accessToken } = await tokensOf(started, client)
    for (let number = 0; number < documentLimits.failuresOfNetwork; number++) {
      await tryRegister(started, {
        subject_type: 'pairwise',
        sector_identifier_uri: site.url(`/sector/${number}`),
      })
    }
    assert.equal((await userinfo(accessToken)).status, 503)
    assert.equal(site.asked('/userinfo-keys'), 0)
    started.pass(documentLimits.windowSeconds)
  })

  test('no key that fits: invalid_request', async () => {
    const client = await encrypting({ jwks: keySetOf(await newKeys('ES256')) })
    const refused = await redeem(client, await obtainCode(started, requestOf(client)))
    assert.equal(refused.status, 400)
    assert.deepEqual(refused.body, {
      error: 'invalid_request',
      error_description: 'no key of the client can be used for id_token_encrypted_response_alg',
    })
  })

  test('a host that went away: the keys that it had serve on', async () => {
    const keys = await newKeys('RSA-OAEP')
    const path = '/leaving.json'
    site.answer(path, (_request, response) => response.end(JSON.stringify(keySetOf(keys))))
    const client = await encrypting({ jwks_uri: site.url(path) })
    await tokensOf(started, client)
    site.answer(path, (_request, response) => response.writeHead(500).end())
    started.pass(3600)
    const { id_token: jwe } = await tokensOf(started, client)
    assert.equal((await decrypted(jwe, keys)).header.alg, 'RSA-OAEP')
    assert.equal(site.asked(path), 2)
  })
})

describe('Registration section 2: what is refused', () => {
  const jwks = { keys: [{ kty: 'RSA', n: 'x'.repeat(342), e: 'AQAB' }] }
  const faults: readonly (readonly [string, object, RegExp])[] = [
    ['RSA1_5', { jwks, id_token_encrypted_response_alg: 'RSA1_5' }, /RSA-OAEP, RSA-OAEP-256/],
    ['a symmetric key', { jwks, id_token_encrypted_response_alg: 'dir' }, /RSA-OAEP/],
    [
      'enc without alg',
      { jwks, id_token_encrypted_response_enc: 'A256GCM' },
      /id_token_encrypted_response_enc needs id_token_encrypted_response_alg/,
    ],
    [
      'enc of /userinfo without alg',
      { jwks, userinfo_encrypted_response_enc: 'A256GCM' },
      /userinfo_encrypted_response_enc needs userinfo_encrypted_response_alg/,
    ],
    [
      'encryption without keys',
      { id_token_encrypted_response_alg: 'RSA-OAEP' },
      /id_token_encrypted_response_alg needs the keys of the client: jwks or jwks_uri/,
    ],
    [
      'encryption of /userinfo without keys',
      { userinfo_encrypted_response_alg: 'RSA-OAEP' },
      /userinfo_encrypted_response_alg needs the keys of the client/,
    ],
    ['alg none for /userinfo', { userinfo_signed_response_alg: 'none' }, /RS256, ES256, EdDSA/],
    ['HS256 for /userinfo', { userinfo_signed_response_alg: 'HS256' }, /RS256, ES256, EdDSA/],
  ]
  for (const [what, metadata, said] of faults) {
    test(what, async () => {
      const { status, body } = await tryRegister(started, metadata)
      assert.equal(status, 400)
      assert.equal(body.error, 'invalid_client_metadata')
      assert.match(body.error_description, said)
    })
  }

  test('the metadata names what there is', async () => {
    const { body } = await started.ask('/.well-known/openid-configuration')
    for (const what of ['id_token', 'userinfo']) {
      assert.deepEqual(body[`${what}_encryption_alg_values_supported`], keyEncryptions)
      assert.deepEqual(body[`${what}_encryption_enc_values_supported`], contentEncryptions)
    }
    const signing = ['RS256', 'ES256', 'EdDSA', 'Ed25519', 'ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87']
    assert.deepEqual(body.userinfo_signing_alg_values_supported, signing)
  })
})
