/** RFC 7636: proof key for code exchange. Of its two methods ours is S256 alone (contract, section 3). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { hashText } from '../../src/crypto/digest.ts'
import { readCode, sealCode } from '../../src/tokens/code.ts'
import { startWithOperator } from '../flows/operator.ts'
import { askFor, sentTo } from '../support/authorization.ts'
import { answerOf, Browser } from '../support/browser.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { impostor, withoutSeal, withSealOf } from '../support/forgery.ts'
import {
  challenge,
  galleryCallback,
  galleryRequest,
  redeemPublicly,
  verifier,
} from '../support/gallery.ts'
import { callback, codeRequest, obtainCode, walk } from '../support/printing.ts'
import { assertRefused, type Changes, redeem, withChanges } from '../support/tokens.ts'
import { deadCode } from '../support/told.ts'

const { service, operator } = startWithOperator()

const askGallery = (changes: Changes) => askFor(service, { ...galleryRequest, ...changes })

const assertNotAsked = async (changes: Changes, said: string): Promise<void> => {
  assert.deepEqual(sentTo(await askGallery(changes), `${galleryCallback}?`), {
    error: 'invalid_request',
    error_description: said,
    state: 'xyz',
    iss: service.issuer,
  })
}

/** A code of the web application with the challenge of a verifier. */
const codeFor = (text: string): Promise<string> =>
  obtainCode(service, { ...codeRequest, ...challenge, code_challenge: hashText(text) })

const assertDead = async (code: string, changes: Changes): Promise<void> =>
  assertRefused(await redeem(service, code, photoPrinter, changes), 'invalid_grant', deadCode)

describe('section 4.1: the verifier', () => {
  const unreserved = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~'

  test('K-07: 43 to 128 unreserved characters, whichever', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom(...unreserved), minLength: 43, maxLength: 128 }),
        async (code_verifier) => {
          const code = await codeFor(code_verifier)
          const answer = await redeem(service, code, photoPrinter, { code_verifier })
          assert.equal(answer.status, 200)
        },
      ),
      { numRuns: 15, examples: [[unreserved], ['~'.repeat(43)], ['-'.repeat(128)]] },
    )
  })

  const malformed = {
    'one character': 'x',
    '42 characters': 'x'.repeat(42),
    '129 characters': 'x'.repeat(129),
    plus: `${'x'.repeat(43)}+`,
    slash: `${'x'.repeat(43)}/`,
    padding: `${'x'.repeat(43)}=`,
    space: `${'x'.repeat(43)} `,
    'line feed': `${'x'.repeat(43)}\n`,
    'a letter beyond ASCII': `${'x'.repeat(43)}é`,
  }
  for (const [name, code_verifier] of Object.entries(malformed)) {
    test(`K-07: nothing else, though its digest is right: ${name}`, async () => {
      await assertDead(await codeFor(code_verifier), { code_verifier })
    })
  }
})

describe('sections 4.2 and 4.3: the challenge', () => {
  test('K-01: a public client has to send one', async () => {
    const said = 'parameter code_challenge is missing: a public client has to use PKCE'
    const none = { code_challenge: undefined, code_challenge_method: undefined }
    await assertNotAsked(none, said)
    await assertNotAsked({ code_challenge: '', code_challenge_method: '' }, said)
  })

  test('K-05, K-06: by S256 and by nothing else', async () => {
    const said = 'code_challenge_method has to be S256'
    for (const code_challenge_method of ['S512', 'plain', 's256', 'S256 ', undefined, '']) {
      await assertNotAsked({ code_challenge_method }, said)
    }
    const plain = await askFor(service, { code_challenge: verifier })
    assert.equal(sentTo(plain, `${callback}?`).error_description, said)
  })

  test('a method without a challenge is half a request', async () => {
    const said = 'parameter code_challenge is missing'
    await assertNotAsked({ code_challenge: undefined }, said)
    const page = await askFor(service, { code_challenge_method: 'S256' })
    assert.equal(sentTo(page, `${callback}?`).error_description, said)
  })

  test('K-08: 43 characters of base64url, as SHA-256 has', async () => {
    const right = challenge.code_challenge
    const wrong = [
      right.slice(1),
      `${right}A`,
      `${right}=`,
      `${right.slice(0, -1)}=`,
      `+${right.slice(1)}`,
      `/${right.slice(1)}`,
      `${right.slice(0, -1)} `,
      `${right}\n`,
      'x'.repeat(128),
    ]
    for (const code_challenge of wrong) {
      const said = 'code_challenge has to be 43 characters of base64url'
      await assertNotAsked({ code_challenge }, said)
    }
  })

  test('K-08: the last of them holds no bits that SHA-256 does not have', async () => {
    for (const code_challenge of [`${challenge.code_challenge.slice(0, -1)}N`, 'x'.repeat(43)]) {
      const said =
        'code_challenge has to be 43 characters of base64url, and the last is one of AEIMQUYcgkosw048, as of each SHA-256 digest'
      await assertNotAsked({ code_challenge }, said)
    }
  })
})

