/** Recovery codes: readable, different, and the same however they are typed. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { hashRecovery, makeRecoveryCodes } from '../../../src/owners/one-time-codes.ts'

const parts = { random: (bytes: number) => randomBytes(bytes) }

describe('recovery codes', () => {
  test('there are ten, in five groups of five letters that nobody mistakes', () => {
    const codes = makeRecoveryCodes(parts)
    assert.equal(new Set(codes).size, 10)
    for (const code of codes)
      assert.match(code, /^(?:[0-9a-hjkmnp-tv-z]{5}-){4}[0-9a-hjkmnp-tv-z]{5}$/)
  })

  test('every letter stands for five random bits', () => {
    const all = Array.from({ length: 40 }, () => makeRecoveryCodes(parts).join('')).join('')
    assert.equal(new Set(all.replaceAll('-', '')).size, 32)
  })

  test('are recognised in capitals, without dashes, and with the letters that look like digits', () => {
    const expected = hashRecovery('01abc-defgh-jkmnp-qrstv-wxyz0')
    for (const typed of [
      '01ABC DEFGH JKMNP QRSTV WXYZ0',
      'oiabcdefghjkmnpqrstvwxyzO',
      ' 0Labc-defgh--jkmnp-qrstv-wxyz0\n',
    ]) {
      assert.equal(hashRecovery(typed), expected)
    }
    assert.notEqual(hashRecovery('01abc-defgh-jkmnp-qrstv-wxyz1'), expected)
  })
})
