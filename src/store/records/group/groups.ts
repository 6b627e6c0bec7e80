/** Groups of owners: their tables, and how they are found. */
import type { StoredGroup } from '../../../model/group.ts'
import type { GroupId, OwnerId } from '../../../model/ids.ts'
import type { CountedGroup, GroupMember, Membership } from '../../contract/group.ts'
import { defineTable } from '../../sql/columns.ts'
import { pageOf } from '../../sql/page.ts'
import type { Reads } from '../../sql/record.ts'
import { findFirst, integer, text } from '../../sql/row.ts'
import { all, ask, listOf, type Row, type Rows, type Statement, sql } from '../../sql/statement.ts'
import { matchClientFor } from './client-for.ts'

export const groupTable = defineTable<StoredGroup>(
  'groups',
  {
    id: 'text',
    name: 'text unique',
    createdAt: 'integer',
    changedAt: 'integer',
    revision: 'integer',
  },
  { key: 'id', restored: 'all' },
)

interface MemberRow {
  readonly ownerId: OwnerId
  readonly groupId: GroupId
  readonly source: string
}

/** A source is the id of an upstream; '' is the operator. */
export const memberTable = defineTable<MemberRow>(
  'group_members',
  {
    ownerId: 'text references owners (id) on delete cascade',
    groupId: 'text references groups (id) on delete cascade',
    source: 'text',
  },
  {
    key: 'owner_id group_id source',
    restored: 'all',
    indexes: ['group_members_by_group (group_id, owner_id)'],
  },
)

/** The number of members of each of some groups. Empty groups have no row. */
export const countMembers = (groups: Rows): Statement => {
  const ids = groups.map((row) => text(row.id))
  return sql`select group_id, count(distinct owner_id) as members from group_members
    where group_id in ${listOf(ids.length === 0 ? [''] : ids)} group by group_id`
}

/** @param counts by `countMembers` */
export const decodeCounted = (counts: Rows) => {
  const members = new Map(counts.map((row) => [text(row.group_id), integer(row.members)]))
  return (row: Row): CountedGroup => ({
    ...groupTable.decode(row),
    members: members.get(text(row.id)) ?? 0,
  })
}

const readSources = (rows: Rows) => {
  const sources = rows.map((row) => text(row.source))
  return {
    byOperator: sources.includes(''),
    upstreams: sources.filter((source) => source !== '').sort(),
  }
}

/** The groups of an owner, by all sources. */
export const selectMemberships = (ownerId: OwnerId): Statement =>
  sql`select g.id, g.name, m.source from group_members m join groups g on g.id = m.group_id
    where m.owner_id = ${ownerId} order by g.name, m.source`

export const decodeMemberships = (rows: Rows): readonly Membership[] =>
  [...Map.groupBy(rows, (row) => text(row.id))].map(([id, of]) => ({
    id: id as GroupId,
    name: text(of[0]?.name),
    ...readSources(of),
  }))

export const groupReads = {
  async findGroup(read, named) {
    const rows = await ask(read, sql`select * from groups where id = ${named} or name = ${named}`)
    const row = findFirst(rows)
    return row && decodeCounted(await ask(read, countMembers(rows)))(row)
  },

  async listGroups(read, prefix, after, limit) {
    const rows = await read(
      'select * from groups where name >= ? and name < ? and name > ? order by name limit ?',
      [prefix, `${prefix}\u{10ffff}`, after ?? '', limit + 1],
    )
    const decode = decodeCounted(await ask(read, countMembers(rows)))
    return pageOf(rows, limit, decode, ({ name }) => name)
  },

  async listGroupMembers(read, id, after, limit) {
    const where = all([
      sql`o.id in (select m.owner_id from group_members m where m.group_id = ${id})`,
      sql`o.id > ${after ?? ''} and o.deleted_at is null`,
    ])
    const query = sql`select o.id, o.username, o.name from owners o where ${where}
      order by o.id limit ${limit + 1}`
    const rows = await ask(read, query)
    const ids = rows.map((row) => text(row.id))
    const given = sql`select owner_id, source from group_members
      where group_id = ${id} and owner_id in ${listOf(ids.length === 0 ? [''] : ids)}`
    const sources = Map.groupBy(await ask(read, given), (row) => text(row.owner_id))
    const decode = (row: Row): GroupMember => ({
      ownerId: text(row.id) as OwnerId,
      username: text(row.username),
      name: text(row.name),
      ...readSources(sources.get(text(row.id)) ?? []),
    })
    return pageOf(rows, limit, decode, ({ ownerId }) => ownerId)
  },

  async listGroupsOf(read, ownerId) {
    return decodeMemberships(await ask(read, selectMemberships(ownerId)))
  },

  async isClientFor(read, clientId, ownerId) {
    const query = sql`select 1 as found from clients c join owners o on o.id = ${ownerId}
      where c.id = ${clientId} and ${matchClientFor}`
    return (await ask(read, query)).length > 0
  },
} satisfies Partial<Reads>
