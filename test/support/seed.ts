/**
 * Gives every test its `fast-check`: properties are tried on the same values in each run, so that
 * nobody's change fails by another one's luck. `TEST_SEED=random npm test`, or a number, tries others.
 */
import fc from 'fast-check'

const { TEST_SEED: seed = '20261122' } = process.env
if (seed !== 'random') {
  if (!/^-?\d+$/.test(seed))
    throw new Error(`TEST_SEED has to be a whole number or random, not ${seed}`)
  fc.configureGlobal({ seed: Number(seed) })
}

export { default } from 'fast-check'
