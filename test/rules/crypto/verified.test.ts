/** The cache of right credentials: bounded, and what is in use stays. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashText, Verified, verifiedRemembered } from '../../../src/crypto/digest.ts'

const half = verifiedRemembered / 2

test('what is found now and then stays, and what is not goes', () => {
  const verified = new Verified<number>()
  const [used, unused] = [hashText('used'), hashText('unused')]
  verified.keep(used, 1)
  verified.keep(unused, 2)
  for (let i = 0; i < 3 * half; i++) {
    verified.keep(hashText(`other ${i}`), i)
    if (i % (half / 2) === 0) assert.equal(verified.find(used), 1)
  }
  assert.equal(verified.find(used), 1)
  assert.equal(verified.find(unused), undefined)
})

test('it never holds more than its limit', () => {
  const verified = new Verified<number>()
  const ids = Array.from({ length: 3 * half }, (_, i) => hashText(`credential ${i}`))
  for (const [i, id] of ids.entries()) verified.keep(id, i)
  const held = ids.filter((id) => verified.find(id) !== undefined)
  assert.ok(held.length >= half && held.length <= 2 * half, String(held.length))
})
