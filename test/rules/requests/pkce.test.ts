/** PKCE by itself (RFC 7636): valid challenges, and matching verifiers. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { hashText } from '../../../src/crypto/digest.ts'
import type { Digest } from '../../../src/model/ids.ts'
import { parseParameters } from '../../../src/protocol/parameters.ts'
import { Refusal } from '../../../src/protocol/refusal.ts'
import { hashVerifier, parseChallenge } from '../../../src/requests/pkce.ts'
import { formBody } from '../../support/start.ts'

/** RFC 7636 appendix B. */
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' as Digest

const parse = (form: Readonly<Record<string, string>>, required = false) =>
  parseChallenge(parseParameters(formBody(form)), required)

const reasonOf = (form: Readonly<Record<string, string>>, required = false): string | null => {
  try {
    parse(form, required)
    return null
  } catch (fault) {
    assert.ok(fault instanceof Refusal)
    assert.equal(fault.code, 'invalid_request')
    return fault.reason
  }
}

describe('the challenge', () => {
  const rows: readonly [string | null, string | null, boolean, string | null | Digest][] = [
    [challenge, 'S256', false, challenge],
    [challenge, 'S256', true, challenge],
    [null, null, false, null],
  ]
  for (const [code_challenge, method, required, expected] of rows) {
    it(`${code_challenge}, ${method}${required ? ', required' : ''}`, () => {
      const form = {
        ...(code_challenge === null ? {} : { code_challenge }),
        ...(method === null ? {} : { code_challenge_method: method }),
      }
      assert.equal(parse(form, required), expected)
    })
  }

  it('K-01: is missed of a client that has to send one', () => {
    assert.equal(reasonOf({}, true), 'missing_code_challenge')
    assert.equal(reasonOf({ code_challenge: '' }, true), 'missing_code_challenge')
  })

  it('is missed where there is a method', () => {
    for (const required of [true, false]) {
      assert.equal(reasonOf({ code_challenge_method: 'S256' }, required), 'missing_code_challenge')
    }
  })

  it('K-05, K-06: by S256 alone', () => {
    const methods = ['plain', 's256', 'S512', 'S256,plain', ' S256', '']
    for (const code_challenge_method of methods) {
      const form = { code_challenge: challenge, code_challenge_method }
      assert.equal(reasonOf(form), 'bad_code_challenge_method')
    }
    assert.equal(reasonOf({ code_challenge: challenge }), 'bad_code_challenge_method')
  })

  it('K-08: of any verifier is taken, and fits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const form = { code_challenge: hashText(text), code_challenge_method: 'S256' }
        assert.equal(parse(form), hashText(text))
      }),
    )
  })

  it('K-08: is nothing that is no digest in base64url', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 50 }),
      fc.string({ unit: fc.constantFrom(...'AaZz09-_+/='), minLength: 42, maxLength: 44 }),
    )
    fc.assert(
      fc.property(
        texts.filter((text) => !/[\0\ufffd]/.test(text)),
        (text) => {
          const form = { code_challenge: text, code_challenge_method: 'S256' }
          const bytes = Buffer.from(text, 'base64url')
          const canonical = bytes.length === 32 && bytes.toString('base64url') === text
          assert.equal(reasonOf(form), canonical ? null : 'bad_code_challenge')
        },
      ),
      { numRuns: 2000 },
    )
  })
})

describe('the verifier', () => {
  const wellFormed = fc.stringMatching(/^[A-Za-z0-9\-._~]{43,128}$/)

  it('fits its own challenge', () => {
    assert.equal(hashVerifier(verifier), challenge)
    fc.assert(fc.property(wellFormed, (text) => hashVerifier(text) === hashText(text)))
  })

  it('K-07: is 43 to 128 unreserved characters, whatever its digest', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 40, maxLength: 131 }), (text) => {
        const right = text.length <= 128 && /^[A-Za-z0-9\-._~]{43,}$/.test(text)
        assert.equal(hashVerifier(text), right ? hashText(text) : null)
      }),
    )
    for (const text of ['', 'x'.repeat(42), 'x'.repeat(129), `${'x'.repeat(43)}\n`]) {
      assert.equal(hashVerifier(text), null)
    }
  })

  it('K-09: is not the challenge itself', () => {
    fc.assert(fc.property(wellFormed, (text) => hashVerifier(hashText(text)) !== hashText(text)))
  })
})
