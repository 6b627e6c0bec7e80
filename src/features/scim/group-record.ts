/** Groups of SCIM clients: each client has its own, with users of its own in them. */
import { groupLimits } from '../../model/group.ts'
import {
  type ClientId,
  type EventId,
  type GroupId,
  idBefore,
  type OwnerId,
} from '../../model/ids.ts'
import { findConsoleRole } from '../../model/owner.ts'
import { getOwnerKey, groupsKey } from '../../store/cache/things.ts'
import type { Trace } from '../../store/contract/trace.ts'
import { matchNaming } from '../../store/records/client/client-groups.ts'
import {
  changeGroupMembers,
  createGroup,
  deleteGroup,
  findHindered,
  holdGroup,
  listOwnersIn,
  markChanged,
  renameGroup,
} from '../../store/records/group/record.ts'
import { defineTable } from '../../store/sql/columns.ts'
import type { Reads, Steps, StoreRecord } from '../../store/sql/record.ts'
import { findFirst, integer, permissions, text } from '../../store/sql/row.ts'
import {
  ask,
  findOne,
  listOf,
  type Piece,
  type Row,
  type Step,
  sql,
  touches,
} from '../../store/sql/statement.ts'
import type {
  ScimGroup,
  ScimGroupSteps,
  ScimHindered,
  ScimLookup,
  ScimMembersChange,
} from './contract.ts'
import { scimLimits } from './limits.ts'
import { holdScimClient } from './record.ts'

interface GroupRow {
  readonly groupId: GroupId
  readonly clientId: ClientId
  readonly externalId: string
}

const groups = defineTable<GroupRow>(
  'scim_groups',
  {
    groupId: 'text references groups (id) on delete cascade',
    clientId: 'text references clients (id) on delete cascade',
    externalId: 'text',
  },
  {
    key: 'group_id',
    restored: 'all',
    indexes: [
      'scim_groups_by_client (client_id, group_id)',
      "unique scim_groups_by_external_id (client_id, external_id) where external_id > ''",
    ],
  },
)

const decodeGroup = (row: Row): ScimGroup => ({
  id: text(row.id) as GroupId,
  name: text(row.name),
  externalId: text(row.external_id),
  createdAt: integer(row.created_at),
  changedAt: integer(row.changed_at),
  revision: integer(row.revision),
})

const selectOne = (clientId: ClientId, id: GroupId) =>
  sql`select g.*, s.external_id from scim_groups s join groups g on g.id = s.group_id
    where s.group_id = ${id} and s.client_id = ${clientId}`

const findScimGroup: Reads['findScimGroup'] = async (read, clientId, id) => {
  const row = findFirst(await ask(read, selectOne(clientId, id)))
  return row && decodeGroup(row)
}

const matchLookup = ({ by, value }: ScimLookup, clientId: ClientId): Piece => {
  switch (by) {
    case 'id':
      return sql`g.id = ${value}`
    case 'externalId':
      return sql`s.external_id = ${value} and s.external_id > ''`
    case 'name':
      return sql`g.name = ${value}`
    case 'member':
      return sql`g.id in (select m.group_id from group_members m
        join scim_users u on u.owner_id = m.owner_id and u.client_id = ${clientId}
        where m.owner_id = ${value})`
    case 'email':
      return sql`1 = 0`
  }
}

const listScimGroups: Reads['listScimGroups'] = async (read, clientId, page) => {
  const { lookup, offset, limit } = page
  const which = lookup === null ? sql`1 = 1` : matchLookup(lookup, clientId)
  const query = sql`select g.*, s.external_id from scim_groups s join groups g on g.id = s.group_id
    where s.client_id = ${clientId} and ${which}
    order by s.group_id limit ${limit} offset ${offset}`
  return (await ask(read, query)).map(decodeGroup)
}

const countScimGroups: Reads['countScimGroups'] = async (read, clientId) => {
  const query = sql`select count(*) as groups from scim_groups where client_id = ${clientId}`
  return integer(findFirst(await ask(read, query))?.groups)
}

