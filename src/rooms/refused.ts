/** Refusals, rendered: the one place that turns a Refusal into an answer. */

import type { Settings } from '../config/settings.ts'
import { demoClients } from '../demo/people.ts'
import { type Answer, answerJson } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { getRawPath, getRawQuery } from '../http/request.ts'
import { readClaimedParameters } from '../journey/journey.ts'
import { type ErrorPage, renderError } from '../paper/error.ts'
import { errorWords } from '../paper/words/error.ts'
import type { Explanation } from '../protocol/explanation.ts'
import { isForbidden } from '../protocol/profile.ts'
import { isTokenMissing, Refusal, referenceMember, tellRefusal } from '../protocol/refusal.ts'
import type { ServiceParts } from '../registries.ts'
import { makeTokenCommand } from '../requests/commands.ts'
import { explainMalformed } from '../requests/mistakes.ts'
import {
  answerChallenge,
  followScheme,
  formatChallenge,
  makeMetadataUrl,
  type Pointers,
} from '../resource/challenge.ts'
import type { RefusedAs } from '../route.ts'
import { findOperatorEnd } from './operator-view.ts'
import { getBasePath, makeView, showPage } from './visit.ts'

type Advice = ErrorPage['advice']

/** Refusals that an owner can mend, by reason or code. */
const owners: Readonly<Record<string, Advice>> = {
  wrong_csrf_token: 'reload',
  access_denied: 'address',
  operator_role_needed: 'askOperator',
  not_found: 'address',
  method_not_allowed: 'sendAgain',
  too_many_requests: 'wait',
  foreign_journey: 'startAgain',
  journey_too_old: 'startAgain',
  journey_answered: 'startAgain',
  bad_consent: 'sendAgain',
  consent_incomplete: 'sendAgain',
  consent_overtaken: 'startAgain',
  login_required: 'startAgain',
  consent_required: 'startAgain',
  interaction_required: 'startAgain',
  unmet_authentication_requirements: 'startAgain',
}

const findAdvice = ({ reason, code }: Refusal): Advice | undefined => owners[reason] ?? owners[code]

/** Wrong requests of an application to log out. */
const developers: readonly string[] = [
  'bad_logout_request',
  'hint_of_other_client',
  'repeated_parameter',
  'state_too_long',
  'unknown_client',
  'unregistered_post_logout_redirect_uri',
]

const isOurs = ({ code }: Refusal): boolean =>
  code === 'server_error' || code === 'temporarily_unavailable'

/** An unreadable authorization request is explained here: no other code has seen all of it. */
const findExplanation = (
  refusal: Refusal,
  { request }: Exchange,
  parts: { readonly settings: Settings },
  onward: ErrorPage['onward'],
): Explanation | null => {
  if (refusal.explanation !== null || onward !== null) return refusal.explanation
  const isRequest = getRawPath(request) === `${getBasePath(parts)}/authorize`
  return isRequest && findAdvice(refusal) === undefined && !isOurs(refusal)
    ? explainMalformed(refusal.parameters ?? getRawQuery(request))
    : null
}

/** What an answer with a refusal takes: the operator's cookie is sealed. */
export type RefusalParts = Pick<ServiceParts, 'settings' | 'languages' | 'keyring'>

/**
 * Who has to act, and how. A wrong form or link of our own is for the owner in front of it.
 *
 * @param isKnown whether the reader may know what is registered. To strangers a disabled client is like an unknown one
 */
const pickAdvice = (
  refusal: Refusal,
  { request }: Exchange,
  explanation: Explanation | null,
  isKnown: boolean,
  onward: ErrorPage['onward'],
): Pick<ErrorPage, 'who' | 'advice'> => {
  if (isOurs(refusal)) return { who: 'operator', advice: 'tellOperator' }
  if (explanation !== null) {
    return isKnown && explanation.by === 'operator'
      ? { who: 'operator', advice: 'tellOperator' }
      : { who: 'developer', advice: 'tellDeveloper' }
  }
  // An unknown address of the console is no mistake of an application.
  const advice = findAdvice(refusal)
  const isTheirs =
    onward === null
      ? refusal.code !== 'not_found' && developers.includes(refusal.reason)
      : advice === undefined
  if (isTheirs) return { who: 'developer', advice: 'tellDeveloper' }
  const otherwise = request.method === 'POST' ? 'sendAgain' : 'address'
  return { who: 'owner', advice: advice ?? otherwise }
}

const findWord = <Key extends string>(
  words: Readonly<Record<Key, string>>,
  { reason, code }: Refusal,
): Key | undefined => [reason, code].find((key): key is Key => Object.hasOwn(words, key))

