/** `node bin/latchkey.js run bench/profile.ts --only token`: what the time of one operation goes to. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startGenerator } from './generator.ts'
import { type Operation, operations } from './load/job.ts'
import { connections, Supplies } from './material.ts'
import { endCleanly, otherThreadsSeconds } from './process.ts'
import { type Profile, secondsByFunction, secondsByLayer, starting } from './report/layers.ts'
import { renderTable } from './report/markdown.ts'
import { latchkey } from './subjects/latchkey.ts'
import { start } from './subjects/subject.ts'

const slices = 4
const sliceSeconds = 2
const functionsShown = 25

interface Profiled {
  readonly operation: Operation
  readonly perSecond: number
  /** Microseconds of a request on the main thread, by layer; a slowed one, for profiling costs too. */
  readonly layers: Readonly<Record<string, number>>
  /** Microseconds of a request on other threads: the writer of the store, compiling, collecting. */
  readonly otherThreads: number
  readonly functions: readonly (readonly [string, number])[]
}

const profile = async (operation: Operation, folder: string): Promise<Profiled> => {
  const place = join(folder, 'profiles')
  const options = ['--cpu-prof', `--cpu-prof-dir=${place}`, '--cpu-prof-interval=200']
  const store = `sqlite:${join(folder, 'profile.db')}`
  const about = { name: 'Latchkey', about: '', store, stored: 0 }
  const running = await start(latchkey(about, folder, options))
  const generator = startGenerator()
  const supplies = new Supplies(running, generator)
  let done = 0
  let seconds = 0
  let others = 0
  for (let slice = 0; slice < slices; slice++) {
    const material = await supplies.get(operation, sliceSeconds)
    const before = otherThreadsSeconds(running.pid)
    const outcome = await generator.run({
      work: operation,
      target: running.target,
      seconds: sliceSeconds,
      connections,
      rate: null,
      most: null,
      awake: true,
      material,
      keep: 1000,
    })
    supplies.took(operation, outcome)
    others += otherThreadsSeconds(running.pid) - before
    done += outcome.done
    seconds += outcome.seconds
  }
  await running.stop()
  await generator.close()
  // The first thread's is the largest; that of a thread which was ended may be missing.
  const [main] = readdirSync(place)
    .map((file): Profile => JSON.parse(readFileSync(join(place, file), 'utf8')))
    .sort((a, b) => b.samples.length - a.samples.length)
  if (main === undefined) throw new Error('no profile was written')
  const each = (amount: number): number => Math.round((amount * 1e7) / done) / 10
  return {
    operation,
    perSecond: Math.round(done / seconds),
    layers: Object.fromEntries(
      [...secondsByLayer(main)]
        .filter(([name]) => name !== starting)
        .sort((a, b) => b[1] - a[1])
        .map(([name, sum]) => [name, each(sum)]),
    ),
    otherThreads: each(others),
    functions: secondsByFunction(main)
      .slice(0, functionsShown)
      .map(([name, sum]) => [name, each(sum)]),
  }
}

const show = ({ operation, perSecond, layers, otherThreads, functions }: Profiled): string =>
  [
    `${operation}: ${perSecond} a second under the profiler, microseconds of each by layer`,
    renderTable([
      ['layer', 'us'],
      ...Object.entries(layers).map(([name, us]) => [name, us.toFixed(1)]),
      ['other threads', otherThreads.toFixed(1)],
    ]),
    renderTable([['function', 'us'], ...functions.map(([name, us]) => [name, us.toFixed(1)])]),
    '',
  ].join('\n\n')

const { values } = parseArgs({
  options: { only: { type: 'string', default: 'token' }, out: { type: 'string' } },
})
const asked = operations.filter((operation) => values.only.split(',').includes(operation))
if (asked.length === 0) {
  process.stderr.write(`--only: expected any of ${operations.join(', ')}, got ${values.only}\n`)
  process.exit(2)
}
endCleanly(() => {})
const all: Profiled[] = []
for (const operation of asked) {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-profile-'))
  try {
    const profiled = await profile(operation, folder)
    all.push(profiled)
    process.stdout.write(`${show(profiled)}\n`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
if (values.out !== undefined) {
  const place = join(import.meta.dirname, 'results')
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, `${values.out}.json`), `${JSON.stringify(all, null, 1)}\n`)
}
process.exit(0)