const listScimMemberships: Reads['listScimMemberships'] = async (read, clientId, of, limit) => {
  const ids = 'owners' in of ? of.owners : of.groups
  if (ids.length === 0) return []
  const which =
    'owners' in of ? sql`m.owner_id in ${listOf(ids)}` : sql`m.group_id in ${listOf(ids)}`
  const rows = await ask(
    read,
    sql`select distinct m.owner_id, m.group_id, g.name as group_name, o.name, o.username
      from group_members m
        join scim_users u on u.owner_id = m.owner_id and u.client_id = ${clientId}
        join scim_groups s on s.group_id = m.group_id and s.client_id = ${clientId}
        join groups g on g.id = m.group_id join owners o on o.id = m.owner_id
      where ${which} order by m.group_id, m.owner_id limit ${limit}`,
  )
  return rows.map((row) => ({
    ownerId: text(row.owner_id) as OwnerId,
    groupId: text(row.group_id) as GroupId,
    groupName: text(row.group_name),
    userName: text(row.name) || text(row.username),
  }))
}

const isExternalTaken = (clientId: ClientId, externalId: string, id: GroupId): Step<boolean> =>
  touches(sql`select 1 as found from scim_groups
    where client_id = ${clientId} and external_id = ${externalId} and external_id > ''
      and group_id <> ${id}`)

/** An application that names a group lets its members in. So nobody but an operator takes such a name. */
const isNamed = (name: string): Step<boolean> =>
  touches(sql`select 1 as found from clients where ${matchNaming(name)}`)

/** The users of the client among some owners, with their roles. Locks their rows until the step ends. */
function* holdUsers(
  clientId: ClientId,
  ids: readonly OwnerId[],
): Step<ReadonlyMap<string, readonly string[]>> {
  if (ids.length === 0) return new Map()
  const rows = yield sql`select o.id, o.roles from owners o join scim_users u on u.owner_id = o.id
    where u.client_id = ${clientId} and o.deleted_at is null and o.id in ${listOf(ids)}
    order by o.id for update`
  return new Map(rows.map((row) => [text(row.id), permissions(row.roles)]))
}

/** Each event of a step has an id of its own, and those of members count from the last one. */
const traceFirst = (trace: Trace): Trace => ({
  ...trace,
  eventId: idBefore<EventId>(trace.eventId, 2 * groupLimits.changed),
})

/** Users of the client who are in a group: of some, or all. */
function* listOwnIn(
  clientId: ClientId,
  id: GroupId,
  among: readonly OwnerId[] | null,
): Step<readonly OwnerId[]> {
  if (among?.length === 0) return []
  const which = among === null ? sql`1 = 1` : sql`m.owner_id in ${listOf(among)}`
  const rows = yield sql`select distinct m.owner_id from group_members m
    join scim_users u on u.owner_id = m.owner_id and u.client_id = ${clientId}
    where m.group_id = ${id} and ${which} limit ${scimLimits.membersTold + 1}`
  return rows.map((row) => text(row.owner_id) as OwnerId)
}

/** The users to add and to remove. A list may name many others, who stay and are not held. */
function* listChanges(
  clientId: ClientId,
  id: GroupId,
  { replaces, add, remove }: ScimMembersChange,
): Step<Pick<ScimMembersChange, 'add' | 'remove'> | ScimHindered> {
  const wanted = new Set(add)
  const leaving = new Set(remove)
  const named = [...new Set([...add, ...remove])]
  const before = yield* listOwnIn(clientId, id, replaces ? null : named)
  if (before.length > scimLimits.membersTold) return 'too_many'
  const present = new Set<string>(before)
  const added = [...wanted].filter((one) => !present.has(one))
  const removed = before.filter((one) => !wanted.has(one) && (replaces || leaving.has(one)))
  const changed = [...added, ...removed]
  if (changed.length === 0) return { add: [], remove: [] }
  if (changed.length > groupLimits.changed) return 'too_many'
  const own = yield* holdUsers(clientId, changed)
  if (added.some((one) => !own.has(one))) return 'unknown_member'
  const held = yield* listOwnersIn(id, changed)
  const changes = {
    add: added.filter((one) => !held.has(one)),
    remove: removed.filter((one) => own.has(one) && held.has(one)),
  }
  const touched = [...changes.add, ...changes.remove].map((one) => ({ roles: own.get(one) ?? [] }))
  if (touched.some((one) => findConsoleRole(one) !== null)) return 'protected'
  return (yield* findHindered(id, changes.add)) === null ? changes : 'too_many'
}

