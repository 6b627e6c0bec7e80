/** Resource owners: their table, and how they are found. */

import { getHashKind } from '../../../crypto/phc.ts'
import { type EventId, idBefore, type OwnerId } from '../../../model/ids.ts'
import {
  noPageChoices,
  type Owner,
  type OwnerChange,
  type PageChoices,
  usernameKey,
} from '../../../model/owner.ts'
import type { OwnerFilter, UsedLink } from '../../contract/owner.ts'
import { listWords } from '../../contract/search-words.ts'
import type { Trace } from '../../contract/trace.ts'
import { defineTable } from '../../sql/columns.ts'
import { afterAll } from '../../sql/filter.ts'
import { lowerAscii, pageOf } from '../../sql/page.ts'
import type { Reads, Steps } from '../../sql/record.ts'
import { blank, text } from '../../sql/row.ts'
import {
  ask,
  findOne,
  type Piece,
  type Read,
  raw,
  type Step,
  sql,
  touches,
} from '../../sql/statement.ts'
import { makeSpan } from '../../sql/word-leads.ts'
import { defineWordTable, type KeptWords, keepWords, noteWords } from '../../sql/word-table.ts'
import { listFound } from '../../sql/words.ts'
import { tell } from '../event/events.ts'
import { finishCeremony } from '../factor/proof.ts'

export const ownerTable = defineTable<Owner>(
  'owners',
  {
    id: 'text',
    username: 'text',
    usernameKey: {
      sql: 'text not null unique',
      from: ({ username }) => usernameKey(username),
    },
    name: 'text',
    email: 'text',
    passwordHash: 'text',
    passwordChangedAt: 'integer',
    disabled: 'flag',
    createdAt: 'integer',
    passkeyOnly: 'beside flag default 0',
    formerPasswordAt: 'beside integer default 0',
    emailVerified: 'flag default 0',
    claims: "json default '{}'",
    updatedAt: 'integer default 0',
    attributes: "json default '{}'",
    // Empty for hashes of our own.
    passwordKind: {
      sql: "text not null default ''",
      from: ({ passwordHash }) => getHashKind(passwordHash),
    },
    // Empty where nothing was chosen.
    pages: {
      sql: "text not null default ''",
      decode: (value) => (blank(value) ?? noPageChoices) as PageChoices,
      encode: JSON.stringify,
    },
    deletionAt: 'integer?',
    roles: "words default ''",
    deletedAt: 'beside integer?',
    pictureName: "text default ''",
    pictureSource: "text default ''",
    // When an upgrade brought the table of words, rows without them were there.
    wordsKept: { sql: 'smallint not null default 0', from: () => 1 },
    // To an hour; 0 before the first. Null: unknown, of a row that an older version wrote.
    lastLoginAt: { sql: 'bigint', from: () => 0 },
  },
  {
    key: 'id',
    restored: 'all',
    indexes: [
      'owners_by_email (lower(email))',
      // A confirmed email address has one owner. The index decides, also between steps at once.
      "unique owners_by_verified_email (lower(email)) where email_verified = 1 and email <> ''",
      "owners_by_password_kind (password_kind) where password_kind > ''",
      'owners_by_last_login (last_login_at, username_key) where deleted_at is null',
      'owners_to_delete (deletion_at) where deletion_at is not null',
      'owners_deleted (id) where deleted_at is not null',
      'owners_without_words (id) where words_kept = 0',
    ],
  },
)

export const decodeOwner = ownerTable.decode

export const ownerWords = defineWordTable('owner_words', 'owners', 'username_key')

const describeWords = (owner: Owner, place = usernameKey(owner.username)): KeptWords => {
  const { id, username, email, name, roles, disabled, deletionAt } = owner
  const marks = [
    ...(roles.length > 0 ? ['roles', ...roles.map((role) => `role:${role}`)] : []),
    ...(disabled ? ['disabled'] : []),
    ...(deletionAt === null ? [] : ['leaving']),
  ]
  return { id, place, texts: [username, email, name], marks }
}

