/** The limits that a store enforces itself, so every store has to use the same numbers. */
import { limits } from '../config/limits.ts'
import { defaultLimits } from '../config/settable-limits.ts'

const {
  clientUseSeconds,
  clockSkewSeconds,
  neverUsedSeconds,
  nodeSeconds,
  ownChanges,
  ownChangesSeconds,
  purgeAfterSeconds,
  purgeRows,
  redirectUris,
  refreshRepeatsTold,
  registrationWindowSeconds,
  unusedSeconds,
  useCollectorSeconds,
  useDays,
} = limits

/** The limits that a store enforces itself. The suite of the contract tests them. */
export const storeLimits = {
  clientUseSeconds,
  clockSkewSeconds,
  /** The longest journey, with the code at its end. */
  journeySeconds: limits.journeySeconds + defaultLimits.codeSeconds,
  neverUsedSeconds,
  nodeSeconds,
  ownChanges,
  ownChangesSeconds,
  purgeAfterSeconds,
  purgeRows,
  redirectUris,
  refreshRepeatsTold,
  registrationWindowSeconds,
  unusedSeconds,
  useCollectorSeconds,
  useDays,
} as const