/** A wrong request of an application has words of its own. */
const pickHappened = (
  refusal: Refusal,
  explanation: Explanation | null,
  onward: ErrorPage['onward'],
): ErrorPage['happened'] => {
  const { asked, happened } = errorWords.english
  if (explanation !== null) return findWord(asked, refusal) ?? 'unreadable'
  return findWord(happened, refusal) ?? (onward === null ? 'incomplete' : 'refused')
}

/** The authorization request behind the refusal, for its language. Null if there is none. */
const findAsked = (refusal: Refusal, { request }: Exchange): string | null => {
  const journey = new URLSearchParams(getRawQuery(request)).get('journey')
  return refusal.parameters ?? (journey === null ? null : readClaimedParameters(journey))
}

/** Asks for a token of the operator's client. In the demo everybody knows its secret. */
const getCommand = ({ demo, issuer }: Settings): string => {
  const admin = demo ? demoClients.find(({ id }) => id === 'latchkey-admin') : undefined
  return makeTokenCommand(admin ? `${admin.id}:${admin.secret}` : 'CLIENT_ID', issuer)
}

/** @param onward the answer to the client, if the owner may take it there */
export const answerRefusedPage = (
  refusal: Refusal,
  exchange: Exchange,
  parts: RefusalParts,
  onward: ErrorPage['onward'] = null,
): Answer => {
  const { settings } = parts
  const asked = findAsked(refusal, exchange)
  const view = makeView(exchange, parts, asked === null ? null : { parameters: asked })
  const explanation = findExplanation(refusal, exchange, parts, onward)
  // Everybody in the demo; elsewhere the operator.
  const isKnown = settings.demo || findOperatorEnd(exchange.request, exchange.at, parts) !== null
  const seconds = refusal.headers['Retry-After']
  const html = renderError({
    view,
    title: findWord(errorWords.english.titles, refusal) ?? 'cannotFollow',
    happened: pickHappened(refusal, explanation, onward),
    ...pickAdvice(refusal, exchange, explanation, isKnown, onward),
    onward,
    waitSeconds: seconds === undefined ? null : Number(seconds),
    details: explanation && isKnown ? { ...explanation, tokenCommand: getCommand(settings) } : null,
  })
  return showPage({ view }, html, { status: refusal.status, headers: refusal.headers })
}

/** Problem details (RFC 9457), for the admin API, with a bearer challenge for a wrong token. */
const answerProblem = (refusal: Refusal, pointers: Required<Pointers>): Answer => {
  const { status, code, description, headers } = refusal
  const challenge = [401, 403].includes(status)
    ? { 'WWW-Authenticate': formatChallenge(refusal, pointers) }
    : {}
  // RFC 9457 section 4.2.1: where no token came, the status says all that is told.
  const told = isTokenMissing(refusal)
    ? { title: 'Unauthorized' }
    : { title: code, detail: description }
  const explained = refusal.isRoutine ? {} : { [referenceMember]: pointers.reference }
  const problem = { type: 'about:blank', status, ...told, ...explained }
  const type = { 'Content-Type': 'application/problem+json' }
  return answerJson(problem, status, { ...challenge, ...headers, ...type })
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

/**
 * A profile that takes no secret offers no Basic. RFC 6749 section 5.2 demands the challenge of a client that
 * tried the header.
 */
const pickHeaders = (
  { code, headers }: Refusal,
  { request }: Exchange,
  { profile }: Settings,
): Refusal['headers'] => {
  const isOffer = code === 'invalid_client' && request.headers.get('authorization') === null
  if (!isOffer || !isForbidden('weak_client', profile)) return headers
  const { 'WWW-Authenticate': _, ...others } = headers
  return others
}

export const answerRefusal = (
  refusal: Refusal,
  as: RefusedAs,
  exchange: Exchange,
  parts: RefusalParts,
): Answer => {
  const { request, requestId: reference } = exchange
  const { issuer, errorUri } = parts.settings
  if (as === 'page') return answerRefusedPage(refusal, exchange, parts)
  // OAuth's own form (RFC 6749 section 5.2).
  if (as === 'json') {
    const told = tellRefusal(refusal, errorUri, reference)
    return answerJson(told, refusal.status, pickHeaders(refusal, exchange, parts.settings))
  }
  if (typeof as === 'function') return as(followScheme(refusal, request), exchange, parts.settings)
  const pointers = { metadata: makeMetadataUrl(issuer, getRawPath(request)), errorUri, reference }
  const told = followScheme(refusal, request)
  return as === 'bearer' ? answerChallenge(told, pointers) : answerProblem(told, pointers)
}
