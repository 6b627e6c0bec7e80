/** Second factors, and the ceremonies that set them up and use them. */
import { limits } from '../../../config/limits.ts'
import type { FactorSteps } from '../../contract/factor.ts'
import { table } from '../../schema/table.ts'
import { purgeAtEnd, type StoreRecord } from '../../sql/record.ts'
import { oneTimeCodes, passkeys } from './factor-row.ts'
import * as factors from './factors.ts'
import { finishCeremony, isFinished } from './use-factor.ts'

export const factorRecord: StoreRecord<FactorSteps> = {
  tables: [
    table('passkeys', ['id'], passkeys.names, 'all'),
    table('one_time_codes', ['owner_id'], oneTimeCodes.names, 'all'),
    // Since the backup one of them may have been used.
    table('recovery_codes', ['owner_id', 'code'], [], 'none'),
    table('finished_ceremonies', ['id'], ['expires_at'], 'none'),
  ],
  reads: {
    findFactors: factors.findFactors,
    findPasskey: factors.findPasskey,
    listRecoveryCodes: factors.listRecoveryCodes,
    isFinished,
  },
  steps: {
    finishCeremony,
    addPasskey: factors.addPasskey,
    removePasskey: factors.removePasskey,
    setPasskeyOnly: factors.setPasskeyOnly,
    setOneTimeCodes: factors.setOneTimeCodes,
    removeOneTimeCodes: factors.removeOneTimeCodes,
    setRecoveryCodes: factors.setRecoveryCodes,
    resetFactors: factors.resetFactors,
  },
  invalidates: {
    finishCeremony: 'nothing',
    addPasskey: 'nothing',
    removePasskey: 'nothing',
    setPasskeyOnly: 'nothing',
    setOneTimeCodes: 'nothing',
    removeOneTimeCodes: 'nothing',
    setRecoveryCodes: 'nothing',
    resetFactors: 'nothing',
  },
  endPurges: [
    // Without its row a ceremony could be finished once more, for as long as it is not too old.
    purgeAtEnd('finished_ceremonies', 'id', 'expires_at', limits.purgeAfterSeconds),
  ],
}
