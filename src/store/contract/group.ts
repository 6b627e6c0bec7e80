/** The contract about groups of owners. */
import type { StoredGroup } from '../../model/group.ts'
import type { GroupId, OwnerId } from '../../model/ids.ts'
import type { Page, Trace } from './trace.ts'

/** A group with the number of its members. */
export interface CountedGroup extends StoredGroup {
  readonly members: number
}

/** Who put an owner into a group: an operator, upstreams by their ids, or both. */
interface GroupSources {
  readonly byOperator: boolean
  readonly upstreams: readonly string[]
}

/** One member of a group. */
export interface GroupMember extends GroupSources {
  readonly ownerId: OwnerId
  readonly username: string
  readonly name: string
}

/** One group of an owner. */
export interface Membership extends GroupSources {
  readonly id: GroupId
  readonly name: string
}

/** The owners to add and to remove. An upstream puts its people in again at their next login. */
export interface MembersChange {
  readonly add: readonly OwnerId[]
  readonly remove: readonly OwnerId[]
}

/** The outcome of `changeGroupMembers`. */
export type MembersChanged =
  | { readonly outcome: 'changed'; readonly group: CountedGroup }
  /** No group has this id, or its revision is another one. */
  | { readonly outcome: 'gone' | 'changed_meanwhile' }
  /** No owner has this id, or the owner has as many groups as an owner may have. Nothing was written. */
  | { readonly outcome: 'unknown_owner' | 'full'; readonly ownerId: OwnerId }

/** All groups that one source gives to an owner. */
export interface OwnerGroups {
  /** The id of an upstream; null for the operator. */
  readonly upstream: string | null
  readonly names: readonly string[]
  /** Ids for groups that begin; null: each of the names has to be there. */
  readonly ids: readonly GroupId[] | null
}

/** The outcome of `setOwnerGroups`. */
export type OwnerGroupsSet =
  | { readonly outcome: 'set'; readonly groups: readonly Membership[] }
  | { readonly outcome: 'gone' | 'full' }
  | { readonly outcome: 'unknown_group'; readonly name: string }

/** Steps on groups. */
export interface GroupSteps {
  /** By its id, or by its name. No name has the form of an id. */
  findGroup(named: string): Promise<CountedGroup | null>
  /** In the order of their names. @param prefix of the names; '' for all groups */
  listGroups(prefix: string, after: string | null, limit: number): Promise<Page<CountedGroup>>
  /** In the order of their ids. */
  listGroupMembers(id: GroupId, after: OwnerId | null, limit: number): Promise<Page<GroupMember>>
  /** In the order of their names. */
  listGroupsOf(ownerId: OwnerId): Promise<readonly Membership[]>
  /** Whether a client is for this owner: it names no groups, or one of the owner's. */
  isClientFor(clientId: string, ownerId: OwnerId): Promise<boolean>
  /** @param most how many there may be; concurrent steps may exceed it by one each */
  createGroup(
    group: Pick<StoredGroup, 'id' | 'name'>,
    most: number,
    trace: Trace,
  ): Promise<'created' | 'name_taken' | 'too_many'>
  /** The lists of clients follow. @param revision null: any */
  renameGroup(
    id: GroupId,
    name: string,
    revision: number | null,
    trace: Trace,
  ): Promise<CountedGroup | 'name_taken' | 'changed_meanwhile' | null>
  /** Clients go on naming it, so no owner gets in by it. @param revision null: any */
  deleteGroup(
    id: GroupId,
    revision: number | null,
    trace: Trace,
  ): Promise<'deleted' | 'gone' | 'changed_meanwhile'>
  /** Both lists or nothing. Writes `owner.groups_changed` for each owner. */
  changeGroupMembers(
    id: GroupId,
    change: MembersChange,
    revision: number | null,
    trace: Trace,
  ): Promise<MembersChanged>
  /** Groups of other sources stay. Writes `owner.groups_changed` if it changes anything. */
  setOwnerGroups(ownerId: OwnerId, groups: OwnerGroups, trace: Trace): Promise<OwnerGroupsSet>
}
