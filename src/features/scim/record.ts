/** Users as SCIM clients see them: owners, with the client that keeps each and its notes. */
import type { ClientId, OwnerId } from '../../model/ids.ts'
import { holderOfOwner } from '../../model/item.ts'
import { findConsoleRole, usernameKey } from '../../model/owner.ts'
import { getKeptKey, getOwnerKey } from '../../store/cache/things.ts'
import { tell } from '../../store/records/event/events.ts'
import { createOwner, decodeOwner, isConfirmedByOther } from '../../store/records/owner/owners.ts'
import { changeOwnerBy, deleteOwner } from '../../store/records/owner/record.ts'
import { defineTable } from '../../store/sql/columns.ts'
import { lowerAscii } from '../../store/sql/page.ts'
import type { Reads, Steps, StoreRecord } from '../../store/sql/record.ts'
import { findFirst, integer } from '../../store/sql/row.ts'
import {
  ask,
  findOne,
  type Piece,
  type Row,
  type Step,
  sql,
  touches,
} from '../../store/sql/statement.ts'
import type { ScimHindered, ScimLookup, ScimUser, ScimUserNote, ScimUserSteps } from './contract.ts'
import { describeSeen } from './seen.ts'

interface UserRow extends ScimUserNote {
  readonly ownerId: OwnerId
  readonly clientId: ClientId
  readonly changedAt: number
}

const users = defineTable<UserRow>(
  'scim_users',
  {
    ownerId: 'text references owners (id) on delete cascade',
    clientId: 'text references clients (id) on delete cascade',
    externalId: 'text',
    formatted: 'text',
    changedAt: 'integer',
  },
  {
    key: 'owner_id',
    restored: 'all',
    indexes: [
      'scim_users_by_client (client_id, owner_id)',
      "unique scim_users_by_external_id (client_id, external_id) where external_id > ''",
    ],
  },
)

const decodeUser = (row: Row): ScimUser => {
  const { externalId, formatted } = users.decode(row)
  return { owner: decodeOwner(row), externalId, formatted, changedAt: integer(row.changed_at) }
}

const matchLookup = ({ by, value }: ScimLookup): Piece => {
  switch (by) {
    case 'id':
      return sql`o.id = ${value}`
    case 'externalId':
      return sql`s.external_id = ${value} and s.external_id > ''`
    case 'name':
      return sql`o.username_key = ${usernameKey(value)}`
    case 'email':
      return sql`lower(o.email) = ${lowerAscii(value)}`
    case 'member':
      return sql`1 = 0`
  }
}

const findScimUser: Reads['findScimUser'] = async (read, clientId, id) => {
  const query = sql`select o.*, s.* from scim_users s join owners o on o.id = s.owner_id
    where s.owner_id = ${id} and s.client_id = ${clientId} and o.deleted_at is null`
  const row = findFirst(await ask(read, query))
  return row && decodeUser(row)
}

const listScimUsers: Reads['listScimUsers'] = async (read, clientId, page) => {
  const { lookup, offset, limit } = page
  const query =
    lookup === null
      ? sql`select o.*, s.* from (select u.owner_id from scim_users u where u.client_id = ${clientId}
            order by u.owner_id limit ${limit} offset ${offset}) p
          join scim_users s on s.owner_id = p.owner_id join owners o on o.id = p.owner_id
          order by s.owner_id`
      : sql`select o.*, s.* from owners o join scim_users s on s.owner_id = o.id
          where s.client_id = ${clientId} and ${matchLookup(lookup)}
          order by s.owner_id limit ${limit} offset ${offset}`
  return (await ask(read, query)).map(decodeUser)
}

const countScimUsers: Reads['countScimUsers'] = async (read, clientId) => {
  const query = sql`select count(*) as users from scim_users where client_id = ${clientId}`
  return integer(findFirst(await ask(read, query))?.users)
}

/** Steps of one client come one after the other, and none after the client has lost its permission. */
export const holdScimClient = (id: ClientId): Step<boolean> =>
  touches(sql`select id from clients where id = ${id} and disabled = 0 and deleted_at is null
    and ' ' || scope || ' ' like '% scim %' for update`)

