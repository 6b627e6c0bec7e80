/** Every test that imports `fast-check` gets it with the seed of this run. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'

test('properties are tried on the same values in each run, or on those of TEST_SEED', () => {
  const { TEST_SEED: seed = '20261122' } = process.env
  assert.equal(fc.readConfigureGlobal().seed, seed === 'random' ? undefined : Number(seed))
})
