/** Users as SCIM clients see them: owners, with the client that keeps each and its notes. */
import type { ClientId, OwnerId } from '../../model/ids.ts'
import { findConsoleRole, usernameKey } from '../../model/owner.ts'
import { getOwnerKey, listOwnerKeys } from '../../store/cache/things.ts'
import { tell } from '../../store/records/event/events.ts'
import { queueMail } from '../../store/records/mail.ts'
import { createOwner, decodeOwner, isAddressOfOther } from '../../store/records/owner/owners.ts'
import { changeOwnerBy, deleteOwner } from '../../store/records/owner/record.ts'
import { defineTable } from '../../store/sql/columns.ts'
import { lowerAscii } from '../../store/sql/page.ts'
import type { Reads, Steps, StoreRecord } from '../../store/sql/record.ts'
import { findFirst, flag, integer } from '../../store/sql/row.ts'
import {
  ask,
  findOne,
  type Piece,
  type Row,
  type Step,
  sql,
  touches,
} from '../../store/sql/statement.ts'
import { listChange } from '../../store/sql/told-change.ts'
import type { ScimHindered, ScimLookup, ScimUser, ScimUserNote, ScimUserSteps } from './contract.ts'
import { isSeen } from './seen.ts'

interface UserRow extends ScimUserNote {
  readonly ownerId: OwnerId
  readonly clientId: ClientId
  readonly changedAt: number
  /** Whether the client has disabled the owner, and no operator since. */
  readonly disabledHere: boolean
}

const users = defineTable<UserRow>(
  'scim_users',
  {
    ownerId: 'text references owners (id) on delete cascade',
    clientId: 'text references clients (id) on delete cascade',
    externalId: 'text',
    formatted: 'text',
    changedAt: 'integer',
    disabledHere: 'flag',
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

interface HeldUser {
  readonly user: ScimUser
  readonly isDisabledHere: boolean
}

/** @param names of the members that have to be as they were seen; null: all of them */
function* holdUser(
  clientId: ClientId,
  id: OwnerId,
  seen: ScimUser | null,
  names: readonly string[] | null,
): Step<HeldUser | Extract<ScimHindered, 'lost' | 'gone' | 'protected' | 'changed_meanwhile'>> {
  if (!(yield* holdScimClient(clientId))) return 'lost'
  const owner = yield* findOne(sql`update owners set roles = roles
    where id = ${id} and deleted_at is null returning *`)
  const note = yield* findOne(sql`select * from scim_users
    where owner_id = ${id} and client_id = ${clientId}`)
  if (owner === null || note === null) return 'gone'
  const user = decodeUser({ ...owner, ...note })
  if (findConsoleRole(user.owner) !== null) return 'protected'
  if (seen !== null && !isSeen(user, seen, names)) return 'changed_meanwhile'
  return { user, isDisabledHere: flag(note.disabled_here) }
}

const isExternalTaken = (clientId: ClientId, externalId: string, id: OwnerId): Step<boolean> =>
  touches(sql`select 1 as found from scim_users
    where client_id = ${clientId} and external_id = ${externalId} and external_id > ''
      and owner_id <> ${id}`)

/** An owner logs in and forgets the password by an address, and must not meet another account by that name. */
function* isNameTaken(username: string, id: OwnerId): Step<boolean> {
  const known = sql`select 1 as found from owners
    where username_key = ${usernameKey(username)} and id <> ${id}`
  return (yield* touches(known)) || (yield* isAddressOfOther(username, id))
}

const createScimUser: Steps['createScimUser'] = function* (clientId, owner, note, trace) {
  const { id: ownerId, username } = owner
  if (!(yield* holdScimClient(clientId))) return 'lost'
  if (yield* isNameTaken(username, ownerId)) return 'name_taken'
  if (yield* isExternalTaken(clientId, note.externalId, ownerId)) return 'external_taken'
  if ((yield* createOwner(owner, trace)) === 'taken') return 'name_taken'
  yield users.insert({
    ownerId,
    clientId,
    ...note,
    changedAt: trace.at,
    disabledHere: owner.disabled,
  })
  return 'created'
}

/** Members whose new value follows from the one before. Of the others, the last change counts. */
const relative: readonly string[] = ['claims', 'email']

const changeScimUser: Steps['changeScimUser'] = function* (clientId, seen, change, how, trace) {
  const { id } = seen.owner
  const compared = how.whole ? null : relative.filter((name) => name in change)
  const held = yield* holdUser(clientId, id, seen, compared)
  if (typeof held === 'string') return held
  const before = held.user
  const { externalId = before.externalId, formatted = before.formatted, ...ofOwner } = change
  const { username = before.owner.username, disabled } = ofOwner
  if (disabled === false && before.owner.disabled && !held.isDisabledHere) return 'protected'
  if (username !== before.owner.username && (yield* isNameTaken(username, id))) return 'name_taken'
  if (yield* isExternalTaken(clientId, externalId, id)) return 'external_taken'
  const told = {
    changed: Object.keys(change).sort().join(' '),
    ...listChange({ username: before.owner.username }, { username }),
  }
  let { owner } = before
  if (Object.keys(ofOwner).length > 0) {
    const changed = yield* changeOwnerBy(id, ofOwner, trace, undefined, told)
    if (changed === null) return 'gone'
    if (changed === 'address_taken') return 'changed_meanwhile'
    owner = changed
  } else yield* tell('owner.changed', { ownerId: id }, told, trace)
  const { email, emailVerified } = before.owner
  if (how.notice !== null && emailVerified && email !== '' && owner.email !== email) {
    // A person confirms an address before the next one can be replaced, so these need no bound.
    yield* queueMail({ ...how.notice, ownerId: id, about: email }, Number.MAX_SAFE_INTEGER)
  }
  const note = { externalId, formatted, changedAt: trace.at }
  // An operator's step clears the mark, and `changeOwnerBy` did so for this one, too.
  const disabledHere = disabled ?? (owner.disabled && held.isDisabledHere)
  yield sql`update scim_users set ${users.set({ ...note, disabledHere })} where owner_id = ${id}`
  return { owner, ...note }
}

const deleteScimUser: Steps['deleteScimUser'] = function* (clientId, id, seen, trace) {
  const held = yield* holdUser(clientId, id, seen, null)
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
    deleteScimUser: (_clientId, id) => listOwnerKeys(id),
  },
  // A row is held while others are written, which other steps of the transaction would not see.
  alone: ['createScimUser', 'changeScimUser', 'deleteScimUser'],
}
