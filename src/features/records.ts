/** The records of the features. None of their rows refers to another feature. */
import { backchannelRecord } from './backchannel/record.ts'
import { deviceRecord } from './device/record.ts'
import { leaverRecord } from './leavers/record.ts'
import { scimGroupRecord } from './scim/group-record.ts'
import { scimUserRecord } from './scim/record.ts'
import { signalRecord } from './signals/record.ts'
import { issuerRecord } from './trusted-issuers/record.ts'

export const featureRecords = [
  deviceRecord,
  issuerRecord,
  backchannelRecord,
  signalRecord,
  scimUserRecord,
  scimGroupRecord,
  leaverRecord,
] as const
