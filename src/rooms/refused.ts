/** Refusals, rendered: the one place that turns a Refusal into an answer. */

import type { Settings } from '../config/settings.ts'
import { type Answer, answerJson } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { rawPath } from '../http/request.ts'
import { lacksToken, Refusal, referenceMember, toldOf } from '../protocol/refusal.ts'
import {
  answerChallenge,
  bearerChallenge,
  metadataUrl,
  type Pointers,
} from '../resource/challenge.ts'
import type { RefusedAs } from '../route.ts'
import { answerRefusedPage, type RefusalParts } from './refused-page.ts'

/** OAuth's own form (RFC 6749 section 5.2). */
const asJson = (refusal: Refusal, { requestId }: Exchange, { errorUri }: Settings): Answer =>
  answerJson(toldOf(refusal, errorUri, requestId), refusal.status, refusal.headers)

/** What a challenge at the asked resource points to. */
const pointersOf = (
  { request, requestId }: Exchange,
  { issuer, errorUri }: Settings,
): Required<Pointers> => ({
  metadata: metadataUrl(issuer, rawPath(request)),
  errorUri,
  reference: requestId,
})

/** RFC 9457 section 4.2.1: where no token came, the status says all that is told. */
const problemOf = (refusal: Refusal): object =>
  lacksToken(refusal)
    ? { title: 'Unauthorized' }
    : { title: refusal.code, detail: refusal.description }

/** Problem details (RFC 9457), for the admin API, with a bearer challenge for a wrong token. */
const asProblem = (refusal: Refusal, pointers: Required<Pointers>): Answer => {
  const { status } = refusal
  const challenge = [401, 403].includes(status)
    ? { 'WWW-Authenticate': bearerChallenge(refusal, pointers) }
    : {}
  const problem = {
    type: 'about:blank',
    status,
    ...problemOf(refusal),
    [referenceMember]: pointers.reference,
  }
  return answerJson(problem, status, {
    ...challenge,
    ...refusal.headers,
    'Content-Type': 'application/problem+json',
  })
}

/** Any other fault is ours: nothing of it is told, and what was asked did not happen or may not have. */
export const refusalOf = (fault: unknown): Refusal => {
  if (fault instanceof Refusal) return fault
  const unreachable = fault instanceof Error && fault.name === 'StoreFault'
  return unreachable
    ? new Refusal('temporarily_unavailable', 'store_unavailable', 'the store cannot be reached', {
        headers: { 'Retry-After': '1' },
      })
    : new Refusal('server_error', 'unexpected', 'something went wrong in the service')
}

export const answerRefusal = (
  refusal: Refusal,
  as: RefusedAs,
  exchange: Exchange,
  parts: RefusalParts,
): Answer => {
  switch (as) {
    case 'json':
      return asJson(refusal, exchange, parts.settings)
    case 'bearer':
      return answerChallenge(refusal, pointersOf(exchange, parts.settings))
    case 'problem':
      return asProblem(refusal, pointersOf(exchange, parts.settings))
    case 'page':
      return answerRefusedPage(refusal, exchange, parts)
  }
}
