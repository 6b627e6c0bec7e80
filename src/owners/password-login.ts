/** Checking a password, on the login page and in the password grant alike, with guessing slowed. */
import type { Settings } from '../config/settings.ts'
import type { Hashing, Passwords } from '../crypto/password.ts'
import { type Clock, makeId, type Random } from '../model/ids.ts'
import type { Owner } from '../model/owner.ts'
import type { AttemptCounter, Store, Trace } from '../store/store.ts'
import {
  type Counters,
  eventCounter,
  type Guesser,
  passwordCounters,
  reservedFor,
  untoldCounter,
} from './counters.ts'
import { ownerLimits } from './limits.ts'
import { findOwnerAtLogin } from './login-name.ts'
import { admit, foundBy, inTurn, type Tries, type Try } from './tries.ts'
import { verifyPassword } from './verify-password.ts'

export interface PasswordTry {
  readonly username: string
  readonly password: string
  /** Where the request came from, for the event of a wrong try. */
  readonly address: string
  readonly guesser: Guesser
}

/**
 * Writes an event about a wrong try. Known and unknown names take the same steps of the store:
 * otherwise the time of the answer would tell them apart. The owner's counters bound the events of
 * that owner. Unknown names have no end, so one counter for all of them decides how many become
 * events. The others are added up.
 */
export const tellFailed = async (
  owner: Owner | null,
  details: { readonly address: string; readonly upstream?: string },
  trace: Trace,
  { store, ...parts }: { readonly store: Store; readonly clock: Clock; readonly random: Random },
): Promise<void> => {
  const { outcome } = await store.admitAttempt([eventCounter('wrong passwords')], trace)
  if (owner === null && outcome === 'wait') {
    await store.admitAttempt([untoldCounter], trace)
    return
  }
  await store.appendEvent({
    id: makeId(parts),
    at: trace.at,
    type: 'login.failed',
    clientId: null,
    ownerId: owner?.id ?? null,
    authorizationId: null,
    requestId: trace.requestId,
    actor: trace.actor,
    details: { ...details },
  })
}

const fits = ({ username, password }: PasswordTry): boolean =>
  username.length <= ownerLimits.usernameCharacters &&
  Buffer.byteLength(password) <= ownerLimits.passwordBytes

const findMeant = (
  login: PasswordTry,
  { store }: { readonly store: Store },
): Promise<Owner | null> | null => (fits(login) ? findOwnerAtLogin(login.username, store) : null)

/** @param counters null: the try is wrong whatever the password, and takes the work of a wrong one */
const check = async (
  login: PasswordTry,
  counters: Counters | null,
  trace: Trace,
  hashing: Hashing,
  parts: { readonly store: Store; readonly clock: Clock; readonly random: Random },
): Promise<Owner | null> => {
  const owner = await findMeant(login, parts)
  const tried = counters === null ? null : owner
  const verified = fits(login)
    ? await verifyPassword(tried, login.password, hashing, trace, parts)
    : null
  if (counters !== null && verified !== null) {
    await parts.store.clearAttempts(counters.cleared, counters.givenBack, trace)
    return verified
  }
  await tellFailed(owner, { address: login.address }, trace, parts)
  return null
}

/** What checking a password takes. */
export type PasswordParts = {
  readonly settings: Settings
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly passwords: Passwords
  readonly tries: Tries
}

/**
 * The owner whose password it is, or null: for an unknown name just as for a wrong password, after
 * the same work. A try that finds no place in the queue of hashes is not counted.
 *
 * @throws Refusal `too_many_requests` or `temporarily_unavailable`, each with `Retry-After`
 */
export const checkPassword = async (
  login: PasswordTry,
  trace: Trace,
  parts: PasswordParts,
): Promise<Owner | null> => {
  const { guesser, username } = login
  const ownerId = 'ownerId' in guesser ? guesser.ownerId : (await findMeant(login, parts))?.id
  const counters = passwordCounters(guesser, username, ownerId ?? null, parts.settings.limits)
  const { counted, unseen } = counters
  const tryBy = (by: readonly AttemptCounter[], right: Counters | null): Promise<Try<Owner>> => {
    const attempt = () =>
      parts.passwords.inQueue(reservedFor(guesser), (hashing) => {
        const checked = () => check(login, right, trace, hashing, parts)
        return admit(by, checked, trace, parts)
      })
    return inTurn(by, attempt, parts)
  }
  const result = await tryBy([...counted, ...unseen], counters)
  const isUnseen = (key: string): boolean => unseen.some((one) => one.key === key)
  const isHeld = result.outcome === 'wait' && result.keys.every(isUnseen)
  return foundBy(isHeld ? await tryBy(counted, null) : result)
}
