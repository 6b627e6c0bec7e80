/** `/login/second`: whoever has a second factor shows it, after the password and before anything else. */
import { type Answer, scriptPolicy } from '../http/answer.ts'
import { type Exchange, queryOf } from '../http/exchange.ts'
import { openJourney } from '../journey/journey.ts'
import { requestOptions } from '../owners/passkeys.ts'
import { passkeyPlaceOf } from '../owners/relying-party.ts'
import { findPending, logInWithFactor, type Pending, type Shown } from '../owners/second-factor.ts'
import { csrfToken, findVisitor, loggedOut, type Visitor } from '../owners/session.ts'
import { renderSecondStep, type SecondStepPage } from '../pages/second-step.ts'
import type { Parts } from '../parts.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import { answerEntered } from './entered.ts'
import { readOwnForm } from './forms.ts'
import { showLogin } from './login.ts'
import { showPage, viewOf } from './view.ts'

type Problem = Pick<SecondStepPage, 'problem' | 'waitSeconds'>

/** Somebody on the way, with what the page carries. */
interface OnTheWay {
  readonly pending: Pending
  readonly ceremony: string
  readonly journey: string
}

const show = async (
  { pending, ceremony, journey }: OnTheWay,
  said: Problem,
  visitor: Visitor,
  exchange: Exchange,
  parts: Parts,
  status: number,
): Promise<Answer> => {
  const { factors } = pending
  const place = passkeyPlaceOf(exchange.request, parts)
  const passkeyOptions =
    place.is === 'here' && factors.passkeys.length > 0
      ? requestOptions(pending.ceremony.id, factors.passkeys, place.party)
      : null
  const opened =
    journey === '' ? null : await openJourney(journey, visitor.browser, exchange.at, parts)
  const view = viewOf(exchange, parts, opened)
  const html = renderSecondStep({
    ...said,
    view,
    csrf: csrfToken(loggedOut(visitor)),
    ceremony,
    journey,
    hasCodes: factors.oneTimeCodes !== null,
    hasRecoveryCodes: factors.recoveryCodes > 0,
    passkeyOptions,
  })
  return showPage(view, html, status, [], {
    ...(passkeyOptions === null ? {} : scriptPolicy),
    ...(said.waitSeconds === null ? {} : { 'Retry-After': String(said.waitSeconds) }),
  })
}

/** `GET /login/second` */
export const showSecondStep = async (exchange: Exchange, parts: Parts): Promise<Answer> => {
  const visitor = await findVisitor(exchange.request, exchange.at, parts)
  const query = queryOf(exchange.request)
  const journey = query.find('journey') ?? ''
  const ceremony = query.find('ceremony') ?? ''
  const pending = await findPending(ceremony, loggedOut(visitor), exchange.at, parts)
  if (pending === null) {
    return showLogin({ journey, problem: 'begin' }, visitor, exchange, parts, 403)
  }
  const said = { problem: null, waitSeconds: null }
  return show({ pending, ceremony, journey }, said, visitor, exchange, parts, 200)
}

const shownIn = (form: Parameters): Shown => {
  const credential = form.find('credential')
  if (credential !== null) return { factor: 'passkey', text: credential }
  const recoveryCode = form.find('recovery_code')
  if (recoveryCode !== null) return { factor: 'recovery code', text: recoveryCode }
  return { factor: 'one-time code', text: form.find('code') ?? '' }
}

/** `POST /login/second` */
export const takeSecondStep = async (exchange: Exchange, parts: Parts): Promise<Answer> => {
  const { request, at } = exchange
  const visitor = await findVisitor(request, at, parts)
  const form = await readOwnForm(request, loggedOut(visitor), parts)
  const journey = form.find('journey') ?? ''
  const ceremony = form.find('ceremony') ?? ''
  const resumed = journey === '' ? null : await openJourney(journey, visitor.browser, at, parts)
  const pending = await findPending(ceremony, loggedOut(visitor), at, parts)
  if (pending === null) {
    return showLogin({ journey, problem: 'begin' }, visitor, exchange, parts, 403)
  }
  const again = (said: Problem, status: number): Promise<Answer> =>
    show({ pending, ceremony, journey }, said, visitor, exchange, parts, status)
  const place = passkeyPlaceOf(request, parts)
  const party = place.is === 'here' ? place.party : null
  try {
    const cookie = await logInWithFactor(shownIn(form), pending, party, visitor, exchange, parts)
    if (cookie === null) return await again({ problem: 'wrong', waitSeconds: null }, 403)
    return answerEntered(cookie, resumed, visitor, parts)
  } catch (fault) {
    if (!(fault instanceof Refusal) || fault.reason !== 'login_throttled') throw fault
    const waitSeconds = Number(fault.headers['Retry-After'])
    return again({ problem: 'throttled', waitSeconds }, 429)
  }
}
