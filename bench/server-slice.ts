/** One slice of load on one server, with what it used and whether its answers were true. */
import { housekeepingLimits } from '../src/housekeeping.ts'
import type { Generator } from './generator.ts'
import { type KeyOperation, type Operation, targetOf, type Work } from './load/job.ts'
import { connections, type Supplies } from './material.ts'
import { comeToRest, cpuSeconds, residentMegabytes } from './resources.ts'
import type { Sample } from './results.ts'
import type { Running, Subject } from './subjects/subject.ts'
import { findLie, type Truth, truthOf } from './truth.ts'

/** One server under measurement. */
export interface Measured {
  running: Running
  readonly supplies: Supplies
  /** What has to be true in the end, after a crash too. */
  readonly truths: Map<Work, Truth>
}

/** So long after its last answer a server may begin to write down the uses that the answers were. */
export const lingerMilliseconds = (
  { kind }: Subject,
  operation: Operation | KeyOperation,
): number =>
  kind === 'ours' && /^(read|introspect)/.test(operation)
    ? housekeepingLimits.usesFlushSeconds * 1000
    : 0

/** One slice of load on one server. */
export const measureSlice = async (
  { running, supplies, truths }: Measured,
  operation: Operation | KeyOperation,
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
