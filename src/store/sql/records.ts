/** The list of records. Store, steps, tables, purges and the cache's invalidations derive from it. */
import type { Invalidations } from '../methods.ts'
import type { StoreRecords } from '../store.ts'
import type { EndPurge, Purge, ReadsOf, StepsOf } from './record.ts'
import { accountRecord } from './records/account.ts'
import { attemptRecord } from './records/attempt.ts'
import { authorizationRecord } from './records/authorization.ts'
import { clientRecord } from './records/client.ts'
import { countRecord } from './records/count.ts'
import { eventRecord } from './records/event.ts'
import { factRecord } from './records/fact.ts'
import { factorRecord } from './records/factor.ts'
import { familyRecord } from './records/family.ts'
import { itemRecord } from './records/item.ts'
import { keyRecord } from './records/key.ts'
import { logoutRecord } from './records/logout.ts'
import { mailRecord } from './records/mail.ts'
import { type NodeSteps, nodeRecord } from './records/node.ts'
import { ownerRecord } from './records/owner.ts'
import { refusalRecord } from './records/refusal.ts'
import { removalRecord } from './records/removal.ts'
import { resourceRecord } from './records/resource.ts'
import { revocationRecord } from './records/revocation.ts'
import { sessionRecord } from './records/session.ts'
import { upstreamRecord } from './records/upstream.ts'
import { useRecord } from './records/use.ts'
import { webhookRecord } from './records/webhook.ts'
import type { Table } from './table.ts'

/** In an order in which no row refers to a table of a later record. */
const records = [
  clientRecord,
  ownerRecord,
  sessionRecord,
  accountRecord,
  logoutRecord,
  factorRecord,
  mailRecord,
  upstreamRecord,
  authorizationRecord,
  familyRecord,
  attemptRecord,
  itemRecord,
  removalRecord,
  keyRecord,
  resourceRecord,
  factRecord,
  eventRecord,
  revocationRecord,
  useRecord,
  countRecord,
  webhookRecord,
  refusalRecord,
  nodeRecord,
] as const

type Records = (typeof records)[number]

/** The contract that the records fulfil together. */
export type Recorded = StoreRecords & NodeSteps

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

const merge = <Member extends 'reads' | 'steps' | 'invalidates'>(
  member: Member,
): Intersection<Records[Member]> => {
  const entries = records.flatMap((record) => Object.entries(record[member]))
  if (new Set(entries.map(([name]) => name)).size < entries.length) {
    throw new Error(`two records have ${member} of one name`)
  }
  return Object.fromEntries(entries) as Intersection<Records[Member]>
}

export const reads: ReadsOf<Recorded> = merge('reads')
export const recordSteps: StepsOf<Recorded> = merge('steps')
export const invalidates: Invalidations<Recorded> = merge('invalidates')

/** In an order in which no row refers to one of a later table. */
export const tables: readonly Table[] = records.flatMap((record) => record.tables)

export const localTables: readonly string[] = records.flatMap((record) => record.localTables ?? [])

export const aloneSteps: readonly (keyof StepsOf<Recorded>)[] = records.flatMap(
  (record) => record.alone ?? [],
)

export const endPurges: readonly EndPurge[] = records.flatMap((record) => record.endPurges ?? [])

export const purges: ReadonlyMap<string, Purge> = new Map(
  records.flatMap((record) => Object.entries(record.purges ?? {})),
)