function* holdUser(
  clientId: ClientId,
  id: OwnerId,
  seen: ScimUser | null,
): Step<ScimUser | Extract<ScimHindered, 'lost' | 'gone' | 'protected' | 'changed_meanwhile'>> {
  if (!(yield* holdScimClient(clientId))) return 'lost'
  const owner = yield* findOne(sql`update owners set roles = roles
    where id = ${id} and deleted_at is null returning *`)
  const note = yield* findOne(sql`select * from scim_users
    where owner_id = ${id} and client_id = ${clientId}`)
  if (owner === null || note === null) return 'gone'
  const user = decodeUser({ ...owner, ...note })
  if (findConsoleRole(user.owner) !== null) return 'protected'
  return seen !== null && describeSeen(user) !== describeSeen(seen) ? 'changed_meanwhile' : user
}

const isExternalTaken = (clientId: ClientId, externalId: string, id: OwnerId): Step<boolean> =>
  touches(sql`select 1 as found from scim_users
    where client_id = ${clientId} and external_id = ${externalId} and external_id > ''
      and owner_id <> ${id}`)

/** An owner may log in by a confirmed address, and must not meet another account by that name. */
function* isNameTaken(username: string, id: OwnerId): Step<boolean> {
  const known = sql`select 1 as found from owners
    where username_key = ${usernameKey(username)} and id <> ${id}`
  return (yield* touches(known)) || (yield* isConfirmedByOther(username, id))
}

const createScimUser: Steps['createScimUser'] = function* (clientId, owner, note, trace) {
  const { id: ownerId, username } = owner
  if (!(yield* holdScimClient(clientId))) return 'lost'
  if (yield* isNameTaken(username, ownerId)) return 'name_taken'
  if (yield* isExternalTaken(clientId, note.externalId, ownerId)) return 'external_taken'
  if ((yield* createOwner(owner, trace)) === 'taken') return 'name_taken'
  yield users.insert({ ownerId, clientId, ...note, changedAt: trace.at })
  return 'created'
}

const changeScimUser: Steps['changeScimUser'] = function* (clientId, seen, change, trace) {
  const { id } = seen.owner
  const held = yield* holdUser(clientId, id, seen)
  if (typeof held === 'string') return held
  const { externalId = held.externalId, formatted = held.formatted, ...ofOwner } = change
  const { username } = ofOwner
  if (username !== undefined && (yield* isNameTaken(username, id))) return 'name_taken'
  if (yield* isExternalTaken(clientId, externalId, id)) return 'external_taken'
  let { owner } = held
  if (Object.keys(ofOwner).length > 0) {
    const changed = yield* changeOwnerBy(id, ofOwner, trace, undefined, {})
    if (changed === null) return 'gone'
    if (changed === 'address_taken') return 'changed_meanwhile'
    owner = changed
  } else {
    const changed = Object.keys(change).sort().join(' ')
    yield* tell('owner.changed', { ownerId: id }, { changed }, trace)
  }
  const note = { externalId, formatted, changedAt: trace.at }
  yield sql`update scim_users set ${users.set(note)} where owner_id = ${id}`
  return { owner, ...note }
}

const deleteScimUser: Steps['deleteScimUser'] = function* (clientId, id, seen, trace) {
  const held = yield* holdUser(clientId, id, seen)
  if (typeof held === 'string') return held
  return (yield* deleteOwner(id, trace)) ? 'deleted' : 'gone'
}

export const scimUserRecord: StoreRecord<ScimUserSteps> = {
  tables: [users],
  reads: { findScimUser, listScimUsers, countScimUsers },
  steps: { createScimUser, changeScimUser, deleteScimUser },
  invalidates: {
    createScimUser: 'nothing',
    changeScimUser: (_clientId, { owner }) => [getOwnerKey(owner.id)],
    deleteScimUser: (_clientId, id) => [getOwnerKey(id), getKeptKey(holderOfOwner(id))],
  },
  // A row is held while others are written, which other steps of the transaction would not see.
  alone: ['createScimUser', 'changeScimUser', 'deleteScimUser'],
}
