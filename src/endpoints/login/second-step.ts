/** `/login/second`: whoever has a second factor shows it, after the password and before anything else. */
import { type Answer, scriptPolicy } from '../../http/answer.ts'
import { type Exchange, queryOf } from '../../http/exchange.ts'
import { requestOptions } from '../../owners/passkeys.ts'
import { passkeyPlaceOf } from '../../owners/relying-party.ts'
import {
  findPending,
  logInWithFactor,
  type Pending,
  type Shown,
} from '../../owners/second-factor.ts'
import { csrfToken, findVisitor, loggedOut, type Visitor } from '../../owners/session.ts'
import { renderSecondStep, type SecondStepPage } from '../../pages/second-step.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import type { EndpointParts } from '../../registries.ts'
import { readOwnForm } from '../door/forms.ts'
import { refusedBy } from '../door/refused.ts'
import { orWait } from '../door/throttled.ts'
import { showPage, viewOf } from '../door/view.ts'
import { loginElsewhere } from './elsewhere.ts'
import { answerEntered, readWaiting, type Waiting } from './entered.ts'
import { showLogin } from './login-page.ts'

const reasons: Readonly<Record<NonNullable<SecondStepPage['problem']>, string>> = {
  wrong: 'wrong_second_factor',
  used: 'used_code',
  throttled: 'login_throttled',
}

type Problem = Pick<SecondStepPage, 'problem' | 'waitSeconds'>

/** Somebody on the way, with what the page carries. */
interface OnTheWay {
  readonly pending: Pending
  readonly ceremony: string
  readonly waiting: Waiting
}

const show = async (
  { pending, ceremony, waiting }: OnTheWay,
  said: Problem,
  visitor: Visitor,
  exchange: Exchange,
  parts: EndpointParts,
  status: number,
): Promise<Answer> => {
  const { factors } = pending
  const place = passkeyPlaceOf(exchange.request, parts)
  const passkeyOptions =
    place.is === 'here' && factors.passkeys.length > 0
      ? requestOptions(pending.ceremony.id, factors.passkeys, place.party)
      : null
  const { journey, resumed, next } = waiting
  const view = viewOf(exchange, parts, resumed)
  const html = renderSecondStep({
    ...said,
    view,
    csrf: csrfToken(loggedOut(visitor)),
    ceremony,
    journey,
    next,
    hasCodes: factors.oneTimeCodes !== null,
    hasRecoveryCodes: factors.recoveryCodes > 0,
    passkeyOptions,
    elsewhere: factors.passkeys.length > 0 ? loginElsewhere(waiting, exchange, parts) : null,
  })
  const page = showPage(view, html, status, [], {
    ...(passkeyOptions === null ? {} : scriptPolicy),
    ...(said.waitSeconds === null ? {} : { 'Retry-After': String(said.waitSeconds) }),
  })
  return refusedBy(said.problem && reasons[said.problem], page)
}

/**
 * The step was taken before, by the very browser that asks again: the answer may not have come to
 * it. Whoever is logged in goes on; nobody else is let in by a step that counts once.
 */
const answerFinished = (
  { owner }: Pending,
  waiting: Waiting,
  visitor: Visitor,
  exchange: Exchange,
  parts: EndpointParts,
): Promise<Answer> | Answer =>
  visitor.login?.owner.id === owner.id
    ? answerEntered([], waiting, visitor, exchange, parts)
    : showLogin(waiting, { problem: 'finished' }, visitor, exchange, parts, 403)

/** `GET /login/second` */
export const showSecondStep = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  const { request, at } = exchange
  const visitor = await findVisitor(exchange, parts)
  const query = queryOf(request)
  const waiting = await readWaiting(query, visitor, at, parts)
  const ceremony = query.find('ceremony') ?? ''
  const pending = await findPending(ceremony, loggedOut(visitor), at, parts)
  if (pending === null) {
    return showLogin(waiting, { problem: 'begin' }, visitor, exchange, parts, 403)
  }
  if (pending.isFinished) return answerFinished(pending, waiting, visitor, exchange, parts)
  const said = { problem: null, waitSeconds: null }
  return show({ pending, ceremony, waiting }, said, visitor, exchange, parts, 200)
}

const shownIn = (form: Parameters): Shown => {
  const credential = form.find('credential')
  if (credential !== null) return { factor: 'passkey', text: credential }
  const recoveryCode = form.find('recovery_code')
  if (recoveryCode !== null) return { factor: 'recovery code', text: recoveryCode }
  return { factor: 'one-time code', text: form.find('code') ?? '' }
}

/** `POST /login/second` */
export const takeSecondStep = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  const { request, at } = exchange
  const visitor = await findVisitor(exchange, parts)
  const form = await readOwnForm(request, loggedOut(visitor), parts)
  const waiting = await readWaiting(form, visitor, at, parts)
  const ceremony = form.find('ceremony') ?? ''
  const beginAnew = () => showLogin(waiting, { problem: 'begin' }, visitor, exchange, parts, 403)
  const pending = await findPending(ceremony, loggedOut(visitor), at, parts)
  if (pending === null) return beginAnew()
  if (pending.isFinished) return answerFinished(pending, waiting, visitor, exchange, parts)
  const again = (said: Problem, status: number): Promise<Answer> =>
    show({ pending, ceremony, waiting }, said, visitor, exchange, parts, status)
  const place = passkeyPlaceOf(request, parts)
  const party = place.is === 'here' ? place.party : null
  const shown = shownIn(form)
  const attempt = async (): Promise<Answer> => {
    const started = await logInWithFactor({ shown, pending, party, visitor, exchange }, parts)
    switch (started?.outcome) {
      case 'accepted':
        return answerEntered(started.cookies, waiting, visitor, exchange, parts)
      case 'finished':
        return answerFinished(pending, waiting, visitor, exchange, parts)
      case 'refused':
        return beginAnew()
      case 'used': {
        const problem = shown.factor === 'one-time code' ? 'used' : 'wrong'
        return again({ problem, waitSeconds: null }, 403)
      }
      default:
        return again({ problem: 'wrong', waitSeconds: null }, 403)
    }
  }
  return orWait(attempt, (waitSeconds) => again({ problem: 'throttled', waitSeconds }, 429))
}
