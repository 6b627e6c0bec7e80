/** `npm run soak`: 60 % of what it can, everything mixed, while time runs 60 times faster for expiry. */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Generator, startGenerator } from './generator.ts'
import type { Job } from './load/job.ts'
import { connections } from './material.ts'
import {
  cpuSeconds,
  endCleanly,
  isPinned,
  openHandles,
  residentMegabytes,
  spawnNode,
} from './process.ts'
import { drawSoak } from './report/curves.ts'
import { type Moment, renderVerdicts, type Soak, verdictsOf } from './report/steady.ts'
import { heap, plainEnvironment } from './subjects/latchkey.ts'
import { type Running, type Subject, start } from './subjects/subject.ts'

const speed = 60
const share = 0.6
/** Of its most, found first by letting everything go that goes. */
const findingSeconds = 8
const momentSeconds = 3

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
  awake: true,
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

const observe = async (
  running: Running,
  generator: Generator,
  rate: number,
  folder: string,
  began: number,
): Promise<Moment> => {
  const job: Job = {
    work: 'mix',
    target: running.target,
    seconds: momentSeconds,
    connections,
    rate,
    most: null,
    awake: true,
    material: [],
    keep: 0,
  }
  const cpu = cpuSeconds(running.pid)
  const outcome = await generator.run(job)
  const after = cpuSeconds(running.pid)
  if (outcome.firstWrong !== null) say(`wrong answer: ${outcome.firstWrong}`)
  return {
    seconds: (performance.now() - began) / 1000,
    perSecond: outcome.done / outcome.seconds,
    wrong: outcome.wrong,
    p99: outcome.p99,
    residentMegabytes: residentMegabytes(running.pid) ?? 0,
    fileMegabytes: megabytesOf(join(folder, 'soak.db')) + megabytesOf(join(folder, 'soak.db-wal')),
    handles: openHandles(running.pid) ?? 0,
    cpuShare: cpu === null || after === null ? 0 : (after - cpu) / outcome.seconds,
  }
}

const soak = async (minutes: number, folder: string): Promise<Soak> => {
  const running = await start(subject(folder))
  const generator = startGenerator()
  try {
    say(`finding what it can do, for ${findingSeconds} seconds`)
    const free: Job = {
      work: 'mix',
      target: running.target,
      seconds: findingSeconds,
      connections,
      rate: null,
      most: null,
      awake: true,
      material: [],
      keep: 0,
    }
    const { done, seconds, wrong, firstWrong } = await generator.run(free)
    if (wrong > 0) throw new Error(`wrong answers before it began: ${firstWrong}`)
    const most = Math.round(done / seconds)
    const rate = Math.floor(most * share)
    say(`${most} requests a second at most; now ${rate} for ${minutes} minutes`)
    const began = performance.now()
    const moments: Moment[] = []
    while (performance.now() - began < minutes * 60_000) {
      const moment = await observe(running, generator, rate, folder, began)
      moments.push(moment)
      say(
        `${moment.seconds.toFixed(0)} s: ${moment.perSecond.toFixed(0)}/s, p99 ${moment.p99} ms, ` +
          `${moment.residentMegabytes.toFixed(0)} MB, file ${moment.fileMegabytes.toFixed(1)} MB, ${moment.handles} handles`,
      )
    }
    return { node: process.versions.node, pinned: isPinned, speed, minutes, most, rate, moments }
  } finally {
    await generator.close()
    await running.stop()
  }
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    out: { type: 'string', default: 'soak' },
  },
})
const minutes = Number(values.minutes)
if (!(minutes > 0)) {
  process.stderr.write(`--minutes: expected a number above 0, got ${values.minutes}\n`)
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), 'latchkey-soak-'))
endCleanly(() => rmSync(folder, { recursive: true, force: true }))
const found = await soak(minutes, folder)
const verdicts = verdictsOf(found)
const place = join(import.meta.dirname, 'results')
mkdirSync(place, { recursive: true })
writeFileSync(
  join(place, `${values.out}.json`),
  `${JSON.stringify({ ...found, verdicts }, null, 1)}\n`,
)
writeFileSync(join(place, `${values.out}.svg`), drawSoak(found, verdicts))
process.stdout.write(`${renderVerdicts(found, verdicts)}\n`)
say(`written to bench/results/${values.out}.json and .svg`)
process.exit(0)
