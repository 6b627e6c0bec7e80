/** HMAC written out is the HMAC of everybody else. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { computeHmac, equalDigests, makeHmacKey } from '../../../src/crypto/digest.ts'

const hex = (text: string): string => Buffer.from(text, 'base64url').toString('hex')

test('the examples of RFC 4231 come out, with keys that are shorter than a block', () => {
  const told = [
    computeHmac(makeHmacKey(new Uint8Array(20).fill(0x0b)), 'Hi There'),
    computeHmac(makeHmacKey(Buffer.from('Jefe')), 'what do ya want for nothing?'),
  ]
  assert.deepEqual(told.map(hex), [
    'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ])
})

test('it is what the platform computes, for every key and every text', () => {
  const key = fc.uint8Array({ maxLength: 64 })
  const text = fc.string({ unit: 'binary-ascii', maxLength: 500 })
  fc.assert(
    fc.property(key, text, (key, text) => {
      assert.equal(
        computeHmac(makeHmacKey(key), text),
        createHmac('sha256', key).update(text).digest('base64url'),
      )
    }),
    { numRuns: 500 },
  )
})

test('a longer key is refused: it would have to be hashed first', () => {
  assert.throws(() => makeHmacKey(new Uint8Array(65)), /expected at most 64 bytes of key/)
})

test('two tags are equal only where each character is, whatever its width', () => {
  const tag = 'A'.repeat(43)
  assert.equal(equalDigests(tag, 'A'.repeat(43)), true)
  for (let place = 0; place < tag.length; place++) {
    for (const other of ['B', 'a', '\u0141', '\u4100', '\ud841', '']) {
      const changed = tag.slice(0, place) + other + tag.slice(place + 1)
      assert.equal(equalDigests(tag, changed), false)
      assert.equal(equalDigests(changed, tag), false)
    }
  }
  assert.equal(equalDigests('', ''), false)
})
