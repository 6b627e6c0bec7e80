/** The second step of a login: what an owner shows besides the password, with guessing slowed. */
import { limits } from '../config/limits.ts'
import { digest, equalTexts } from '../crypto/digest.ts'
import type { RelyingParty } from '../crypto/webauthn.ts'
import type { Exchange } from '../http/exchange.ts'
import { type Factors, hasSecondFactor, type Passkey } from '../model/factor.ts'
import type { EventId, OwnerId } from '../model/ids.ts'
import type { Owner } from '../model/owner.ts'
import type { Session } from '../model/session.ts'
import { makeId, type Parts, type Try, traceOf } from '../parts.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Ceremony, UsedFactor } from '../store/factor-steps.ts'
import { beginCeremony, type Opened, openCeremony } from './ceremony.ts'
import { stepOfCode } from './one-time-codes.ts'
import { readPresented, usePasskey } from './passkeys.ts'
import { recoveryDigest } from './recovery-codes.ts'
import { type Entry, startSession, type Visitor } from './session.ts'

/** Somebody whose password was right, and who has to show more. */
export interface Pending {
  readonly owner: Owner
  readonly factors: Factors
  readonly ceremony: Ceremony
}

/** @returns what the pages of the second step carry, bound to the browser alone */
export const beginSecondStep = (
  { id, passwordHash }: Owner,
  visitor: Visitor,
  at: number,
  parts: Parts,
): string => {
  const states = { ownerId: id, password: digest(passwordHash) }
  return beginCeremony('second factor', states, visitor, at, parts).text
}

/** Null where there is no second step to take any more: the login begins anew. */
export const findPending = async (
  text: string,
  visitor: Visitor,
  at: number,
  parts: Parts,
): Promise<Pending | null> => {
  const opened: Opened<'second factor'> | null = await openCeremony(
    'second factor',
    text,
    visitor,
    at,
    parts,
  )
  if (opened === null) return null
  const { ownerId, password } = opened.states
  const owner = await parts.store.findOwner(ownerId as OwnerId)
  if (owner === null || !equalTexts(digest(owner.passwordHash), password)) return null
  const factors = await parts.store.findFactors(owner.id)
  return hasSecondFactor(factors) ? { owner, factors, ceremony: opened.ceremony } : null
}

/** What was filled in, of which only one counts. */
export type Shown =
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
  { factor: kind, text }: Shown,
  pending: Pending,
  party: RelyingParty | null,
  at: number,
  parts: Parts,
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

const enter = async (
  shown: Shown,
  pending: Pending,
  party: RelyingParty | null,
  visitor: Visitor,
  exchange: Exchange,
  parts: Parts,
): Promise<string | null> => {
  const { owner } = pending
  const read = await readShown(shown, pending, party, exchange.at, parts)
  if (read === null) return null
  const { passwordHash } = owner
  const entry: Entry = { login: { passwordHash, factor: read.factor }, methods: read.methods }
  const started = await startSession(owner.id, entry, visitor, exchange, parts)
  return started.outcome === 'accepted' ? started.cookie : null
}

/**
 * Logs in whoever shows the right factor; the header that sets the cookie, or null where it is wrong
 * or was used before. Wrong ones are counted as wrong passwords are, but by themselves: nobody gets
 * this far who does not know the password, so nobody else can lock the owner out.
 *
 * @throws Refusal `too_many_requests` with `Retry-After`
 */
export const logInWithFactor = async (
  shown: Shown,
  pending: Pending,
  party: RelyingParty | null,
  visitor: Visitor,
  exchange: Exchange,
  parts: Parts,
): Promise<string | null> => {
  const { store } = parts
  const ownerId = pending.owner.id
  const counter = `second:${ownerId}`
  const result = await parts.tries([counter], async (): Promise<Try<string>> => {
    const admitted = await store.admitAttempt([counter], limits.attempts, traceOf(exchange, parts))
    if (admitted.outcome === 'wait') return admitted
    const cookie = await enter(shown, pending, party, visitor, exchange, parts)
    const trace = traceOf(exchange, parts)
    if (cookie !== null) {
      await store.clearAttempts(counter, null, trace)
      return { outcome: 'checked', found: cookie }
    }
    await store.appendEvent({
      id: trace.eventId,
      at: trace.at,
      type: 'login.second_factor_failed',
      clientId: null,
      ownerId,
      authorizationId: null,
      requestId: trace.requestId,
      details: { factor: shown.factor, address: exchange.address },
    })
    return { outcome: 'checked', found: null }
  })
  if (result.outcome === 'checked') return result.found
  throw new Refusal('too_many_requests', 'login_throttled', 'too many wrong tries: wait a little', {
    headers: { 'Retry-After': String(result.seconds) },
  })
}
