/** The store contract for what a store notes about itself. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Store } from '../../../src/store/store.ts'
import { together } from '../moments.ts'

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

  test('of many that set a fact at once, one does', async () => {
    const set = await together(10, (i) => store().setFact('one-time codes', null, `fact ${i}`))
    assert.equal(set.filter(Boolean).length, 1)
    assert.equal(await store().findFact('one-time codes'), `fact ${set.indexOf(true)}`)
  })
}
