/** Steps on groups of owners. */
import { groupLimits } from '../../../model/group.ts'
import { type EventId, type GroupId, idBefore, type OwnerId } from '../../../model/ids.ts'
import { getOwnerKey, groupsKey } from '../../cache/things.ts'
import type { CountedGroup, GroupSteps, MembersChanged, OwnerGroups } from '../../contract/group.ts'
import type { Trace } from '../../contract/trace.ts'
import type { RecordTable } from '../../sql/columns.ts'
import type { Steps, StoreRecord } from '../../sql/record.ts'
import { findFirst, integer, text } from '../../sql/row.ts'
import {
  findOne,
  listOf,
  type Piece,
  type Statement,
  type Step,
  sql,
  statement,
  touches,
  type Value,
} from '../../sql/statement.ts'
import { listChange } from '../../sql/told-change.ts'
import { renameInClients } from '../client/client-groups.ts'
import { tell } from '../event/events.ts'
import { noteOwners } from '../revocation.ts'
import {
  countMembers,
  decodeCounted,
  decodeMemberships,
  groupReads,
  groupTable,
  memberTable,
  selectMemberships,
} from './groups.ts'

/** Many rows by one statement. */
const insertAll = (
  { name, names }: Pick<RecordTable<never>, 'name' | 'names'>,
  rows: readonly (readonly Value[])[],
): Piece => {
  const row = `(${names.map(() => '?').join(', ')})`
  const values = rows.map(() => row).join(', ')
  return statement(`insert into ${name} (${names.join(', ')}) values ${values}`, ...rows.flat())
}

const insertMembers = (members: Parameters<typeof memberTable.encode>[0][]): Statement =>
  sql`${insertAll(memberTable, members.map(memberTable.encode))} on conflict do nothing`

function* findCounted(which: Piece): Step<CountedGroup | null> {
  const rows = yield sql`select * from groups g where ${which}`
  const row = findFirst(rows)
  return row && decodeCounted(yield countMembers(rows))(row)
}

const insertGroup = (id: GroupId, name: string, { at }: Trace, most: number): Statement =>
  sql`${groupTable.insertIf({ id, name, createdAt: at, changedAt: at, revision: 0 })}
    where (select count(*) from groups) < ${most} on conflict (name) do nothing returning id`

export const createGroup: Steps['createGroup'] = function* ({ id, name }, most, trace) {
  if (yield* touches(insertGroup(id, name, trace, most))) {
    yield* tell('group.created', {}, { groupId: id, name }, trace)
    return 'created'
  }
  const known = sql`select 1 as found from groups where name = ${name}`
  return (yield* touches(known)) ? 'name_taken' : 'too_many'
}

/** Locks the row until the step ends. @param revision null: whichever it has */
export function* holdGroup(
  id: GroupId,
  revision: number | null,
): Step<{ readonly name: string } | 'gone' | 'changed_meanwhile'> {
  const held = yield* findOne(sql`update groups set revision = revision
    where id = ${id} returning name, revision`)
  if (held === null) return 'gone'
  const isOther = revision !== null && revision !== integer(held.revision)
  return isOther ? 'changed_meanwhile' : { name: text(held.name) }
}

export const markChanged = (ids: readonly GroupId[], { at }: Trace): Statement =>
  sql`update groups set revision = revision + 1, changed_at = ${at} where id in ${listOf(ids)}`

export const renameGroup: Steps['renameGroup'] = function* (id, name, revision, trace) {
  const held = yield* holdGroup(id, revision)
  if (held === 'gone') return null
  if (held === 'changed_meanwhile') return held
  const { name: before } = held
  if (before !== name) {
    const renamed = sql`update groups set name = ${name} where id = ${id}
      and not exists (select 1 from groups o where o.name = ${name}) returning id`
    if (!(yield* touches(renamed))) return 'name_taken'
    yield markChanged([id], trace)
    yield* renameInClients(before, name)
    yield* tell(
      'group.changed',
      {},
      { groupId: id, ...listChange({ name: before }, { name }) },
      trace,
    )
  }
  return yield* findCounted(sql`g.id = ${id}`)
}

