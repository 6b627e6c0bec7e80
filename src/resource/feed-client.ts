/** One poll of the issuer's feed of revocations (RFC 8936 section 2). */
import { claimedHeader } from '../crypto/jose.ts'
import type { JsonObject } from '../model/json.ts'
import type { Doubt } from './doubts.ts'
import { basic } from './introspection.ts'
import { askIssuer, IssuerFault } from './issuer.ts'
import type { IssuerKeys } from './issuer-keys.ts'
import type { CompleteOptions } from './options.ts'
import { revocationEvent } from './revocation-event.ts'

/** The answer of a poll. */
export interface News {
  readonly doubts: readonly Doubt[]
  readonly next: string
  readonly hasMore: boolean
  /** The feed began anew, so revocations may be missing. */
  readonly isReset: boolean
}

/**
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

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const doubtOf = ({ events, toe }: JsonObject): Doubt | null => {
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
    Authorization: basic(clientId, clientSecret),
    'Content-Type': 'application/json',
    Accept: 'application/json',
  }

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
    const { sets, moreAvailable, next, reset } = said as Record<string, unknown>
    if (status !== 200) throw malformed(place, String(status))
    if (!isObject(sets) || typeof next !== 'string') throw malformed(place, 'no sets')
    const doubts = Object.entries(sets).map(([jti, set]) => readSet(set, jti, place))
    const [hasMore, isReset] = [moreAvailable === true, reset === true]
    return { doubts: await Promise.all(doubts), next, hasMore, isReset }
  }
}