/** Comes behind a write of the row, in the same step. @param before the row without that write */
export function* keepOwnerWords(owner: Owner, before?: Owner): Step<void> {
  const kept = describeWords(owner)
  if (before !== undefined && JSON.stringify(describeWords(before)) === JSON.stringify(kept)) return
  yield* keepWords(ownerWords, [kept])
}

/** Sessions and the latest events of an owner tell of logins. No list waits for more. */
const lastLogin = `(select max(f.at) from (
    select s.started_at as at from sessions s where s.owner_id = owners.id
    union all
    select e.at from (select at, type from events where owner_id = owners.id
      order by id desc limit 20) e where e.type = 'login.succeeded') f)`

export const noteOwnerWords: Steps['noteOwnerWords'] = (due) =>
  noteWords(
    ownerWords,
    due,
    // The Unicode of today may make another key of the username.
    (row) => describeWords(decodeOwner(row), text(row.username_key)),
    `, last_login_at = coalesce(last_login_at, ${lastLogin})`,
  )

export const createOwner: Steps['createOwner'] = function* (owner, trace, secret) {
  const key = usernameKey(owner.username)
  const created = yield sql`${ownerTable.insertIf(owner)}
    where not exists (select 1 from clients where id = ${owner.id})
      and not exists (select 1 from owners x where lower(x.email) = ${key}
        and x.email_verified = 1 and x.email <> '' and x.id <> ${owner.id})
    on conflict do nothing returning id`
  if (created.length === 0) return 'taken'
  yield* keepOwnerWords(owner)
  const { username, roles } = owner
  const told = {
    username,
    ...(roles.length === 0 ? {} : { roles: roles.join(' ') }),
    ...(secret === undefined ? {} : { secret }),
  }
  yield* tell('owner.created', { ownerId: owner.id }, told, trace)
  return 'created'
}

const findBy =
  (column: 'id' | 'username_key') =>
  async (read: Read, key: string, also?: 'disabled'): Promise<Owner | null> => {
    const query = `select * from owners where ${column} = ? and deleted_at is null`
    const [row] = await read(query, [key])
    if (row === undefined) return null
    const owner = decodeOwner(row)
    return owner.disabled && also === undefined ? null : owner
  }

/** The keys of deleted owners begin so (`removeOwner`), and no other does. */
const afterDeleted = `\n${afterAll}`

const listExact = (search = ''): readonly Piece[] => {
  const typed = search.trim()
  return [sql`username_key = ${usernameKey(typed)}`, sql`lower(email) = ${lowerAscii(typed)}`]
}

const listMarks = ({ role, state }: OwnerFilter): readonly string[] => [
  ...(role === undefined ? [] : [role === 'any' ? 'roles' : `role:${role}`]),
  ...(state === undefined || state === 'enabled' ? [] : [state]),
]

/** Whether another owner has confirmed the address. */
export function* isConfirmedByOther(email: string, id: OwnerId): Step<boolean> {
  if (email === '') return false
  return yield* touches(sql`select 1 as found from owners
    where lower(email) = ${lowerAscii(email)} and email_verified = 1 and id <> ${id}`)
}

/** Whether another owner has the address, in any spelling that `/forgot` takes for it, confirmed or not. */
export const isAddressOfOther = (email: string, id: OwnerId): Step<boolean> =>
  touches(sql`select 1 as found from owners
    where lower(email) in (${lowerAscii(email)}, ${usernameKey(email)}) and id <> ${id}`)

/** Whether a change would confirm the address of another owner. */
export function* isAddressTaken(before: Owner, change: OwnerChange): Step<boolean> {
  if (change.email === undefined && change.emailVerified === undefined) return false
  const { email = before.email } = change
  const isVerified = change.emailVerified ?? (before.emailVerified && email === before.email)
  return isVerified && (yield* isConfirmedByOther(email, before.id))
}

