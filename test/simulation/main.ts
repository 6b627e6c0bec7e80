/**
 * `npm run simulate`: as many runs as asked for, or one of them again with all that happened in it.
 *
 *   npm run simulate -- --seeds 100000 --from 1
 *   npm run simulate -- --seed 4711 --trace
 */
import { parseArgs } from 'node:util'
import { explain } from './audit.ts'
import { breaks } from './broken.ts'
import { openTheatre, type Run, type RunOptions, simulate, type Theatre } from './run.ts'
import { shrink } from './shrink.ts'

// Whoever reads only the beginning (`head`) ends it.
process.stdout.on('error', () => process.exit())
const say = (text: string): boolean => process.stdout.write(`${text}\n`)

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
    without: { type: 'string', default: '' },
    break: { type: 'string' },
  },
})

const broken = values.break === undefined ? {} : breaks[values.break]
if (broken === undefined) throw new Error(`--break has to be one of: ${Object.keys(breaks)}`)

const without = values.without.split(',').filter((name) => name !== '')
const options = { without, ...broken }

const sayOf = ({ findings, isolation, events, simulatedSeconds, history }: Run): void => {
  for (const finding of findings) say(explain(finding))
  say(
    `${findings.length} findings; ${history.operations.length} operations, ${events} events, ` +
      `${simulatedSeconds.toFixed(1)} simulated seconds, steps ${isolation}`,
  )
}

/** Tells of a run that went wrong, in as small a cast as it still goes wrong with. */
const report = async (theatre: Theatre, run: Run, given: Omit<RunOptions, 'seed'>) => {
  const smaller = await shrink(theatre, run, given)
  say(`\nseed ${run.seed} goes wrong`)
  sayOf(smaller.run)
  const left = smaller.without.length === 0 ? '' : ` --without '${smaller.without.join(',')}'`
  const which = values.break === undefined ? '' : ` --break '${values.break}'`
  say(`again: npm run simulate -- --seed ${run.seed}${left}${which} --trace`)
}

const theatre = await openTheatre()
if (values.seed !== undefined) {
  const write = values.trace ? { write: say } : {}
  const run = await simulate(theatre, { seed: Number(values.seed), ...options, ...write })
  sayOf(run)
  process.exitCode = run.findings.length === 0 ? 0 : 1
} else {
  const [from, seeds] = [Number(values.from), Number(values.seeds)]
  let wrong = 0
  for (let seed = from; seed < from + seeds; seed++) {
    const run = await simulate(theatre, { seed, ...options })
    if (run.findings.length > 0) {
      wrong++
      await report(theatre, run, options)
    }
    if ((seed - from + 1) % 1000 === 0) say(`${seed - from + 1} runs, ${wrong} of them wrong`)
  }
  say(`${seeds} runs from seed ${from}, ${wrong} of them wrong`)
  process.exitCode = wrong === 0 ? 0 : 1
}
