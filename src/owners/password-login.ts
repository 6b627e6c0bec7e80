/** Checking a password, on the login page and in the password grant alike, with guessing slowed. */
import { limits } from '../config/limits.ts'
import { digest } from '../crypto/digest.ts'
import { addressKey } from '../http/address.ts'
import { type Owner, usernameKey } from '../model/owner.ts'
import { makeId, type Parts, type Try } from '../parts.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Trace } from '../store/store.ts'

export interface PasswordTry {
  readonly username: string
  readonly password: string
  readonly address: string
  /** Whether guesses from the address count, too: not where it is a server, asking for all its users. */
  readonly countsAddress: boolean
}

type Counters = readonly [owner: string, ...address: string[]]

/** The counter of a name is kept under its digest: people type passwords into name fields. */
const countersOf = ({ username, address, countsAddress }: PasswordTry): Counters => {
  const owner = `owner:${digest(usernameKey(username))}`
  return countsAddress ? [owner, `address:${addressKey(address)}`] : [owner]
}

const check = async (
  { username, password, address }: PasswordTry,
  counters: Counters,
  trace: Trace,
  { store, passwords, ...parts }: Parts,
): Promise<Try<Owner>> => {
  const admitted = await store.admitAttempt(counters, limits.attempts, trace)
  if (admitted.outcome === 'wait') return admitted
  const fits =
    username.length <= limits.usernameCharacters &&
    Buffer.byteLength(password) <= limits.passwordBytes
  const owner = fits ? await store.findOwnerByName(username) : null
  const right = fits && (await passwords.verify(owner?.passwordHash ?? null, password))
  if (right && owner !== null && !owner.disabled) {
    const [ofOwner, ofAddress = null] = counters
    await store.clearAttempts(ofOwner, ofAddress, trace)
    return { outcome: 'checked', found: owner }
  }
  await store.appendEvent({
    id: makeId(parts),
    at: trace.at,
    type: 'login.failed',
    clientId: null,
    ownerId: owner?.id ?? null,
    authorizationId: null,
    requestId: trace.requestId,
    details: { address },
  })
  return { outcome: 'checked', found: null }
}

/**
 * The owner whose password it is, or null: for an unknown name just as for a wrong password, after
 * the same work. Every try is counted before it is made, so that many at once gain nothing, and
 * right ones are let in all the same, after one another if need be.
 *
 * @throws Refusal `too_many_requests` with `Retry-After`
 */
export const checkPassword = async (
  login: PasswordTry,
  trace: Trace,
  parts: Parts,
): Promise<Owner | null> => {
  const counters = countersOf(login)
  const result = await parts.tries(counters, () => check(login, counters, trace, parts))
  if (result.outcome === 'checked') return result.found
  throw new Refusal('too_many_requests', 'login_throttled', 'too many wrong tries: wait a little', {
    headers: { 'Retry-After': String(result.seconds) },
  })
}
