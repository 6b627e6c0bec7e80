/** Checking a password, on the login page and in the password grant alike, with guessing slowed. */

import type { Settings } from '../config/settings.ts'
import type { Hashing, Passwords } from '../crypto/password.ts'
import { getHashKind, makeBlank } from '../crypto/phc.ts'
import { tellAgent } from '../http/user-agent.ts'
import type { Caller } from '../model/actor.ts'
import type { Event } from '../model/event.ts'
import { type EventId, type Given, makeId } from '../model/ids.ts'
import type { Owner } from '../model/owner.ts'
import type { AttemptCounter, BegunWait } from '../store/contract/owner.ts'
import type { Trace } from '../store/contract/trace.ts'
import type { Store } from '../store/store.ts'
import { makeOwnerEvent } from '../store/trace.ts'
import {
  type Counters,
  findPlaceOwner,
  type Guesser,
  makeEventCounter,
  makePasswordCounters,
  sayCounter,
  untoldCounter,
} from './counters.ts'
import { ownerLimits } from './limits.ts'
import { admit, needChecked, type Tries, type Try, waitTurn } from './tries.ts'

interface PasswordTry {
  readonly username: string
  readonly password: string
  /** Where the request came from, for the event of a wrong try. */
  readonly address: string
  /** The browser, for the same; null where it says nothing. */
  readonly userAgent?: string | null
  readonly guesser: Guesser
  /** Learns whose password was tried. */
  readonly caller: Caller
}

type TellParts = Given & { readonly store: Store }

/** The details of `login.throttled`. */
export const describeBegun = (begun: readonly BegunWait[], address: string) => ({
  counter: [...new Set(begun.map(({ key }) => sayCounter(key)))].sort().join(' '),
  seconds: Math.max(...begun.map(({ seconds }) => seconds)),
  address,
})

/**
 * Writes an event about a try. Known and unknown names take the same steps of the store:
 * otherwise the time of the answer would tell them apart. The owner's counters bound the events of
 * that owner. Unknown names have no end, so one counter for all of them decides how many become
 * events. The others are added up. Waits of known names are taken back from it, and use up nothing.
 */
const tellTry = async (
  type: Event['type'],
  owner: Owner | null,
  details: Event['details'],
  trace: Trace,
  { store, ...parts }: TellParts,
): Promise<void> => {
  const about = type === 'login.throttled' ? 'waits' : 'wrong passwords'
  const counter = makeEventCounter(about)
  const { outcome } = await store.admitAttempt([counter], trace)
  if (about === 'waits' && outcome === 'admitted') {
    if (owner === null) await store.admitAttempt([untoldCounter], trace)
    else await store.clearAttempts([], [counter], trace)
  }
  if (owner === null && outcome === 'wait') {
    await store.admitAttempt([untoldCounter], trace)
    return
  }
  const told = { ...trace, eventId: makeId<EventId>(parts) }
  await store.appendEvent(makeOwnerEvent(type, owner?.id ?? null, details, told))
}

/**
 * Tells of a wrong try, and of the waits that it set. A wait of the account alone is written after the answer:
 * its time must not tell that two names are of one account.
 */
export const tellFailed = async (
  owner: Owner | null,
  details: { readonly address: string; readonly upstream?: string },
  begun: readonly BegunWait[],
  trace: Trace,
  parts: TellParts,
): Promise<void> => {
  await tellTry('login.failed', owner, details, trace, parts)
  if (begun.length === 0) return
  const waits = describeBegun(begun, details.address)
  const told = tellTry('login.throttled', owner, waits, trace, parts)
  if (waits.counter === 'account') told.catch(() => {})
  else await told
}

/**
 * The owner of this username, otherwise the one owner who proved this address. So an address never
 * takes a name from another account. Both are looked up each time: the time of an answer must
 * not tell which of them is known.
 */
export const findOwnerAtLogin = async (
  name: string,
  store: Pick<Store, 'findOwnerByName' | 'findOwnerByEmail'>,
): Promise<Owner | null> => {
  const [named, addressed] = await Promise.allSettled([
    store.findOwnerByName(name, 'disabled'),
    store.findOwnerByEmail(name),
  ])
  if (named.status === 'rejected') throw named.reason
  if (named.value !== null) return named.value.disabled ? null : named.value
  // The two may lie on two machines: one of them stops only those who need it.
  if (addressed.status === 'rejected') throw addressed.reason
  return addressed.value
}

