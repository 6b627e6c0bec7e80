/** The door of every endpoint: counts, names, times and logs each request, and renders what is refused. */

import type { Refusals } from '../events/refusal-counter.ts'
import type { Answer, AnswerHeaders } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import type { HttpRequest } from '../http/request.ts'
import { clientOf } from '../model/actor.ts'
import type { RefusalCounter } from '../model/kept-refusal.ts'
import { type Notice, unexpected } from '../model/notice.ts'
import type { Parts } from '../parts.ts'
import { Refusal, referenceHeader } from '../protocol/refusal.ts'
import type { Endpoint, EndpointParts } from '../registries.ts'
import { isForeign } from './form.ts'
import { keepRefusal } from './keep-refusal.ts'
import { answerRefusal, type RefusedAs, refusalOf } from './refused.ts'
import type { RefusalParts } from './refused-page.ts'

export type { Endpoint }

/** Who may read an answer from a page of another origin (Fetch, CORS protocol). */
export type Cors = 'open' | 'closed'

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `{base_url}`; `:name` takes one part of the path. */
  readonly path: string
  readonly endpoint: Endpoint
  readonly refusedAs: RefusedAs
  readonly cors: Cors
  /** Whether its refusals count against an address, and become 429 where there were too many. */
  readonly limited: boolean
  /** Whether it answers under any host name. */
  readonly anyHost: boolean
}

/** A route as the table of URLs writes it. */
export type RouteRow = readonly [Route['method'], string, Endpoint, RefusedAs, Cors]

type DoorRoute = Omit<Route, 'method'>

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
    'Access-Control-Expose-Headers':
      'WWW-Authenticate, ETag, Location, Retry-After, Latchkey-Reference',
    Vary: 'Origin',
  }
}

const strictTransport = { 'Strict-Transport-Security': 'max-age=31536000' } as const

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

/** Whether a page of another site sent the request, as browsers say. A script may say so as well. */
const isOfAnotherSite = (
  { cors }: Pick<Route, 'cors'>,
  { request }: Exchange,
  parts: Pick<Parts, 'settings'>,
): boolean =>
  (cors === 'closed' || request.headers.get('sec-fetch-site') !== null) && isForeign(request, parts)

/**
 * Tokens have a counter of their own: a client with an ended token must not use up the wrong guesses
 * of others at its address. Requests from other sites have one too: their visitors did not send them.
 */
const counterOf = (
  route: DoorRoute,
  exchange: Exchange,
  parts: Pick<Parts, 'settings'>,
  refusals: Refusals,
): RefusalCounter => {
  if (isOfAnotherSite(route, exchange, parts)) return refusals.otherSites
  const { refusedAs } = route
  return refusedAs === 'bearer' || refusedAs === 'problem' ? refusals.tokens : refusals.guesses
}

const refuse = (
  refusal: Refusal,
  route: DoorRoute,
  exchange: Exchange,
  parts: RefusalParts,
): Answer => ({
  ...answerRefusal(refusal, route.refusedAs, exchange, parts),
  reason: refusal.reason,
  refused: refusal,
})

/** Every fault becomes an answer here. */
const evaluate = async (
  route: DoorRoute,
  exchange: Exchange,
  parts: EndpointParts,
): Promise<Answer> => {
  try {
    return await route.endpoint(exchange, parts)
  } catch (fault) {
    if (!(fault instanceof Refusal)) {
      parts.tell({ ...unexpected(fault), requestId: exchange.requestId })
    }
    return refuse(refusalOf(fault), route, exchange, parts)
  }
}

/**
 * Counts a refusal. Once an address is over the limit, 429 takes its place. The request is
 * evaluated first, so a right one is answered whatever else came from its address.
 */
const limited = (
  answer: Answer,
  route: DoorRoute,
  exchange: Exchange,
  parts: RefusalParts,
  refusals: Refusals,
): Answer => {
  const isCounted = route.limited && countedStatuses.includes(answer.status)
  if (!isCounted || answer.reason === undefined) return answer
  const { address, at } = exchange
  const counter = counterOf(route, exchange, parts, refusals)
  const wait = counter.secondsOver(address, at)
  if (wait > 0) {
    const client = clientOf(exchange.caller) ?? exchange.caller.named ?? null
    const reference = refusals.floods.referenceOf(address, client, exchange.requestId, at)
    const refusal = tooManyRefusals(wait, answer)
    if (reference === null) return refuse(refusal, route, exchange, parts)
    const told = { ...exchange, requestId: reference }
    return { ...refuse(refusal, route, told, parts), reference }
  }
  counter.count(address, at)
  return answer
}

/**
 * Runs one request through its endpoint.
 *
 * @param began unix milliseconds
 */
export const enter = async (
  route: DoorRoute,
  exchange: Exchange,
  began: number,
  parts: EndpointParts,
  refusals: Refusals,
): Promise<Answer> => {
  const evaluated = await evaluate(route, exchange, parts)
  const answer = limited(evaluated, route, exchange, parts, refusals)
  const { status, body, reason = null } = answer
  const isTooMany = status === 429
  if (isTooMany) refusals.tooMany.note(exchange.address, reason ?? '', exchange.at)
  const isRefused = reason !== null || answer.refused !== undefined
  if (isRefused) await keepRefusal(answer, route.path, exchange, parts)
  const headers: AnswerHeaders = {
    ...answer.headers,
    ...(isRefused ? { [referenceHeader]: answer.reference ?? exchange.requestId } : null),
    ...(route.cors === 'open' ? corsHeaders(exchange.request) : null),
    ...(parts.settings.issuer.startsWith('https:') ? strictTransport : null),
  }
  const told: Notice = {
    // One line for all of a minute follows.
    level: isTooMany ? 'debug' : 'info',
    message: 'request',
    requestId: exchange.requestId,
    method: exchange.request.method,
    route: route.path,
    status,
    reason,
    milliseconds: parts.clock() - began,
    clientId: clientOf(exchange.caller),
    network: exchange.caller.network,
  }
  parts.tell(told)
  parts.meter.trace?.(exchange.request, told, began)
  return { status, headers, body }
}
