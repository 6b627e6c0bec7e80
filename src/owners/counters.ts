/** What wrong tries are counted by: strangers, known browsers and logins, each apart from the others. */
import { limits } from '../config/limits.ts'
import { mailLimits } from '../config/mail-limits.ts'
import { digest } from '../crypto/digest.ts'
import { countedNetworks } from '../http/address.ts'
import type { OwnerId, SessionHandle } from '../model/ids.ts'
import { usernameKey } from '../model/owner.ts'
import type { AttemptCounter } from '../store/store.ts'

/** Who tries. Nobody can use up the tries of another one. */
export type Guesser =
  | { readonly is: 'stranger'; readonly address: string }
  /** A trusted client with a password of its user: the address is its own, so it is not counted. */
  | { readonly is: 'application' }
  /** A browser in which this owner has logged in before. */
  | { readonly is: 'known browser'; readonly id: string; readonly ownerId: OwnerId }
  /** The owner, in a login. */
  | { readonly is: 'login'; readonly handle: SessionHandle; readonly ownerId: OwnerId }

const counter = (key: string): AttemptCounter => ({ key, rule: limits.attempts })

const networkCounters = (address: string, what = ''): readonly AttemptCounter[] =>
  countedNetworks(address).map(({ key, bits }) => ({
    key: `${what}address:${key}`,
    rule: {
      ...limits.attempts,
      freeTries: limits.freeTriesOfNetwork[bits],
      forgetAfter: 'first try',
    },
  }))

/** The counters of one try. */
export interface Counters {
  /** Each counts the try. */
  readonly counted: readonly AttemptCounter[]
  /** A right try clears these. */
  readonly cleared: readonly AttemptCounter[]
  /** A right try is taken back from these, where one owner's right tries must not buy wrong ones. */
  readonly givenBack: readonly AttemptCounter[]
}

/** @param ofStrangers the counter of all who try without being known */
const countersOf = (guesser: Guesser, ofStrangers: AttemptCounter, what: string): Counters => {
  switch (guesser.is) {
    case 'stranger': {
      const networks = networkCounters(guesser.address)
      const counted = [ofStrangers, ...networks]
      return { counted, cleared: [ofStrangers], givenBack: networks }
    }
    case 'application':
      return { counted: [ofStrangers], cleared: [ofStrangers], givenBack: [] }
    case 'known browser': {
      const own = counter(`${what}browser:${guesser.id}`)
      return { counted: [own], cleared: [own, ofStrangers], givenBack: [] }
    }
    case 'login': {
      const own = counter(`${what}login:${guesser.handle}`)
      return { counted: [own], cleared: [own], givenBack: [] }
    }
  }
}

/** The counter of a name is kept under its digest: people type passwords into name fields. */
export const passwordCounters = (guesser: Guesser, username: string): Counters =>
  countersOf(guesser, counter(`owner:${digest(usernameKey(username))}`), '')

/** Only who knows the password gets as far as a one-time code. */
export const codeCounters = (guesser: Guesser, ownerId: OwnerId): Counters =>
  countersOf(guesser, counter(`second:${ownerId}`), 'second-')

/** Requests for a mail, by the name or address that was typed. Nobody's tries to log in are counted with them. */
export const mailCounters = (address: string, about: string): readonly AttemptCounter[] => [
  counter(`mail:${digest(usernameKey(about))}`),
  ...networkCounters(address, 'mail-'),
]

/** The mails to one mailbox, however its owner is named in the requests. */
export const mailboxCounter = (address: string): AttemptCounter => ({
  key: `mailbox:${digest(usernameKey(address))}`,
  rule: { ...mailLimits.mailbox, forgetAfter: 'first try', isQuota: true },
})

/** Counts events about tries, so that a flood of tries does not become a flood of events. */
export const eventCounter = (about: OwnerId | 'wrong passwords'): AttemptCounter =>
  counter(`told:${about}`)

/** Adds up wrong tries without an event: a durable write like an event, and it never waits. */
export const untoldCounter: AttemptCounter = {
  key: 'untold',
  rule: { ...limits.attempts, ...limits.addedUp, forgetAfter: 'first try' },
}

/** Whose place in the queue for password hashes it is; null = a stranger's. */
export const reservedFor = (guesser: Guesser): OwnerId | null =>
  'ownerId' in guesser ? guesser.ownerId : null
