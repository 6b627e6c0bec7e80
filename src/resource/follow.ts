/** Follows the issuer's feed of revocations, one long poll after another. */

import type { Doubts } from './doubts.ts'
import type { News, PollFeed } from './feed-client.ts'
import { guardLimits } from './guard-limits.ts'
import { IssuerFault } from './issuer.ts'
import type { IssuerKeys } from './issuer-keys.ts'
import type { CompleteOptions } from './options.ts'
import { createProblemLog } from './problem-log.ts'

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
): Follower => {
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
    async ready() {
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
    close: () => aborting.abort(),
  }
}
