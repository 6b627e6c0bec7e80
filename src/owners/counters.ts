/** What wrong tries are counted by: strangers, known browsers and logins, each apart from the others. */

import type { Limits } from '../config/settable-limits.ts'
import { hashText } from '../crypto/digest.ts'
import { listNetworks } from '../http/address.ts'
import type { OwnerId, SessionHandle } from '../model/ids.ts'
import type { MailKind, QueuedMail } from '../model/mail.ts'
import { type Owner, usernameKey } from '../model/owner.ts'
import type { AttemptCounter } from '../store/contract/owner.ts'
import { ownerLimits } from './limits.ts'

/** Who tries. Nobody can use up the tries of another one. */
export type Guesser =
  | { readonly is: 'stranger'; readonly address: string }
  /** A trusted client with a password of its user: the address is its own, so it is not counted. */
  | { readonly is: 'application' }
  /** A browser in which this owner has logged in before. */
  | { readonly is: 'known browser'; readonly id: string; readonly ownerId: OwnerId }
  /** The owner, in a login. */
  | { readonly is: 'login'; readonly handle: SessionHandle; readonly ownerId: OwnerId }

/** What the operator set of tries. */
type TryLimits = Pick<Limits, 'networkFreeTries'>

const makeCounter = (key: string, ownerId?: OwnerId | null): AttemptCounter => ({
  key,
  rule: ownerLimits.attempts,
  ...(ownerId == null ? {} : { ownerId }),
})

/** How keys of counters begin, or go on after an upstream; the first that fits. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/^owner:/, 'name'],
  [/^account:/, 'account'],
  [/^second:/, 'code'],
  [/address:/, 'network'],
  [/browser:/, 'browser'],
  [/login:/, 'login'],
  [/^directory:/, 'directory'],
]

/** What a counter counts by, for people: its key without the owner, name or browser. */
export const sayCounter = (key: string): string =>
  kinds.find(([begins]) => begins.test(key))?.[1] ?? 'other'

const makeQuota = (
  key: string,
  rule: Omit<AttemptCounter['rule'], 'forgetAfter' | 'isQuota'>,
): AttemptCounter => ({ key, rule: { ...rule, forgetAfter: 'first try', isQuota: true } })

const listCounters = (address: string, set: TryLimits, what = ''): readonly AttemptCounter[] =>
  listNetworks(address).map(({ key, bits }) => ({
    key: `${what}address:${key}`,
    rule: {
      ...ownerLimits.attempts,
      freeTries: set.networkFreeTries * ownerLimits.networkFactor[bits],
      forgetAfter: 'first try',
    },
  }))

export interface Counters {
  readonly counted: readonly AttemptCounter[]
  /** A right try clears these. */
  readonly cleared: readonly AttemptCounter[]
  /** A right try is taken back from these, where one owner's right tries must not buy wrong ones. */
  readonly givenBack: readonly AttemptCounter[]
}

/** @param ofStrangers the counter of all who try without being known */
const makeCounters = (
  guesser: Guesser,
  ofStrangers: AttemptCounter,
  what: string,
  set: TryLimits,
): Counters => {
  switch (guesser.is) {
    case 'stranger': {
      const networks = listCounters(guesser.address, set)
      const counted = [ofStrangers, ...networks]
      return { counted, cleared: [ofStrangers], givenBack: networks }
    }
    case 'application':
      return { counted: [ofStrangers], cleared: [ofStrangers], givenBack: [] }
    case 'known browser': {
      const own = makeCounter(`${what}browser:${guesser.id}`, guesser.ownerId)
      return { counted: [own], cleared: [own, ofStrangers], givenBack: [] }
    }
    case 'login': {
      const own = makeCounter(`${what}login:${guesser.handle}`, guesser.ownerId)
      return { counted: [own], cleared: [own], givenBack: [] }
    }
  }
}

/**
 * The counter of a name is kept under its digest: people type passwords into name fields. `unseen` counts the
 * try by its account, under whatever name. A wait of it looks like a wrong password: otherwise it would tell
 * that two names are of one account.
 *
 * @param ownerId of the owner with this name; null: nobody has it, and as much is counted
 */
export const makePasswordCounters = (
  guesser: Guesser,
  name: string,
  ownerId: OwnerId | null,
  set: TryLimits,
): Counters & { readonly unseen: readonly AttemptCounter[] } => {
  const typed = hashText(usernameKey(name))
  const counters = makeCounters(guesser, makeCounter(`owner:${typed}`, ownerId), '', set)
  if (guesser.is === 'login') return { ...counters, unseen: [] }
  const unseen = [makeCounter(`account:${ownerId ?? typed}`, ownerId)]
  const cleared = [...counters.cleared, ...unseen]
  return { ...counters, cleared, unseen: guesser.is === 'known browser' ? [] : unseen }
}

/** The counters of strangers' tries at an owner's passwords, under each name of the account. */
export const makeGuessedCounters = ({
  id,
  username,
  email,
}: Pick<Owner, 'id' | 'username' | 'email'>): readonly AttemptCounter[] => {
  const names = [username, email].filter((name) => name !== '')
  const counters = names.map((name) => makeCounter(`owner:${hashText(usernameKey(name))}`))
  return [makeCounter(`account:${id}`), ...counters]
}

