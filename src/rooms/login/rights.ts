/** Groups and roles by an upstream: at each login there, they become what the operator mapped of its answer. */
import { type GroupId, makeId } from '../../model/ids.ts'
import type { Owner } from '../../model/owner.ts'
import { traceOf } from '../../store/trace.ts'
import type { Upstream } from '../../upstreams/index.ts'
import { type MappedRights, noRights } from '../../upstreams/mapped.ts'
import type { LoginNeeds, LoginVisit } from './entrance.ts'

/** So long may they be in the form of a newcomer. Longer ones wait for the next login. */
const waitingCharacters = 16_000

export const shortenRights = (mapped: MappedRights): MappedRights =>
  JSON.stringify(mapped).length <= waitingCharacters ? mapped : noRights

/** @returns false where they could not be set: then nobody is logged in */
export const applyRights = async (
  { id: ownerId, roles: held }: Owner,
  { groups: names, roles }: MappedRights,
  { settings }: Upstream,
  visit: LoginVisit,
  needs: LoginNeeds,
): Promise<boolean> => {
  const { store } = needs
  const { id: upstream } = settings
  const given = (await store.listGroupsOf(ownerId)).filter(({ upstreams }) =>
    upstreams.includes(upstream),
  )
  const isSame = given.length === names.length && given.every(({ name }) => names.includes(name))
  if (!isSame) {
    const ids = names.map(() => makeId<GroupId>(needs))
    const asked = { upstream, names, ids }
    const set = await store.setOwnerGroups(ownerId, asked, traceOf(visit, needs))
    if (set.outcome !== 'set') return false
  }
  // Only who has a role can lose one.
  if (roles.length === 0 && held.length === 0) return true
  return store.setUpstreamRoles(ownerId, upstream, roles, traceOf(visit, needs))
}
