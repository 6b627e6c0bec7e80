/** The second step of a login: what an owner shows besides the password, with guessing slowed. */
import { digest, equalTexts } from '../crypto/digest.ts'
import type { RelyingParty } from '../crypto/webauthn.ts'
import type { Exchange } from '../http/exchange.ts'
import { actorOf } from '../model/actor.ts'
import { type Factors, needsSecondFactor, type Passkey } from '../model/factor.ts'
import type { EventId, OwnerId } from '../model/ids.ts'
import type { Owner } from '../model/owner.ts'
import type { Session } from '../model/session.ts'
import { makeId, type Parts, traceOf } from '../parts.ts'
import type { Ceremony, UsedFactor } from '../store/store.ts'
import { beginCeremony, type OpenedCeremony, openCeremony, type UpstreamLogin } from './ceremony.ts'
import { codeCounters, eventCounter } from './counters.ts'
import { codeGuesserOf } from './known-browser.ts'
import { stepOfCode } from './one-time-codes.ts'
import { readPresented, usePasskey } from './passkeys.ts'
import { recoveryDigest } from './recovery-codes.ts'
import { type LoginEntry, type Started, startSession, type Visitor } from './session.ts'
import { admit, makeTry } from './tries.ts'

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

/** @returns what the pages of the second step carry, bound to the browser alone */
export const beginSecondStep = (
  { id, passwordHash }: Owner,
  visitor: Visitor,
  at: number,
  parts: Pick<Parts, 'settings' | 'keyring' | 'random'>,
  upstream: UpstreamLogin | null = null,
): string => {
  const states = { ownerId: id, password: digest(passwordHash), upstream }
  return beginCeremony('second factor', states, visitor, at, parts).text
}

/** Null where there is no second step to take any more: the login begins anew. */
export const findPending = async (
  text: string,
  visitor: Visitor,
  at: number,
  parts: Pick<Parts, 'keyring' | 'store'>,
): Promise<Pending | null> => {
  const opened: OpenedCeremony<'second factor'> | null = await openCeremony(
    'second factor',
    text,
    visitor,
    at,
    parts,
  )
  if (opened === null) return null
  const { ownerId, password, upstream } = opened.states
  const owner = await parts.store.findOwner(ownerId as OwnerId)
  if (owner === null || !equalTexts(digest(owner.passwordHash), password)) return null
  const { ceremony } = opened
  const isFinished = await parts.store.isFinished(ceremony.id)
  const factors = await parts.store.findFactors(owner.id)
  return needsSecondFactor(factors) ? { owner, factors, ceremony, upstream, isFinished } : null
}

/** The fields of the form; only one counts. */
export type ShownFactor =
  | { readonly factor: 'one-time code'; readonly text: string }
  | { readonly factor: 'recovery code'; readonly text: string }
  | { readonly factor: 'passkey'; readonly text: string }

/** How a session tells of a passkey. A key that may be copied is kept by software. */
export const passkeyMethods = ({ backupEligible }: Passkey): Session['methods'] => [
  backupEligible ? 'swk' : 'pop',
  'user',
  'mfa',
]

const withPasskey = async (
  text: string,
  { factors, ceremony }: Pending,
  party: RelyingParty | null,
): Promise<{ readonly factor: UsedFactor; readonly methods: Session['methods'] } | null> => {
  const presented = party && readPresented(text)
  const passkey = factors.passkeys.find(({ id }) => id === presented?.id)
  if (party === null || presented === null || passkey === undefined) return null
  const factor = await usePasskey(presented, passkey, ceremony, party)
  return factor && { factor, methods: ['pwd', ...passkeyMethods(passkey)] }
}

const codeMethods: Session['methods'] = ['pwd', 'otp', 'mfa']

/** Null where it is wrong as far as can be seen without using it. */
const readShown = async (
  { factor: kind, text }: ShownFactor,
  pending: Pending,
  party: RelyingParty | null,
  at: number,
  parts: Pick<Parts, 'clock' | 'random' | 'vault' | 'tell'>,
): Promise<{ readonly factor: UsedFactor; readonly methods: Session['methods'] } | null> => {
  const { owner, factors, ceremony } = pending
  if (kind === 'passkey') return withPasskey(text, pending, party)
  if (kind === 'recovery code') {
    const factor = { kind, code: recoveryDigest(text), eventId: makeId<EventId>(parts), ceremony }
    return { factor, methods: codeMethods }
  }
  const codes = factors.oneTimeCodes
  const step = codes && stepOfCode(codes, text, owner.id, at, parts)
  return step === null ? null : { factor: { kind, step, ceremony }, methods: codeMethods }
}

