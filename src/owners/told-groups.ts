/** The groups that a client is told of an owner: those of its `told_groups`, or all. */
import type { Client } from '../model/client.ts'
import type { OwnerId } from '../model/ids.ts'
import type { Store } from '../store/store.ts'

/** Nothing is read unless the claim is among the names. */
export const findToldGroups = async (
  { identity }: Pick<Client, 'identity'>,
  ownerId: OwnerId,
  names: readonly string[],
  store: Pick<Store, 'listGroupsOf'>,
): Promise<readonly string[]> => {
  if (!names.includes('groups')) return []
  const groups = (await store.listGroupsOf(ownerId)).map(({ name }) => name)
  const { told_groups: told } = identity
  return told === undefined ? groups : groups.filter((name) => told.includes(name))
}
