/** `npm run bench`: Latchkey, the floor and its peers, side by side in one run. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameCommit } from './against.ts'
import { isPinned } from './cores.ts'
import { doubtsAbout, environmentOf } from './environment.ts'
import { sayFault } from './faults.ts'
import { attempt, type Gathered, gather } from './gather.ts'
import { startGenerator } from './generator.ts'
import { longestSlice } from './material.ts'
import { measure } from './measure.ts'
import { measureNodes } from './nodes.ts'
import { type Options, parseOptions, usage } from './options.ts'
import { freeBytes, type Place, takePlace } from './place.ts'
import { drawResults } from './report/drawing.ts'
import { checkResults, writeResults } from './report/files.ts'
import { writePage } from './report/page.ts'
import { renderResults } from './report/table.ts'
import type { NodesRow, Results } from './results.ts'
import { bytesFor } from './stored.ts'
import { readArguments, refuse } from './usage.ts'

const say = (line: string): void => void process.stderr.write(`bench: ${line}\n`)

const { version } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
) as { version: string }

const run = async (options: Options, place: Place): Promise<Results> => {
  const environment = environmentOf(options, place.folder)
  const gathered: Gathered = {
    started: [],
    files: [],
    versions: { latchkey: version },
    postgres: null,
    notes: [...doubtsAbout(environment)],
  }
  const { started, files, versions, notes } = gathered
  const generators = [startGenerator(), startGenerator()] as const
  try {
    await gather(gathered, options, place, say)
    const measured = await measure(started, options, generators, say)
    notes.push(...measured.notes)
    const nodes: NodesRow[] = []
    const { postgres } = gathered
    if (options.nodes === 2 && postgres !== null && isPinned) {
      await attempt('A part of two nodes', gathered, say, () =>
        measureNodes(postgres, place.folder, options, nodes, say),
      )
    }
    return { environment, versions, ...measured, nodes, files, notes }
  } finally {
    for (const running of started) await running.stop('SIGKILL')
    for (const generator of generators) await generator.close()
    await gathered.postgres?.stop().catch((fault) => say(sayFault(fault)))
  }
}

const asked = readArguments(usage, parseOptions)
const options = {
  ...asked,
  seconds: Math.min(asked.seconds, longestSlice),
  against: asked.against === null ? null : nameCommit(asked.against),
}
if (options.seconds < asked.seconds) {
  say(`a slice takes ${longestSlice} seconds at most, since codes live for a minute`)
}
checkResults()
const place = takePlace()
const [needed, free] = [bytesFor(options), freeBytes(place.folder)]
if (free < needed) {
  const [need, have] = [needed, free].map((bytes) => (bytes / 2 ** 30).toFixed(1))
  refuse(
    `What is to be stored before needs ${need} GB in ${place.around}, where ${have} are free. Ask for less with --stored, or name another folder in TMPDIR.`,
  )
}
const results = await run(options, place)
const report = renderResults(results)
process.stdout.write(`${report}\n`)
writeResults(options.out, results, drawResults(results))
say(`written to bench/results/${options.out}.json and .svg`)
if (options.document) writePage('run', report)
process.exit(0)
