/** Clients, their logos, and the places that registrations of strangers take. */

import type { ClientLogo } from '../../../model/client-logo.ts'
import { holderOfClient } from '../../../model/item.ts'
import { theClient, theKept } from '../../cache/things.ts'
import type { ClientListFilter, ClientSteps } from '../../contract/client.ts'
import { defineTable } from '../../sql/columns.ts'
import {
  type Clause,
  limited,
  orderOf,
  paramsOf,
  rangeOf,
  stretchOf,
  whereOf,
} from '../../sql/filter.ts'
import { lowerAscii, pageOf, search } from '../../sql/page.ts'
import { purgeAtEnd, type Reads, type Steps, type StoreRecord } from '../../sql/record.ts'
import { sql, touches } from '../../sql/statement.ts'
import { keepClientDocument } from './client-documents.ts'
import * as clients from './clients.ts'
import { clientTable, decodeClient } from './clients.ts'
import { raiseClient } from './raise-client.ts'
import { registrationCounts, registrationTable } from './registration-places.ts'
import * as registrations from './registrations.ts'

/** At most one picture of each client, as base64: no engine writes bytes like another one. */
const logos = defineTable<ClientLogo>(
  'client_logos',
  {
    clientId: 'text references clients (id) on delete cascade',
    uri: 'text',
    type: 'text',
    version: 'text',
    content: 'text',
    fetchedAt: 'integer',
  },
  { key: 'client_id', restored: 'all' },
)

const findClientLogo: Reads['findClientLogo'] = async (read, clientId) => {
  const [row] = await read('select * from client_logos where client_id = ?', [clientId])
  return row === undefined ? null : logos.decode(row)
}

/** The client may have been deleted while its picture was fetched, so its row is claimed first. */
const keepClientLogo: Steps['keepClientLogo'] = function* (logo) {
  if (
    !(yield* touches(sql`update clients set revision = revision
    where id = ${logo.clientId} and deleted_at is null returning id`))
  )
    return false
  yield sql`${logos.insert(logo)} ${logos.overwrite}`
  return true
}

/** Whether the JSON has this text. Inside of its strings, quotation marks are escaped. */
const holds = (json: string): string => `replace(details, '${json}', '') <> details`

const broughtBy = `case when ${holds('"document":{')} then 'document'
  when ${holds('"registeredBy":"itself"')} then 'itself' else 'operator' end`

const clausesOf = ({ broughtBy: by, disabled }: ClientListFilter): readonly Clause[] => [
  ...(by === undefined ? [] : [[`${broughtBy} = ?`, by] as const]),
  ...(disabled === undefined ? [] : [['disabled = ?', Number(disabled)] as const]),
]

const listClientsBy: Reads['listClientsBy'] = (read, { by, prefix }, after, limit) => {
  const table = { name: 'clients', decode: decodeClient }
  return by === 'name'
    ? search(read, table, 'lower(name)', lowerAscii(prefix), after, limit)
    : search(read, table, 'id', prefix, after, limit)
}

const listClients: Reads['listClients'] = async (read, after, limit, of = {}) => {
  const clauses = clausesOf(of)
  const whole = stretchOf([], 'asc', after)
  const stretch = clauses.length === 0 ? whole : await limited(read, 'clients', whole, limit)
  const all = [rangeOf(stretch), ['deleted_at is null'] as const, ...clauses]
  const sql = `select * from clients where ${whereOf(all)} ${orderOf(stretch)} limit ?`
  const rows = await read(sql, [...paramsOf(all), limit + 1])
  return pageOf(rows, limit, decodeClient, ({ id }) => id, stretch.stop)
}

export const clientRecord: StoreRecord<ClientSteps> = {
  tables: [clientTable, logos, registrationTable, registrationCounts],
  reads: {
    listClientsBy,
    findClient: clients.findClient,
    listClients,
    listDueRegistrations: registrations.listDueRegistrations,
    findClientLogo,
  },
  steps: {
    createClient: clients.createClient,
    registerClient: registrations.registerClient,
    noteClientUse: registrations.noteClientUse,
    postponeRegistration: registrations.postponeRegistration,
    removeIdleClient: registrations.removeIdleClient,
    changeClient: clients.changeClient,
    raiseClient,
    endClientTokens: clients.endClientTokens,
    changeOwnClient: clients.changeOwnClient,
    keepClientDocument,
    keepClientLogo,
    deleteClient: clients.deleteClient,
    deleteOwnClient: clients.deleteOwnClient,
  },
  invalidates: {
    // The cache never holds that there is no such client.
    createClient: 'nothing',
    registerClient: 'nothing',
    noteClientUse: 'nothing',
    postponeRegistration: 'nothing',
    removeIdleClient: (id) => [theClient(id), theKept(holderOfClient(id))],
    changeClient: (id) => [theClient(id)],
    raiseClient: (id) => [theClient(id)],
    endClientTokens: (id) => [theClient(id)],
    changeOwnClient: (id) => [theClient(id)],
    keepClientDocument: ({ id }) => [theClient(id)],
    keepClientLogo: 'nothing',
    deleteClient: (id) => [theClient(id), theKept(holderOfClient(id))],
    deleteOwnClient: (id) => [theClient(id), theKept(holderOfClient(id))],
  },
  alone: ['removeIdleClient', 'raiseClient'],
  endPurges: [purgeAtEnd('registration_counts', 'id', 'ends_at')],
}
