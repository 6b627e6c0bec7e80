/** `npm run bench`: Latchkey, the floor and its peers, side by side in one run. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { findPostgres, type Postgres } from '../test/store/postgres.ts'
import { startGenerator } from './generator.ts'
import { measure } from './measure.ts'
import { measureNodes } from './nodes.ts'
import { type Options, parseOptions, usage } from './options.ts'
import { endCleanly, isPinned } from './process.ts'
import { drawResults } from './report/drawing.ts'
import { writePage } from './report/page.ts'
import { renderResults } from './report/table.ts'
import type { Filled, Results } from './results.ts'
import { leastFamiliesForMany, makeStored, ownersFor } from './stored.ts'
import { canAnswers, floor } from './subjects/floor.ts'
import { latchkey } from './subjects/latchkey.ts'
import { installPeers, peers, peerVersions } from './subjects/peers.ts'
import { type Running, type Subject, start } from './subjects/subject.ts'

const say = (line: string): void => void process.stderr.write(`bench: ${line}\n`)

const short = (count: number): string =>
  count >= 1e6 ? `${count / 1e6}m` : count >= 1e3 ? `${count / 1e3}k` : String(count)

/** Latchkey on each database that was asked for. */
const ours = async (
  { stores, stored }: Options,
  folder: string,
  postgres: Postgres | null,
  files: Filled[],
): Promise<readonly Subject[]> => {
  const subjects: Subject[] = []
  for (const families of stores.includes('sqlite') ? stored : []) {
    say(`storing ${families.toLocaleString('en-US')} families`)
    const path = join(folder, `${families}.db`)
    const withMany = families === Math.max(...stored) && families >= leastFamiliesForMany
    const mint = await makeStored(path, families, withMany)
    files.push({ families, owners: ownersFor(families), megabytes: statSync(path).size / 2 ** 20 })
    const name = `Latchkey, SQLite, ${short(families)}`
    const about = `Latchkey on SQLite, every answer fsynced, ${short(families)} families stored before`
    subjects.push(
      latchkey({ name, about, store: `sqlite:${path}`, stored: families, mint }, folder),
    )
  }
  if (postgres !== null) {
    const store = await postgres.newDatabase()
    const about = 'Latchkey on PostgreSQL on the same machine, not pinned to a core'
    subjects.push(latchkey({ name: 'Latchkey, PostgreSQL', about, store, stored: 0 }, folder))
  }
  return subjects
}

const environment = ({ seconds, rounds }: Options): Results['environment'] => ({
  node: process.versions.node,
  sqlite: process.versions.sqlite ?? '',
  platform: `${process.platform} ${process.arch}`,
  processor: cpus()[0]?.model.trim() ?? '',
  cores: availableParallelism(),
  memoryGigabytes: Math.round(totalmem() / 2 ** 30),
  pinned: isPinned,
  secondsPerSlice: seconds,
  rounds,
})

const { version } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
) as { version: string }

const run = async (options: Options, folder: string): Promise<Results> => {
  const notes: string[] = []
  const missing = options.peers === 'none' ? 'they were not asked for' : installPeers()
  if (missing !== null) notes.push(`Other people's servers are left out: ${missing}.`)
  const postgres = options.stores.includes('postgres') ? await findPostgres() : null
  if (options.stores.includes('postgres') && postgres === null) {
    notes.push('There is no PostgreSQL here.')
  }
  const asksForCold = options.only.some((operation) => operation.endsWith('-cold'))
  const most = options.stores.includes('sqlite') ? Math.max(...options.stored) : 0
  if (asksForCold && most < leastFamiliesForMany) {
    const least = leastFamiliesForMany.toLocaleString('en-US')
    notes.push(
      `What is not remembered was not measured: it needs ${least} families stored before, on SQLite.`,
    )
  }
  if (!isPinned) notes.push('Servers and load share their cores, so the figures say little.')
  const generators = [startGenerator(), startGenerator()] as const
  const started: Running[] = []
  const files: Filled[] = []
  try {
    for (const subject of await ours(options, folder, postgres, files))
      started.push(await start(subject))
    const [first] = started
    if (first === undefined) throw new Error('there is nothing to measure')
    const cans = await canAnswers(first.target)
    started.unshift(await start(floor(cans, first.target)))
    for (const peer of missing === null ? peers(folder) : []) started.push(await start(peer))
    const measured = await measure(started, options, generators, say)
    const versions = { latchkey: version, ...(missing === null ? peerVersions() : {}) }
    const nodes =
      options.nodes === 2 && postgres !== null && isPinned
        ? await measureNodes(postgres, folder, options, say)
        : []
    return { environment: environment(options), versions, ...measured, nodes, files, notes }
  } finally {
    for (const running of started) await running.stop('SIGKILL')
    for (const generator of generators) await generator.close()
    await postgres?.stop()
  }
}

/** Asked for what there is not: a sentence, not a trace. */
const readOptions = (): Options => {
  if (process.argv.includes('--help')) {
    process.stdout.write(usage)
    process.exit(0)
  }
  try {
    return parseOptions(process.argv.slice(2))
  } catch (fault) {
    process.stderr.write(`${fault instanceof Error ? fault.message : fault}\n\n${usage}`)
    process.exit(2)
  }
}

const options = readOptions()
const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'))
endCleanly(() => rmSync(folder, { recursive: true, force: true }))
const results = await run(options, folder)
const place = join(import.meta.dirname, 'results')
mkdirSync(place, { recursive: true })
writeFileSync(join(place, `${options.out}.json`), `${JSON.stringify(results, null, 1)}\n`)
writeFileSync(join(place, `${options.out}.svg`), drawResults(results))
const report = renderResults(results)
if (options.document) writePage('run', report)
process.stdout.write(`${report}\n`)
say(`written to bench/results/${options.out}.json and .svg`)
process.exit(0)
