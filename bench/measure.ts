/** The run: every server has its slice in each round, one after the other, so that all see the same machine. */
import { measureCrowd } from './crowd.ts'
import { sayFault } from './faults.ts'
import type { Generator } from './generator.ts'
import { isKeyOperation, measureKeys } from './key-cost.ts'
import type { Operation } from './load/job.ts'
import { Supplies } from './material.ts'
import type { Options } from './options.ts'
import { mostMegabytes } from './resources.ts'
import { type Crowd, type KeyRow, type Row, rowOf, type Sample, type Server } from './results.ts'
import { type Measured, measureSlice } from './server-slice.ts'
import { type Running, start } from './subjects/subject.ts'
import { findLie } from './truth.ts'
import { warmUp } from './warm.ts'

export interface Measurement {
  readonly rows: readonly Row[]
  readonly servers: readonly Server[]
  readonly crowds: readonly Crowd[]
  readonly keys: readonly KeyRow[]
  /** What failed beside the rows. */
  readonly notes: readonly string[]
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
  const keys: KeyRow[] = []
  const servers: Server[] = []
  const notes: string[] = []
  try {
    for (const operation of options.only) {
      say(`measuring ${operation}`)
      if (isKeyOperation(operation)) {
        keys.push(...(await measureKeys(operation, all, options, generator)))
      } else rows.push(...(await measureOperation(operation, all, options, generator)))
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
  return { rows, keys, servers, crowds, notes }
}
