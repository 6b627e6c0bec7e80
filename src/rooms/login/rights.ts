/** Groups and roles by an upstream: at each login there, they become what the operator mapped of its answer. */
import { type GroupId, makeId, type SessionId } from '../../model/ids.ts'
import type { Owner } from '../../model/owner.ts'
import { traceOf } from '../../store/trace.ts'
import type { MappedRights } from '../../upstreams/mapped.ts'
import type { LoginNeeds, LoginVisit } from './entrance.ts'

/** So many bytes of them may wait in the form of a newcomer, or in the address of the second step. */
const waitingBytes = { newcomer: 16_000, second: 4000 } as const

/** Keeps what fits: the roles, and the first groups. More groups come at a login without this step. */
export const shortenRights = (
  { groups, roles }: MappedRights,
  step: keyof typeof waitingBytes,
): MappedRights => {
  let free = waitingBytes[step]
  const takeFitting = (names: readonly string[]): readonly string[] =>
    names.filter((name) => {
      free -= Buffer.byteLength(JSON.stringify(name)) + 1
      return free >= 0
    })
  return { roles: takeFitting(roles), groups: takeFitting(groups) }
}

/**
 * Only for a session that has just started, so that nobody gets rights without the second factor.
 *
 * @param session stays where a role ends the others
 * @returns false where they could not be set: then nobody is let in
 */
export const applyRights = async (
  { id: ownerId, roles: held }: Owner,
  { groups: names, roles }: MappedRights,
  upstream: string,
  session: SessionId,
  visit: LoginVisit,
  needs: LoginNeeds,
): Promise<boolean> => {
  const { store } = needs
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
  return store.setUpstreamRoles(ownerId, upstream, roles, session, traceOf(visit, needs))
}
