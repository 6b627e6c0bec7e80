/** What SCIM asks of the store. A client sees and changes what it has created, or was given. */
import type { ClientId, GroupId, OwnerId } from '../../model/ids.ts'
import type { QueuedMail } from '../../model/mail.ts'
import type { Owner } from '../../model/owner.ts'
import type { Trace } from '../../store/contract/trace.ts'

/** What a SCIM client has written of an owner beside the owner itself. */
export interface ScimUserNote {
  /** The id in the directory; '' for none. */
  readonly externalId: string
  /** `name.formatted` as the directory writes it. The name of the owner is `displayName`. */
  readonly formatted: string
}

/** A user as its client sees it. */
export interface ScimUser extends ScimUserNote {
  readonly owner: Owner
  /** Unix seconds of the latest change by the client. */
  readonly changedAt: number
}

/** Members of a user that a request changes. A new address is not confirmed. */
export type ScimUserChange = Partial<
  ScimUserNote & Pick<Owner, 'username' | 'name' | 'email' | 'claims' | 'disabled'>
>

/** How a change of a user is made. */
export interface ScimChangeRule {
  /** Whether all of the user has to be as it was seen, or the members that a change is computed from. */
  readonly whole: boolean
  /** Tells a confirmed address that another one takes its place; null: nobody sends mails. */
  readonly notice: Omit<QueuedMail, 'ownerId' | 'about'> | null
}

/** A group as its client sees it. Its members are the users of the client in it. */
export interface ScimGroup {
  readonly id: GroupId
  readonly name: string
  readonly externalId: string
  readonly createdAt: number
  readonly changedAt: number
  /** The version of the group: each change of its name or its members counts it up. */
  readonly revision: number
}

/** How the members of a group change. Others than users of the client stay. */
export interface ScimMembersChange {
  /** Whether those of before leave first. */
  readonly replaces: boolean
  readonly add: readonly OwnerId[]
  readonly remove: readonly OwnerId[]
}

/** Members of a group that a request changes. */
export type ScimGroupChange = Partial<Pick<ScimGroup, 'name' | 'externalId'>> & {
  readonly members: ScimMembersChange
}

/** What an index finds: the attribute, and its value. */
export interface ScimLookup {
  readonly by: 'id' | 'externalId' | 'name' | 'email' | 'member'
  readonly value: string
}

/** A page of a list, by the number of rows before it. */
export interface ScimPage {
  readonly lookup: ScimLookup | null
  readonly offset: number
  readonly limit: number
}

/** Why a step did nothing. */
export type ScimHindered =
  /** The client may do nothing any more. */
  | 'lost'
  /** The client has no such user or group. */
  | 'gone'
  | 'changed_meanwhile'
  /** An owner with a role of the console is concerned, or one whom an operator has disabled. */
  | 'protected'
  | 'name_taken'
  /** A client of the service names a group by the name of before, or by the new one. */
  | 'name_in_use'
  | 'external_taken'
  /** A member is no user of the client. */
  | 'unknown_member'
  /** More groups, groups of one user, or changes of members than there may be. */
  | 'too_many'

/** A membership as answers tell it. */
export interface ScimMembership {
  readonly ownerId: OwnerId
  readonly groupId: GroupId
  readonly groupName: string
  readonly userName: string
}

/** Steps of SCIM clients on their users. */
export interface ScimUserSteps {
  /** Also a disabled one. */
  findScimUser(clientId: ClientId, id: OwnerId): Promise<ScimUser | null>
  /** In the order of their ids. */
  listScimUsers(clientId: ClientId, page: ScimPage): Promise<readonly ScimUser[]>
  countScimUsers(clientId: ClientId): Promise<number>
  /** Creates the owner, too. */
  createScimUser(
    clientId: ClientId,
    owner: Owner,
    note: ScimUserNote,
    trace: Trace,
  ): Promise<'created' | ScimHindered>
  /**
   * All of the change or nothing. Disabling ends all sessions. Only whom a client has disabled here, it
   * enables again.
   *
   * @param how `seen` is the user that the change was computed from
   */
  changeScimUser(
    clientId: ClientId,
    seen: ScimUser,
    change: ScimUserChange,
    how: ScimChangeRule,
    trace: Trace,
  ): Promise<ScimUser | ScimHindered>
  /** As an operator deletes an owner. @param seen null: whichever it is */
  deleteScimUser(
    clientId: ClientId,
    id: OwnerId,
    seen: ScimUser | null,
    trace: Trace,
  ): Promise<'deleted' | ScimHindered>
}

/** Steps of SCIM clients on their groups. */
export interface ScimGroupSteps {
  findScimGroup(clientId: ClientId, id: GroupId): Promise<ScimGroup | null>
  /** In the order of their ids. */
  listScimGroups(clientId: ClientId, page: ScimPage): Promise<readonly ScimGroup[]>
  countScimGroups(clientId: ClientId): Promise<number>
  /** The users of the client in its groups: of these owners, or in these groups. */
  listScimMemberships(
    clientId: ClientId,
    of: { readonly owners: readonly OwnerId[] } | { readonly groups: readonly GroupId[] },
    limit: number,
  ): Promise<readonly ScimMembership[]>
  /** @param most how many the client may have; concurrent steps of it do not exceed that */
  createScimGroup(
    clientId: ClientId,
    group: Pick<ScimGroup, 'id' | 'name' | 'externalId'>,
    members: readonly OwnerId[],
    most: number,
    trace: Trace,
  ): Promise<ScimGroup | ScimHindered>
  /** All of the change or nothing. A group in a list of an application keeps its name. @param seen null: whichever it is */
  changeScimGroup(
    clientId: ClientId,
    id: GroupId,
    seen: ScimGroup | null,
    change: ScimGroupChange,
    trace: Trace,
  ): Promise<ScimGroup | ScimHindered>
  /** @param seen null: whichever it is */
  deleteScimGroup(
    clientId: ClientId,
    id: GroupId,
    seen: ScimGroup | null,
    trace: Trace,
  ): Promise<'deleted' | ScimHindered>
}

/** Steps of SCIM clients. */
export type ScimSteps = ScimUserSteps & ScimGroupSteps
