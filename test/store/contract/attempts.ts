/** The store contract for the counting of guesses. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttemptRule, Store } from '../../../src/store/store.ts'
import { next, start, together, trace } from '../sample.ts'

const rule: AttemptRule = { freeTries: 5, longestWaitSeconds: 8, forgetSeconds: 100 }
const admitted = { outcome: 'admitted' }
const wait = (seconds: number) => ({ outcome: 'wait', seconds })

export const attemptContract = (store: () => Store): void => {
  const admit = (keys: readonly string[], at = start) => store().admitAttempt(keys, rule, trace(at))

  /** So many tries that the last of them has to be followed by a wait of one second. */
  const tire = async (keys: readonly string[], at = start) => {
    for (let i = 0; i < 6; i++) assert.deepEqual(await admit(keys, at), admitted)
  }

  test('LG-06 five tries are free, then waits double up to the longest', async () => {
    const keys = [next('owner'), next('address')]
    await tire(keys)
    let at = start
    for (const seconds of [1, 2, 4, 8, 8]) {
      assert.deepEqual(await admit(keys, at), wait(seconds))
      assert.deepEqual(await admit(keys, at + seconds - 1), wait(1))
      at += seconds
      assert.deepEqual(await admit(keys, at), admitted)
    }
  })

  test('LG-07 RC-11 of fifty at once, the five free ones are admitted and one more', async () => {
    const keys = [next('owner'), next('address')]
    const outcomes = await together(50, () => admit(keys))
    assert.equal(outcomes.filter(({ outcome }) => outcome === 'admitted').length, 6)
    assert.deepEqual(outcomes.at(-1), wait(1))
  })

  test('where one key has to wait, nothing is counted against the others', async () => {
    const [owner, address] = [next('owner'), next('address')]
    await tire([owner])
    for (let i = 0; i < 50; i++) assert.deepEqual(await admit([address, owner]), wait(1))
    await tire([address])
    assert.deepEqual(await admit([address]), wait(1))
  })

  test('a counter that was not touched for long starts anew', async () => {
    const keys = [next('owner')]
    await tire(keys)
    await tire(keys, start + 100)
    assert.deepEqual(await admit(keys, start + 100), wait(1))
  })

  test('F-14 a clock that was set back makes nobody wait for longer than the longest', async () => {
    const keys = [next('owner'), next('address')]
    await tire(keys, start + 1_000_000)
    assert.deepEqual(await admit(keys), wait(8))
    assert.deepEqual(await admit(keys, start + 7), wait(1))
    assert.deepEqual(await admit(keys, start + 8), admitted)
    assert.deepEqual(await admit(keys, start + 8), wait(2))
  })

  test('a right attempt clears the first counter and gives the second its try back', async () => {
    const [owner, address] = [next('owner'), next('address')]
    for (let i = 0; i < 4; i++) await admit([owner, address])
    assert.deepEqual(await admit([owner, address]), admitted)
    await store().clearAttempts(owner, address, trace())
    await tire([owner])
    assert.deepEqual(await admit([owner]), wait(1))
    for (let i = 0; i < 2; i++) assert.deepEqual(await admit([address]), admitted)
    assert.deepEqual(await admit([address]), wait(1))
  })

  test('a right attempt lifts the wait that it set itself, and none that a wrong one earned', async () => {
    const [owner, address] = [next('owner'), next('address')]
    await tire([address])
    assert.deepEqual(await admit([owner, address], start + 1), admitted)
    assert.deepEqual(await admit([address], start + 1), wait(2))
    await store().clearAttempts(owner, address, trace(start + 1))
    assert.deepEqual(await admit([owner, address], start + 1), admitted)
    assert.deepEqual(await admit([address], start + 3), admitted)
    await store().clearAttempts(owner, address, trace(start + 1))
    assert.deepEqual(await admit([address], start + 3), wait(4))
    assert.deepEqual(await admit([address], start + 7), admitted)
    assert.deepEqual(await admit([address], start + 7), wait(4))
  })
}
