/** Refused requests, for whoever asks why. No backup has them: they are gone within days. */

import { type KeptRefusal, type ReceivedValue, shareOf } from '../../model/kept-refusal.ts'
import type { RefusalBounds, RefusalSteps } from '../contract/event.ts'
import { recordLimits } from '../limits.ts'
import { defineTable } from '../sql/columns.ts'
import { pageOf } from '../sql/page.ts'
import type { Reads, Steps, StoreRecord } from '../sql/record.ts'
import { integer, text } from '../sql/row.ts'
import { all, ask, countOnly, type Row, raw, type Step, sql } from '../sql/statement.ts'

/** What is only shown, and never searched. */
type Details = Pick<KeptRefusal, 'description' | 'received' | 'expected' | 'difference'>

type StoredRefusal = Omit<KeptRefusal, keyof Details> & {
  readonly share: string
  readonly details: Details
}

const refusals = defineTable<StoredRefusal>(
  'refusals',
  {
    reference: 'text',
    at: 'integer',
    share: 'text',
    clientId: 'text?',
    isClientProven: 'flag',
    ownerId: 'text?',
    network: 'text',
    method: 'text',
    route: 'text',
    status: 'small',
    code: 'text?',
    reason: 'text',
    details: 'json',
  },
  {
    key: 'reference',
    restored: 'none',
    indexes: [
      'refusals_by_share (client_proven, share, reference)',
      'refusals_by_client (client_id, reference)',
      'refusals_by_reason (reason, reference)',
    ],
  },
)

const decode = (row: Row): KeptRefusal => {
  const { share: _, details, ...refusal } = refusals.decode(row)
  const received = details.received.map(({ name, value }): ReceivedValue => ({ name, value }))
  return { ...refusal, ...details, received }
}

/**
 * Only a flood is written again. Its texts differ in the number of requests alone, so the longer or
 * greater one has the higher number. An earlier number that is written late changes nothing.
 */
function* write(refusal: KeptRefusal): Step<void> {
  const { description, received, expected, difference, ...searched } = refusal
  const details: Details = { description, received, expected, difference }
  yield sql`${refusals.insert({ ...searched, share: shareOf(refusal), details })}
    on conflict (reference) do update set details = excluded.details
    where length(excluded.details) > length(refusals.details)
      or (length(excluded.details) = length(refusals.details)
        and excluded.details > refusals.details)`
}

/** Leaves the newest rows of a share. */
function* trim(proven: number, share: string, most: number): Step<void> {
  const ofShare = sql`client_proven = ${proven} and share = ${share}`
  yield sql`delete from refusals where ${ofShare} and reference <=
    (select reference from refusals where ${ofShare} order by reference desc limit 1 offset ${most})
    ${raw(countOnly)}`
}

/**
 * How many rows each may keep, so that together they lose `excess`. Networks or clients with the most lose first,
 * and of several with as many the first of the list.
 */
const computeKept = (counts: readonly number[], excess: number): readonly number[] => {
  const lost = (level: number): number =>
    counts.reduce((sum, count) => sum + Math.max(0, count - level), 0)
  let level = Math.max(0, ...counts)
  while (level > 0 && lost(level) < excess) level--
  let spare = lost(level) - excess
  return counts
    .toReversed()
    .map((count) => {
      const isSpared = spare > 0 && count > level
      if (isSpared) spare--
      return Math.min(count, isSpared ? level + 1 : level)
    })
    .toReversed()
}

/** Strangers and clients do not compete for rows. */
function* trimAll(proven: number, { inAll, trimmed }: RefusalBounds): Step<void> {
  // One statement counts both. Of two, the second would miss rows that another node deletes between
  // them, and too many would go.
  const most = yield sql`select share, count(*) as held,
      cast(sum(count(*)) over () as bigint) as held_by_all from refusals
    where client_proven = ${proven} group by share
    order by count(*) desc, min(reference) limit ${trimmed}`
  const excess = integer(most[0]?.held_by_all ?? 0) - inAll
  if (excess <= 0) return
  const kept = computeKept(
    most.map(({ held }) => integer(held)),
    excess,
  )
  const shares = most
    .map(({ share, held }, i) => [text(share), kept[i] ?? 0, integer(held)] as const)
    .filter(([, keep, held]) => keep < held)
  // In one order, so that two nodes do not wait for one another in a circle.
  for (const [share, keep] of shares.sort(([a], [b]) => (a < b ? -1 : 1))) {
    yield* trim(proven, share, keep)
  }
}

/** Transactions that run at once do not see the rows of one another: the next one trims those. */
const recordRefusals: Steps['recordRefusals'] = function* (given, bounds) {
  for (const refusal of given) yield* write(refusal)
  for (const proven of [0, 1]) {
    const these = given.filter(({ isClientProven }) => Number(isClientProven) === proven)
    const most = proven === 1 ? bounds.ofClient : bounds.ofNetwork
    for (const share of [...new Set(these.map(shareOf))].sort()) yield* trim(proven, share, most)
    yield* trimAll(proven, bounds)
  }
}

const findRefusal: Reads['findRefusal'] = async (read, reference, since) => {
  const query = 'select * from refusals where reference = ? and at > ?'
  const [row] = await read(query, [reference, since])
  return row === undefined ? null : decode(row)
}

/** The table is bounded, so a page may examine all of it. */
const listRefusals: Reads['listRefusals'] = async (read, of, before, limit, since) => {
  const where = all([
    sql`at > ${since}`,
    of.clientId !== undefined && sql`client_id = ${of.clientId}`,
    of.ownerId !== undefined && sql`owner_id = ${of.ownerId}`,
    of.network !== undefined && sql`network = ${of.network}`,
    of.reason !== undefined && sql`reason = ${of.reason}`,
    of.code !== undefined && sql`code = ${of.code}`,
    of.route !== undefined && sql`route = ${of.route}`,
    of.status !== undefined && sql`status = ${of.status}`,
    of.since !== undefined && sql`at >= ${of.since}`,
    of.until !== undefined && sql`at < ${of.until}`,
    before !== null && sql`reference < ${before}`,
  ])
  const query = sql`select * from refusals where ${where} order by reference desc limit ${limit + 1}`
  const rows = await ask(read, query)
  return pageOf(rows, limit, decode, ({ reference }) => reference)
}

export const refusalRecord: StoreRecord<RefusalSteps> = {
  tables: [],
  localTables: [refusals],
  reads: { findRefusal, listRefusals },
  steps: { recordRefusals },
  invalidates: 'nothing',
  alone: ['recordRefusals'],
  endPurges: [
    {
      sql: `delete from refusals where at <= ? and reference in
        (select reference from refusals order by reference limit ?) returning reference`,
      afterSeconds: recordLimits.refusalSeconds,
    },
  ],
}
