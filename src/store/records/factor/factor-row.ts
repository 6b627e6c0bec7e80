/** The rows of second factors. */
import type { OneTimeCodes, Passkey } from '../../../model/factor.ts'
import { defineColumns } from '../../sql/columns.ts'

export const passkeys = defineColumns<Passkey>('passkeys', {
  id: 'text',
  ownerId: 'text',
  name: 'text',
  publicKey: 'text',
  counter: 'integer',
  transports: 'words',
  backupEligible: 'flag',
  backedUp: 'flag',
  createdAt: 'integer',
  lastUsedAt: 'integer?',
})

export const oneTimeCodes = defineColumns<OneTimeCodes>('one_time_codes', {
  secret: 'text',
  lastStep: 'integer',
  createdAt: 'integer',
})
