/** Two nodes, one store, a crowd and bad weather, four hundred times (F-27); `npm run simulate` does more. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, describe, it } from 'node:test'
import { Worker } from 'node:worker_threads'
import { breaks } from './broken.ts'
import { openTheatre, simulate } from './run.ts'
import type { Job, Outcome } from './worker.ts'

const theatre = await openTheatre()
/** In stretches, so that no test takes long. Each broken program has to be found within the first stretch. */
const stretches = [1, 201]
const runs = 200

/** As many as work beside one another, so that both processors of a small machine are busy. */
const workers = [1, 2].map(() => new Worker(new URL('worker.ts', import.meta.url)))
const idle = [...workers]
after(() => Promise.all(workers.map((worker) => worker.terminate())))

const tryOut = async (job: Job): Promise<Outcome> => {
  const worker = idle.pop()
  if (worker === undefined) throw new Error('more jobs at once than workers')
  const answered = once(worker, 'message')
  worker.postMessage(job)
  const [outcome] = await answered
  idle.push(worker)
  return outcome
}

describe('a simulation', { concurrency: workers.length }, () => {
  for (const from of stretches) {
    it(`keeps all promises in ${runs} runs from seed ${from}`, async (t) => {
      const { operations, found } = await tryOut({ from, runs, broken: null })
      assert.equal(found?.told, undefined)
      assert.ok(operations > runs)
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

  for (const name of Object.keys(breaks)) {
    it(`finds ${name}`, async (t) => {
      const { found } = await tryOut({ from: 1, runs, broken: name })
      if (found === null) assert.fail(`not found in ${runs} runs`)
      t.diagnostic(`found by seed ${found.seed}: ${found.rule}`)
    })
  }
})
