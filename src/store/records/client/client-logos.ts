/** Pictures of clients: at most one of each, which goes with it. */
import type { ClientLogo } from '../../../model/client-logo.ts'
import type { ClientId } from '../../../model/ids.ts'
import { defineColumns } from '../../sql/columns.ts'
import { type Read, type Step, sql, touches } from '../../sql/statement.ts'

/** At most one picture of each client, as base64: no engine writes bytes like another one. */
export const clientLogos = `create table client_logos (
  client_id text not null primary key references clients (id) on delete cascade,
  uri text not null,
  type text not null,
  version text not null,
  content text not null,
  fetched_at bigint not null
)`

export const logos = defineColumns<ClientLogo>('client_logos', {
  clientId: 'text',
  uri: 'text',
  type: 'text',
  version: 'text',
  content: 'text',
  fetchedAt: 'integer',
})

export const findClientLogo = async (
  read: Read,
  clientId: ClientId,
): Promise<ClientLogo | null> => {
  const [row] = await read('select * from client_logos where client_id = ?', [clientId])
  return row === undefined ? null : logos.decode(row)
}

/** The client may have been deleted while its picture was fetched, so its row is claimed first. */
export function* keepClientLogo(logo: ClientLogo): Step<boolean> {
  if (
    !(yield* touches(sql`update clients set revision = revision
    where id = ${logo.clientId} and deleted_at is null returning id`))
  )
    return false
  yield sql`${logos.insert(logo)} on conflict (client_id) do update set uri = excluded.uri,
    type = excluded.type, version = excluded.version, content = excluded.content,
    fetched_at = excluded.fetched_at`
  return true
}
