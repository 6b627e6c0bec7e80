/** The second step of a login: what an owner shows besides the password, with guessing slowed. */

import { equalTexts, hashText } from '../crypto/digest.ts'
import type { RelyingParty } from '../crypto/webauthn.ts'
import type { Vault } from '../crypto/wrap.ts'
import type { Exchange } from '../http/exchange.ts'
import { tellAgent } from '../http/user-agent.ts'
import { type Factors, needsSecondFactor, type Passkey } from '../model/factor.ts'
import { type EventId, makeId, type OwnerId } from '../model/ids.ts'
import type { Owner } from '../model/owner.ts'
import type { Session } from '../model/session.ts'
import type { Ceremony, UsedFactor } from '../store/contract/factor.ts'
import type { BegunWait } from '../store/contract/owner.ts'
import { makeOwnerEvent, traceOf } from '../store/trace.ts'
import { beginCeremony, openCeremony, type UpstreamLogin } from './ceremony.ts'
import {
  type Counters,
  makeCodeCounters,
  makeEventCounter,
  makeRecoveryCounters,
} from './counters.ts'
import { openKnownBrowsers } from './known-browser.ts'
import { hashRecovery, stepOfCode } from './one-time-codes.ts'
import type { Subjects } from './pairwise-secret.ts'
import { readPresented, usePasskey } from './passkeys.ts'
import { describeBegun } from './password-login.ts'
import type { LoginEntry, SessionNeeds, Started, StartSession, Visitor } from './session.ts'
import { makeTry, type Tries } from './tries.ts'

/** An owner with a right password, or a login at an upstream, before the second step. */
export interface Pending {
  readonly owner: Owner
  readonly factors: Factors
  readonly ceremony: Ceremony
  /** Where an upstream logged the owner in, instead of the password. */
  readonly upstream: UpstreamLogin | null
  /** Whether the step was taken already, and its answer may have got lost. */
  readonly isFinished: boolean
}

/** The fields of the form; only one counts. */
export interface ShownFactor {
  readonly factor: 'one-time code' | 'recovery code' | 'passkey'
  readonly text: string
}

interface SecondStep {
  readonly shown: ShownFactor
  readonly pending: Pending
  /** Null where passkeys cannot be used. */
  readonly party: RelyingParty | null
  readonly visit: Exchange & Visitor
}

/** A factor that seems right, before it is used. */
interface ReadFactor {
  readonly factor: UsedFactor
  readonly methods: Session['methods']
}

/** How a session tells of a passkey. A key that may be copied is kept by software. */
export const listPasskeyMethods = ({ backupEligible }: Passkey): Session['methods'] => [
  backupEligible ? 'swk' : 'pop',
  'user',
  'mfa',
]

const readPasskey = async (
  text: string,
  { factors, ceremony }: Pending,
  party: RelyingParty | null,
): Promise<ReadFactor | null> => {
  const presented = party && readPresented(text)
  const passkey = factors.passkeys.find(({ id }) => id === presented?.id)
  if (party === null || presented === null || passkey === undefined) return null
  const factor = await usePasskey(presented, passkey, ceremony, party)
  return factor && { factor, methods: ['pwd', ...listPasskeyMethods(passkey)] }
}

const codeMethods: Session['methods'] = ['pwd', 'otp', 'mfa']

/** The entry of a login with this factor beside the first one. */
const makeEntry = (
  { factor, methods }: ReadFactor,
  { owner, ceremony, upstream }: Pending,
): LoginEntry => {
  if (upstream === null) return { login: { passwordHash: owner.passwordHash, factor }, methods }
  const { account, methods: before, authTime } = upstream
  const shown = methods.filter((method) => method !== 'pwd' && !before.includes(method))
  return {
    login: { upstream: account, ceremony, isStrong: false, factor },
    methods: [...before, ...shown],
    authTime,
  }
}

interface SecondFactorNeeds extends SessionNeeds {
  readonly vault: Vault
  readonly subjects: Subjects
  readonly tries: Tries
}

