/** Follows the issuer's feed of revocations, one long poll after another. */
import { readClaimedHeader } from '../crypto/jose.ts'
import { isObject } from '../model/json.ts'
import { type Doubt, type Doubts, revocationEvent } from './doubts.ts'
import { guardLimits } from './guard-limits.ts'
import { formatBasic } from './introspection.ts'
import { askIssuer, IssuerFault } from './issuer.ts'
import type { IssuerKeys } from './issuer-keys.ts'
import { type CompleteOptions, createProblemLog } from './options.ts'

/** The answer of a poll. */
export interface News {
  readonly doubts: readonly Doubt[]
  readonly next: string
  readonly hasMore: boolean
  /** The feed began anew, so revocations may be missing. */
  readonly isReset: boolean
}

/**
 * One poll of the issuer's feed (RFC 8936 section 2).
 *
 * @param after `next` of the poll before
 * @param waitSeconds how long the issuer may wait for news
 * @throws IssuerFault `feed_refused` where the issuer does not let this client read the feed
 */
export type PollFeed = (
  after: string | null,
  waitSeconds: number,
  signal: AbortSignal,
) => Promise<News>

const malformed = (place: string, why: string): IssuerFault =>
  new IssuerFault('feed_malformed', `${place} answers ${why}`)

const parseDoubt = ({ events, toe }: Readonly<Record<string, unknown>>): Doubt | null => {
  const event = isObject(events) ? events[revocationEvent] : null
  if (!isObject(event) || typeof toe !== 'number') return null
  const { subject, id, final } = event
  if (typeof subject !== 'string' || typeof id !== 'string') return null
  return { subject, id, isFinal: final === true, at: toe }
}

/** @param findPlace the URL of the feed */
export const createFeedClient = (
  findPlace: () => Promise<string>,
  keys: IssuerKeys,
  options: CompleteOptions,
): PollFeed => {
  const { issuer, resource, clientId, clientSecret, fetch: send } = options
  const headers = {
    Authorization: formatBasic(clientId, clientSecret),
    'Content-Type': 'application/json',
    Accept: 'application/json',
  }

  const readSet = async (set: unknown, jti: string, place: string): Promise<Doubt> => {
    const header = typeof set === 'string' ? readClaimedHeader(set) : null
    if (header?.typ !== 'secevent+jwt' || typeof header.kid !== 'string') {
      throw malformed(place, 'what is no security event token')
    }
    const claims = await keys.verify(String(set), header.kid)
    const isOurs =
      claims !== null && claims.iss === issuer && claims.aud === clientId && claims.jti === jti
    const doubt = isOurs ? parseDoubt(claims) : null
    if (doubt === null) throw malformed(place, `with events that are not of ${issuer} for this API`)
    return doubt
  }

  return async (after, waitSeconds, signal) => {
    const place = await findPlace()
    const asked = { returnImmediately: waitSeconds === 0, waitSeconds }
    const body = JSON.stringify(after === null ? asked : { ...asked, after })
    const init = { method: 'POST', headers, body, signal }
    const { status, said } = await askIssuer(place, init, send, waitSeconds)
    if (status === 401 || status === 403) {
      throw new IssuerFault(
        'feed_refused',
        `${place} refuses the client ${clientId}: it has to be one of the introspection_clients of ${resource}`,
      )
    }
    const { sets, moreAvailable, next, reset } = said
    if (status !== 200) throw malformed(place, String(status))
    if (!isObject(sets) || typeof next !== 'string') throw malformed(place, 'no sets')
    const doubts = Object.entries(sets).map(([jti, set]) => readSet(set, jti, place))
    const [hasMore, isReset] = [moreAvailable === true, reset === true]
    return { doubts: await Promise.all(doubts), next, hasMore, isReset }
  }
}

