import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseExactJson } from '../../../src/http/body.ts'
import { httpLimits } from '../../../src/http/limits.ts'
import { Refusal } from '../../../src/protocol/refusal.ts'

const refusalOf = (text: string): string => {
  try {
    parseExactJson(text)
  } catch (fault) {
    if (fault instanceof Refusal) return fault.description
    throw fault
  }
  return 'accepted'
}

const inexact = (number: string, place: string): string =>
  `the number ${number} at ${place} cannot be kept exactly: send it as a string`

describe('a number that a double cannot hold is refused, with its place', () => {
  const rows: readonly [text: string, number: string, place: string][] = [
    ['{"a":1e400}', '1e400', 'a'],
    ['{"a":-1e400}', '-1e400', 'a'],
    ['{"b":12345678901234567890}', '12345678901234567890', 'b'],
    ['{"b":9007199254740992}', '9007199254740992', 'b'],
    ['{"a":{"b":[1,2,{"c d":9007199254740993.0}]}}', '9007199254740993.0', 'a.b[2].c d'],
    ['{"tiny":1e-400}', '1e-400', 'tiny'],
    ['{"long":0.1234567890123456789}', '0.1234567890123456789', 'long'],
    ['[[0,18446744073709551616]]', '18446744073709551616', '[0][1]'],
    ['1e999', '1e999', 'the top'],
    [`{"${'x'.repeat(100)}":1e400}`, '1e400', `${'x'.repeat(60)}...`],
  ]
  for (const [text, number, place] of rows) {
    test(text.slice(0, 60), () => assert.equal(refusalOf(text), inexact(number, place)))
  }
})

test('a number that is too long is refused', () => {
  for (const length of [httpLimits.numberCharacters, 60_000]) {
    const number = `1.${'0'.repeat(length)}1`
    const text = `${number.slice(0, 60)}...`
    assert.equal(refusalOf(`{"a":${number}}`), inexact(text, 'a'))
  }
})

describe('other numbers are kept', () => {
  for (const text of [
    '0',
    '-0',
    '0.0',
    '0e5',
    '0.1',
    '1.50',
    '100.0',
    '1E3',
    '1e-3',
    '123456.789e3',
    '1e300',
    '5e-324',
    '9007199254740991',
    '-9007199254740991',
    '0.30000000000000004',
    `1.${'0'.repeat(300)}`,
    `0.${'0'.repeat(300)}1`,
  ]) {
    test(text, () => assert.equal(parseExactJson(text), Number(text)))
  }

  test('every double as JSON writes it', () => {
    fc.assert(
      fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (value) => {
        const isBeyond = Number.isInteger(value) && !Number.isSafeInteger(value)
        fc.pre(!isBeyond)
        // JSON has no negative zero of its own.
        assert.equal(parseExactJson(JSON.stringify(value)), value === 0 ? 0 : value)
      }),
    )
  })
})

test('numbers in strings and names are text', () => {
  const value = { 'a 1e400': '12345678901234567890', __proto__: null }
  assert.deepEqual({ ...(parseExactJson(JSON.stringify(value)) as object) }, { ...value })
})
