/** What a benchmark refuses before it begins to measure. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keyOperations, operations } from '../../../bench/load/job.ts'
import { parseOptions } from '../../../bench/options.ts'

describe('the options of the benchmark', () => {
  it('are all of it where nothing is asked for', () => {
    const { only, stored, out, document, against } = parseOptions([])
    assert.equal(against, null)
    assert.deepEqual(only, [...operations, ...keyOperations])
    assert.deepEqual([stored, out, document], [[10_000, 5_000_000], 'latest', false])
  })

  it('name a commit to compare with', () => {
    assert.equal(parseOptions(['--against', 'main~20']).against, 'main~20')
  })

  const wrong = {
    '--only tokne,read': /--only: expected any of token, .*, got tokne/,
    '--seconds 0': /--seconds: expected a number from 0.1 on, got 0/,
    '--rounds many': /--rounds: .* got many/,
    '--stored 10k,10k': /--stored: expected each number once/,
    '--stored 100': /--stored: expected a number from 5000 on, got 100/,
    '--out ../latest': /--out: expected letters/,
    '--peers': /--peers/,
    '--second 2': /--second/,
    latest: /latest/,
  }
  for (const [asked, message] of Object.entries(wrong)) {
    it(`refuse ${asked} in a sentence`, () => {
      assert.throws(() => parseOptions(asked.split(' ')), { message })
    })
  }
})