/** Some directories, such as Active Directory, compare names without the marks on their letters. */
const normalizeDirectoryName = (username: string): string =>
  usernameKey(username.normalize('NFKD').replaceAll(/\p{M}/gu, '').trim().replace(/\s+/g, ' '))

/**
 * Something else to guess, such as the code of a device: by the person or browser, and by the networks.
 * Known people are counted apart: strangers beside them lock nobody out.
 *
 * @param kind begins the keys of its counters @param ownerId in a login or a known browser; null for a stranger
 */
export const makeGuessCounters = (
  kind: string,
  ownerId: OwnerId | null,
  { browser, address }: { readonly browser: string; readonly address: string },
  { networkFreeTries }: TryLimits,
): readonly AttemptCounter[] => {
  const guesser = ownerId === null ? `browser ${browser}` : `owner ${ownerId}`
  const own = makeCounter(`${kind}:${hashText(guesser)}`)
  if (ownerId === null) return [own, ...listCounters(address, { networkFreeTries }, `${kind}-`)]
  // With open sign-up, one person may have many accounts.
  const more = { networkFreeTries: networkFreeTries * ownerLimits.knownFactor }
  return [own, ...listCounters(address, more, `${kind}-known-`)]
}

/** Asking for something that takes room: so many times of one network within some seconds. */
export const makeAskCounters = (
  kind: string,
  address: string,
  freeTries: number,
  seconds: number,
): readonly AttemptCounter[] => {
  const [nearest] = listNetworks(address)
  const rule = { freeTries, longestWaitSeconds: seconds, forgetSeconds: seconds }
  return nearest === undefined ? [] : [makeQuota(`${kind}:${nearest.key}`, rule)]
}

/** Names of a directory are counted apart from the names of owners: they may be those of other people. */
export const makeNameCounters = (
  guesser: Guesser,
  upstream: string,
  username: string,
  set: TryLimits,
): Counters => {
  const name = hashText(normalizeDirectoryName(username))
  const what = `directory:${upstream}:`
  return makeCounters(guesser, makeCounter(`${what}${name}`), what, set)
}

/** Names that known browsers have looked for in a directory, before the try itself is counted. */
export const makeLookCounters = (
  known: readonly { readonly ownerId: OwnerId }[],
  upstream: string,
): readonly AttemptCounter[] =>
  known.map(({ ownerId }) => makeCounter(`directory-look:${upstream}:${ownerId}`))

/** Of strangers with the right password, at one-time codes. */
export const makeCodeCounter = (ownerId: OwnerId): AttemptCounter =>
  makeCounter(`second:${ownerId}`, ownerId)

/** Only who knows the password gets as far as a one-time code. */
export const makeCodeCounters = (guesser: Guesser, ownerId: OwnerId, set: TryLimits): Counters =>
  makeCounters(guesser, makeCodeCounter(ownerId), 'second-', set)

/**
 * Tries at recovery codes, of all owners, by the networks alone: a thief with the password keeps no owner out
 * elsewhere. Nobody guesses one of 50 bits by so few tries.
 */
export const makeRecoveryCounters = (address: string, set: TryLimits): readonly AttemptCounter[] =>
  listCounters(address, set, 'recovery-')

/**
 * Requests for a mail, by its kind and the name or address that was typed. Nobody's tries to log in
 * are counted with them.
 */
export const makeMailCounters = (
  address: string,
  { kind, about }: Pick<QueuedMail, 'kind' | 'about'>,
  set: TryLimits,
): readonly AttemptCounter[] => [
  makeCounter(`mail:${kind}:${hashText(usernameKey(about))}`),
  ...listCounters(address, set, 'mail-'),
]

/**
 * The mails of one kind to one mailbox, however its owner is named in the requests. Mails of other
 * kinds do not count, so nobody can keep away a link for a new password by them.
 */
export const makeMailboxCounter = (address: string, kind: MailKind): AttemptCounter =>
  makeQuota(`mailbox:${kind}:${hashText(usernameKey(address))}`, ownerLimits.mailbox)

/** The mails about new browsers of an owner. Only logins count, so no stranger uses them up. */
export const makeNewBrowserCounter = (ownerId: OwnerId): AttemptCounter =>
  makeQuota(`new-browser:${ownerId}`, ownerLimits.newBrowsers)

/** The offers of a passkey to an owner, after a login with the password alone. */
export const makeOfferCounter = (ownerId: OwnerId): AttemptCounter =>
  makeQuota(`passkey-offer:${ownerId}`, ownerLimits.passkeyOffers)

/** The downloads of an owner's data: each reads all of it. */
export const makeDownloadCounter = (ownerId: OwnerId): AttemptCounter =>
  makeQuota(`download:${ownerId}`, ownerLimits.downloads)

/** Counts events about tries, so that a flood of tries does not become a flood of events. */
export const makeEventCounter = (about: OwnerId | 'wrong passwords' | 'waits'): AttemptCounter =>
  makeCounter(`told:${about}`)

/** Adds up wrong tries without an event: a durable write like an event, and it never waits. */
export const untoldCounter: AttemptCounter = {
  key: 'untold',
  rule: { ...ownerLimits.attempts, ...ownerLimits.addedUp, forgetAfter: 'first try' },
}

/** Whose place in the queue for password hashes it is; null = a stranger's. */
export const findPlaceOwner = (guesser: Guesser): OwnerId | null =>
  'ownerId' in guesser ? guesser.ownerId : null