export const deleteGroup: Steps['deleteGroup'] = function* (id, revision, trace) {
  const held = yield* holdGroup(id, revision)
  if (typeof held === 'string') return held
  const members = yield* findOne(sql`select count(distinct owner_id) as members
    from group_members where group_id = ${id}`)
  yield* noteOwners(sql`select owner_id from group_members where group_id = ${id}`, trace)
  yield sql`delete from groups where id = ${id}`
  const told = { groupId: id, name: held.name, members: integer(members?.members ?? 0) }
  yield* tell('group.deleted', {}, told, trace)
  return 'deleted'
}

/** @param i tells events of one step apart */
function* tellOfOwner(
  ownerId: OwnerId,
  before: readonly string[],
  after: readonly string[],
  upstream: string | null,
  i: number,
  trace: Trace,
): Step<void> {
  const eventId = i === 0 ? trace.eventId : idBefore<EventId>(trace.eventId, i)
  const by = upstream === null ? {} : { upstream }
  const told = { ...by, ...listChange({ groups: before }, { groups: after }) }
  yield* tell('owner.groups_changed', { ownerId }, told, { ...trace, eventId })
}

/** The first of these owners who cannot be added. */
export function* findHindered(
  id: GroupId,
  ids: readonly OwnerId[],
): Step<Extract<MembersChanged, { ownerId: OwnerId }> | null> {
  if (ids.length === 0) return null
  const rows = yield sql`select o.id, (select count(distinct m.group_id) from group_members m
      where m.owner_id = o.id and m.group_id <> ${id} and m.source = '') as others
    from owners o where o.id in ${listOf(ids)} and o.deleted_at is null`
  const others = new Map(rows.map((row) => [text(row.id), integer(row.others)]))
  const unknown = ids.find((one) => !others.has(one))
  if (unknown !== undefined) return { outcome: 'unknown_owner', ownerId: unknown }
  const full = ids.find((one) => (others.get(one) ?? 0) >= groupLimits.ofSource)
  return full === undefined ? null : { outcome: 'full', ownerId: full }
}

export function* listOwnersIn(id: GroupId, ids: readonly OwnerId[]): Step<ReadonlySet<string>> {
  const rows = yield sql`select distinct owner_id from group_members
    where group_id = ${id} and owner_id in ${listOf(ids)}`
  return new Set(rows.map((row) => text(row.owner_id)))
}

export const changeGroupMembers: Steps['changeGroupMembers'] = function* (
  id,
  { add, remove },
  revision,
  trace,
) {
  const held = yield* holdGroup(id, revision)
  if (typeof held === 'string') return { outcome: held }
  const { name } = held
  const hindered = yield* findHindered(id, add)
  if (hindered !== null) return hindered
  const named = [...new Set([...add, ...remove])]
  if (named.length > 0) {
    const before = yield* listOwnersIn(id, named)
    if (remove.length > 0) {
      yield sql`delete from group_members
        where group_id = ${id} and owner_id in ${listOf(remove)}`
    }
    if (add.length > 0) {
      yield insertMembers(add.map((ownerId) => ({ ownerId, groupId: id, source: '' })))
    }
    const after = yield* listOwnersIn(id, named)
    const changed = named.filter((one) => before.has(one) !== after.has(one))
    for (const [i, ownerId] of changed.entries()) {
      const [was, is] = [before, after].map((of) => (of.has(ownerId) ? [name] : []))
      yield* tellOfOwner(ownerId, was ?? [], is ?? [], null, i, trace)
    }
    if (changed.length > 0) yield markChanged([id], trace)
  }
  const group = yield* findCounted(sql`g.id = ${id}`)
  return group === null ? { outcome: 'gone' } : { outcome: 'changed', group }
}

