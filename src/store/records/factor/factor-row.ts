/** The rows of second factors. */
import type { OneTimeCodes, Passkey } from '../../../model/factor.ts'
import type { OwnerId, PasskeyId } from '../../../model/ids.ts'
import { flag, integer, integerOrNull, text } from '../../sql/row.ts'
import type { Row } from '../../sql/statement.ts'

/** The columns of a passkey `p`, under names that an owner's row does not have. */
export const passkeyColumns = `p.id as passkey_id, p.owner_id, p.name as passkey_name, p.public_key,
  p.counter, p.transports, p.backup_eligible, p.backed_up, p.created_at as passkey_created_at,
  p.last_used_at`

export const decodePasskey = (row: Row): Passkey => ({
  id: text(row.passkey_id) as PasskeyId,
  ownerId: text(row.owner_id) as OwnerId,
  name: text(row.passkey_name),
  publicKey: text(row.public_key),
  counter: integer(row.counter),
  transports: text(row.transports)
    .split(' ')
    .filter((transport) => transport !== ''),
  backupEligible: flag(row.backup_eligible),
  backedUp: flag(row.backed_up),
  createdAt: integer(row.passkey_created_at),
  lastUsedAt: integerOrNull(row.last_used_at),
})

export const decodeOneTimeCodes = (row: Row): OneTimeCodes => ({
  secret: text(row.secret),
  lastStep: integer(row.last_step),
  createdAt: integer(row.created_at),
})
