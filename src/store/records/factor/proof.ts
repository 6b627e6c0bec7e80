/** The proof of a step: an enabled owner whose password or login still holds. */

import type { OwnerId } from '../../../model/ids.ts'
import type { Proof } from '../../contract/authorization.ts'
import type { CheckedRoles } from '../../contract/trace.ts'
import { type Piece, type Step, sql, touches } from '../../sql/statement.ts'
import type { Trace } from '../../store.ts'

/** Whether the password of an owner `o` alone does not log in. */
const needsFactor = sql`(o.passkey_only = 1
  or exists (select 1 from one_time_codes c where c.owner_id = o.id))`

/** An enabled owner `o` with a valid proof. */
export const proven = (ownerId: OwnerId, proof: Proof | null, { at }: Trace): Piece => {
  const passwordHash = proof !== null && 'passwordHash' in proof ? proof.passwordHash : null
  const session = proof !== null && 'session' in proof ? proof.session : null
  // Alone it proves nothing of an owner who needs a second factor.
  const isAlone = session === null && !(proof !== null && 'factor' in proof)
  const alone =
    proof !== null && 'upstream' in proof ? proof.upstream : isAlone ? passwordHash : null
  return sql`o.id = ${ownerId} and o.disabled = 0
    and o.password_hash = coalesce(${passwordHash}, o.password_hash)
    and (cast(${alone} as text) is null or not ${needsFactor})
    and (cast(${session} as text) is null or exists
      (select 1 from sessions s where s.id = ${session} and s.owner_id = o.id and s.expires_at > ${at}))`
}

/**
 * Whether the proof holds. If so, it locks the owner's row until the step ends: a concurrent new
 * password comes later, and ends the step's results.
 */
export function* holdOwner(ownerId: OwnerId, proof: Proof | null, trace: Trace): Step<boolean> {
  return yield* touches(
    sql`update owners as o set disabled = 0 where ${proven(ownerId, proof, trace)} returning id`,
  )
}

/**
 * Whether an owner still has the roles that were checked. If so, it locks the owner's row until the step
 * ends: other roles come later.
 */
export function* holdRoles(ownerId: OwnerId, checked: CheckedRoles | undefined): Step<boolean> {
  if (checked === undefined) return true
  return yield* touches(sql`update owners set roles = roles
    where id = ${ownerId} and roles = ${checked.join(' ')} returning id`)
}
