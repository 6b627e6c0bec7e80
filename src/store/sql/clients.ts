/** Clients: what each request asks for in columns, the rest as one JSON text (RFC 7591 section 2). */
import { limits } from '../../config/limits.ts'
import type { Client, ClientChange } from '../../model/client.ts'
import type { ClientId } from '../../model/ids.ts'
import type { Page, Trace } from '../store.ts'
import { tell } from './events.ts'
import { deleteItemsOf } from './items.ts'
import { pageOf } from './page.ts'
import { first, flag, integer, json, permissions, permissionsText, text } from './row.ts'
import { type Read, type Row, type Step, statement, type Value } from './statement.ts'

type Columns = 'id' | 'name' | 'scope' | 'salt' | 'disabled' | 'hasEndings'

/** What stands in the column of that name. */
export const decodeDetails = (value: Value | undefined): Omit<Client, Columns> =>
  json(value) as Omit<Client, Columns>

const decode = (row: Row): Client => ({
  ...decodeDetails(row.details),
  id: text(row.id) as ClientId,
  name: text(row.name),
  scope: permissions(row.scope),
  salt: text(row.salt),
  disabled: flag(row.disabled),
  hasEndings: flag(row.has_endings),
})

const detailsOf = (client: Client): string => {
  const { id, name, scope, salt, disabled, hasEndings, ...details } = client
  return JSON.stringify(details satisfies Omit<Client, Columns>)
}

export const findClient = async (
  read: Read,
  id: ClientId,
  also?: 'disabled',
): Promise<Client | null> => {
  const row = first(await read('select * from clients where id = ?', [id]))
  const client = row && decode(row)
  return client?.disabled && also === undefined ? null : client
}

export const listClients = async (
  read: Read,
  after: string | null,
  limit: number,
): Promise<Page<Client>> => {
  const sql = 'select * from clients where id > ? order by id limit ?'
  return pageOf(await read(sql, [after ?? '', limit + 1]), limit, decode, (client) => client.id)
}

export function* createClient(client: Client, trace: Trace): Step<'created' | 'taken'> {
  const created = yield statement(
    `insert into clients (id, name, scope, salt, disabled, has_endings, revision, details)
     values (?, ?, ?, ?, ?, ?, 0, ?) on conflict (id) do nothing returning id`,
    client.id,
    client.name,
    permissionsText(client.scope),
    client.salt,
    Number(client.disabled),
    Number(client.hasEndings),
    detailsOf(client),
  )
  if (created.length === 0) return 'taken'
  const { id: clientId, registeredBy } = client
  yield* tell('client.registered', { clientId }, { registeredBy }, trace)
  return 'created'
}

/** Redirect URIs that are added come to those of that moment, each once. */
const changed = (before: Client, { addedRedirectUris = [], ...change }: ClientChange): Client => {
  const client = { ...before, ...change }
  return { ...client, redirectUris: [...new Set([...client.redirectUris, ...addedRedirectUris])] }
}

/** The members of a client that a change names. */
const membersOf = (change: ClientChange): readonly string[] =>
  Object.keys(change).map((name) => (name === 'addedRedirectUris' ? 'redirectUris' : name))

export function* changeClient(
  id: ClientId,
  change: ClientChange,
  trace: Trace,
): Step<Client | null> {
  for (;;) {
    const row = first(yield statement('select * from clients where id = ?', id))
    if (row === null) return null
    const before = decode(row)
    const client = changed(before, change)
    const adds = change.addedRedirectUris !== undefined
    if (adds && client.redirectUris.length > limits.redirectUris) return before
    const updated = yield statement(
      `update clients set name = ?, scope = ?, disabled = ?, details = ?, revision = revision + 1
       where id = ? and revision = ? returning id`,
      client.name,
      permissionsText(client.scope),
      Number(client.disabled),
      detailsOf(client),
      id,
      integer(row.revision),
    )
    if (updated.length === 0) continue
    const type = change.secretDigest === undefined ? 'client.changed' : 'client.secret_rotated'
    yield* tell(type, { clientId: id }, { changed: membersOf(change).toSorted().join(' ') }, trace)
    return client
  }
}

/** Its authorizations go with it, by their foreign key. */
export function* deleteClient(id: ClientId, trace: Trace): Step<boolean> {
  const row = first(yield statement('delete from clients where id = ? returning name', id))
  if (row === null) return false
  yield* deleteItemsOf(`client:${id}`)
  yield* tell('client.deleted', { clientId: id }, { name: text(row.name) }, trace)
  return true
}
