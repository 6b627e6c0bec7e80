/** The rows of requests that wait for their owner while their client polls, and how one is redeemed once. */
import type { FamilyId } from '../../model/ids.ts'
import type { PolledRedeemed, PolledRedemption } from '../contract/polled.ts'
import type { Trace } from '../contract/trace.ts'
import { integer, text } from '../sql/row.ts'
import { findOne, type Row, raw, type Step, sql, touches } from '../sql/statement.ts'
import { findHindrance, insertFamily } from './family/record.ts'

export const polledColumns = {
  id: 'text',
  secretDigest: 'text',
  clientId: 'text',
  parameters: 'text',
  network: 'text',
  createdAt: 'integer',
  expiresAt: 'integer',
  state: 'text',
  authorizationId: 'text?',
  salt: 'text?',
  terms: 'text?',
} as const

/** When and where a client asked, for its owner to recognize it. */
export const tellAsked = (row: Row) => ({
  network: text(row.network),
  askedAt: integer(row.created_at),
})

/** Why an approved request was not there to redeem. */
function* findUsed(table: string, id: FamilyId, at: number): Step<PolledRedeemed> {
  const open = yield* touches(sql`select 1 as found from ${raw(table)}
    where id = ${id} and state in ('approved', 'denied') and expires_at > ${at}`)
  return { outcome: open ? 'changed' : 'used' }
}

/** @param settle follows the redemption, with the row of the request */
export function* redeemPolled(
  table: string,
  { id, familyId, authorizationId, terms, ...start }: PolledRedemption,
  trace: Trace,
  settle: (row: Row) => Step<unknown>,
): Step<PolledRedeemed> {
  const claimed = yield* findOne(sql`update ${raw(table)} set state = 'redeemed'
    where id = ${id} and state = 'approved' and authorization_id = ${authorizationId}
      and terms = ${terms} and expires_at > ${trace.at} returning network, created_at, expires_at`)
  if (claimed === null) return yield* findUsed(table, id, trace.at)
  const codeIssuedAt = integer(claimed.created_at)
  const begun = { familyId, authorizationId, codeIssuedAt, ...start }
  const family = yield* insertFamily(begun, trace)
  if (family !== null) {
    yield* settle(claimed)
    return { outcome: 'redeemed', family }
  }
  const hindrance = yield* findHindrance(begun, trace)
  if (hindrance?.outcome !== 'paused') return { outcome: 'ended' }
  yield sql`update ${raw(table)} set state = 'approved' where id = ${id}`
  return { outcome: 'paused' }
}
