/** The run: every server has its slice in each round, one after the other, so that all see the same machine. */
import { housekeepingLimits } from '../src/housekeeping.ts'
import { measureCrowd } from './crowd.ts'
import { sayFault } from './faults.ts'
import type { Generator } from './generator.ts'
import { type Operation, targetOf } from './load/job.ts'
import { connections, Supplies } from './material.ts'
import type { Options } from './options.ts'
import { comeToRest, cpuSeconds, mostMegabytes, residentMegabytes } from './resources.ts'
import { type Crowd, type Row, rowOf, type Sample, type Server } from './results.ts'
import { type Running, type Subject, start } from './subjects/subject.ts'
import { findLie, type Truth, truthOf } from './truth.ts'
import { warmUp } from './warm.ts'

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
  /** What failed beside the rows. */
  readonly notes: readonly string[]
}

/** So long after its last answer a server may begin to write down the uses that the answers were. */
export const lingerMilliseconds = ({ kind }: Subject, operation: Operation): number =>
  kind === 'ours' && /^(read|introspect)/.test(operation)
    ? housekeepingLimits.usesFlushSeconds * 1000
    : 0

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
    target: targetOf(operation, running.target),
    seconds,
    connections,
    most: null,
    rate: null,
    awake: running.subject.awake,
    material,
    keep: 1000,
  })
  const resident = residentMegabytes(running.pid)
  await comeToRest(running.pid, lingerMilliseconds(running.subject, operation))
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
    residentMegabytes: resident,
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

/** All rounds of one operation, after each server is warm. */
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
  for (const one of those) {
    const fault = await warmUp(async () => {
      const { sample, fault } = await measureSlice(one, operation, seconds, generator)
      return fault ?? sample.perSecond
    }).catch(sayFault)
    if (fault !== null) faults.set(one, fault)
  }
  for (let round = 0; round < rounds; round++) {
    for (const one of those) {
      if (faults.has(one)) continue
      const { sample, fault } = await measureSlice(one, operation, seconds, generator).catch(
        (thrown: unknown) => ({ sample: null, fault: sayFault(thrown) }),
      )
      if (sample !== null) slices.get(one)?.push(sample)
      if (fault !== null) faults.set(one, fault)
    }
  }
  return those.map((one) => {
    const { name, kind, durable, fsynced, stored, commit = null } = one.running.subject
    const about = { operation, subject: name, kind, durable, fsynced, stored, commit }
    return rowOf(about, slices.get(one) ?? [], faults.get(one) ?? null)
  })
}

/** Ends it as a crash would, starts it again, and looks whether it remembers. */
const crash = async (one: Measured, notes: string[]): Promise<Server> => {
  const { running, truths } = one
  const { subject, target } = running
  const { name, about, durable } = subject
  const most = mostMegabytes(running.pid)
  await running.stop('SIGKILL')
  let ready: number | null = null
  let lie: string | null = null
  try {
    one.running = await start(subject, target.port)
    ready = one.running.readyMilliseconds
    for (const truth of durable ? truths.values() : []) lie ??= await findLie(one.running, truth)
  } catch (fault) {
    lie = sayFault(fault)
  }
  if (lie !== null) notes.push(`${name}, started again after kill -9: ${lie}.`)
  return {
    subject: name,
    about,
    durable,
    readyMilliseconds: ready,
    mostMegabytes: most,
    survivedKill: durable && truths.size > 0 ? lie === null : null,
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
  const notes: string[] = []
  try {
    for (const operation of options.only) {
      say(`measuring ${operation}`)
      rows.push(...(await measureOperation(operation, all, options, generator)))
    }
    const entered = all.filter(({ running }) => running.subject.offers.includes('login'))
    for (const { running, supplies } of options.only.includes('login') ? entered : []) {
      await measureCrowd(running, supplies, generators).then(
        (found) => crowds.push(found),
        (fault) => notes.push(`${running.subject.name}, a crowd: ${sayFault(fault)}.`),
      )
    }
    say('killing all servers, and looking what they remember')
    for (const one of all) servers.push(await crash(one, notes))
  } finally {
    for (const { running } of all) await running.stop('SIGKILL')
  }
  return { rows, servers, crowds, notes }
}
