/** A refusal as a page. It tells what happened and how to go on. The operator also sees the mistake. */
import { demoClients } from '../../demo/people.ts'
import type { Answer } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import { rawPath, rawQuery } from '../../http/request.ts'
import { claimedParameters } from '../../journey/journey.ts'
import { type ErrorPage, renderError } from '../../pages/error.ts'
import { errorWords } from '../../pages/words/error.ts'
import type { Parts } from '../../parts.ts'
import type { Explanation } from '../../protocol/explanation.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { tokenCommand } from '../../requests/commands.ts'
import { malformed } from '../../requests/mistakes.ts'
import { operatorUntil } from './operator-view.ts'
import { showPage } from './page.ts'
import { basePath } from './paths.ts'
import { viewOf } from './view.ts'

/** Refusals that an owner can mend, by reason or code. */
const owners: Readonly<Record<string, ErrorPage['advice']>> = {
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
}

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
  parts: Pick<Parts, 'settings'>,
): Explanation | null => {
  if (refusal.explanation !== null) return refusal.explanation
  const isOwners = (owners[refusal.reason] ?? owners[refusal.code]) !== undefined
  const isRequest = rawPath(request) === `${basePath(parts)}/authorize`
  return isRequest && !isOwners && !isOurs(refusal)
    ? malformed(refusal.parameters ?? rawQuery(request))
    : null
}

/** What an answer with a refusal takes: the operator's cookie is sealed. */
export type RefusalParts = Pick<Parts, 'settings' | 'languages' | 'keyring'>

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
): Mended => {
  if (isOurs(refusal)) return { who: 'operator', advice: 'tellOperator' }
  if (explanation !== null) {
    return isKnown && explanation.by === 'operator'
      ? { who: 'operator', advice: 'tellOperator' }
      : { who: 'developer', advice: 'tellDeveloper' }
  }
  // An unknown address of the console is no mistake of an application.
  const isTheirs = refusal.code !== 'not_found' && developers.includes(refusal.reason)
  if (isTheirs) return { who: 'developer', advice: 'tellDeveloper' }
  const otherwise = request.method === 'POST' ? 'sendAgain' : 'address'
  return { who: 'owner', advice: owners[refusal.reason] ?? owners[refusal.code] ?? otherwise }
}

/** The keys of some words, as a list of themselves. */
const keysOf = <Key extends string>(words: Readonly<Record<Key, string>>): readonly Key[] =>
  Object.keys(words) as Key[]

/** Reasons and codes that have a title of their own. */
const titleOf = ({ code, reason }: Refusal): ErrorPage['title'] =>
  keysOf(errorWords.english.titles).find((known) => known === reason || known === code) ??
  'cannotFollow'

/** Has its own words for a wrong request of an application. */
const happenedOf = (refusal: Refusal, explanation: Explanation | null): ErrorPage['happened'] => {
  if (explanation !== null) {
    const { reason, code } = refusal
    const asked = keysOf(errorWords.english.asked)
    return asked.find((key) => key === reason) ?? asked.find((key) => key === code) ?? 'unreadable'
  }
  const known = keysOf(errorWords.english.happened)
  return (
    known.find((key) => key === refusal.reason) ??
    known.find((key) => key === refusal.code) ??
    'incomplete'
  )
}

/** The operator's client: of the demo with its secret, which everybody knows. */
const operatorsClient = ({ settings }: Pick<Parts, 'settings'>): string => {
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
  parts: Pick<Parts, 'settings'>,
): NonNullable<ErrorPage['details']> => ({
  ...explanation,
  tokenCommand: tokenCommand(operatorsClient(parts), parts.settings.issuer),
})

export const answerRefusedPage = (
  refusal: Refusal,
  exchange: Exchange,
  parts: RefusalParts,
): Answer => {
  const asked = askedOf(refusal, exchange)
  const view = viewOf(exchange, parts, asked === null ? null : { parameters: asked })
  const explanation = explanationOf(refusal, exchange, parts)
  const isKnown = mayKnow(exchange, parts)
  const html = renderError({
    view,
    title: titleOf(refusal),
    happened: happenedOf(refusal, explanation),
    ...mendedBy(refusal, exchange, explanation, isKnown),
    details: explanation !== null && isKnown ? detailsOf(explanation, parts) : null,
  })
  return showPage({ view }, html, { status: refusal.status, headers: refusal.headers })
}
