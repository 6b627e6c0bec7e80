/** The usernames of the owners on a page of the console. */
import { isOwnerId, type OwnerId } from '../../../model/ids.ts'
import type { Owner } from '../../../model/owner.ts'
import type { ServiceParts } from '../../../registries.ts'
import type { OwnerNames } from '../events/events-page.ts'

/** A page has few rows, so each owner is read by itself. */
export const namesOfOwners = async (
  ids: readonly (OwnerId | null)[],
  { store }: Pick<ServiceParts, 'store'>,
): Promise<OwnerNames> => {
  const some = [...new Set(ids)].filter((id) => id !== null)
  const owners = await Promise.all(some.map((id) => store.findOwner(id, 'disabled')))
  return new Map(owners.flatMap((owner) => (owner === null ? [] : [[owner.id, owner.username]])))
}

/** By the username or the id, as an operator types it. */
export const findTypedOwner = async (
  typed: string,
  { store }: Pick<ServiceParts, 'store'>,
): Promise<Owner | null> =>
  (await store.findOwnerByName(typed, 'disabled')) ??
  (isOwnerId(typed) ? store.findOwner(typed as OwnerId, 'disabled') : null)
