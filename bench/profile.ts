/** `node bin/latchkey.js run bench/profile.ts`: what the time of each operation goes to. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startGenerator } from './generator.ts'
import { type Operation, operations } from './load/job.ts'
import { connections, Supplies } from './material.ts'
import { takePlace } from './place.ts'
import { checkResults, writeResults } from './report/files.ts'
import {
  layerNames,
  layerOfThread,
  type Profile,
  secondsByFunction,
  secondsByLayer,
} from './report/layers.ts'
import { renderTable, whole } from './report/markdown.ts'
import { writePage } from './report/page.ts'
import { otherThreads } from './resources.ts'
import { makeStored } from './stored.ts'
import { heap, latchkey } from './subjects/latchkey.ts'
import { start } from './subjects/subject.ts'
import { listOf, nameOf, readArguments } from './usage.ts'

const slices = 4
const sliceSeconds = 2
const functionsShown = 25
/** Stored before, so that all that is asked with is made here and nothing but the operation is profiled. */
const families = 100_000

interface Profiled {
  readonly operation: Operation
  readonly perSecond: number
  /** CPU microseconds of a request by layer; a slowed one, for profiling costs too. */
  readonly layers: Readonly<Record<string, number>>
  /** Microseconds on the main thread by function, the most expensive first. */
  readonly functions: readonly (readonly [string, number])[]
}

/** What each thread but the first has used since `before`. */
const threadsSince = (pid: number, before: ReturnType<typeof otherThreads>) => {
  const sums = new Map<string, number>()
  const add = (sign: number, those: ReturnType<typeof otherThreads>): void => {
    for (const [thread, seconds] of those) {
      const layer = layerOfThread(thread)
      sums.set(layer, (sums.get(layer) ?? 0) + sign * seconds)
    }
  }
  add(-1, before)
  add(1, otherThreads(pid))
  return sums
}

const profile = async (operation: Operation, folder: string): Promise<Profiled> => {
  const place = join(folder, 'profiles')
  const options = [...heap, '--cpu-prof', `--cpu-prof-dir=${place}`, '--cpu-prof-interval=200']
  const path = join(folder, 'profile.db')
  const mint = await makeStored(path, families, false)
  const about = { name: 'Latchkey', about: '', store: `sqlite:${path}`, stored: families, mint }
  const running = await start(latchkey(about, folder, options))
  const generator = startGenerator()
  const supplies = new Supplies(running, generator)
  const before = otherThreads(running.pid)
  let done = 0
  let seconds = 0
  for (let slice = 0; slice < slices; slice++) {
    const material = await supplies.get(operation, sliceSeconds)
    const outcome = await generator.run({
      work: operation,
      target: running.target,
      seconds: sliceSeconds,
      connections,
      rate: null,
      most: null,
      awake: running.subject.awake,
      material,
      keep: 1000,
    })
    if (outcome.wrong > 0) throw new Error(`wrong answer: ${outcome.firstWrong}`)
    supplies.took(operation, outcome)
    done += outcome.done
    seconds += outcome.seconds
  }
  const threads = threadsSince(running.pid, before)
  await running.stop()
  await generator.close()
  // The first thread's is the largest; that of a thread which was ended may be missing.
  const [main] = readdirSync(place)
    .map((file): Profile => JSON.parse(readFileSync(join(place, file), 'utf8')))
    .sort((a, b) => b.samples.length - a.samples.length)
  if (main === undefined) throw new Error('no profile was written')
  const each = (amount: number): number => Math.round((amount * 1e7) / done) / 10
  const sums = new Map([...secondsByLayer(main), ...threads])
  return {
    operation,
    perSecond: Math.round(done / seconds),
    layers: Object.fromEntries(layerNames.map((name) => [name, each(sums.get(name) ?? 0)])),
    functions: secondsByFunction(main)
      .slice(0, functionsShown)
      .map(([name, sum]) => [name, each(sum)]),
  }
}

/** A column for each operation, in microseconds of CPU. */
const renderLayers = (all: readonly Profiled[]): string => {
  const together = ({ layers }: Profiled): number =>
    Object.values(layers).reduce((sum, us) => sum + us, 0)
  return renderTable([
    ['us of CPU', ...all.map(({ operation }) => operation)],
    ...layerNames.map((name) => [name, ...all.map(({ layers }) => (layers[name] ?? 0).toFixed(1))]),
    ['together', ...all.map((one) => together(one).toFixed(1))],
    ['requests a second', ...all.map(({ perSecond }) => whole(perSecond))],
  ])
}

const renderFunctions = ({ operation, functions }: Profiled): string =>
  renderTable([[operation, 'us'], ...functions.map(([name, us]) => [name, us.toFixed(1)])])

const profilable = operations.filter((operation) => !operation.endsWith('-cold'))

const usage = `node bin/latchkey.js run bench/profile.ts [options]

  --only token,refresh    of: ${profilable.join(', ')} (default: all but journey and login)
  --out NAME              writes bench/results/NAME.json
  --document              also writes the table into bench/results/tables.md
`

const parseOptions = (args: readonly string[]) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: 'token,code,refresh,introspect,revoke,read' },
      out: { type: 'string' },
      document: { type: 'boolean', default: false },
    },
  })
  const { only, out, document } = values
  return {
    only: listOf('only', only, profilable),
    out: out === undefined ? null : nameOf('out', out),
    document,
  }
}

const { only, out, document } = readArguments(usage, parseOptions)
checkResults()
const { folder } = takePlace()
const all: Profiled[] = []
for (const operation of only) {
  process.stderr.write(`profile: ${operation}\n`)
  const own = join(folder, operation)
  mkdirSync(own)
  all.push(await profile(operation, own))
}
const table = renderLayers(all)
process.stdout.write(`${[...all.map(renderFunctions), table].join('\n\n')}\n`)
if (out !== null) writeResults(out, all)
if (document) writePage('profile', `${table}\n`)
process.exit(0)
