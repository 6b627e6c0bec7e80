/** When an operation of the benchmark is warm. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areAlike } from '../../../bench/measure.ts'

test('two slices are alike if they differ by less than a twentieth, upwards or downwards', () => {
  const pairs = [
    [1000, 951],
    [951, 1000],
    [1000, 950],
    [950, 1000],
    [0, 1],
  ] as const
  assert.deepEqual(
    pairs.map(([before, now]) => areAlike(before, now)),
    [true, true, false, false, false],
  )
})
