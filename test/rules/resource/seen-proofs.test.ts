/** Proofs that an API has seen: each once per key, up to a bound. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSeenProofs } from '../../../src/resource/seen-proofs.ts'

const proof = (jkt: string, jti: string, expiresAt = 61) => ({ jkt, jti, expiresAt, nonce: null })

test('a jti counts once per key, whatever its time', async () => {
  const { claim } = createSeenProofs(10)
  assert.equal(await claim(proof('a', '1'), 0), 'first')
  assert.equal(await claim(proof('a', '1'), 0), 'again')
  assert.equal(await claim(proof('a', '1', 70), 60), 'again')
  assert.equal(await claim(proof('b', '1'), 60), 'first')
  assert.equal(await claim(proof('a', '2'), 60), 'first')
  assert.equal(await claim(proof('a\n2', '3'), 60), 'first')
})

test('a proof is forgotten once nobody takes it any more', async () => {
  const { claim } = createSeenProofs(1)
  assert.equal(await claim(proof('a', '1', 61), 0), 'first')
  assert.equal(await claim(proof('a', '1', 61), 60), 'again')
  assert.equal(await claim(proof('a', '1', 130), 61), 'first')
})

test('where there is no place left, a new proof is refused, and an old one is still known', async () => {
  const { claim } = createSeenProofs(2)
  await claim(proof('a', '1', 61), 0)
  await claim(proof('a', '2', 62), 0)
  assert.equal(await claim(proof('a', '3', 63), 1), 'full')
  assert.equal(await claim(proof('a', '1', 63), 1), 'again')
  assert.equal(await claim(proof('a', '3', 63), 61), 'first')
  assert.equal(await claim(proof('a', '4', 63), 61), 'full')
})

test('after a clock was an hour ahead, new proofs pass at once, and those of that hour not again', async () => {
  const { claim } = createSeenProofs(2)
  await claim(proof('a', 'ahead', 3661), 3600)
  for (const at of [0, 61]) assert.equal(await claim(proof('a', `${at}`, at + 61), at), 'first')
  assert.equal(await claim(proof('a', 'ahead', 3661), 3600), 'again')
})

test('of the same proof many times at once one is the first', async () => {
  const { claim } = createSeenProofs(10)
  const told = await Promise.all(Array.from({ length: 5 }, () => claim(proof('a', '1'), 0)))
  assert.deepEqual(told.sort(), ['again', 'again', 'again', 'again', 'first'])
})
