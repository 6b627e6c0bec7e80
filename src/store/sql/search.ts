/**
 * Searches by the beginning of a text. Each reads one index from the cursor on, so a page takes as
 * long among a million owners as among ten.
 */
import type { Client } from '../../model/client.ts'
import { type Owner, usernameKey } from '../../model/owner.ts'
import { decodeClient } from '../records/client/clients.ts'
import { decodeOwner } from '../records/owner/owner-row.ts'
import type { ClientSearch, OwnerSearch, Page } from '../store.ts'
import { lowerAscii } from './lower.ts'
import { pageOf } from './page.ts'
import { text } from './row.ts'
import type { Read, Row } from './statement.ts'

/** Addresses have an index of their own already. */
export const searchIndexes = [
  'create index owners_by_name on owners (lower(name), id)',
  'create index clients_by_name on clients (lower(name), id)',
]

/** No text that begins with the prefix sorts after this one. */
const endOf = (prefix: string): string => `${prefix}\u{10ffff}`

/** Where a page goes on: after the text of this row, and after its id among equal texts. */
const cursorOf = (row: Row): string => `${text(row.search_key)}\n${text(row.id)}`

const parseCursor = (after: string | null): readonly [string, string] => {
  const end = (after ?? '').lastIndexOf('\n')
  return [(after ?? '').slice(0, Math.max(end, 0)), (after ?? '').slice(end + 1)]
}

/** @param key an expression with an index */
const search = async <Entry>(
  read: Read,
  table: 'owners' | 'clients',
  key: string,
  prefix: string,
  after: string | null,
  limit: number,
  decode: (row: Row) => Entry,
): Promise<Page<Entry>> => {
  const [afterKey, afterId] = parseCursor(after)
  const from = afterKey > prefix ? afterKey : prefix
  const rows = await read(
    `select *, ${key} as search_key from ${table}
     where ${key} >= ? and ${key} < ? and (${key} > ? or id > ?) and deleted_at is null
     order by ${key}, id limit ?`,
    [from, endOf(prefix), afterKey, afterId, limit + 1],
  )
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = rows.length > limit && last !== undefined ? cursorOf(last) : null
  return { rows: shown.map(decode), next }
}

const ownerKeys = { username: 'username_key', email: 'lower(email)', name: 'lower(name)' } as const

export const listOwnersBy = (
  read: Read,
  { by, prefix }: OwnerSearch,
  after: string | null,
  limit: number,
): Promise<Page<Owner>> => {
  const key = by === 'username' ? usernameKey(prefix) : lowerAscii(prefix)
  return search(read, 'owners', ownerKeys[by], key, after, limit, decodeOwner)
}

/** Few owners have a role, and an index holds these alone. */
export const listOwnersWithRole = async (
  read: Read,
  role: string | null,
  after: string | null,
  limit: number,
): Promise<Page<Owner>> => {
  const word = role === null ? '%' : `% ${role.replaceAll('_', '!_')} %`
  const rows = await read(
    `select * from owners
     where roles > '' and ' ' || roles || ' ' like ? escape '!' and id > ? order by id limit ?`,
    [word, after ?? '', limit + 1],
  )
  return pageOf(rows, limit, decodeOwner, ({ id }) => id)
}

export const listClientsBy = (
  read: Read,
  { by, prefix }: ClientSearch,
  after: string | null,
  limit: number,
): Promise<Page<Client>> =>
  by === 'name'
    ? search(read, 'clients', 'lower(name)', lowerAscii(prefix), after, limit, decodeClient)
    : search(read, 'clients', 'id', prefix, after, limit, decodeClient)
