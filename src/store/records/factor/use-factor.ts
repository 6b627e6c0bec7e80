/** Using a second factor: each as often as it may be used, by one conditional statement. */

import type { OwnerId } from '../../../model/ids.ts'
import type { LoginOutcome, UsedFactor, UsedPasskey } from '../../contract/factor.ts'
import type { Reads, Steps } from '../../sql/record.ts'
import { text } from '../../sql/row.ts'
import { findOne, type Step, sql, statement, touches } from '../../sql/statement.ts'
import type { Trace } from '../../store.ts'
import { appendEvent, tell } from '../event/events.ts'

/** @returns false where it was finished before */
export const finishCeremony: Steps['finishCeremony'] = function* ({ id, expiresAt }) {
  return yield* touches(sql`insert into finished_ceremonies (id, expires_at)
    values (${id}, ${expiresAt})
    on conflict (id) do nothing returning id`)
}

const finished = 'select 1 as found from finished_ceremonies where id = ?'

export const isFinished: Reads['isFinished'] = async (read, ceremonyId) =>
  (await read(finished, [ceremonyId])).length > 0

/**
 * A device that counts has to count upwards; others always say 0 (WebAuthn section 6.1.1). A
 * signature for a finished ceremony is a replay, and says nothing about the counter.
 */
function* usePasskey(ownerId: OwnerId, used: UsedPasskey, trace: Trace): Step<LoginOutcome> {
  const { id, counter, backedUp, ceremony } = used
  const grown = yield statement(
    `update passkeys set counter = ?, backed_up = ?, last_used_at = ?
     where id = ? and owner_id = ? and (counter < ? or (counter = 0 and cast(? as bigint) = 0))
       and not exists (${finished})
     returning id`,
    counter,
    Number(backedUp),
    trace.at,
    id,
    ownerId,
    counter,
    counter,
    ceremony.id,
  )
  if (grown.length > 0) return (yield* finishCeremony(ceremony)) ? 'accepted' : 'finished'
  if ((yield statement(finished, ceremony.id)).length > 0) return 'finished'
  const row = yield* findOne(
    sql`select name from passkeys where id = ${id} and owner_id = ${ownerId}`,
  )
  if (row === null) return 'refused'
  const details = { name: text(row.name), counter }
  yield* tell('passkey.counter_regressed', { ownerId }, details, trace)
  return 'regressed'
}

function* useOneTimeCode(ownerId: OwnerId, step: number): Step<boolean> {
  return yield* touches(sql`update one_time_codes set last_step = ${step}
    where owner_id = ${ownerId} and last_step < ${step} returning owner_id`)
}

function* useRecoveryCode(
  ownerId: OwnerId,
  { code, eventId }: Extract<UsedFactor, { kind: 'recovery code' }>,
  trace: Trace,
): Step<boolean> {
  if (
    !(yield* touches(sql`delete from recovery_codes
    where owner_id = ${ownerId} and code = ${code} returning code`))
  )
    return false
  const left = yield sql`select code from recovery_codes where owner_id = ${ownerId}`
  yield* appendEvent({
    id: eventId,
    at: trace.at,
    type: 'recovery_code.used',
    clientId: null,
    ownerId,
    authorizationId: null,
    requestId: trace.requestId,
    actor: trace.actor,
    details: { left: left.length },
  })
  return true
}

/**
 * A wrong code leaves the ceremony open for the next try; a right one finishes it.
 *
 * @param refused the actor if the factor is refused, who may not be its owner
 */
export function* applyFactor(
  ownerId: OwnerId,
  factor: UsedFactor,
  accepted: Trace,
  refused: Trace,
): Step<LoginOutcome> {
  if (factor.kind === 'passkey') return yield* usePasskey(ownerId, factor, refused)
  if ((yield statement(finished, factor.ceremony.id)).length > 0) return 'finished'
  const isUsed = yield* factor.kind === 'one-time code'
    ? useOneTimeCode(ownerId, factor.step)
    : useRecoveryCode(ownerId, factor, accepted)
  if (!isUsed) return 'used'
  return (yield* finishCeremony(factor.ceremony)) ? 'accepted' : 'finished'
}
