/** The revocations of a feed, kept in memory, and their meaning for a JWT. */
import type { JsonObject } from '../model/json.ts'
import { guardLimits } from './guard-limits.ts'

/**
 * The event of a security event token (RFC 8417 section 2.2): some tokens have to be doubted. Its payload:
 * `{ subject, id, final }`.
 */
export const revocationEvent = 'urn:latchkey:revocation'

/** One revocation, as the feed tells it. */
export interface Doubt {
  readonly subject: string
  readonly id: string
  /** Whether the tokens have ended for good. */
  readonly isFinal: boolean
  /** Unix seconds: it is about tokens from before. */
  readonly at: number
}

/** `ask`: only the issuer knows what the token still allows. */
type Judgement = 'good' | 'ended' | 'ask'

const makeKey = (subject: string, id: string): string => `${subject} ${id}`

/** The subjects of revocations that concern a token by itself. */
const listOwnSubjects = ({
  jti,
  client_id: client,
  lk_authorization: authorization,
}: JsonObject): readonly string[] => [
  makeKey('token', String(jti)),
  makeKey('family', String(jti).split('.')[0] ?? ''),
  makeKey('authorization', String(authorization)),
  makeKey('client', String(client)),
]

/** The same of a token, and of those that it was exchanged for (RFC 8693). */
const listSubjects = (claims: JsonObject): readonly string[] => {
  const { lk_exchanged: exchanged } = claims
  const above = Array.isArray(exchanged) ? (exchanged as readonly JsonObject[]) : []
  return [claims, ...above].flatMap(listOwnSubjects)
}

/** @param now unix seconds */
export const createDoubts = (now: () => number) => {
  const doubts = new Map<string, Doubt>()
  let doubtedUntil = Number.NEGATIVE_INFINITY

  /** Doubts all tokens until a time: revocations may be missing. */
  const doubtUntil = (at: number): void => {
    doubtedUntil = Math.max(doubtedUntil, at)
  }

  /** The tokens of the oldest revocations have expired. */
  const forgetOld = (): void => {
    const before = now() - guardLimits.revocationSeconds
    for (const [key, { at }] of doubts) {
      if (at >= before) return
      doubts.delete(key)
    }
  }

  return {
    add(doubt: Doubt): void {
      if (doubt.subject === 'service') {
        doubtUntil(doubt.at)
        return
      }
      const key = makeKey(doubt.subject, doubt.id)
      const before = doubts.get(key)
      const isFinal = doubt.isFinal || before?.isFinal === true
      const at = Math.max(doubt.at, before?.at ?? doubt.at)
      doubts.delete(key)
      doubts.set(key, { ...doubt, isFinal, at })
      forgetOld()
      if (doubts.size <= guardLimits.revocations) return
      // Too many to remember: the issuer is asked about every token up to now.
      for (const { at } of doubts.values()) doubtUntil(at)
      doubts.clear()
    },
    doubtUntil,
    judge(claims: JsonObject): Judgement {
      const issuedAt = Number(claims.iat)
      // The clocks of the issuer's nodes differ.
      const isBefore = (at: number): boolean => !(issuedAt > at + guardLimits.clockSkewSeconds)
      let judgement: Judgement = isBefore(doubtedUntil) ? 'ask' : 'good'
      for (const key of listSubjects(claims)) {
        const found = doubts.get(key)
        if (found === undefined) continue
        if (found.isFinal) return 'ended'
        if (isBefore(found.at)) judgement = 'ask'
      }
      return judgement
    },
  }
}

export type Doubts = ReturnType<typeof createDoubts>
