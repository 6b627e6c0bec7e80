/** What keys of clients cost: in each round a slice with a key, one without, and checks of signatures alone. */
import { sayFault } from './faults.ts'
import type { Generator } from './generator.ts'
import { type KeyOperation, keyOperations, type Operation } from './load/job.ts'
import type { Options } from './options.ts'
import { measureCheck } from './proofs.ts'
import type { KeyRow, KeySample, Sample } from './results.ts'
import { type Measured, measureSlice } from './server-slice.ts'
import { warmUp } from './warm.ts'

const plainOf = {
  'token-assertion': 'token',
  'read-dpop': 'read',
  'read-dpop-bare': 'read',
} as const

export const isKeyOperation = (operation: Operation | KeyOperation): operation is KeyOperation =>
  keyOperations.some((one) => one === operation)

const measureOne = async (
  one: Measured,
  operation: KeyOperation,
  { rounds, seconds }: Options,
  generator: Generator,
): Promise<readonly KeySample[]> => {
  const slice = async (asked: Operation | KeyOperation): Promise<Sample> => {
    const { sample, fault } = await measureSlice(one, asked, seconds, generator)
    if (fault !== null) throw new Error(fault)
    return sample
  }
  for (const asked of [plainOf[operation], operation]) {
    await warmUp(async () => (await slice(asked)).perSecond)
  }
  await measureCheck()
  const slices: KeySample[] = []
  for (let round = 0; round < rounds; round++) {
    const plain = await slice(plainOf[operation])
    const proven = await slice(operation)
    slices.push({ plain, proven, checkMicroseconds: await measureCheck() })
  }
  return slices
}

export const measureKeys = async (
  operation: KeyOperation,
  all: readonly Measured[],
  options: Options,
  generator: Generator,
): Promise<readonly KeyRow[]> => {
  const rows: KeyRow[] = []
  for (const one of all.filter(({ running }) => running.target.keyClient !== null)) {
    const about = { operation, subject: one.running.subject.name }
    const row = await measureOne(one, operation, options, generator).then(
      (slices): KeyRow => ({ ...about, fault: null, slices }),
      (fault: unknown): KeyRow => ({ ...about, fault: sayFault(fault), slices: [] }),
    )
    rows.push(row)
  }
  return rows
}
