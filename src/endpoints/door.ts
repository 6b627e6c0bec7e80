/** The door of every endpoint: counts, names, times and logs each request, and renders what is refused. */

import type { RefusalCounters } from '../events/refusal-counter.ts'
import type { Answer, AnswerHeaders } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import type { HttpRequest } from '../http/request.ts'
import { unexpected } from '../model/notice.ts'
import type { Parts } from '../parts.ts'
import { Refusal } from '../protocol/refusal.ts'
import { answerRefusal, type RefusedAs, refusalOf } from './refused.ts'

export type Endpoint = (exchange: Exchange, parts: Parts) => Promise<Answer> | Answer

/** Who may read an answer from a page of another origin (Fetch, CORS protocol). */
export type Cors = 'open' | 'closed'

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `{base_url}`; `:name` takes one part of the path. */
  readonly path: string
  readonly endpoint: Endpoint
  readonly refusedAs: RefusedAs
  readonly cors: Cors
  /** Whether its refusals count against an address, which is kept out where there were too many. */
  readonly limited: boolean
}

const nobody = { Vary: 'Origin' } as const

/**
 * Cookies are never sent along, so any real origin may read; `null` is nobody (RFC 6454). Caches
 * have to keep even an answer to nobody apart (Fetch, CORS protocol and HTTP caches).
 */
const corsHeaders = (request: HttpRequest): Readonly<Record<string, string>> => {
  const origin = request.headers.get('origin')
  if (origin === null || !/^https?:\/\/[^\s/]+$/.test(origin)) return nobody
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': 'WWW-Authenticate, ETag, Location, Retry-After',
    Vary: 'Origin',
  }
}

const strictTransport = { 'Strict-Transport-Security': 'max-age=31536000' } as const

/** What whoever guesses is told; an honest client may meet the other refusals often. */
const countedStatuses: readonly number[] = [400, 401, 403, 404]

const tooManyRefusals = (seconds: number): Refusal =>
  new Refusal('too_many_requests', 'too_many_refusals', 'too many refused requests: slow down', {
    headers: { 'Retry-After': String(seconds) },
  })

/**
 * Where a token is asked for, a right one is let in whatever was refused before: nobody guesses 256
 * bits, and a client whose token has ended must not shut out the others at its address.
 */
const isByToken = ({ refusedAs }: Pick<Route, 'refusedAs'>): boolean =>
  refusedAs === 'bearer' || refusedAs === 'problem'

/**
 * Runs one request through its endpoint; every fault becomes an answer here.
 *
 * @param began unix milliseconds
 */
export const enter = async (
  route: Omit<Route, 'method'>,
  exchange: Exchange,
  began: number,
  parts: Parts,
  refusals: RefusalCounters,
): Promise<Answer> => {
  let reason: string | null = null
  let answer: Answer
  const byToken = isByToken(route)
  const counter = byToken ? refusals.tokens : refusals.guesses
  const wait = route.limited ? counter.secondsOver(exchange.address, exchange.at) : 0
  try {
    if (wait > 0 && !byToken) throw tooManyRefusals(wait)
    answer = await route.endpoint(exchange, parts)
    reason = answer.reason ?? null
  } catch (fault) {
    const thrown = refusalOf(fault)
    const isOver = wait > 0 && byToken && countedStatuses.includes(thrown.status)
    const refusal = isOver ? tooManyRefusals(wait) : thrown
    if (!(fault instanceof Refusal)) {
      parts.tell({ ...unexpected(fault), requestId: exchange.requestId })
    }
    reason = refusal.reason
    answer = answerRefusal(refusal, route.refusedAs, exchange, parts)
  }
  const { status, body } = answer
  if (reason !== null && route.limited && countedStatuses.includes(status)) {
    counter.count(exchange.address, exchange.at)
  }
  const headers: AnswerHeaders = {
    ...answer.headers,
    ...(route.cors === 'open' ? corsHeaders(exchange.request) : null),
    ...(parts.settings.issuer.startsWith('https:') ? strictTransport : null),
  }
  parts.tell({
    level: 'info',
    message: 'request',
    requestId: exchange.requestId,
    method: exchange.request.method,
    route: route.path,
    status,
    reason,
    milliseconds: parts.clock() - began,
  })
  return { status, headers, body }
}
