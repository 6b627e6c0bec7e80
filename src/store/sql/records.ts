/** The list of records. Store, steps, tables, purges and the cache's invalidations derive from it. */
import { featureRecords } from '../../features/records.ts'
import { accountRecord } from '../records/account.ts'
import { attemptRecord } from '../records/attempt.ts'
import { authorizationRecord } from '../records/authorization/record.ts'
import { clientRecord } from '../records/client/record.ts'
import { countRecord } from '../records/count.ts'
import { eventRecord } from '../records/event/record.ts'
import { sealRecord } from '../records/event/seals.ts'
import { factorRecord } from '../records/factor/record.ts'
import { familyRecord } from '../records/family/record.ts'
import { groupRecord } from '../records/group/record.ts'
import { itemRecord } from '../records/item.ts'
import { keyRecord } from '../records/key.ts'
import { logoutRecord } from '../records/logout.ts'
import { mailRecord } from '../records/mail.ts'
import { type NodeSteps, noteRecord } from '../records/note.ts'
import { ownerRecord } from '../records/owner/record.ts'
import { pictureRecord } from '../records/picture.ts'
import { refusalRecord } from '../records/refusal.ts'
import { removalRecord } from '../records/removal.ts'
import { resourceRecord } from '../records/resource.ts'
import { revocationRecord } from '../records/revocation.ts'
import { sessionRecord } from '../records/session.ts'
import { upstreamRecord } from '../records/upstream.ts'
import { useRecord } from '../records/use/record.ts'
import { webhookRecord } from '../records/webhook.ts'
import type { Table } from '../schema/table.ts'
import type { StoreRecords } from '../store.ts'
import type { EndPurge, Invalidations, Purge, ReadsOf, StepsOf } from './record.ts'

/** In an order in which no row refers to a table of a later record. */
const records = [
  clientRecord,
  ownerRecord,
  groupRecord,
  pictureRecord,
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
  noteRecord,
  eventRecord,
  sealRecord,
  revocationRecord,
  useRecord,
  countRecord,
  webhookRecord,
  refusalRecord,
  ...featureRecords,
] as const

type Records = (typeof records)[number]

/** The contract that the records fulfil together. */
export type Recorded = StoreRecords & NodeSteps

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

const mergeAll = <All>(what: string, lists: readonly object[]): All => {
  const entries = lists.flatMap((list) => Object.entries(list))
  if (new Set(entries.map(([name]) => name)).size < entries.length) {
    throw new Error(`two records have ${what} of one name`)
  }
  return Object.fromEntries(entries) as All
}

const getInvalidates = ({ steps, invalidates }: Records): object =>
  invalidates === 'nothing'
    ? Object.fromEntries(Object.keys(steps).map((name) => [name, 'nothing']))
    : invalidates

export const reads: ReadsOf<Recorded> = mergeAll<Intersection<Records['reads']>>(
  'reads',
  records.map(({ reads }) => reads),
)
export const recordSteps: StepsOf<Recorded> = mergeAll<Intersection<Records['steps']>>(
  'steps',
  records.map(({ steps }) => steps),
)
export const invalidates: Invalidations<Recorded> = mergeAll<
  Intersection<Exclude<Records['invalidates'], 'nothing'>>
>('invalidations', records.map(getInvalidates))

/** In an order in which no row refers to one of a later table. */
export const tables: readonly Table[] = records.flatMap((record) => record.tables)

export const localTables: readonly Table[] = records.flatMap((record) => record.localTables ?? [])

export const aloneSteps: readonly (keyof StepsOf<Recorded>)[] = records.flatMap(
  (record) => record.alone ?? [],
)

export const endPurges: readonly EndPurge[] = records.flatMap((record) => record.endPurges ?? [])

export const purges: ReadonlyMap<string, Purge> = new Map(
  records.flatMap((record) => Object.entries(record.purges ?? {})),
)
