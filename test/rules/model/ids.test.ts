/** Ids: 48 bits of time and 80 random ones, written so that they sort as they were made. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createId, idBefore, isId } from '../../../src/model/ids.ts'

const milliseconds = fc.nat({ max: 2 ** 48 - 1 })
const random = fc.uint8Array({ minLength: 10, maxLength: 10 })

/** What an id says, letter by letter. */
const numberOf = (id: string): bigint =>
  [...id].reduce(
    (sum, letter) => sum * 32n + BigInt('0123456789abcdefghjkmnpqrstvwxyz'.indexOf(letter)),
    0n,
  )

test('an id says its time and its random bytes, each bit of them', () => {
  fc.assert(
    fc.property(milliseconds, random, (at, bytes) => {
      const id = createId(at, bytes)
      const tail = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
      assert.equal(numberOf(id), (BigInt(at) << 80n) + tail)
      assert.equal(id.length, 26)
      assert.equal(isId(id), true)
    }),
    { numRuns: 1000 },
  )
})

test('ids sort as text in the order of their times', () => {
  fc.assert(
    fc.property(milliseconds, milliseconds, random, random, (one, other, some, more) => {
      fc.pre(one !== other)
      assert.equal(createId(one, some) < createId(other, more), one < other)
    }),
  )
})

test('the first and the last id, and one of our days', () => {
  assert.deepEqual(
    [
      createId(0, new Uint8Array(10)),
      createId(2 ** 48 - 1, new Uint8Array(10).fill(255)),
      createId(1_795_262_400_000, new Uint8Array(10).fill(1)),
    ],
    ['00000000000000000000000000', '7zzzzzzzzzzzzzzzzzzzzzzzzz', '01m7yzmhg0040g2081040g2081'],
  )
})

test('ids beside a given one are ids of its moment, each another, and sort before it', () => {
  fc.assert(
    fc.property(milliseconds, random, fc.integer({ min: 1, max: 1000 }), (at, bytes, steps) => {
      const id = createId(at, bytes)
      const beside = idBefore(id, steps)
      assert.ok(isId(beside) && beside !== id)
      assert.equal(beside.slice(0, 22), id.slice(0, 22))
      const round = numberOf(id.slice(-4)) < BigInt(steps)
      assert.equal(numberOf(id) - numberOf(beside), BigInt(steps) - (round ? 1n << 20n : 0n))
    }),
  )
})