/**
 * A wrong try computes one hash of each kind in the store. So its time does not tell whether the name
 * is known, nor where its hash comes from.
 */
const spendTheRest = async (
  done: string,
  kinds: readonly string[],
  password: string,
  hashing: Hashing,
): Promise<void> => {
  for (const kind of ['', ...kinds]) {
    if (kind !== done) await hashing.verify(kind === '' ? null : makeBlank(kind), password)
  }
}

/** Replaces an imported hash by one of our own. Null where somebody has changed the password at this moment. */
const rehash = async (
  owner: Owner,
  password: string,
  hashing: Hashing,
  trace: Trace,
  store: Store,
): Promise<Owner | null> => {
  const hash = { former: owner.passwordHash, next: await hashing.hash(password) }
  const rehashed = await store.rehashPassword(owner.id, hash, trace)
  if (rehashed !== null) return rehashed
  // A concurrent login may have replaced it. If so, the new hash fits the same password.
  const now = await store.findOwner(owner.id)
  return now !== null && (await hashing.verify(now.passwordHash, password)) ? now : null
}

/**
 * The owner with this password, and with the hash in force from now on. Null if it is wrong.
 *
 * @param owner null = nobody of that name
 */
const verifyPassword = async (
  owner: Owner | null,
  password: string,
  hashing: Hashing,
  trace: Trace,
  store: Store,
): Promise<Owner | null> => {
  const kinds = await store.listPasswordKinds()
  const stored = owner?.passwordHash ?? null
  const kind = stored === null ? '' : getHashKind(stored)
  if ((await hashing.verify(stored, password)) && owner !== null) {
    return kind === '' ? owner : rehash(owner, password, hashing, trace, store)
  }
  await spendTheRest(kind, kinds, password, hashing)
  return null
}

const isInBounds = ({ username, password }: PasswordTry): boolean =>
  username.length <= ownerLimits.usernameCharacters &&
  Buffer.byteLength(password) <= ownerLimits.passwordBytes

export interface PasswordParts extends Given {
  readonly settings: Settings
  readonly store: Store
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
  needs: PasswordParts,
): Promise<Owner | null> => {
  const { settings, store, passwords, tries } = needs
  const { guesser, username, password, address, userAgent = null, caller } = login

  const findMeant = async (): Promise<Owner | null> =>
    isInBounds(login) ? findOwnerAtLogin(username, store) : null

  /** @param counters null: the try is wrong whatever the password, and takes the work of a wrong one */
  const check = async (
    counters: Counters | null,
    hashing: Hashing,
    begun: readonly BegunWait[],
  ): Promise<Owner | null> => {
    const owner = await findMeant()
    const tried = counters === null ? null : owner
    const verified = isInBounds(login)
      ? await verifyPassword(tried, password, hashing, trace, store)
      : null
    if (counters !== null && verified !== null) {
      await store.clearAttempts(counters.cleared, counters.givenBack, trace)
      return verified
    }
    await tellFailed(owner, { address, ...tellAgent(userAgent) }, begun, trace, needs)
    return null
  }

  const ownerId = 'ownerId' in guesser ? guesser.ownerId : (await findMeant())?.id
  if (ownerId !== undefined) caller.tried = ownerId
  const counters = makePasswordCounters(guesser, username, ownerId ?? null, settings.limits)
  const { counted, unseen } = counters
  const tryBy = (by: readonly AttemptCounter[], right: Counters | null): Promise<Try<Owner>> =>
    waitTurn(by, tries, () =>
      passwords.inQueue(findPlaceOwner(guesser), (hashing) =>
        admit(by, (begun) => check(right, hashing, begun), trace, store),
      ),
    )
  const result = await tryBy([...counted, ...unseen], counters)
  const isUnseen = (key: string): boolean => unseen.some((one) => one.key === key)
  const isHeld = result.outcome === 'wait' && result.keys.every(isUnseen)
  return needChecked(isHeld ? await tryBy(counted, null) : result)
}
