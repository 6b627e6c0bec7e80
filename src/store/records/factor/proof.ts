/**
 * Proofs of an owner: a password or a login that still holds, and a factor. One conditional statement uses
 * a factor, as often as it may be used.
 */

import type { UpstreamAccount } from '../../../model/factor.ts'
import type { OwnerId } from '../../../model/ids.ts'
import type { Proof } from '../../contract/authorization.ts'
import type { Ceremony, LoginOutcome, UsedFactor, UsedPasskey } from '../../contract/factor.ts'
import type { CheckedRoles, Trace } from '../../contract/trace.ts'
import type { Reads, Steps } from '../../sql/record.ts'
import { text } from '../../sql/row.ts'
import {
  ask,
  asWhole,
  countOnly,
  findOne,
  listOf,
  type Piece,
  raw,
  type Statement,
  type Step,
  sql,
  statement,
  touches,
} from '../../sql/statement.ts'
import { tell } from '../event/events.ts'

/** An enabled owner `o` with a valid proof. */
export const matchProven = (ownerId: OwnerId, proof: Proof | null, { at }: Trace): Piece => {
  const passwordHash = proof !== null && 'passwordHash' in proof ? proof.passwordHash : null
  const { session = null, confirmedSince = 0 } =
    proof !== null && 'session' in proof ? proof : { session: null }
  // Alone it proves nothing of an owner who needs a second factor.
  const isAlone = session === null && !(proof !== null && 'factor' in proof)
  const alone =
    proof !== null && 'upstream' in proof ? proof.upstream : isAlone ? passwordHash : null
  return sql`o.id = ${ownerId} and o.disabled = 0
    and o.password_hash = coalesce(${passwordHash}, o.password_hash)
    and (cast(${alone} as text) is null or not (o.passkey_only = 1
      or exists (select 1 from one_time_codes c where c.owner_id = o.id)))
    and (cast(${session} as text) is null or exists
      (select 1 from sessions s where s.id = ${session} and s.owner_id = o.id and s.expires_at > ${at}
        and s.confirmed_at >= ${confirmedSince}))`
}

/**
 * Whether the proof holds. If so, it locks the owner's row until the step ends: a concurrent new
 * password comes later, and ends the step's results.
 */
export const holdOwner = (ownerId: OwnerId, proof: Proof | null, trace: Trace): Step<boolean> =>
  touches(
    sql`update owners as o set disabled = 0 where ${matchProven(ownerId, proof, trace)} returning id`,
  )

/**
 * Whether an owner still has the roles that were checked. If so, it locks the owner's row until the step
 * ends: other roles come later.
 */
export function* holdRoles(ownerId: OwnerId, checked: CheckedRoles | undefined): Step<boolean> {
  if (checked === undefined) return true
  return yield* touches(sql`update owners set roles = roles
    where id = ${ownerId} and roles = ${checked.join(' ')} returning id`)
}

/**
 * Another way is left besides this row: a condition of the statement that deletes it. Steps of one
 * turn run statement by statement, so a check before could pass in two of them.
 *
 * @param ways the ids of upstreams in the settings
 */
export const matchWay = (table: 'passkeys' | 'upstream_links', ways: readonly string[]): Piece => {
  const owner = raw(`${table}.owner_id`)
  const otherKey = raw(table === 'passkeys' ? 'and p.id <> passkeys.id' : '')
  const otherLink = raw(
    table === 'upstream_links' ? 'and l.upstream <> upstream_links.upstream' : '',
  )
  return sql`(exists (select 1 from owners o where o.id = ${owner} and o.password_hash <> '')
    or exists (select 1 from passkeys p where p.owner_id = ${owner} ${otherKey})
    or exists (select 1 from upstream_links l where l.owner_id = ${owner} ${otherLink}
      and ${ways.length === 0 ? raw('1 = 0') : sql`l.upstream in ${listOf(ways)}`}))`
}

const insertFinished = `insert into finished_ceremonies (id, expires_at) values (?, ?)
  on conflict (id) do nothing ${countOnly}`

/** As a part of another step. @returns false where it was finished before */
export const finishCeremony = ({ id, expiresAt }: Ceremony): Step<boolean> =>
  touches(statement(insertFinished, id, expiresAt))

/** As a step of its own, of this statement alone. */
export const finishAlone: Steps['finishCeremony'] = ({ id, expiresAt }) =>
  touches(asWhole(statement(insertFinished, id, expiresAt)))

const selectFinished = ({ id }: Pick<Ceremony, 'id'>): Statement =>
  sql`select 1 as found from finished_ceremonies where id = ${id}`

export const isFinished: Reads['isFinished'] = async (read, ceremonyId) =>
  (await ask(read, selectFinished({ id: ceremonyId }))).length > 0

/**
 * A device that counts has to count upwards; others always say 0 (WebAuthn section 6.1.1). A
 * signature for a finished ceremony is a replay, and says nothing about the counter.
 */
function* usePasskey(ownerId: OwnerId, used: UsedPasskey, trace: Trace): Step<LoginOutcome> {
  const { id, counter, backedUp, ceremony } = used
  const grown = sql`update passkeys set counter = ${counter}, backed_up = ${Number(backedUp)},
      last_used_at = ${trace.at}
    where id = ${id} and owner_id = ${ownerId} and not exists (${selectFinished(ceremony)})
      and (counter < ${counter} or (counter = 0 and cast(${counter} as bigint) = 0))
    returning id`
  if (yield* touches(grown)) return (yield* finishCeremony(ceremony)) ? 'accepted' : 'finished'
  if (yield* touches(selectFinished(ceremony))) return 'finished'
  const row = yield* findOne(
    sql`select name from passkeys where id = ${id} and owner_id = ${ownerId}`,
  )
  if (row === null) return 'refused'
  const details = { name: text(row.name), counter }
  yield* tell('passkey.counter_regressed', { ownerId }, details, trace)
  return 'regressed'
}

const useOneTimeCode = (ownerId: OwnerId, step: number): Step<boolean> =>
  touches(sql`update one_time_codes set last_step = ${step}
    where owner_id = ${ownerId} and last_step < ${step} returning owner_id`)

function* useRecoveryCode(
  ownerId: OwnerId,
  { code, eventId }: Extract<UsedFactor, { kind: 'recovery code' }>,
  trace: Trace,
): Step<boolean> {
  const used = sql`delete from recovery_codes
    where owner_id = ${ownerId} and code = ${code} returning code`
  if (!(yield* touches(used))) return false
  const left = yield sql`select code from recovery_codes where owner_id = ${ownerId}`
  const details = { left: left.length }
  yield* tell('recovery_code.used', { ownerId }, details, { ...trace, eventId })
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
  if (yield* touches(selectFinished(factor.ceremony))) return 'finished'
  const isUsed = yield* factor.kind === 'one-time code'
    ? useOneTimeCode(ownerId, factor.step)
    : useRecoveryCode(ownerId, factor, accepted)
  if (!isUsed) return 'used'
  return (yield* finishCeremony(factor.ceremony)) ? 'accepted' : 'finished'
}

/** Whether the account is still linked to the owner. Notes the use. */
export const useLink = (
  ownerId: OwnerId,
  { upstream, issuer, subject }: UpstreamAccount,
  trace: Trace,
): Step<boolean> =>
  touches(sql`update upstream_links set last_used_at = ${trace.at}
    where upstream = ${upstream} and issuer = ${issuer} and subject = ${subject}
      and owner_id = ${ownerId} returning upstream`)
