/** The store contract for what a store notes about itself. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawRandom } from '../../../src/crypto/digest.ts'
import { openShardKeys } from '../../../src/crypto/shard-keys.ts'
import { createId, type OwnerId } from '../../../src/model/ids.ts'
import { openKeys } from '../../../src/store/placed-id.ts'
import type { Store } from '../../../src/store/store.ts'
import { start, together } from '../moments.ts'

export const factContract = (store: () => Store): void => {
  test('a fact is set once, and changed only by whoever knows what it says', async () => {
    assert.equal(await store().findFact('demo'), null)
    assert.equal(await store().setFact('demo', 'nothing', 'one'), false)
    assert.equal(await store().setFact('demo', null, 'one'), true)
    assert.equal(await store().setFact('demo', null, 'two'), false)
    assert.equal(await store().findFact('demo'), 'one')
    assert.equal(await store().setFact('demo', 'two', 'three'), false)
    assert.equal(await store().setFact('demo', 'one', 'two'), true)
    assert.equal(await store().findFact('demo'), 'two')
    assert.equal(await store().findFact('root secret'), null)
  })

  test('nodes that need the shard secret at once agree on one', async () => {
    const [id, owner] = [createId(start, drawRandom(10)), 'somebody' as OwnerId]
    const { findFact, setFact }: Pick<Store, 'findFact' | 'setFact'> = {
      findFact: (...asked) => store().findFact(...asked),
      setFact: (...said) => store().setFact(...said),
    }
    const nodes = Array.from({ length: 4 }, () => openKeys({ findFact, setFact }, drawRandom))
    const placed = (await Promise.all(nodes)).map((keys) => keys.place(id, owner))
    const keys = openShardKeys((await store().findFact('shard secret')) ?? '')
    assert.deepEqual(placed, Array(4).fill(keys.place(id, owner)))
  })

  test('of many that set a fact at once, one does', async () => {
    const set = await together(10, (i) => store().setFact('one-time codes', null, `fact ${i}`))
    assert.equal(set.filter(Boolean).length, 1)
    assert.equal(await store().findFact('one-time codes'), `fact ${set.indexOf(true)}`)
  })
}
