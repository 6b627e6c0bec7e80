/** The store contract on any SQL engine: each method is one read or one step of a record. */
import { findLatestTime } from '../records/note.ts'
import { usedIdLimits } from '../records/used.ts'
import type { Store } from '../store.ts'
import type { Database } from './database.ts'
import type { Purged } from './record.ts'
import { purges, type Recorded, reads, recordSteps } from './records.ts'
import { findFirst, integer, integerOrNull } from './row.ts'
import { openUsedIds } from './used-ids.ts'

/** A purge looks at so many stretches of rows before it rests. */
const purgeStretches = 20

type AnyMethod = (first: unknown, ...args: readonly unknown[]) => Promise<unknown>

/** A call of a bound function costs no more than one of a function written out. */
const bindRecords = (read: Database['read'], run: Database['run']): Recorded => {
  const asked = Object.entries(reads).map(([name, ask]) => [
    name,
    (ask as AnyMethod).bind(null, read),
  ])
  const done = Object.keys(recordSteps).map((name) => [name, (run as AnyMethod).bind(null, name)])
  return Object.fromEntries([...asked, ...done])
}

/** Each call goes on after the last one, and begins anew at the end of the table. */
const createPurge = (run: Database['run']): Store['purge'] => {
  const reached = new Map([...purges.keys()].map((name) => [name, '']))
  return async (now, before, mostRows) => {
    let went = await run('purgeEnded', now, mostRows)
    for (const [name, from] of reached) {
      let after: string | null = from
      for (let stretch = 0; stretch < purgeStretches && went < mostRows; stretch++) {
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

/** @param node names the rows that only this node writes */
export const createSqlStore = (
  {
    read,
    run,
    readsWait,
    isAlone,
    watched,
    machines = null,
    close,
    findWorkers,
    notes = [],
  }: Database,
  node = 'only',
): Store => {
  const usedIds = openUsedIds({ read, run }, isAlone ? usedIdLimits.remembered : 0)
  return {
    ...bindRecords(read, run),
    isEmpty: async () => {
      const sql = 'select id from clients union all select id from owners limit 1'
      return (await read(sql, [])).length === 0
    },
    ping: () => run('ping', node),
    ...(findWorkers === undefined ? {} : { findWorkers }),
    notes,
    gauges: async () => {
      const [size, registered] = await Promise.all([
        // Not every database of the family of PostgreSQL knows its size.
        watched === undefined ? [] : read(watched.sizeSql, []).catch(() => []),
        read('select count(*) as clients from registrations', []),
      ])
      return {
        bytes: integerOrNull(findFirst(size)?.bytes ?? null),
        selfRegistered: integer(findFirst(registered)?.clients),
        ...(watched?.load() ?? { stepsWaiting: 0, pool: null }),
      }
    },
    latestTime: () => findLatestTime(read),
    noteTime: async (at) => {
      await run('noteTime', node, at)
      return (await findLatestTime(read)) ?? at
    },
    purge: createPurge(run),
    readsWait,
    ...(isAlone === undefined ? {} : { isAlone }),
    machines,
    claimId: usedIds.claimId,
    findUnsureUntil: usedIds.findUnsureUntil,
    close: async () => {
      await usedIds.close()
      await close()
    },
  }
}
