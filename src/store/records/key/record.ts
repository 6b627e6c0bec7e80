/** What the root secret wraps: keys, and the secrets of one-time codes. */
import type { KeySteps } from '../../contract/key.ts'
import { traceTable } from '../../schema/table.ts'
import type { StoreRecord } from '../../sql/record.ts'
import * as keys from './keys.ts'

export const keyRecord: StoreRecord<KeySteps> = {
  tables: [
    traceTable(
      'keys',
      ['id'],
      ['use', 'algorithm', 'wrapped', 'public_key', 'usable_from', 'created_at', 'keep_until'],
      'none',
    ),
    traceTable('key_turns', ['use', 'algorithm'], ['key_id', 'usable_from'], 'none'),
  ],
  reads: { listKeys: keys.listKeys, listOneTimeCodes: keys.listOneTimeCodes },
  steps: {
    addKey: keys.addKey,
    keepKey: keys.keepKey,
    retireKey: keys.retireKey,
    removeKeys: keys.removeKeys,
    replaceKeys: keys.replaceKeys,
    rewrapKeys: keys.rewrapKeys,
    rewrapOneTimeCodes: keys.rewrapOneTimeCodes,
  },
  invalidates: {
    addKey: 'nothing',
    keepKey: 'nothing',
    retireKey: 'nothing',
    removeKeys: 'nothing',
    replaceKeys: 'nothing',
    rewrapKeys: 'nothing',
    rewrapOneTimeCodes: 'nothing',
  },
}
