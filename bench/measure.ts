/** The run: every server has its slice in each round, one after the other, so that all see the same machine. */
import type { Generator } from './generator.ts'
import type { Operation } from './load/job.ts'
import { connections, findLie, Supplies, type Truth, truthOf } from './material.ts'
import type { Options } from './options.ts'
import { cpuSeconds, mostMegabytes, residentMegabytes } from './process.ts'
import { type Crowd, type Row, rowOf, type Sample, type Server } from './results.ts'
import { type Running, start } from './subjects/subject.ts'

/** One server under measurement. */
interface Measured {
  running: Running
  readonly supplies: Supplies
  /** What has to be true in the end, after a crash too. */
  readonly truths: Map<Operation, Truth>
}

export interface Measurement {
  readonly rows: readonly Row[]
  readonly servers: readonly Server[]
  readonly crowds: readonly Crowd[]
}

/** One slice of load on one server. */
const measureSlice = async (
  { running, supplies, truths }: Measured,
  operation: Operation,
  seconds: number,
  generator: Generator,
): Promise<{ readonly sample: Sample; readonly fault: string | null }> => {
  const material = await supplies.get(operation, seconds)
  const before = cpuSeconds(running.pid)
  const outcome = await generator.run({
    work: operation,
    target: running.target,
    seconds,
    connections,
    most: null,
    rate: null,
    awake: running.subject.awake,
    material,
    keep: 1000,
  })
  const after = cpuSeconds(running.pid)
  supplies.took(operation, outcome)
  const sample: Sample = {
    perSecond: outcome.done / Math.max(outcome.seconds, 0.001),
    p50: outcome.p50,
    p99: outcome.p99,
    cpuMicroseconds:
      before === null || after === null
        ? null
        : ((after - before) * 1e6) / Math.max(outcome.done, 1),
    residentMegabytes: residentMegabytes(running.pid),
    generatorBusy: outcome.busy,
  }
  if (outcome.wrong > 0) return { sample, fault: `wrong answer: ${outcome.firstWrong}` }
  if (outcome.done < connections) return { sample, fault: 'hardly anything was answered' }
  const truth =
    running.subject.kind === 'floor' ? null : truthOf(operation, running.target, material, outcome)
  if (truth === null) return { sample, fault: null }
  truths.set(operation, truth)
  return { sample, fault: await findLie(running, truth) }
}

/** All rounds of one operation, after one of warming up that is not counted. */
const measureOperation = async (
  operation: Operation,
  all: readonly Measured[],
  { rounds, seconds }: Options,
  generator: Generator,
): Promise<readonly Row[]> => {
  const those = all.filter(({ running }) => running.subject.offers.includes(operation))
  // What only a large database of ours is asked for, and there is none.
  if (those.every(({ running }) => running.subject.kind === 'floor')) return []
  const slices = new Map<Measured, Sample[]>(those.map((one) => [one, []]))
  const faults = new Map<Measured, string>()
  for (let round = 0; round <= rounds; round++) {
    for (const one of those) {
      if (faults.has(one)) continue
      const long = round === 0 ? Math.min(1, seconds) : seconds
      const { sample, fault } = await measureSlice(one, operation, long, generator)
      if (round > 0) slices.get(one)?.push(sample)
      if (fault !== null) faults.set(one, fault)
    }
  }
  return those.map((one) => {
    const { name, kind, durable, fsynced, stored } = one.running.subject
    const about = { operation, subject: name, kind, durable, fsynced, stored }
    return rowOf(about, slices.get(one) ?? [], faults.get(one) ?? null)
  })
}

/** Ends it as a crash would, starts it again, and looks whether it remembers. */
const crash = async (one: Measured): Promise<Server> => {
  const { running, truths } = one
  const { subject, target } = running
  const most = mostMegabytes(running.pid)
  await running.stop('SIGKILL')
  one.running = await start(subject, target.port)
  let survived = true
  for (const truth of truths.values()) {
    survived &&= (await findLie(one.running, truth)) === null
  }
  return {
    subject: subject.name,
    about: subject.about,
    durable: subject.durable,
    readyMilliseconds: one.running.readyMilliseconds,
    mostMegabytes: most,
    survivedKill: subject.durable && truths.size > 0 ? survived : null,
  }
}

/** How long readers wait while fifty people log in at once. */
const crowd = async (
  { running, supplies }: Measured,
  seconds: number,
  generators: readonly [Generator, Generator],
): Promise<Crowd> => {
  const logins = 50
  const readsPerSecond = 2000
  const job = {
    target: running.target,
    seconds,
    most: null,
    keep: 0,
    material: [],
    rate: null,
    awake: false,
  }
  const material = await supplies.get('read', seconds)
  const names = await supplies.get('login', seconds)
  const [entering, reading] = await Promise.all([
    generators[0].run({ ...job, work: 'login', connections: logins, material: names }),
    generators[1].run({ ...job, work: 'read', connections: 16, rate: readsPerSecond, material }),
  ])
  return {
    subject: running.subject.name,
    logins,
    readsPerSecond,
    readP99: reading.p99,
    loginsPerSecond: Math.round(entering.done / Math.max(entering.seconds, 0.001)),
  }
}

export const measure = async (
  started: readonly Running[],
  options: Options,
  generators: readonly [Generator, Generator],
  say: (line: string) => void,
): Promise<Measurement> => {
  const [generator] = generators
  const all = started.map(
    (running): Measured => ({
      running,
      supplies: new Supplies(running, generator),
      truths: new Map(),
    }),
  )
  const rows: Row[] = []
  const crowds: Crowd[] = []
  const servers: Server[] = []
  try {
    for (const operation of options.only) {
      say(`measuring ${operation}`)
      rows.push(...(await measureOperation(operation, all, options, generator)))
    }
    for (const one of all.filter(({ running }) => running.subject.offers.includes('login'))) {
      if (options.only.includes('login')) crowds.push(await crowd(one, 5, generators))
    }
    say('killing all servers, and looking what they remember')
    for (const one of all) servers.push(await crash(one))
  } finally {
    for (const { running } of all) await running.stop('SIGKILL')
  }
  return { rows, servers, crowds }
}