/** What the feed told so far, and until when. */
const createKnowledge = (
  doubts: Doubts,
  keys: IssuerKeys,
  { issuer, staleSeconds, clock, log }: CompleteOptions,
) => {
  const problems = createProblemLog(log)
  let next: string | null = null
  /** When the last answered poll was sent: all revocations until then are known. */
  let knownAt: number | null = null
  return {
    next: () => next,
    isCurrent(): boolean {
      if (knownAt === null) return false
      const milliseconds = clock() - knownAt
      // A clock that was set back makes nothing current.
      return milliseconds >= 0 && milliseconds <= staleSeconds * 1000
    },
    learn(news: News, sentAt: number): void {
      if (news.isReset) {
        log(`latchkey/resource: the feed of ${issuer} began anew: earlier JWTs are introspected`)
        doubts.doubtUntil(Math.floor(clock() / 1000))
      }
      for (const doubt of news.doubts) doubts.add(doubt)
      // A signing key may have been withdrawn.
      const isWhole = news.doubts.some(({ subject }) => subject === 'service')
      if (isWhole || news.isReset) keys.forget()
      next = news.next
      if (news.hasMore) return
      // Another poll may have been answered meanwhile. A time to come is of a clock that was set back.
      knownAt = knownAt === null || knownAt > clock() ? sentAt : Math.max(sentAt, knownAt)
    },
    /** All is known again. */
    settle: problems.clear,
    miss({ reason, message }: IssuerFault): void {
      if (reason === 'feed_refused') knownAt = null
      const seconds = knownAt === null ? 0 : staleSeconds - Math.floor((clock() - knownAt) / 1000)
      const when = seconds > 0 ? `are refused in ${seconds} s` : 'are refused'
      problems.report(`${message}. Revocations are not known: JWTs ${when}`)
    },
  }
}

const away = (issuer: string): IssuerFault =>
  new IssuerFault('feed_away', `the feed of revocations of ${issuer} is away: JWTs are refused`)

/** @param doubts takes what is learned */
export const createFollower = (
  poll: PollFeed,
  doubts: Doubts,
  keys: IssuerKeys,
  options: CompleteOptions,
) => {
  const { issuer, staleSeconds, clock } = options
  const known = createKnowledge(doubts, keys, options)
  const aborting = new AbortController()
  const { signal } = aborting
  const waitSeconds = Math.max(1, Math.min(guardLimits.waitSeconds, Math.floor(staleSeconds / 3)))
  let usedAt = 0
  let failedAt = Number.NEGATIVE_INFINITY
  let isFollowing = false
  let catching: Promise<void> | null = null

  /** @returns whether there is more */
  const pollFor = async (seconds: number): Promise<boolean> => {
    const sentAt = clock()
    const news = await poll(known.next(), seconds, signal)
    known.learn(news, sentAt)
    return news.hasMore
  }

  const fail = (fault: unknown): void => {
    isFollowing = false
    failedAt = clock()
    if (!signal.aborted) known.miss(fault instanceof IssuerFault ? fault : away(issuer))
  }

  /** Ends where no JWT came for a while, so that an idle API asks nothing. */
  const follow = async (): Promise<void> => {
    isFollowing = true
    try {
      while (!signal.aborted && clock() - usedAt < guardLimits.idleSeconds * 1000) {
        await pollFor(waitSeconds)
      }
      isFollowing = false
    } catch (fault) {
      fail(fault)
    }
  }

  const catchUp = async (): Promise<void> => {
    try {
      while (await pollFor(0));
      known.settle()
      if (!isFollowing) void follow()
    } catch (fault) {
      fail(fault)
    } finally {
      catching = null
    }
  }

  const mayTry = (): boolean =>
    clock() < failedAt || clock() - failedAt >= guardLimits.retrySeconds * 1000

  return {
    /** Resolves once all revocations of `staleSeconds` ago are known. @throws IssuerFault */
    async ready(): Promise<void> {
      usedAt = clock()
      // A poll that waits may hang, or may have waited while this machine slept.
      const isBehind = !isFollowing || !known.isCurrent()
      if (isBehind && (catching !== null || mayTry())) {
        catching ??= catchUp()
        await catching
      }
      if (known.isCurrent()) return
      throw away(issuer)
    },
    /** Ends the poll that waits. */
    close: (): void => aborting.abort(),
  }
}
