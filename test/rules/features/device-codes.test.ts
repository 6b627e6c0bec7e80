/** The codes of a device: how they are drawn, shown, and read again. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  deviceCodePrefix,
  formatUserCode,
  makeDeviceCode,
  makeUserCode,
  parseUserCode,
} from '../../../src/features/device/codes.ts'
import { createId, type FamilyId } from '../../../src/model/ids.ts'
import { parsePollCode } from '../../../src/tokens/polled-request.ts'

const letters = [...'BCDFGHJKLMNPQRSTVWXZ']
const code = fc.array(fc.constantFrom(...letters), { minLength: 8, maxLength: 8 })

/** What may stand between two letters. */
const gap = fc.constantFrom('', '', '-', ' ', '\u2013', '\u2010', '\u00a0', ' - ', '\t')

describe('a user code', () => {
  it('is read in any case, and with any spaces and dashes', () => {
    const gaps = fc.array(gap, { minLength: 9, maxLength: 9 })
    const cases = fc.array(fc.boolean(), { minLength: 8, maxLength: 8 })
    fc.assert(
      fc.property(code, gaps, cases, (drawn, between, low) => {
        const typed = drawn.map((one, i) => (between[i] ?? '') + (low[i] ? one.toLowerCase() : one))
        assert.equal(parseUserCode(typed.join('') + (between[8] ?? '')), drawn.join(''))
        assert.equal(parseUserCode(formatUserCode(drawn.join(''))), drawn.join(''))
      }),
    )
  })

  it('is null for every other text', () => {
    const isCode = (text: string) =>
      /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/i.test(text.replaceAll(/[\s\p{Pd}]/gu, ''))
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!isCode(text))
        const parsed = parseUserCode(text)
        assert.ok(parsed === null || parsed.length === 8, text)
        if (/^[\x20-\x7e]*$/.test(text)) assert.equal(parsed, null)
      }),
    )
    for (const text of ['', 'BCDFGHJ', 'BCDFGHJKL', 'BCDFGHJA', 'BCDFGHJ1', 'B.C.D.F.G.H.J.K']) {
      assert.equal(parseUserCode(text), null, text)
    }
    assert.equal(parseUserCode(`${' '.repeat(60)}BCDFGHJK`), null)
  })

  it('has each letter as often: bytes that would favour some are not used', () => {
    let byte = 0
    const all = Array.from({ length: 30 }, () =>
      makeUserCode((bytes) => Uint8Array.from({ length: bytes }, () => byte++ % 256)),
    ).join('')
    assert.equal(all.length, 240)
    for (const letter of letters) {
      assert.equal(all.split(letter).length - 1, 12, letter)
    }
  })
})

describe('a device code', () => {
  const random = (bytes: number) => new Uint8Array(bytes).fill(7)
  const id = createId(1_790_000_000_000, random(10)) as FamilyId

  it('leads to its row, and holds the secret of which the row has the digest', () => {
    const { text, secretDigest } = makeDeviceCode(id, random)
    assert.deepEqual(parsePollCode(deviceCodePrefix, text), { id, secretDigest })
  })

  it('is null for every other text', () => {
    const { text } = makeDeviceCode(id, random)
    const changed = [text.slice(1), `${text}x`, text.slice(0, -1), text.replace('lk_dc_', 'lk_ac_')]
    for (const one of [...changed, '', text.toUpperCase()]) {
      assert.equal(parsePollCode(deviceCodePrefix, one), null, one)
    }
    fc.assert(
      fc.property(fc.string(), (one) => assert.equal(parsePollCode(deviceCodePrefix, one), null)),
    )
  })
})