/** An enabled owner in the state that a link was made for. */
export const matchLinked = (id: OwnerId, { email, passwordHash, roles }: UsedLink): Piece =>
  sql`id = ${id} and disabled = 0 and email = ${email} and password_hash = ${passwordHash}
    and roles = ${roles.join(' ')}`

/** The holder of a link reads the mails to the address it was sent to. Comes before the new password. */
export function* confirmBy(id: OwnerId, by: UsedLink, trace: Trace): Step<void> {
  if (yield* isConfirmedByOther(by.proves, id)) return
  const confirmed = sql`update owners set email_verified = 1, updated_at = ${trace.at}
    where ${matchLinked(id, by)} and email = ${by.proves} and email <> '' and email_verified = 0
    returning id`
  if (!(yield* touches(confirmed))) return
  const eventId = idBefore<EventId>(trace.eventId, 1)
  yield* tell('owner.email_verified', { ownerId: id }, { changed: false }, { ...trace, eventId })
}

export const confirmEmail: Steps['confirmEmail'] = function* (id, email, by, trace) {
  const key = usernameKey(email)
  if (yield* isConfirmedByOther(email, id)) return 'address_taken'
  // A username that is the former address has to follow: the address may be somebody else's by now.
  const former = usernameKey(by.email)
  const follows = sql`select 1 as found from owners where id = ${id} and username_key = ${former}`
  const held = sql`select 1 as found from owners where username_key = ${key} and id <> ${id}`
  if ((yield* touches(held)) && (yield* touches(follows))) return 'address_taken'
  if (!(yield* finishCeremony(by.link))) return null
  const row =
    yield* findOne(sql`update owners set email = ${email}, email_verified = 1, updated_at = ${trace.at},
        username = case when username_key = ${former} then ${email} else username end,
        username_key = case when username_key = ${former} then ${key} else username_key end
      where ${matchLinked(id, by)} returning *`)
  if (row === null) return null
  yield* keepOwnerWords(decodeOwner(row))
  yield* tell('owner.email_verified', { ownerId: id }, { changed: email !== by.email }, trace)
  return decodeOwner(row)
}

export const ownerReads = {
  findOwner: findBy('id'),

  findOwnerByName: (read, username, also) =>
    findBy('username_key')(read, usernameKey(username), also),

  async findOwnerByEmail(read, email) {
    // As counters of tries know it: no two spellings find one owner and are counted apart.
    const key = usernameKey(email)
    // SQLite lowers ASCII alone. And many owners have no address: each of their rows would be read.
    if (!/^[\x21-\x7e]+$/.test(key)) return null
    const query = `select * from owners where lower(email) = ?
      and email_verified = 1 and disabled = 0 and password_hash <> '' limit 2`
    const [row, another] = await read(query, [key])
    return row === undefined || another !== undefined ? null : decodeOwner(row)
  },

  async listOwners(read, after, limit) {
    const query = 'select * from owners where id > ? and deleted_at is null order by id limit ?'
    const rows = await read(query, [after ?? '', limit + 1])
    return pageOf(rows, limit, decodeOwner, ({ id }) => id)
  },

  listOwnersBy(read, filter, after, limit) {
    const { search, state, loginSince: since, loginBefore: before } = filter
    const asked = {
      words: search === undefined ? null : listWords(search),
      marks: listMarks(filter),
      time: makeSpan('last_login_at', since, before),
      examined: state === 'enabled' ? [raw('o.disabled = 0 and o.deletion_at is null')] : [],
      from: afterDeleted,
      exact: listExact(search),
    }
    return listFound(read, ownerWords, asked, decodeOwner, after, limit)
  },

  /** One jump in the index for each kind: the owners of a kind may be many. */
  async listPasswordKinds(read) {
    const kinds: string[] = []
    for (;;) {
      const query = sql`select min(password_kind) as kind from owners
        where password_kind > ${kinds.at(-1) ?? ''}`
      const [row] = await ask(read, query)
      if (row?.kind == null) return kinds
      kinds.push(text(row.kind))
    }
  },
} satisfies Partial<Reads>
