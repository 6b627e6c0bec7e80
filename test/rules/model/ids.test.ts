/** Ids: 48 bits of time and 80 random ones, written so that they sort as they were made. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  createId,
  deriveShardKey,
  idBefore,
  isId,
  type OwnerId,
  placeId,
  readShardKey,
} from '../../../src/model/ids.ts'

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

test('a placed id says its shard key, and keeps its time and 68 random bits', () => {
  const shardKey = fc.nat({ max: 4095 })
  fc.assert(
    fc.property(milliseconds, random, shardKey, (at, bytes, key) => {
      const id = createId(at, bytes)
      const placed = placeId(id, key)
      assert.deepEqual([isId(placed), readShardKey(placed)], [true, key])
      const bits = ((1n << 12n) - 1n) << 68n
      const rest = numberOf(id) - (numberOf(id) & bits)
      assert.equal(numberOf(placed), rest + (BigInt(key) << 68n))
    }),
    { numRuns: 1000 },
  )
})

test('the shard key of an owner never changes, and owners spread over all of them', () => {
  const keyOf = (id: string): number => deriveShardKey(id as OwnerId)
  assert.deepEqual(['', 'ada', '01m7yzmhg0040g2081040g2081'].map(keyOf), [3213, 3603, 937])
  const owners = Array.from({ length: 40_960 }, (_, i) => createId(i, new Uint8Array(10).fill(i)))
  const counts = [...Map.groupBy(owners, keyOf).values()].map((all) => all.length)
  assert.equal(counts.length, 4096)
  // Ten owners for each of 4096 keys: a fair die gives no key more than 30.
  assert.ok(Math.max(...counts) < 30)
})