/** One try at the second step. */
export interface SecondStep {
  readonly shown: ShownFactor
  readonly pending: Pending
  /** Null where passkeys cannot be used. */
  readonly party: RelyingParty | null
  readonly visit: Exchange & Visitor
}

/** What checking a factor and starting the session take. */
type FactorParts = Pick<
  Parts,
  'settings' | 'store' | 'keyring' | 'vault' | 'clock' | 'random' | 'tell' | 'languages' | 'meter'
>

/** The entry of a login with this factor beside the first one. */
const entryWith = (
  { factor, methods }: NonNullable<Awaited<ReturnType<typeof readShown>>>,
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

/** Null if the factor is wrong already without using it up. */
const enter = async (step: SecondStep, parts: FactorParts): Promise<Started | null> => {
  const { shown, pending, party, visit } = step
  const read = await readShown(shown, pending, party, visit.at, parts)
  if (read === null) return null
  return startSession(pending.owner, entryWith(read, pending), visit, parts)
}

/** What is told as wrong. A code that is used is one of another login: sent again from its own page, it is finished. */
const failureOf = (started: Started | null): 'wrong' | 'used' | null => {
  if (started === null) return 'wrong'
  return started.outcome === 'used' ? 'used' : null
}

/**
 * Whether a failure becomes an event. Wrong one-time codes are limited by their counter. Other
 * failures have no limit, so their events get the same one: otherwise they would bury the rest.
 */
const isTold = async (
  { shown, pending, visit }: SecondStep,
  parts: Pick<Parts, 'store' | 'clock' | 'random'>,
): Promise<boolean> => {
  if (shown.factor === 'one-time code') return true
  const trace = traceOf(visit, parts)
  const { outcome } = await parts.store.admitAttempt([eventCounter(pending.owner.id)], trace)
  return outcome === 'admitted'
}

const attempt = async (step: SecondStep, parts: FactorParts): Promise<Started | null> => {
  const started = await enter(step, parts)
  const outcome = failureOf(started)
  if (outcome === null || !(await isTold(step, parts))) return started
  const { shown, pending, visit } = step
  await parts.store.appendEvent({
    id: makeId(parts),
    at: visit.at,
    type: 'login.second_factor_failed',
    clientId: null,
    ownerId: pending.owner.id,
    authorizationId: null,
    requestId: visit.requestId,
    actor: actorOf(visit.caller),
    details: { factor: shown.factor, outcome, address: visit.address },
  })
  return started
}

/**
 * Logs in with the right factor; null if it is wrong. One-time codes can be guessed, so wrong ones
 * are counted as wrong passwords are. Known browsers are counted apart: strangers with the password
 * cannot make the owner wait there. Recovery codes and passkeys cannot be guessed, and never wait.
 *
 * @throws Refusal `too_many_requests` with `Retry-After`
 */
export const logInWithFactor = async (
  step: SecondStep,
  parts: FactorParts & Pick<Parts, 'tries'>,
): Promise<Started | null> => {
  if (step.shown.factor !== 'one-time code') return attempt(step, parts)
  const { pending, visit } = step
  const { owner, factors } = pending
  const guesser = await codeGuesserOf(owner, factors, visit, parts)
  const { counted, cleared, givenBack } = codeCounters(guesser, owner.id, parts.settings.limits)
  const trace = traceOf(visit, parts)
  const checked = async (): Promise<Started | null> => {
    const started = await attempt(step, parts)
    // Where it is finished by now, the same browser was let in at this very moment.
    if (started?.outcome === 'accepted' || started?.outcome === 'finished') {
      await parts.store.clearAttempts(cleared, givenBack, trace)
    }
    return started
  }
  return makeTry(counted, () => admit(counted, checked, trace, parts), parts)
}
