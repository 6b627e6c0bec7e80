/** Finds rows that a service could not read: one of them would make a whole list fail later. */
import { decodeAuthorization } from '../records/authorization/authorization-row.ts'
import { decodeClient } from '../records/client/clients.ts'
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

/** Decoders of rows whose table reads less of them than a service. */
const decoders: Readonly<Record<string, Decode>> = {
  clients: readClient,
  authorizations: readAuthorization,
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
  const decode = decoders[table.name] ?? table.decode
  const found = rows.find((values) => !isReadable(decode, table, values))
  return found === undefined ? null : found.slice(0, table.key.length).join(' ')
}
