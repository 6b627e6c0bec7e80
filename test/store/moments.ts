/** Ids and moments for samples, and steps beside one another. */
import type { EventId } from '../../src/model/ids.ts'
import type { Trace } from '../../src/store/contract/trace.ts'

let count = 0

/** Where another process writes into the same store, it counts on from elsewhere. */
export const countFrom = (from: number): void => {
  count = from
}

/** A new id that sorts after all earlier ones. */
export const next = (kind: string): string => `${String(++count).padStart(8, '0')}-${kind}`

/** The moment at which samples begin. */
export const start = 1_000_000

export const trace = (at = start): Trace => ({
  eventId: next('event') as EventId,
  at,
  requestId: 'request-1',
  actor: { type: 'anyone', network: '203.0.113.*' },
})

/** How often each race is tried, on each of five engines. More rounds took a tenth of the whole suite. */
export const raceRounds = 8

/** So many at once. */
export const together = <Outcome>(
  times: number,
  step: (i: number) => Promise<Outcome>,
): Promise<Outcome[]> => Promise.all(Array.from({ length: times }, (_, i) => step(i)))

/** Steps that are asked for in different turns go different ways to the store. */
export const giveWay = async (times: number): Promise<void> => {
  for (let turn = 0; turn < times; turn++) await new Promise((resume) => setImmediate(resume))
}
