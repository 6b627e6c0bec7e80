/** Proofs that a service remembers: each once, up to a bound. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRememberedProofs } from '../../../src/tokens/proofs/remembered-proofs.ts'

test('a proof counts once, whatever its time', () => {
  const { claim } = createRememberedProofs(10)
  assert.equal(claim('a', 61, 0), 'first')
  assert.equal(claim('a', 61, 0), 'again')
  assert.equal(claim('b', 121, 60), 'first')
  assert.equal(claim('a', 121, 60), 'again')
  assert.equal(claim('a', 122, 61), 'first')
  assert.equal(claim('b', 122, 61), 'again')
})

test('a proof is forgotten once nobody takes it any more', () => {
  const { claim } = createRememberedProofs(1)
  assert.equal(claim('a', 61, 0), 'first')
  assert.equal(claim('a', 61, 60), 'again')
  assert.equal(claim('b', 130, 60), 'full')
  assert.equal(claim('a', 130, 61), 'first')
})

test('a late request brings no forgotten proof back', () => {
  const { claim } = createRememberedProofs(10)
  claim('a', 61, 0)
  claim('b', 161, 100)
  assert.deepEqual([claim('a', 61, 60), claim('c', 61, 60)], ['again', 'again'])
  assert.equal(claim('c', 62, 1), 'first')
})

test('where there is no place left, a new proof is refused, and an old one is still known', () => {
  const { claim } = createRememberedProofs(2)
  claim('a', 61, 0)
  claim('b', 62, 0)
  assert.equal(claim('c', 63, 1), 'full')
  assert.equal(claim('a', 63, 1), 'again')
  assert.equal(claim('c', 124, 63), 'first')
  assert.equal(claim('d', 124, 63), 'first')
  assert.equal(claim('e', 124, 63), 'full')
})
