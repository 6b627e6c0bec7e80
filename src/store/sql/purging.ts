/** Housekeeping in small steps: the purges of all records, within a budget of rows. */
import { limits } from '../../config/limits.ts'
import type { Store } from '../store.ts'
import type { Database } from './database.ts'
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

/** Each call goes on after the last one, and begins anew at the end of the table. */
export const createPurge = (run: Database['run']): Store['purge'] => {
  const reached = new Map([...purges.keys()].map((name) => [name, '']))
  return async (now, before, mostRows) => {
    let went = await run('purgeEnded', now, mostRows)
    for (const [name, from] of reached) {
      let after: string | null = from
      for (let stretch = 0; stretch < limits.purgeStretches && went < mostRows; stretch++) {
        const step = { after, now, before, mostRows: mostRows - went }
        const purged: Purged = await run('purgeNext', name, step)
        after = purged.next
        reached.set(name, after ?? '')
        went += purged.went
        if (after === null) break
      }
    }
    return went
  }
}