function* findOwn(clientId: ClientId, id: GroupId): Step<ScimGroup | 'gone'> {
  const row = yield* findOne(selectOne(clientId, id))
  return row === null ? 'gone' : decodeGroup(row)
}

const createScimGroup: Steps['createScimGroup'] = function* (
  clientId,
  group,
  members,
  most,
  trace,
) {
  const { id, name, externalId } = group
  if (!(yield* holdScimClient(clientId))) return 'lost'
  if (yield* isNamed(name)) return 'name_in_use'
  if (yield* isExternalTaken(clientId, externalId, id)) return 'external_taken'
  const known = yield* findOne(sql`select count(*) as groups,
      count(case when client_id = ${clientId} then 1 end) as own from scim_groups`)
  const isFull = integer(known?.groups) >= scimLimits.groupsTogether
  if (isFull || integer(known?.own) >= most) return 'too_many'
  const asked = { replaces: false, add: members, remove: [] }
  const changes = yield* listChanges(clientId, id, asked)
  if (typeof changes === 'string') return changes
  const created = yield* createGroup({ id, name }, groupLimits.groups, traceFirst(trace))
  if (created !== 'created') return created
  yield groups.insert({ groupId: id, clientId, externalId })
  if (changes.add.length > 0) yield* changeGroupMembers(id, changes, null, trace)
  return yield* findOwn(clientId, id)
}

function* holdOwn(
  clientId: ClientId,
  id: GroupId,
  revision: number | null,
): Step<ScimGroup | Extract<ScimHindered, 'lost' | 'gone' | 'changed_meanwhile'>> {
  if (!(yield* holdScimClient(clientId))) return 'lost'
  const held = yield* holdGroup(id, null)
  const own = held === 'gone' ? held : yield* findOwn(clientId, id)
  if (own === 'gone') return own
  return revision !== null && own.revision !== revision ? 'changed_meanwhile' : own
}

const changeScimGroup: Steps['changeScimGroup'] = function* (clientId, id, seen, change, trace) {
  const held = yield* holdOwn(clientId, id, seen?.revision ?? null)
  if (typeof held === 'string') return held
  const { name = held.name, externalId = held.externalId, members } = change
  const changes = yield* listChanges(clientId, id, members)
  if (typeof changes === 'string') return changes
  if (yield* isExternalTaken(clientId, externalId, id)) return 'external_taken'
  if (name !== held.name) {
    if ((yield* isNamed(held.name)) || (yield* isNamed(name))) return 'name_in_use'
    const renamed = yield* renameGroup(id, name, null, traceFirst(trace))
    if (renamed === 'name_taken') return renamed
  }
  if (externalId !== held.externalId) {
    yield sql`update scim_groups set external_id = ${externalId} where group_id = ${id}`
    yield markChanged([id], trace)
  }
  if (changes.add.length + changes.remove.length > 0) {
    yield* changeGroupMembers(id, changes, null, trace)
  }
  return yield* findOwn(clientId, id)
}

const deleteScimGroup: Steps['deleteScimGroup'] = function* (clientId, id, seen, trace) {
  const held = yield* holdOwn(clientId, id, seen?.revision ?? null)
  if (typeof held === 'string') return held
  const roles = yield sql`select distinct o.roles from group_members m join owners o
    on o.id = m.owner_id where m.group_id = ${id} and o.roles > ''`
  const isProtected = roles.some(
    (row) => findConsoleRole({ roles: permissions(row.roles) }) !== null,
  )
  if (isProtected) return 'protected'
  return (yield* deleteGroup(id, null, trace)) === 'deleted' ? 'deleted' : 'gone'
}

export const scimGroupRecord: StoreRecord<ScimGroupSteps> = {
  tables: [groups],
  reads: { findScimGroup, listScimGroups, countScimGroups, listScimMemberships },
  steps: { createScimGroup, changeScimGroup, deleteScimGroup },
  invalidates: {
    createScimGroup: (_clientId, _group, members) => members.map(getOwnerKey),
    // Clients are changed, too, and a replaced list does not say who leaves.
    changeScimGroup: () => [groupsKey],
    deleteScimGroup: () => [groupsKey],
  },
  // A row is held while others are written, which other steps of the transaction would not see.
  alone: ['createScimGroup', 'changeScimGroup', 'deleteScimGroup'],
}
