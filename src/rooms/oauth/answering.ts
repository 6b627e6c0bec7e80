/** The end of an authorization request: the response to the client, or a page that refuses it. */

import { type Answer, answerRedirect, formPostHeaders } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Journey } from '../../journey/journey.ts'
import type { NextStep } from '../../journey/next-step.ts'
import { claimAnswer } from '../../journey/situation.ts'
import { getRedirectHost } from '../../model/requester.ts'
import type { Onward } from '../../paper/error.ts'
import { listRequestRules } from '../../protocol/profile.ts'
import { Refusal, refuseForNow } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import type { Target } from '../../requests/authorization-request.ts'
import { type AuthorizationResponse, openResponses } from '../../responses/modes.ts'
import { traceOf } from '../../store/trace.ts'
import { isForPart } from '../form.ts'
import { answerRefusedPage } from '../refused.ts'
import { makeView, showPage } from '../visit.ts'
import { renderFormPost } from './form-post/page.ts'

const getOnward = (response: AuthorizationResponse): Onward =>
  response.by === 'redirect'
    ? { to: response.location, fields: null }
    : { to: response.action, fields: response.fields }

type Refused = Pick<Extract<NextStep, { step: 'refuse' }>, 'refusal' | 'to'>

interface Answerable {
  readonly target: Target
  readonly next: Extract<NextStep, { step: 'answer' }>
}

/** The redirect, or the page with the form. */
const openAnswerClient =
  (needs: ServiceParts) =>
  (
    response: AuthorizationResponse,
    { client, redirectUri }: Target,
    journey: Journey,
    exchange: Exchange,
  ): Answer => {
    if (response.by === 'redirect') return answerRedirect(response.location, 302)
    const { action, fields } = response
    const view = makeView(exchange, needs, journey)
    const redirectHost = getRedirectHost(redirectUri)
    const html = renderFormPost({ view, clientName: client.name, redirectHost, action, fields })
    return showPage({ view }, html, { headers: formPostHeaders })
  }

const openRefusing = (needs: ServiceParts) => {
  const { refusedAnswers, tell, meter } = needs
  const responses = openResponses(needs)
  const answerClient = openAnswerClient(needs)

  /** Strangers cause refusals. A signed one costs a signature, and one of a pushed request a row. */
  const refuseFlood = (
    { isSigned }: Target,
    { to }: Refused,
    { pushed }: Journey,
    { address, at }: Exchange,
  ): void => {
    if (!isSigned && (pushed === null || to === 'page')) return
    const seconds = refusedAnswers.secondsOver(address, at)
    if (seconds > 0) {
      const said = 'too many refused authorization requests: slow down'
      throw refuseForNow('too_many_refusals', said, seconds)
    }
    refusedAnswers.count(address, at)
  }

  return async (
    target: Target,
    given: Refused,
    journey: Journey,
    exchange: Exchange,
  ): Promise<Answer> => {
    const { refusal: refused, to } = given
    const { requestId, caller } = exchange
    const { reason } = refused
    meter.countRefusal(reason)
    tell({ level: 'info', message: 'authorization refused', requestId, reason })
    caller.named = target.client.id
    refuseFlood(target, given, journey, exchange)
    const asker = { ...exchange, isForPart: isForPart(exchange.request) }
    const response = await responses.makeRefusal(target, refused, requestId, asker)
    if (to === 'client') await claimAnswer(journey, needs)
    const answer =
      to === 'client'
        ? answerClient(response, target, journey, exchange)
        : answerRefusedPage(refused.about(journey.parameters), exchange, needs, getOnward(response))
    return { ...answer, refused }
  }
}

export const openAnswering = (needs: ServiceParts) => {
  const { registries, tokens, meter } = needs
  const responses = openResponses(needs)
  const answerClient = openAnswerClient(needs)
  const refuse = openRefusing(needs)
  const types = new Map(
    registries.responseTypes.map((type) => [
      type.type,
      { answer: type.open(needs), tellsLogin: type.tellsLogin, exchanged: type.exchanged },
    ]),
  )

  /** The response to the client: a refusal if its ID token cannot be encrypted now. */
  const respond = async (
    { target, next }: Answerable,
    journey: Journey,
    exchange: Exchange,
  ): Promise<Answer> => {
    const { client, redirectUri } = target
    const { request, authorization, terms } = next
    const type = types.get(request.responseType)
    if (type === undefined) throw new Error('a response type that was parsed is not known')
    // Without that, nothing can be told to the client, not even a refusal.
    if (target.isSigned) await tokens.checkEncryption(client, exchange, 'authorization')
    try {
      if (type.tellsLogin) await tokens.checkEncryption(client, exchange)
    } catch (fault) {
      if (!(fault instanceof Refusal)) throw fault
      return refuse(target, { refusal: fault, to: 'client' }, journey, exchange)
    }
    await claimAnswer(journey, needs)
    const trace = traceOf(exchange, needs)
    const journeyId = needs.shardKeys.place(journey.id, authorization.ownerId)
    const of = { client, request, redirectUri, authorization, terms, journeyId, trace }
    const response = await responses.make(target, await type.answer(of), exchange)
    const isOpen = type.exchanged && request.challenge === null
    const rules = listRequestRules(request.responseType, isOpen)
    for (const rule of rules) meter.countLax(client, rule)
    if (journey.pushed === null) meter.countLax(client, 'unpushed_request')
    return answerClient(response, target, journey, exchange)
  }

  return { refuse, respond }
}
