/** The proof of a step: an enabled owner whose password or login still holds. */
import type { OwnerId } from '../../../model/ids.ts'
import type { Proof } from '../../contract/approval.ts'
import type { CheckedRoles } from '../../contract/owner.ts'
import { type Step, statement, type Value } from '../../sql/statement.ts'
import type { Trace } from '../../store.ts'

/** Whether the password of an owner `o` alone does not log in. */
const needsFactor = `(o.passkey_only = 1
  or exists (select 1 from one_time_codes c where c.owner_id = o.id))`

/** An enabled owner `o` with a valid proof; takes the parameters of `provenBy`. */
export const proven = `o.id = ? and o.disabled = 0
  and o.password_hash = coalesce(?, o.password_hash)
  and (cast(? as text) is null or not ${needsFactor})
  and (cast(? as text) is null or exists
    (select 1 from sessions s where s.id = ? and s.owner_id = o.id and s.expires_at > ?))`

export const provenBy = (ownerId: OwnerId, proof: Proof | null, trace: Trace): readonly Value[] => {
  const passwordHash = proof !== null && 'passwordHash' in proof ? proof.passwordHash : null
  const session = proof !== null && 'session' in proof ? proof.session : null
  // Alone it proves nothing of an owner who needs a second factor.
  const isAlone = session === null && !(proof !== null && 'factor' in proof)
  const alone =
    proof !== null && 'upstream' in proof ? proof.upstream : isAlone ? passwordHash : null
  return [ownerId, passwordHash, alone, session, session, trace.at]
}

/**
 * Whether the proof holds. If so, it locks the owner's row until the step ends: a concurrent new
 * password comes later, and ends the step's results.
 */
export function* holdOwner(ownerId: OwnerId, proof: Proof | null, trace: Trace): Step<boolean> {
  const held = yield statement(
    `update owners as o set disabled = 0 where ${proven} returning id`,
    ...provenBy(ownerId, proof, trace),
  )
  return held.length > 0
}

/**
 * Whether an owner still has the roles that were checked. If so, it locks the owner's row until the step
 * ends: other roles come later.
 */
export function* holdRoles(ownerId: OwnerId, checked: CheckedRoles | undefined): Step<boolean> {
  if (checked === undefined) return true
  const sql = 'update owners set roles = roles where id = ? and roles = ? returning id'
  return (yield statement(sql, ownerId, checked.join(' '))).length > 0
}
