/** Finds rows that a service could not read: one of them would make a whole list fail later. */
import { decodeAuthorization } from '../records/authorization/authorization-row.ts'
import { decodeClient } from '../records/client/clients.ts'
import { decodeEvent } from '../records/event/events.ts'
import { oneTimeCodes, passkeys } from '../records/factor/record.ts'
import { decodeFamily } from '../records/family/family-row.ts'
import { decodeItem } from '../records/item/record.ts'
import { decodeStoredKey } from '../records/key/record.ts'
import { decodeLogin, decodeNotice } from '../records/logout/record.ts'
import { decodeMail } from '../records/mail/record.ts'
import { decodeOwner } from '../records/owner/owner-row.ts'
import { decodeResource } from '../records/resource/record.ts'
import { sessions } from '../records/session/record.ts'
import { decodeLink } from '../records/upstream/record.ts'
import { logColumns } from '../records/use/log-row.ts'
import type { Table, Values } from '../schema/table.ts'
import type { Row } from '../sql/statement.ts'

type Decode = (row: Row) => unknown

/** Throws where a list or a record is missing among details. */
const readClient: Decode = (row) => {
  const { redirectUris, grantTypes, responseTypes, requiredScope, setByOperator, display } =
    decodeClient(row)
  const lists = [redirectUris, grantTypes, responseTypes, requiredScope, setByOperator]
  return [...lists.map((list) => list.join()), Object.keys(display)]
}

/** Queries name these columns otherwise. */
const readAuthorization: Decode = (row) =>
  decodeAuthorization({
    ...row,
    authorization_id: row.id ?? null,
    authorization_expires_at: row.expires_at ?? null,
    authorization_created_at: row.created_at ?? null,
    authorization_salt: row.salt ?? null,
  })

const decoders: Readonly<Record<string, Decode>> = {
  clients: readClient,
  owners: decodeOwner,
  passkeys: passkeys.decode,
  one_time_codes: oneTimeCodes.decode,
  upstream_links: decodeLink,
  sessions: sessions.decode,
  authorizations: readAuthorization,
  families: decodeFamily,
  items: decodeItem,
  keys: decodeStoredKey,
  resources: decodeResource,
  events: decodeEvent,
  access_log: logColumns.decode,
  client_logins: decodeLogin,
  logout_notices: decodeNotice,
  mails: decodeMail,
}

const isReadable = (decode: Decode, { columns }: Table, values: Values): boolean => {
  try {
    decode(Object.fromEntries(columns.map((column, i) => [column, values[i] ?? null])))
    return true
  } catch {
    return false
  }
}

/** The key of the first row that no service could read; null for none. */
export const findUnreadable = (table: Table, rows: readonly Values[]): string | null => {
  const decode = decoders[table.name]
  const found = decode && rows.find((values) => !isReadable(decode, table, values))
  return found === undefined ? null : found.slice(0, table.key.length).join(' ')
}