describe('section 4.4: the code', () => {
  test('K-10: the challenge is in no answer', async () => {
    const page = await walk(service, galleryRequest)
    const location = page.headers.get('location') ?? ''
    const { code = '' } = answerOf(page)
    assert.equal(location.includes(challenge.code_challenge), false)
    const body = Buffer.from(code.slice('lk_ac_'.length), 'base64url').toString('latin1')
    for (const readable of [code, body]) {
      assert.equal(readable.includes(challenge.code_challenge), false)
    }
    const tokens = await redeemPublicly(service, code)
    assert.equal(tokens.status, 200)
    assert.equal(tokens.text.includes(challenge.code_challenge), false)
    const refused = await redeemPublicly(service, code, { code_verifier: 'x'.repeat(43) })
    assert.equal(refused.text.includes(challenge.code_challenge), false)
  })

  // Codes have no rows (decision 1): what could be dropped from a row stands under the code's seal.
  test('K-13: a challenge that was cut out of a code does not turn PKCE off', async () => {
    const code = await obtainCode(service, galleryRequest)
    const { keyId, says } = readCode(code) ?? assert.fail(code)
    assert.notEqual(says.hiddenChallenge, null)
    const changes = [
      { hiddenChallenge: null },
      { redirectUri: hashText('https://elsewhere.example') },
    ]
    for (const change of changes) {
      const keyring = impostor(keyId)
      const cut = withoutSeal(sealCode(keyring, '', { ...says, ...change }))
      const forged = withSealOf(code, cut)
      for (const code_verifier of [undefined, verifier]) {
        const answer = await redeemPublicly(service, forged, { code_verifier })
        assertRefused(answer, 'invalid_grant', deadCode)
      }
    }
    assert.equal((await redeemPublicly(service, code)).status, 200)
  })

  test('K-13: a code without a challenge is of no use to a client that became public', async () => {
    const { body: made } = await operator('POST', 'clients', { redirect_uris: [callback] })
    const code = await obtainCode(service, { ...codeRequest, client_id: made.client_id })
    const path = `clients/${made.client_id}`
    await operator('PATCH', path, { token_endpoint_auth_method: 'none' })
    const answer = await redeem(service, code, null, { client_id: made.client_id })
    assertRefused(answer, 'invalid_grant', deadCode)
  })
})

describe('sections 4.5 and 4.6: the token request', () => {
  test("appendix B: the RFC's own example", async () => {
    const code = await obtainCode(service, galleryRequest)
    assert.equal((await redeemPublicly(service, code)).status, 200)
  })

  const missing =
    'parameter code_verifier is missing: the authorization request had a code_challenge'

  test('K-02: a confidential client that sent a challenge has to send the verifier', async () => {
    const code = await codeFor(verifier)
    for (const code_verifier of [undefined, '']) {
      const answer = await redeem(service, code, photoPrinter, { code_verifier })
      assertRefused(answer, 'invalid_grant', missing)
    }
    const right = await redeem(service, code, photoPrinter, { code_verifier: verifier })
    assert.equal(right.status, 200)
  })

  test('K-02: so has a public one', async () => {
    const code = await obtainCode(service, galleryRequest)
    const answer = await redeemPublicly(service, code, { code_verifier: undefined })
    assertRefused(answer, 'invalid_grant', missing)
  })

  test('K-03: a verifier where there was no challenge', async () => {
    const code = await obtainCode(service)
    const answer = await redeem(service, code, photoPrinter, { code_verifier: verifier })
    const said = 'code_verifier came, but the authorization request had no code_challenge'
    assertRefused(answer, 'invalid_request', said)
    assert.equal((await redeem(service, code)).status, 200)
  })

  test('K-04: a wrong verifier burns the code', async () => {
    const others = ['y'.repeat(43), verifier.toLowerCase(), `${verifier}A`, verifier.slice(0, -1)]
    for (const code_verifier of others) {
      const code = await codeFor(verifier)
      await assertDead(code, { code_verifier })
      await assertDead(code, { code_verifier: verifier })
    }
  })

  test('K-09: the method stays the one that was asked with', async () => {
    const code = await codeFor(verifier)
    const plain = { code_challenge_method: 'plain', code_verifier: challenge.code_challenge }
    await assertDead(code, plain)
  })

  test('K-09: nor does the token request bring a challenge of its own', async () => {
    const own = 'z'.repeat(64)
    const code = await codeFor(verifier)
    const said = { code_challenge: hashText(own), code_challenge_method: 'S256' }
    await assertDead(code, { ...said, code_verifier: own })
  })

  test('a code belongs to its own challenge, not to that of the request after it', async () => {
    const browser = new Browser(service)
    const secrets = ['a'.repeat(43), 'b'.repeat(43)]
    const codes: string[] = []
    for (const secret of secrets) {
      const asked = withChanges(galleryRequest, { code_challenge: hashText(secret) })
      codes.push(answerOf(await walk(service, asked, {}, browser)).code ?? '')
    }
    const [first = '', second = ''] = codes
    const crossed = await redeemPublicly(service, first, { code_verifier: secrets[1] })
    assertRefused(crossed, 'invalid_grant', deadCode)
    const right = await redeemPublicly(service, second, { code_verifier: secrets[1] })
    assert.equal(right.status, 200)
  })
})

test('K-11: the metadata tell', async () => {
  const { body } = await service.ask('/.well-known/oauth-authorization-server')
  assert.deepEqual(body.code_challenge_methods_supported, ['S256'])
})
