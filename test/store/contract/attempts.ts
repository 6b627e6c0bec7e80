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

  test('LG-06 five tries are free, then waits double up to the longest', async () => {
    const keys = [next('owner'), next('address')]
    for (let i = 0; i < 5; i++) assert.deepEqual(await admit(keys), admitted)
    let at = start
    for (const seconds of [1, 2, 4, 8, 8]) {
      assert.deepEqual(await admit(keys, at), wait(seconds))
      assert.deepEqual(await admit(keys, at + seconds - 1), wait(1))
      at += seconds
      assert.deepEqual(await admit(keys, at), admitted)
    }
  })

  test('LG-07 RC-11 of fifty at once, five are admitted', async () => {
    const keys = [next('owner'), next('address')]
    const outcomes = await together(50, () => admit(keys))
    assert.equal(outcomes.filter(({ outcome }) => outcome === 'admitted').length, 5)
    assert.deepEqual(outcomes.at(-1), wait(1))
  })

  test('where one key has to wait, nothing is counted against the others', async () => {
    const [owner, address] = [next('owner'), next('address')]
    for (let i = 0; i < 5; i++) await admit([owner])
    for (let i = 0; i < 50; i++) assert.deepEqual(await admit([address, owner]), wait(1))
    for (let i = 0; i < 5; i++) assert.deepEqual(await admit([address]), admitted)
    assert.deepEqual(await admit([address]), wait(1))
  })

  test('a counter that was not touched for long starts anew', async () => {
    const keys = [next('owner')]
    for (let i = 0; i < 5; i++) await admit(keys)
    for (let i = 0; i < 5; i++) assert.deepEqual(await admit(keys, start + 100), admitted)
    assert.deepEqual(await admit(keys, start + 100), wait(1))
  })

  test('a right attempt clears the first counter and gives the second its try back', async () => {
    const [owner, address] = [next('owner'), next('address')]
    for (let i = 0; i < 4; i++) await admit([owner, address])
    assert.deepEqual(await admit([owner, address]), admitted)
    await store().clearAttempts(owner, address, trace())
    for (let i = 0; i < 5; i++) assert.deepEqual(await admit([owner]), admitted)
    assert.deepEqual(await admit([owner]), wait(1))
    assert.deepEqual(await admit([address]), admitted)
    assert.deepEqual(await admit([address]), wait(1))
  })

  test('a right attempt does not lift a wait that wrong ones have earned', async () => {
    const [owner, address] = [next('owner'), next('address')]
    for (let i = 0; i < 5; i++) await admit([address])
    assert.deepEqual(await admit([owner, address], start + 1), admitted)
    await store().clearAttempts(owner, address, trace())
    assert.deepEqual(await admit([address], start + 1), wait(2))
    assert.deepEqual(await admit([address], start + 3), admitted)
    assert.deepEqual(await admit([address], start + 3), wait(2))
  })
}
