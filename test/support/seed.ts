/**
 * Gives every test its `fast-check`: properties are tried on the same values in each run, so that
 * nobody's change fails by another one's luck. `TEST_SEED=random npm test`, or a number, tries others.
 */
import fc, { type StringConstraints } from 'fast-check'

const { TEST_SEED: seed = '20261122' } = process.env
if (seed !== 'random') {
  if (!/^-?\d+$/.test(seed))
    throw new Error(`TEST_SEED has to be a whole number or random, not ${seed}`)
  fc.configureGlobal({ seed: Number(seed) })
}

const firstSurrogate = 0xd800
const surrogates = 0x800

/**
 * Any character of Unicode. To find the number of one, fast-check maps all 1,112,064 of them first,
 * which takes a second of each process.
 */
const anyCharacter = fc.nat({ max: 0x10ffff - surrogates }).map(
  (number) => String.fromCodePoint(number < firstSurrogate ? number : number + surrogates),
  (character) => {
    const code = typeof character === 'string' ? (character.codePointAt(0) ?? -1) : -1
    if (code < 0 || String.fromCodePoint(code) !== character || !character.isWellFormed()) {
      throw new Error('no character')
    }
    return code < firstSurrogate ? code : code - surrogates
  },
)

const makeStrings = (constraints: StringConstraints = {}) =>
  fc.string(constraints.unit === 'binary' ? { ...constraints, unit: anyCharacter } : constraints)

// biome-ignore lint/style/noDefaultExport: it stands for a package that has one
export default { ...fc, string: makeStrings }
