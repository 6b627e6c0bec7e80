/** The table of accesses that issuers opened: one row for each owner, client and issuer. */
import { defineTable } from '../../store/sql/columns.ts'
import type { IssuerAccess } from './contract.ts'

/**
 * The row outlives its authorization: without it, the next assertion would open again what was ended. An authorization
 * is not referred to, since its row goes some time after its end.
 */
export const accesses = defineTable<IssuerAccess>(
  'issuer_accesses',
  {
    ownerId: 'text references owners (id) on delete cascade',
    clientId: 'text references clients (id) on delete cascade',
    issuerId: 'text',
    authorizationId: 'text',
    offered: 'words',
  },
  {
    key: 'owner_id client_id issuer_id',
    restored: 'all',
    indexes: [
      'issuer_accesses_by_client (client_id)',
      'issuer_accesses_by_issuer (issuer_id, authorization_id)',
    ],
  },
)