/** Tries a factor, and writes an event about a failure. */
const openAttempt = (needs: SecondFactorNeeds, startSession: StartSession) => {
  const { store } = needs

  /** Null where it is wrong as far as can be seen without using it. */
  const read = async ({ shown, pending, party, visit }: SecondStep): Promise<ReadFactor | null> => {
    const { owner, factors, ceremony } = pending
    const { factor: kind, text } = shown
    if (kind === 'passkey') return readPasskey(text, pending, party)
    if (kind === 'recovery code') {
      const code = await hashRecovery(text, owner.id, needs)
      const factor = { kind, code, eventId: makeId<EventId>(needs), ceremony }
      return { factor, methods: codeMethods }
    }
    const codes = factors.oneTimeCodes
    const step = codes && stepOfCode(codes, text, owner.id, visit.at, needs)
    return step === null ? null : { factor: { kind, step, ceremony }, methods: codeMethods }
  }

  /**
   * Whether a failure becomes an event. Wrong one-time codes are limited by their counter. Other
   * failures have no limit, so their events get the same one: otherwise they would bury the rest.
   */
  const isTold = async ({ shown, pending, visit }: SecondStep): Promise<boolean> => {
    if (shown.factor === 'one-time code') return true
    const counter = makeEventCounter(pending.owner.id)
    return (await store.admitAttempt([counter], traceOf(visit, needs))).outcome === 'admitted'
  }

  return async (step: SecondStep, begun: readonly BegunWait[]): Promise<Started | null> => {
    const { shown, pending, visit } = step
    const found = await read(step)
    const started = found && (await startSession(pending.owner, makeEntry(found, pending), visit))
    // A code that is used is one of another login: sent again from its own page, it is finished.
    const outcome = started === null ? 'wrong' : started.outcome
    if (outcome !== 'wrong' && outcome !== 'used') return started
    if (await isTold(step)) {
      const agent = tellAgent(visit.request.headers.get('user-agent'))
      const details = { factor: shown.factor, outcome, address: visit.address, ...agent }
      const trace = traceOf(visit, needs)
      const type = 'login.second_factor_failed'
      await store.appendEvent(makeOwnerEvent(type, pending.owner.id, details, trace))
    }
    if (begun.length > 0) {
      const waits = describeBegun(begun, visit.address)
      const next = traceOf(visit, needs)
      await store.appendEvent(makeOwnerEvent('login.throttled', pending.owner.id, waits, next))
    }
    return started
  }
}

export const openSecondFactor = (needs: SecondFactorNeeds, startSession: StartSession) => {
  const { settings, store } = needs
  const attempt = openAttempt(needs, startSession)
  const { codeGuesserOf } = openKnownBrowsers(needs)

  const countersOf = async ({ shown, pending, visit }: SecondStep): Promise<Counters> => {
    const { owner, factors } = pending
    if (shown.factor === 'recovery code') {
      const counted = makeRecoveryCounters(visit.address, settings.limits)
      return { counted, cleared: [], givenBack: counted }
    }
    const guesser = await codeGuesserOf(owner, factors, visit)
    return makeCodeCounters(guesser, owner.id, settings.limits)
  }

  return {
    /** @returns what the pages of the second step carry, bound to the browser alone */
    begin(
      { id: ownerId, passwordHash }: Owner,
      visitor: Visitor,
      at: number,
      upstream: UpstreamLogin | null = null,
    ): string {
      const states = { ownerId, password: hashText(passwordHash), upstream }
      return beginCeremony('second factor', states, visitor, at, needs).text
    },
    /** Null where there is no second step to take any more: the login begins anew. */
    async findPending(text: string, visitor: Visitor, at: number): Promise<Pending | null> {
      const opened = await openCeremony('second factor', text, visitor, at, needs)
      if (opened === null) return null
      const { ownerId, password, upstream } = opened.states
      const owner = await store.findOwner(ownerId as OwnerId)
      if (owner === null || !equalTexts(hashText(owner.passwordHash), password)) return null
      const { ceremony } = opened
      const isFinished = await store.isFinished(ceremony.id)
      const factors = await store.findFactors(owner.id)
      return needsSecondFactor(factors) ? { owner, factors, ceremony, upstream, isFinished } : null
    },
    /**
     * Logs in with the right factor; null if it is wrong. One-time codes can be guessed, so wrong ones
     * are counted as wrong passwords are. Known browsers are counted apart: strangers with the password
     * cannot make the owner wait there. Wrong recovery codes are counted by networks alone. Passkeys
     * cannot be guessed, and never wait.
     *
     * @throws Refusal `too_many_requests` with `Retry-After`
     */
    async logIn(step: SecondStep): Promise<Started | null> {
      const { visit, shown, pending } = step
      visit.caller.tried = pending.owner.id
      if (shown.factor === 'passkey') return attempt(step, [])
      const { counted, cleared, givenBack } = await countersOf(step)
      const trace = traceOf(visit, needs)
      const checked = async (begun: readonly BegunWait[]): Promise<Started | null> => {
        const started = await attempt(step, begun)
        // Where it is finished by now, the same browser was let in at this very moment.
        if (started?.outcome === 'accepted' || started?.outcome === 'finished') {
          await store.clearAttempts(cleared, givenBack, trace)
        }
        return started
      }
      return makeTry(counted, checked, trace, needs)
    },
  }
}
