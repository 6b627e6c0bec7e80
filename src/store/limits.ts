/** The limits that a store enforces itself, so every store has to use the same numbers. */
import { limits } from '../config/limits.ts'
import { defaultLimits } from '../config/settable-limits.ts'

/** The limits that a store enforces itself. The suite of the contract tests them. */
export const storeLimits = {
  /** The longest journey, with the code at its end. */
  journeySeconds: limits.journeySeconds + defaultLimits.codeSeconds,
  clientUseSeconds: limits.clientUseSeconds,
  clockSkewSeconds: limits.clockSkewSeconds,
  neverUsedSeconds: limits.neverUsedSeconds,
  nodeSeconds: limits.nodeSeconds,
  ownChanges: limits.ownChanges,
  ownChangesSeconds: limits.ownChangesSeconds,
  purgeAfterSeconds: limits.purgeAfterSeconds,
  purgeRows: limits.purgeRows,
  redirectUris: limits.redirectUris,
  refreshRepeatsTold: limits.refreshRepeatsTold,
  registrationWindowSeconds: limits.registrationWindowSeconds,
  unusedSeconds: limits.unusedSeconds,
  useCollectorSeconds: limits.useCollectorSeconds,
  useDays: limits.useDays,
} as const
