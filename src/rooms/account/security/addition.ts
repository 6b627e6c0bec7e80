/** Where and how an owner may add a passkey. */
import type { Factors } from '../../../model/factor.ts'
import { beginCeremony } from '../../../owners/ceremony.ts'
import { findPasskeyPlace, makeCreationOptions } from '../../../owners/passkeys.ts'
import { pageUrl } from '../../../paper/view.ts'
import type { OwnerVisit } from '../../owner-visit.ts'
import { isConfirmed } from '../confirmed.ts'
import { accountLimits } from '../limits.ts'
import type { AccountNeeds } from '../needs.ts'
import type { Addition } from './passkeys.ts'

/** The form for a new passkey, or the place for it. Null: the owner has to confirm the login first. */
export const makeAddition = (
  visit: OwnerVisit,
  { passkeys }: Factors,
  needs: AccountNeeds,
): Addition => {
  if (!isConfirmed(visit)) return null
  const { view, request, at } = visit
  const place = findPasskeyPlace(request, needs)
  if (place.is === 'nowhere') return place
  if (place.is === 'elsewhere') {
    // The passkey must not go to another owner, so the login is asked for.
    const login = { next: 'security/passkeys', switch: '1' }
    return { is: 'elsewhere', url: place.origin + pageUrl(view, '/login', login) }
  }
  if (passkeys.length >= accountLimits.passkeysPerOwner) return { is: 'full' }
  const { id, text } = beginCeremony('add passkey', null, visit, at, needs)
  const options = makeCreationOptions(id, visit.login.owner, passkeys, place.party, view.brand.name)
  return { is: 'here', ceremony: text, options }
}
