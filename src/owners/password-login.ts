/** Checking a password, on the login page and in the password grant alike, with guessing slowed. */
import { limits } from '../config/limits.ts'
import { digest } from '../crypto/digest.ts'
import { type Owner, usernameKey } from '../model/owner.ts'
import { makeId, type Parts } from '../parts.ts'
import type { Trace } from '../store/store.ts'
import { addressCounter, makeTry } from './tries.ts'

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
  return countsAddress ? [owner, addressCounter(address)] : [owner]
}

const check = async (
  { username, password, address }: PasswordTry,
  counters: Counters,
  trace: Trace,
  { store, passwords, ...parts }: Parts,
): Promise<Owner | null> => {
  const fits =
    username.length <= limits.usernameCharacters &&
    Buffer.byteLength(password) <= limits.passwordBytes
  const owner = fits ? await store.findOwnerByName(username) : null
  const right = fits && (await passwords.verify(owner?.passwordHash ?? null, password))
  if (right && owner !== null && !owner.disabled) {
    const [ofOwner, ofAddress = null] = counters
    await store.clearAttempts(ofOwner, ofAddress, trace)
    return owner
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
    details: { address },
  })
  return null
}

/**
 * The owner whose password it is, or null: for an unknown name just as for a wrong password, after
 * the same work.
 *
 * @throws Refusal `too_many_requests` with `Retry-After`
 */
export const checkPassword = (
  login: PasswordTry,
  trace: Trace,
  parts: Parts,
): Promise<Owner | null> => {
  const counters = countersOf(login)
  return makeTry(counters, () => check(login, counters, trace, parts), trace, parts)
}
