/** When an operation of the benchmark is warm. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { warmUp } from '../../../bench/warm.ts'

/** How many slices ran, and the fault. */
const warmWith = async (slices: readonly (number | string)[]) => {
  let ran = 0
  const fault = await warmUp(async () => slices[ran++] ?? ran * 1000)
  return [ran, fault]
}

test('two slices in a row are alike if they differ by less than a twentieth, upwards or downwards', async () => {
  assert.deepEqual(await warmWith([1000, 951]), [2, null])
  assert.deepEqual(await warmWith([951, 1000]), [2, null])
  assert.deepEqual(await warmWith([1000, 950, 930]), [3, null])
  assert.deepEqual(await warmWith([950, 1000, 990]), [3, null])
  assert.deepEqual(await warmWith([100, 200, 100, 300, 310]), [5, null])
})

test('slices that are never alike end after twelve', async () => {
  assert.deepEqual(await warmWith([0]), [12, null])
})

test('a fault ends it at once', async () => {
  assert.deepEqual(await warmWith([1000, 'wrong answer', 1000]), [2, 'wrong answer'])
})
