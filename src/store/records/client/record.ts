/** Clients, their logos, and the places that registrations of strangers take. */
import { holderOfClient } from '../../../model/item.ts'
import { theClient, theKept } from '../../cache/things.ts'
import type { ClientSteps } from '../../contract/client.ts'
import { type RestoreRule, table } from '../../schema/table.ts'
import { purgeAtEnd, type StoreRecord } from '../../sql/record.ts'
import { listClientsBy } from '../../sql/search.ts'
import { withValues } from '../../transfer/restored-rows.ts'
import { keepClientDocument } from './client-documents.ts'
import { findClientLogo, keepClientLogo, logos } from './client-logos.ts'
import * as clients from './clients.ts'
import { listClients } from './list-clients.ts'
import { raiseClient } from './raise-client.ts'
import * as registrations from './registrations.ts'

/** No token fits a new salt, and endings of tokens are not restored. */
const withNewSalts: RestoreRule = (rows, columns, newSalt) =>
  rows.map((row) => withValues(columns, row, { salt: newSalt(), has_endings: 0 }))

export const clientRecord: StoreRecord<ClientSteps> = {
  tables: [
    table(
      'clients',
      ['id'],
      [
        'name',
        'scope',
        'scope_limits',
        'salt',
        'family_salt',
        'shortened_at',
        'shortened_to',
        'disabled',
        'has_endings',
        'revision',
        'details',
        'deleted_at',
      ],
      withNewSalts,
    ),
    table('client_logos', ['client_id'], logos.names, 'all'),
    table('registrations', ['client_id'], ['expires_at', 'due_at', 'network'], 'all'),
    table('registration_counts', ['id'], ['clients', 'ends_at'], 'all'),
  ],
  reads: {
    findClient: clients.findClient,
    listClients,
    listClientsBy,
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
