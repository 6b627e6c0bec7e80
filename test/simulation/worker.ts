/**
 * Simulates on a thread of its own. The test runner watches each promise of its thread, which takes
 * two fifths of a simulation's time.
 */
import assert from 'node:assert/strict'
import { parentPort } from 'node:worker_threads'
import { explain } from './audit.ts'
import { breaks } from './broken.ts'
import { drawGuest } from './guests/index.ts'
import { openTheatre, type Run, simulate } from './run.ts'
import { shrink } from './shrink.ts'

/** Seeds to try in turn, until one finds something. */
export interface Job {
  readonly from: number
  readonly runs: number
  /** A name in `breaks`; null for the program as it is. */
  readonly broken: string | null
}

export interface Outcome {
  readonly operations: number
  readonly found: { readonly seed: number; readonly rule: string; readonly told: string } | null
}

const theatre = await openTheatre()

const tellOf = async (run: Run): Promise<string> => {
  const { run: smaller, without } = await shrink(theatre, run, {})
  const left = without.length === 0 ? '' : ` --without '${without.join(',')}'`
  return [
    `npm run simulate -- --seed ${run.seed}${left} --trace`,
    ...smaller.findings.map(explain),
  ].join('\n')
}

const work = async ({ from, runs, broken }: Job): Promise<Outcome> => {
  const flawed = broken === null ? {} : (breaks[broken] ?? assert.fail(`no break ${broken}`))
  const { guest, ...change } = flawed
  let operations = 0
  for (let seed = from; seed < from + runs; seed++) {
    if (guest !== undefined && drawGuest(seed)?.name !== guest) continue
    const run = await simulate(theatre, { seed, ...change })
    operations += run.history.operations.length
    const [first] = run.findings
    if (first === undefined) continue
    const told = broken === null ? await tellOf(run) : ''
    return { operations, found: { seed, rule: first.rule, told } }
  }
  return { operations, found: null }
}

parentPort?.on('message', async (job: Job) => parentPort?.postMessage(await work(job)))
