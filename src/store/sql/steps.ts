/** Every step by its name: the name and its arguments are all that goes to whoever runs it. */

import { approve } from './approve.ts'
import { admitAttempt, clearAttempts } from './attempts.ts'
import { changeAuthorizationEnd, endAuthorization, narrowAuthorization } from './authorizations.ts'
import { keepClientLogo } from './client-logos.ts'
import {
  changeClient,
  changeOwnClient,
  createClient,
  deleteClient,
  deleteOwnClient,
  endClientTokens,
} from './clients.ts'
import { endToken } from './endings.ts'
import { appendEvent } from './events.ts'
import {
  addPasskey,
  removeOneTimeCodes,
  removePasskey,
  resetFactors,
  setOneTimeCodes,
  setPasskeyOnly,
  setRecoveryCodes,
} from './factors.ts'
import { setFact } from './facts.ts'
import { endFamily, redeemCode, startFamily } from './families.ts'
import { deleteItem, putItem } from './items.ts'
import { addKey, removeKeys, replaceKeys, rewrapKeys, rewrapOneTimeCodes } from './keys.ts'
import { changeOwner, changePassword, createOwner, deleteOwner } from './owners.ts'
import { ping, purgeAuthorizations, purgeByEnd, purgeEvents, purgeFamilies } from './purge.ts'
import { recordUses } from './record-uses.ts'
import {
  noteClientUse,
  postponeRegistration,
  registerClient,
  removeIdleClient,
} from './registrations.ts'
import { rotateRefreshToken } from './rotate.ts'
import {
  confirmSession,
  endOtherSessions,
  endSession,
  endSessionOf,
  startSession,
} from './sessions.ts'
import type { Step } from './statement.ts'
import { noteTime } from './time.ts'
import { finishCeremony } from './use-factor.ts'
import { purgeOrphanedUses, purgeUses } from './use-purge.ts'

const steps = {
  createClient,
  changeClient,
  endClientTokens,
  changeOwnClient,
  keepClientLogo,
  deleteClient,
  deleteOwnClient,
  registerClient,
  noteClientUse,
  postponeRegistration,
  removeIdleClient,
  createOwner,
  changeOwner,
  changePassword,
  deleteOwner,
  startSession,
  confirmSession,
  endSession,
  endSessionOf,
  endOtherSessions,
  addPasskey,
  removePasskey,
  setPasskeyOnly,
  setOneTimeCodes,
  removeOneTimeCodes,
  setRecoveryCodes,
  resetFactors,
  finishCeremony,
  admitAttempt,
  clearAttempts,
  approve,
  narrowAuthorization,
  changeAuthorizationEnd,
  endAuthorization,
  recordUses,
  redeemCode,
  startFamily,
  rotateRefreshToken,
  endFamily,
  endToken,
  putItem,
  deleteItem,
  addKey,
  removeKeys,
  replaceKeys,
  rewrapKeys,
  rewrapOneTimeCodes,
  setFact,
  appendEvent,
  ping,
  noteTime,
  purgeFamilies,
  purgeAuthorizations,
  purgeByEnd,
  purgeEvents,
  purgeUses,
  purgeOrphanedUses,
} as const

type Steps = typeof steps
export type StepName = keyof Steps
export type StepArguments<Name extends StepName> = Parameters<Steps[Name]>
export type StepOutcome<Name extends StepName> =
  ReturnType<Steps[Name]> extends Step<infer Outcome> ? Outcome : never

/** A step as it is sent to whoever runs it. */
export interface Call {
  readonly name: StepName
  readonly args: readonly unknown[]
}

/** Begins a step that was sent. */
export const beginStep = ({ name, args }: Call): Step<unknown> =>
  (steps[name] as unknown as (...args: readonly unknown[]) => Step<unknown>)(...args)
