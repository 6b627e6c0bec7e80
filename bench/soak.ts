/** `npm run soak`: 60 % of what it can, everything mixed, while time runs 60 times faster for expiry. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isPinned } from './cores.ts'
import { type Generator, startGenerator } from './generator.ts'
import type { Job } from './load/job.ts'
import { connections } from './material.ts'
import { takePlace } from './place.ts'
import { spawnNode } from './process.ts'
import { drawSoak } from './report/curves.ts'
import { checkResults, writeResults } from './report/files.ts'
import { type Moment, renderVerdicts, type Soak, summaryOf, verdictsOf } from './report/steady.ts'
import { cpuSeconds, openHandles, residentMegabytes } from './resources.ts'
import { heap, plainEnvironment } from './subjects/latchkey.ts'
import { type Running, type Subject, start } from './subjects/subject.ts'
import { nameOf, numberOf, readArguments } from './usage.ts'

const speed = 60
const share = 0.6
/** Of its most, found first by letting everything go that goes. */
const findingSeconds = 8
const momentSeconds = 3
const leastMinutes = 0.5

/**
 * Tokens live for so long by the fast clock that after half a minute as many expire as are issued;
 * from then on nothing has a reason to grow. The one browser stays logged in.
 */
const lifetimes = {
  LATCHKEY_ACCESS_TOKEN_SECONDS: '600',
  LATCHKEY_REFRESH_TOKEN_SECONDS: '1200',
  LATCHKEY_EVENT_SECONDS: '1200',
  LATCHKEY_SESSION_SECONDS: String(365 * 86_400),
}

const say = (line: string): void => void process.stderr.write(`soak: ${line}\n`)

const subject = (folder: string): Subject => ({
  name: 'Latchkey',
  about: `Latchkey on SQLite, its clock ${speed} times as fast`,
  kind: 'ours',
  durable: true,
  fsynced: true,
  stored: 0,
  offers: ['journey', 'read', 'login'],
  introspects: true,
  revoked: '{}',
  awake: isPinned,
  readPath: '/api/photos',
  scope: 'photos:read',
  readScope: 'photos:read',
  spawn: (port) =>
    spawnNode('server', [...heap, join(import.meta.dirname, 'soak-service.ts'), String(speed)], {
      cwd: folder,
      env: {
        ...plainEnvironment(),
        ...lifetimes,
        MALLOC_ARENA_MAX: '1',
        PORT: String(port),
        LATCHKEY_STORE: `sqlite:${join(folder, 'soak.db')}`,
      },
    }),
})

const megabytesOf = (path: string): number => {
  try {
    return statSync(path).size / 2 ** 20
  } catch {
    // There is no journal while nothing is written.
    return 0
  }
}

const mixFor = ({ target, subject }: Running, seconds: number, rate: number | null): Job => ({
  work: 'mix',
  target,
  seconds,
  connections,
  rate,
  most: null,
  awake: subject.awake,
  material: [],
  keep: 0,
})

const observe = async (
  running: Running,
  generator: Generator,
  rate: number,
  folder: string,
  began: number,
): Promise<Moment> => {
  const cpu = cpuSeconds(running.pid)
  const outcome = await generator.run(mixFor(running, momentSeconds, rate))
  const after = cpuSeconds(running.pid)
  if (outcome.firstWrong !== null) say(`wrong answer: ${outcome.firstWrong}`)
  return {
    seconds: (performance.now() - began) / 1000,
    perSecond: outcome.done / Math.max(outcome.seconds, momentSeconds),
    wrong: outcome.wrong,
    p99: outcome.p99,
    residentMegabytes: residentMegabytes(running.pid) ?? 0,
    fileMegabytes: megabytesOf(join(folder, 'soak.db')) + megabytesOf(join(folder, 'soak.db-wal')),
    handles: openHandles(running.pid) ?? 0,
    cpuShare: cpu === null || after === null ? 0 : (after - cpu) / momentSeconds,
  }
}

const soak = async (minutes: number, folder: string): Promise<Soak> => {
  const running = await start(subject(folder))
  const generator = startGenerator()
  try {
    say(`finding what it can do, for ${findingSeconds} seconds`)
    const free = await generator.run(mixFor(running, findingSeconds, null))
    const { done, seconds, wrong, firstWrong } = free
    if (wrong > 0) throw new Error(`wrong answers before it began: ${firstWrong}`)
    const most = Math.round(done / seconds)
    const rate = Math.floor(most * share)
    say(`${most} requests a second at most; now ${rate} for ${minutes} minutes`)
    const began = performance.now()
    const moments: Moment[] = []
    while (performance.now() - began < minutes * 60_000 && moments.at(-1)?.perSecond !== 0) {
      const moment = await observe(running, generator, rate, folder, began)
      moments.push(moment)
      say(
        `${moment.seconds.toFixed(0)} s: ${moment.perSecond.toFixed(0)}/s, p99 ${moment.p99} ms, ` +
          `${moment.residentMegabytes.toFixed(0)} MB, file ${moment.fileMegabytes.toFixed(1)} MB, ${moment.handles} handles`,
      )
    }
    const node = process.versions.node
    return {
      node,
      pinned: isPinned,
      speed,
      minutes,
      most,
      rate,
      ...summaryOf(moments, rate),
      moments,
    }
  } finally {
    await generator.close()
    await running.stop()
  }
}

const usage = `npm run soak -- [options]

  --minutes 2             how long, at least ${leastMinutes}; expiry keeps up from the second minute on
  --out soak              writes bench/results/NAME.json and NAME.svg
`

const parseOptions = (args: readonly string[]) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '2' },
      out: { type: 'string', default: 'soak' },
    },
  })
  return {
    minutes: numberOf('minutes', values.minutes, leastMinutes),
    out: nameOf('out', values.out),
  }
}

const { minutes, out } = readArguments(usage, parseOptions)
checkResults()
const { folder } = takePlace()
const found = await soak(minutes, folder)
const verdicts = verdictsOf(found)
process.stdout.write(`${renderVerdicts(found, verdicts)}\n`)
writeResults(out, { ...found, verdicts }, drawSoak(found, verdicts))
say(`written to bench/results/${out}.json and .svg`)
process.exit(0)
