/** The end of each request: refusals are rendered, counted and kept, and the request is logged. */

import type { Settings } from '../config/settings.ts'
import type { RefusalCounter, Refusals } from '../events/refusal-counter.ts'
import type { Answer, AnswerHeaders } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { type Notice, noteFault } from '../model/notice.ts'
import { Refusal, referenceHeader } from '../protocol/refusal.ts'
import type { ServiceParts } from '../registries.ts'
import type { RouteRow } from '../route.ts'
import { isForeign } from './form.ts'
import { type KeepingNeeds, keepRefusal } from './keep-refusal.ts'
import { answerRefusal, type RefusalParts, refusalOf } from './refused.ts'

type ConcludedRoute = Pick<RouteRow, 'path' | 'refusedAs' | 'cors' | 'limited'>

const strictTransport = { 'Strict-Transport-Security': 'max-age=31536000' } as const

const nobody = { Vary: 'Origin' } as const

/**
 * Cookies are never sent along, so any real origin may read; `null` is nobody (RFC 6454). Caches
 * have to keep even an answer to nobody apart (Fetch, CORS protocol and HTTP caches).
 */
const makeCorsHeaders = (origin: string | null): AnswerHeaders =>
  origin !== null && /^https?:\/\/[^\s/]+$/.test(origin)
    ? {
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Expose-Headers':
          'WWW-Authenticate, ETag, Location, Retry-After, DPoP-Nonce, Latchkey-Reference',
        Vary: 'Origin',
      }
    : nobody

/** Statuses that answer a wrong guess; an honest client may meet the other ones often. */
const countedStatuses: readonly number[] = [400, 401, 403, 404]

const tooManyRefusals = (seconds: number, { headers }: Answer): Refusal =>
  new Refusal('too_many_requests', 'too_many_refusals', 'too many refused requests: slow down', {
    headers: {
      'Retry-After': String(seconds),
      // The rest of a body was not read.
      ...(headers.Connection === 'close' ? { Connection: 'close' } : {}),
    },
  })

/**
 * Tokens have a counter of their own: a client with an ended token must not use up the wrong guesses
 * of others at its address. Requests from other sites have one too: their visitors did not send them.
 */
const pickCounter = (
  { cors, refusedAs }: ConcludedRoute,
  { request }: Exchange,
  settings: Settings,
  refusals: Refusals,
): RefusalCounter => {
  // Browsers say whether a page of another site sent the request. A script may say so as well.
  const isTold = cors === undefined || request.headers.get('sec-fetch-site') !== null
  if (isTold && isForeign(request, { settings })) return refusals.otherSites
  return refusedAs === 'json' || refusedAs === 'page' ? refusals.guesses : refusals.tokens
}

type ConcludingNeeds = RefusalParts &
  KeepingNeeds &
  Pick<ServiceParts, 'clock' | 'meter' | 'tokens'>

/** A client that was only named is counted apart. */
const countRefused = (
  { refused, reason }: Answer,
  { caller }: Exchange,
  meter: ConcludingNeeds['meter'],
): void => {
  const { clientId: proven } = caller.proven
  const clientId = proven ?? caller.named
  const told = refused?.reason ?? reason
  if (clientId === undefined || told === undefined) return
  meter.countRefused(clientId, told, proven !== undefined)
}

const addReference = (answer: Answer, { requestId }: Exchange): Answer => {
  const reference = { [referenceHeader]: answer.reference ?? requestId }
  return { ...answer, headers: { ...answer.headers, ...reference } }
}

export const openConcluding = (needs: ConcludingNeeds, refusals: Refusals) => {
  const { settings, clock, meter, tell, tokens } = needs
  const ofService = settings.issuer.startsWith('https:') ? strictTransport : null

  /** Every fault becomes an answer here. */
  const refuse = (fault: unknown, route: ConcludedRoute, exchange: Exchange): Answer => {
    if (!(fault instanceof Refusal)) tell({ ...noteFault(fault), requestId: exchange.requestId })
    const refusal = refusalOf(fault)
    const answer = answerRefusal(refusal, route.refusedAs, exchange, needs)
    return { ...answer, reason: refusal.reason, refused: refusal }
  }

  /** The request was evaluated first, so a right one is answered whatever else came from its address. */
  const limited = (answer: Answer, route: ConcludedRoute, exchange: Exchange): Answer => {
    const isCounted = route.limited !== 'never' && countedStatuses.includes(answer.status)
    if (!isCounted || answer.reason === undefined || answer.refused?.isRoutine) return answer
    const { address, at, caller, requestId } = exchange
    const counter = pickCounter(route, exchange, settings, refusals)
    const wait = counter.secondsOver(address, at)
    if (wait === 0) {
      counter.count(address, at)
      return answer
    }
    const client = caller.proven.clientId ?? caller.named ?? null
    const reference = refusals.floods.referenceOf(address, client, requestId, at)
    const refusal = tooManyRefusals(wait, answer)
    if (reference === null) return refuse(refusal, route, exchange)
    return { ...refuse(refusal, route, { ...exchange, requestId: reference }), reference }
  }

  return {
    refuse,
    /** Counts and keeps a refused answer. Once its address is over the limit, 429 takes its place. */
    async settleRefused(given: Answer, route: ConcludedRoute, exchange: Exchange): Promise<Answer> {
      const answer = limited(given, route, exchange)
      const { status, reason = '', refused } = answer
      if (status === 429) refusals.tooMany.note(exchange.address, reason, exchange.at)
      if (refused?.isRoutine) return answer
      countRefused(answer, exchange, meter)
      await keepRefusal(answer, route.path, exchange, needs)
      return addReference(answer, exchange)
    },
    /** The answer as it is sent. @param began unix milliseconds */
    conclude(answer: Answer, route: ConcludedRoute, exchange: Exchange, began: number): Answer {
      const { status, headers: own, body, reason = null } = answer
      const { request, requestId, caller } = exchange
      const offered = request.headers.get('dpop') === null ? null : tokens.offerHeaders(exchange)
      const shared = route.cors === 'open' ? makeCorsHeaders(request.headers.get('origin')) : null
      const headers = { ...own, ...shared, ...ofService, ...offered }
      const milliseconds = clock() - began
      meter.countRequest(route.path, request.method, status, milliseconds, reason)
      const told: Notice = {
        // One line for all of a minute follows.
        level: status === 429 ? 'debug' : 'info',
        message: 'request',
        requestId,
        method: request.method,
        route: route.path,
        status,
        reason,
        milliseconds,
        clientId: caller.proven.clientId ?? null,
        network: caller.network,
      }
      tell(told)
      meter.trace?.(request, told, began)
      return { status, headers, body }
    },
  }
}
