/** A refusal as a page. It tells what happened and how to go on. The operator also sees the mistake. */
import { demoClients } from '../demo/people.ts'
import type { Answer } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { rawPath, rawQuery } from '../http/request.ts'
import { claimedParameters } from '../journey/journey.ts'
import { type ErrorPage, renderError } from '../paper/error.ts'
import { errorWords } from '../paper/words/error.ts'
import type { Explanation } from '../protocol/explanation.ts'
import type { Refusal } from '../protocol/refusal.ts'
import type { ServiceParts } from '../registries.ts'
import { tokenCommand } from '../requests/commands.ts'
import { malformed } from '../requests/mistakes.ts'
import { operatorUntil } from './operator-view.ts'
import { basePath } from './paths.ts'
import { viewOf } from './view.ts'
import { showPage } from './visit.ts'

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

const advises = ({ reason, code }: Refusal): Advice | undefined => owners[reason] ?? owners[code]

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
const explanationOf = (
  refusal: Refusal,
  { request }: Exchange,
  parts: Pick<ServiceParts, 'settings'>,
  onward: ErrorPage['onward'],
): Explanation | null => {
  if (refusal.explanation !== null || onward !== null) return refusal.explanation
  const isRequest = rawPath(request) === `${basePath(parts)}/authorize`
  return isRequest && advises(refusal) === undefined && !isOurs(refusal)
    ? malformed(refusal.parameters ?? rawQuery(request))
    : null
}

/** What an answer with a refusal takes: the operator's cookie is sealed. */
export type RefusalParts = Pick<ServiceParts, 'settings' | 'languages' | 'keyring'>

type Mended = Pick<ErrorPage, 'who' | 'advice'>

/**
 * Who has to act, and how. A wrong form or link of our own is for the owner in front of it.
 *
 * @param isKnown whether the reader may know what is registered. To strangers a disabled client is like an unknown one
 */
const mendedBy = (
  refusal: Refusal,
  { request }: Exchange,
  explanation: Explanation | null,
  isKnown: boolean,
  onward: ErrorPage['onward'],
): Mended => {
  if (isOurs(refusal)) return { who: 'operator', advice: 'tellOperator' }
  if (explanation !== null) {
    return isKnown && explanation.by === 'operator'
      ? { who: 'operator', advice: 'tellOperator' }
      : { who: 'developer', advice: 'tellDeveloper' }
  }
  // An unknown address of the console is no mistake of an application.
  const advice = advises(refusal)
  const isTheirs =
    onward === null
      ? refusal.code !== 'not_found' && developers.includes(refusal.reason)
      : advice === undefined
  if (isTheirs) return { who: 'developer', advice: 'tellDeveloper' }
  const otherwise = request.method === 'POST' ? 'sendAgain' : 'address'
  return { who: 'owner', advice: advice ?? otherwise }
}

/** The keys of some words, as a list of themselves. */
const keysOf = <Key extends string>(words: Readonly<Record<Key, string>>): readonly Key[] =>
  Object.keys(words) as Key[]

/** Reasons and codes that have a title of their own. */
const titleOf = ({ code, reason }: Refusal): ErrorPage['title'] =>
  keysOf(errorWords.english.titles).find((known) => known === reason || known === code) ??
  'cannotFollow'

/** Has its own words for a wrong request of an application. */
const happenedOf = (
  refusal: Refusal,
  explanation: Explanation | null,
  onward: ErrorPage['onward'],
): ErrorPage['happened'] => {
  if (explanation !== null) {
    const { reason, code } = refusal
    const asked = keysOf(errorWords.english.asked)
    return asked.find((key) => key === reason) ?? asked.find((key) => key === code) ?? 'unreadable'
  }
  const known = keysOf(errorWords.english.happened)
  return (
    known.find((key) => key === refusal.reason) ??
    known.find((key) => key === refusal.code) ??
    (onward === null ? 'incomplete' : 'refused')
  )
}

/** The operator's client: of the demo with its secret, which everybody knows. */
const operatorsClient = ({ settings }: Pick<ServiceParts, 'settings'>): string => {
  const admin = demoClients.find(({ id }) => id === 'latchkey-admin')
  return settings.demo && admin ? `${admin.id}:${admin.secret}` : 'CLIENT_ID'
}

/** The authorization request behind the refusal, for its language. Null if there is none. */
const askedOf = (refusal: Refusal, { request }: Exchange): string | null => {
  const journey = new URLSearchParams(rawQuery(request)).get('journey')
  return refusal.parameters ?? (journey === null ? null : claimedParameters(journey))
}

/** Everybody in the demo; elsewhere the operator. */
const mayKnow = ({ request, at }: Exchange, parts: RefusalParts): boolean =>
  parts.settings.demo || operatorUntil(request, at, parts) !== null

const detailsOf = (
  explanation: Explanation,
  parts: Pick<ServiceParts, 'settings'>,
): NonNullable<ErrorPage['details']> => ({
  ...explanation,
  tokenCommand: tokenCommand(operatorsClient(parts), parts.settings.issuer),
})

const waitOf = ({ headers }: Refusal): number | null => {
  const seconds = headers['Retry-After']
  return seconds === undefined ? null : Number(seconds)
}

/** @param onward the answer to the client, if the owner may take it there */
export const answerRefusedPage = (
  refusal: Refusal,
  exchange: Exchange,
  parts: RefusalParts,
  onward: ErrorPage['onward'] = null,
): Answer => {
  const asked = askedOf(refusal, exchange)
  const view = viewOf(exchange, parts, asked === null ? null : { parameters: asked })
  const explanation = explanationOf(refusal, exchange, parts, onward)
  const isKnown = mayKnow(exchange, parts)
  const html = renderError({
    view,
    title: titleOf(refusal),
    happened: happenedOf(refusal, explanation, onward),
    ...mendedBy(refusal, exchange, explanation, isKnown, onward),
    onward,
    waitSeconds: waitOf(refusal),
    details: explanation !== null && isKnown ? detailsOf(explanation, parts) : null,
  })
  return showPage({ view }, html, { status: refusal.status, headers: refusal.headers })
}