/** The ids of groups by their names; the name of a group that has to be there and is not. */
function* findNamed(
  { names, ids, upstream }: OwnerGroups,
  trace: Trace,
): Step<ReadonlyMap<string, GroupId> | string> {
  const wanted = [...new Set(names)]
  if (wanted.length === 0) return new Map()
  const find = sql`select id, name from groups where name in ${listOf(wanted)}`
  const read = function* (): Step<Map<string, GroupId>> {
    const rows = yield find
    return new Map(rows.map((row) => [text(row.name), text(row.id) as GroupId]))
  }
  const found = yield* read()
  const missing = wanted.filter((name) => !found.has(name))
  const [first] = missing
  if (first === undefined) return found
  if (ids === null) return first
  const { at } = trace
  const begun = missing.slice(0, ids.length).map((name, i) => ({ id: ids[i] as GroupId, name }))
  const values = begun.map(({ id, name }) =>
    groupTable.encode({ id, name, createdAt: at, changedAt: at, revision: 0 }),
  )
  yield sql`${insertAll(groupTable, values)} on conflict (name) do nothing`
  const told = listChange({ groups: [] }, { groups: begun.map(({ name }) => name) })
  const eventId = idBefore<EventId>(trace.eventId, 1)
  yield* tell('group.created', {}, { ...told, upstream }, { ...trace, eventId })
  return yield* read()
}

export const setOwnerGroups: Steps['setOwnerGroups'] = function* (ownerId, groups, trace) {
  const { upstream } = groups
  const source = upstream ?? ''
  const held = sql`update owners set roles = roles
    where id = ${ownerId} and deleted_at is null returning id`
  if (!(yield* touches(held))) return { outcome: 'gone' }
  const named = yield* findNamed(groups, trace)
  if (typeof named === 'string') return { outcome: 'unknown_group', name: named }
  const wanted = [...named.values()].sort()
  const before = decodeMemberships(yield selectMemberships(ownerId))
  const isGiven = ({ byOperator, upstreams }: (typeof before)[number]) =>
    upstream === null ? byOperator : upstreams.includes(upstream)
  // Each source is counted alone, so nobody keeps a directory from logging people in.
  if (wanted.length > groupLimits.ofSource) return { outcome: 'full' }
  const given = before.filter(isGiven).map(({ id }) => id)
  const went = given.filter((id) => !wanted.includes(id))
  const came = wanted.filter((id) => !given.includes(id))
  if (went.length + came.length === 0) return { outcome: 'set', groups: before }
  if (went.length > 0) {
    yield sql`delete from group_members
      where owner_id = ${ownerId} and source = ${source} and group_id in ${listOf(went)}`
  }
  if (came.length > 0) yield insertMembers(came.map((groupId) => ({ ownerId, groupId, source })))
  yield markChanged([...went, ...came], trace)
  const after = decodeMemberships(yield selectMemberships(ownerId))
  const [was, is] = [before, after].map((of) => of.map(({ name }) => name))
  yield* tellOfOwner(ownerId, was ?? [], is ?? [], upstream, 0, trace)
  return { outcome: 'set', groups: after }
}

export const groupRecord: StoreRecord<GroupSteps> = {
  tables: [groupTable, memberTable],
  reads: groupReads,
  steps: { createGroup, renameGroup, deleteGroup, changeGroupMembers, setOwnerGroups },
  invalidates: {
    createGroup: 'nothing',
    // Clients are changed, too.
    renameGroup: () => [groupsKey],
    deleteGroup: () => [groupsKey],
    changeGroupMembers: (_id, { add, remove }) => [...add, ...remove].map(getOwnerKey),
    setOwnerGroups: (ownerId) => [getOwnerKey(ownerId)],
  },
  // A row is held while others are written, which other steps of the transaction would not see.
  alone: ['renameGroup', 'deleteGroup', 'changeGroupMembers', 'setOwnerGroups'],
}
