/** Follows the issuer's feed of revocations (RFC 8936), one long poll after another. */
import { guardLimits } from '../config/guard-limits.ts'
import { claimedHeader } from '../crypto/jose.ts'
import type { JsonObject } from '../model/json.ts'
import type { Doubt, Doubts } from './doubts.ts'
import { basic } from './introspection.ts'
import { askIssuer, IssuerFault } from './issuer.ts'
import type { CompleteOptions } from './options.ts'
import { createProblemLog } from './problem-log.ts'
import { revocationEvent } from './revocation-event.ts'
import type { SigningKeys } from './signing-keys.ts'

export interface Follower {
  /**
   * Resolves once all revocations are known, as of at most `staleSeconds` ago.
   *
   * @throws IssuerFault
   */
  ready(): Promise<void>
  /** Ends the poll that waits. */
  close(): void
}

const malformed = (place: string, why: string): IssuerFault =>
  new IssuerFault('feed_malformed', `${place} answers ${why}`)

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const doubtOf = ({ events, toe }: JsonObject): Doubt | null => {
  const event = isObject(events) ? events[revocationEvent] : null
  if (!isObject(event) || typeof toe !== 'number') return null
  const { subject, id, final } = event
  if (typeof subject !== 'string' || typeof id !== 'string') return null
  return { subject, id, isFinal: final === true, at: toe }
}

/**
 * @param findPlace the URL of the feed
 * @param doubts takes what is learned
 */
export const createFollower = (
  findPlace: () => Promise<string>,
  doubts: Doubts,
  keys: SigningKeys,
  options: CompleteOptions,
): Follower => {
  const { issuer, clientId, clientSecret, staleSeconds, clock, log, fetch: send } = options
  const problems = createProblemLog(log)
  const aborting = new AbortController()
  const waitSeconds = Math.max(1, Math.min(guardLimits.waitSeconds, Math.floor(staleSeconds / 3)))
  const headers = {
    Authorization: basic(clientId, clientSecret),
    'Content-Type': 'application/json',
    Accept: 'application/json',
  }
  let next: string | null = null
  /** When the last answered poll was sent: all revocations until then are known. */
  let knownAt: number | null = null
  let usedAt = 0
  let failedAt = Number.NEGATIVE_INFINITY
  let isFollowing = false
  let catching: Promise<void> | null = null

  const readSet = async (set: unknown, jti: string, place: string): Promise<Doubt> => {
    const header = typeof set === 'string' ? claimedHeader(set) : null
    if (header?.typ !== 'secevent+jwt' || typeof header.kid !== 'string') {
      throw malformed(place, 'what is no security event token')
    }
    const claims = await keys.verify(String(set), header.kid)
    const isOurs =
      claims !== null && claims.iss === issuer && claims.aud === clientId && claims.jti === jti
    const doubt = isOurs ? doubtOf(claims) : null
    if (doubt === null) throw malformed(place, `with events that are not of ${issuer} for this API`)
    return doubt
  }

  const take = async (said: object, place: string): Promise<boolean> => {
    const { sets, moreAvailable, next: further, reset } = said as Record<string, unknown>
    if (!isObject(sets) || typeof further !== 'string') throw malformed(place, 'no sets')
    const learned = await Promise.all(
      Object.entries(sets).map(([jti, set]) => readSet(set, jti, place)),
    )
    if (reset === true) {
      log(`latchkey/resource: ${place} began anew: each JWT of before is introspected`)
      doubts.doubtUntil(Math.floor(clock() / 1000))
      keys.forget()
    }
    for (const doubt of learned) {
      doubts.add(doubt)
      // A signing key may have been withdrawn.
      if (doubt.subject === 'service') keys.forget()
    }
    next = further
    return moreAvailable === true
  }

  /** @returns whether there is more */
  const poll = async (isPatient: boolean): Promise<boolean> => {
    const place = await findPlace()
    const sentAt = clock()
    const asked = { after: next ?? undefined, returnImmediately: !isPatient, waitSeconds }
    const init = { method: 'POST', headers, body: JSON.stringify(asked), signal: aborting.signal }
    const { status, said } = await askIssuer(place, init, send, isPatient ? waitSeconds : 0)
    if (status === 401 || status === 403) {
      knownAt = null
      throw new IssuerFault(
        'feed_refused',
        `${place} refuses the client ${clientId}: it has to be one of the introspection_clients of ${options.resource}`,
      )
    }
    if (status !== 200) throw malformed(place, String(status))
    const hasMore = await take(said, place)
    // Another poll may have been answered meanwhile.
    if (!hasMore) knownAt = Math.max(sentAt, knownAt ?? sentAt)
    return hasMore
  }

  const fail = (fault: unknown): void => {
    isFollowing = false
    if (!(fault instanceof IssuerFault)) throw fault
    failedAt = clock()
    if (aborting.signal.aborted) return
    const left = knownAt === null ? 0 : staleSeconds - Math.floor((failedAt - knownAt) / 1000)
    problems.report(
      left > 0
        ? `${fault.message}. Revocations are not known any more; JWTs are refused in ${left} s`
        : `${fault.message}. Revocations are not known; JWTs are refused`,
    )
  }

  /** Ends where no JWT came for a while, so that an idle API asks nothing. */
  const follow = async (): Promise<void> => {
    isFollowing = true
    try {
      while (!aborting.signal.aborted && clock() - usedAt < guardLimits.idleSeconds * 1000) {
        await poll(true)
      }
      isFollowing = false
    } catch (fault) {
      fail(fault)
    }
  }

  const catchUp = async (): Promise<void> => {
    try {
      while (await poll(false));
      problems.clear()
      if (!isFollowing) void follow()
    } catch (fault) {
      fail(fault)
    } finally {
      catching = null
    }
  }

  const isCurrent = (): boolean => knownAt !== null && clock() - knownAt <= staleSeconds * 1000

  const mayTry = (): boolean => clock() - failedAt >= guardLimits.retrySeconds * 1000

  return {
    async ready() {
      usedAt = clock()
      // A poll that waits may hang, or may have waited while this machine slept.
      if ((!isFollowing || !isCurrent()) && (catching !== null || mayTry())) {
        catching ??= catchUp()
        await catching
      }
      if (isCurrent()) return
      throw new IssuerFault(
        'feed_away',
        `the feed of revocations of ${issuer} is away: JWTs are refused`,
      )
    },
    close: () => aborting.abort(),
  }
}
