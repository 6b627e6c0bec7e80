/** Steps of housekeeping: the purges of all records, within a budget of rows. */
import type { Purged, PurgeStep } from './record.ts'
import { endPurges, purges } from './records.ts'
import { type Step, statement } from './statement.ts'

/** Deletes rows of every record whose end has come. */
export function* purgeEnded(now: number, mostRows: number): Step<number> {
  let went = 0
  for (const { sql, afterSeconds } of endPurges) {
    went += (yield statement(sql, now - afterSeconds, mostRows - went)).length
  }
  return went
}

/** @param name of one of the `purges` */
export function* purgeNext(name: string, step: PurgeStep): Step<Purged> {
  const purge = purges.get(name)
  return purge === undefined ? { next: null, went: 0 } : yield* purge(step)
}
