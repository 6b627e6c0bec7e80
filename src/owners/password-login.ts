/** Checking a password, on the login page and in the password grant alike, with guessing slowed. */
import { limits } from '../config/limits.ts'
import type { Hashing } from '../crypto/password.ts'
import type { Owner } from '../model/owner.ts'
import { makeId, type Parts } from '../parts.ts'
import type { Trace } from '../store/store.ts'
import {
  type Counters,
  eventCounter,
  type Guesser,
  passwordCounters,
  reservedFor,
  untoldCounter,
} from './counters.ts'
import { findOwnerAtLogin } from './login-name.ts'
import { admit, makeTry } from './tries.ts'
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
  { store, ...parts }: Pick<Parts, 'store' | 'clock' | 'random'>,
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

const check = async (
  { username, password, address }: PasswordTry,
  { cleared, givenBack }: Counters,
  trace: Trace,
  hashing: Hashing,
  parts: Pick<Parts, 'store' | 'clock' | 'random'>,
): Promise<Owner | null> => {
  const fits =
    username.length <= limits.usernameCharacters &&
    Buffer.byteLength(password) <= limits.passwordBytes
  const owner = fits ? await findOwnerAtLogin(username, parts.store) : null
  const verified = fits ? await verifyPassword(owner, password, hashing, trace, parts) : null
  if (verified !== null) {
    await parts.store.clearAttempts(cleared, givenBack, trace)
    return verified
  }
  await tellFailed(owner, { address }, trace, parts)
  return null
}

/** What checking a password takes. */
export type PasswordParts = Pick<
  Parts,
  'settings' | 'store' | 'clock' | 'random' | 'passwords' | 'tries'
>

/**
 * The owner whose password it is, or null: for an unknown name just as for a wrong password, after
 * the same work. A try that finds no place in the queue of hashes is not counted.
 *
 * @throws Refusal `too_many_requests` or `temporarily_unavailable`, each with `Retry-After`
 */
export const checkPassword = (
  login: PasswordTry,
  trace: Trace,
  parts: PasswordParts,
): Promise<Owner | null> => {
  const counters = passwordCounters(login.guesser, login.username, parts.settings.limits)
  const attempt = () =>
    parts.passwords.inQueue(reservedFor(login.guesser), (hashing) => {
      const checked = () => check(login, counters, trace, hashing, parts)
      return admit(counters.counted, checked, trace, parts)
    })
  return makeTry(counters.counted, attempt, parts)
}
