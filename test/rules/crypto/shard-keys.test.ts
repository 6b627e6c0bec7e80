/** Shard keys in ids: nobody but the service reads them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { deriveShardKey, openShardKeys } from '../../../src/crypto/shard-keys.ts'
import { createId, idBefore, isId, type OwnerId, readIdKey } from '../../../src/model/ids.ts'

const keys = openShardKeys('ab'.repeat(32))
const keyOf = (id: string): number => deriveShardKey(id as OwnerId)
const owners = Array.from({ length: 40_960 }, (_, i) => createId(i, new Uint8Array(10).fill(i)))

test('a placed id says the shard key of its owner, and keeps all but 12 bits', () => {
  const milliseconds = fc.nat({ max: 2 ** 48 - 1 })
  const random = fc.uint8Array({ minLength: 10, maxLength: 10 })
  fc.assert(
    fc.property(milliseconds, random, fc.string(), (at, bytes, owner) => {
      const id = createId(at, bytes)
      const placed = keys.place(id, owner as OwnerId)
      assert.deepEqual([isId(placed), keys.read(placed)], [true, keyOf(owner)])
      // As the id of a token has it, and as an id beside another.
      assert.equal(keys.read(`${placed}.3`), keyOf(owner))
      assert.equal(keys.read(idBefore(placed, 1)), keyOf(owner))
      // The third letter shares two bits of five.
      assert.equal(placed.slice(0, 10) + placed.slice(13), id.slice(0, 10) + id.slice(13))
      assert.equal(keys.place(placed, owner as OwnerId), placed)
    }),
    { numRuns: 1000 },
  )
  assert.deepEqual(['', 'short', '0123456789*abc'].map(keys.read), [null, null, null])
})

test('the shard key of an owner never changes, and owners spread over all of them', () => {
  assert.deepEqual(['', 'ada', '01m7yzmhg0040g2081040g2081'].map(keyOf), [3213, 3603, 937])
  const counts = [...Map.groupBy(owners, keyOf).values()].map((all) => all.length)
  assert.equal(counts.length, 4096)
  // Ten owners for each of 4096 keys: a fair die gives no key more than 30.
  assert.ok(Math.max(...counts) < 30)
})

test('what ids show of one owner are other bits each time, and others under another secret', () => {
  const owner = 'ada' as OwnerId
  const shown = new Set(owners.map((id) => readIdKey(keys.place(id, owner))))
  // Of 4096 values, 40,960 draws leave out one or none.
  assert.ok(shown.size > 4080)
  const [id = ''] = owners
  const frozen = [keys, openShardKeys('cd'.repeat(32))].map((one) => one.place(id, owner))
  assert.deepEqual(frozen, ['0000000000m7g0000000000000', '0000000000e600000000000000'])
})
