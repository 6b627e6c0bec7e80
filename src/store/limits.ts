/** The limits that a store enforces itself, so every store has to use the same numbers. */
import { limits } from '../config/limits.ts'

const {
  clientUseSeconds,
  clockSkewSeconds,
  journeySeconds,
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
  journeySeconds,
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
