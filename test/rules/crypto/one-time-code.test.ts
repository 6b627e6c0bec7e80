/** One-time codes against the values of the RFCs that define them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeBase32, encodeBase32, makeCode, stepOf } from '../../../src/crypto/one-time-code.ts'

const secret = Buffer.from('12345678901234567890')

describe('one-time codes', () => {
  test('RFC 4226 appendix D: the codes of the first ten steps', () => {
    const codes = Array.from({ length: 10 }, (_, step) => makeCode(secret, step))
    assert.deepEqual(codes, [
      '755224',
      '287082',
      '359152',
      '969429',
      '338314',
      '254676',
      '287922',
      '162583',
      '399871',
      '520489',
    ])
  })

  test('RFC 6238 appendix B: the codes of six moments, by their last six digits', () => {
    const moments = {
      59: '287082',
      1111111109: '081804',
      1111111111: '050471',
      1234567890: '005924',
      2000000000: '279037',
      20000000000: '353130',
    }
    for (const [at, code] of Object.entries(moments)) {
      assert.equal(stepOf(secret, code, Number(at)), Math.floor(Number(at) / 30), at)
    }
  })

  test('RFC 6238 section 5.2: one step to either side is taken, and no other', () => {
    const at = 1_000_000_015
    const now = Math.floor(at / 30)
    for (const [step, expected] of [
      [now - 2, null],
      [now - 1, now - 1],
      [now, now],
      [now + 1, now + 1],
      [now + 2, null],
    ] as const) {
      assert.equal(stepOf(secret, makeCode(secret, step), at), expected)
    }
  })

  test('what is no code is none', () => {
    for (const text of ['', '28708', '2870821', '２８７０８２', 'abcdef']) {
      assert.equal(stepOf(secret, text, 59), null)
    }
  })

  test('RFC 4648 section 10: base32, without padding', () => {
    const vectors = { f: 'MY', fo: 'MZXQ', foo: 'MZXW6', foob: 'MZXW6YQ', fooba: 'MZXW6YTB' }
    for (const [text, expected] of Object.entries({ ...vectors, foobar: 'MZXW6YTBOI', '': '' })) {
      assert.equal(encodeBase32(Buffer.from(text)), expected)
      if (text !== '') assert.equal(Buffer.from(decodeBase32(expected) ?? []).toString(), text)
    }
  })
})
