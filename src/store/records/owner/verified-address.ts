/** A confirmed email address has one owner. The index decides, also between steps at once. */
import type { OwnerId } from '../../../model/ids.ts'
import type { Owner, OwnerChange } from '../../../model/owner.ts'
import { lowerAscii } from '../../sql/lower.ts'
import { type Step, sql, touches } from '../../sql/statement.ts'

/** Of owners from before, the first one that is not disabled keeps the address as confirmed. */
export const verifiedAddressIndex: readonly string[] = [
  `update owners set email_verified = 0 where email_verified = 1 and email <> '' and exists
    (select 1 from owners x where lower(x.email) = lower(owners.email) and x.email_verified = 1
     and (x.disabled < owners.disabled or (x.disabled = owners.disabled
       and (x.created_at < owners.created_at
         or (x.created_at = owners.created_at and x.id < owners.id)))))`,
  `create unique index owners_by_verified_email on owners (lower(email))
    where email_verified = 1 and email <> ''`,
]

/** Whether another owner has confirmed the address. */
export function* isConfirmedByOther(email: string, id: OwnerId): Step<boolean> {
  if (email === '') return false
  return yield* touches(sql`select 1 as found from owners
    where lower(email) = ${lowerAscii(email)} and email_verified = 1 and id <> ${id}`)
}

/** Whether a change would confirm the address of another owner. */
export function* takesAddress(before: Owner, change: OwnerChange): Step<boolean> {
  if (change.email === undefined && change.emailVerified === undefined) return false
  const { email = before.email } = change
  const isVerified = change.emailVerified ?? (before.emailVerified && email === before.email)
  return isVerified && (yield* isConfirmedByOther(email, before.id))
}
