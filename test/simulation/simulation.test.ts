/** Two nodes, one store, a crowd and bad weather, thousands of times (F-27); `npm run simulate` does more. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { explain } from './audit.ts'
import { breaks } from './broken.ts'
import { openTheatre, type Run, simulate } from './run.ts'
import { shrink } from './shrink.ts'

const theatre = await openTheatre()
/** In stretches, so that no test takes long. */
const stretches = [1, 501, 1001, 1501]
const runs = 500
/** In so many runs each broken program has to be found. */
const runsToFind = 400

const tellOf = async (run: Run): Promise<string> => {
  const { run: smaller, without } = await shrink(theatre, run, {})
  const left = without.length === 0 ? '' : ` --without '${without.join(',')}'`
  return [
    `npm run simulate -- --seed ${run.seed}${left} --trace`,
    ...smaller.findings.map(explain),
  ].join('\n')
}

describe('a simulation', () => {
  for (const from of stretches) {
    it(`keeps all promises in ${runs} runs from seed ${from}`, async (t) => {
      let operations = 0
      for (let seed = from; seed < from + runs; seed++) {
        const run = await simulate(theatre, { seed })
        operations += run.history.operations.length
        if (run.findings.length > 0) assert.fail(await tellOf(run))
      }
      t.diagnostic(`${runs} runs with ${operations} operations`)
    })
  }

  it('is the same again with the same seed, event by event', async () => {
    const traceOf = async (seed: number) => {
      const events: string[] = []
      const { history } = await simulate(theatre, { seed, write: (text) => events.push(text) })
      return { events, history }
    }
    for (const seed of [1, 2, 3, 4, 5]) {
      const [once, again] = [await traceOf(seed), await traceOf(seed)]
      assert.ok(once.events.length > 50)
      assert.deepEqual(again, once)
    }
  })

  for (const [name, broken] of Object.entries(breaks)) {
    it(`finds ${name}`, async (t) => {
      for (let seed = 1; seed <= runsToFind; seed++) {
        const run = await simulate(theatre, { seed, ...broken })
        if (run.findings.length === 0) continue
        t.diagnostic(`found by seed ${seed}: ${run.findings[0]?.rule}`)
        return
      }
      assert.fail(`not found in ${runsToFind} runs`)
    })
  }
})
