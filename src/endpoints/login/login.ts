/** The login page and its form. */
import { newSecret } from '../../crypto/digest.ts'
import { type Answer, scriptPolicy } from '../../http/answer.ts'
import { setCookie } from '../../http/cookies.ts'
import { type Exchange, queryOf } from '../../http/exchange.ts'
import { needsSecondFactor } from '../../model/factor.ts'
import { beginCeremony } from '../../owners/ceremony.ts'
import { guesserOf } from '../../owners/known-browser.ts'
import { requestOptions } from '../../owners/passkeys.ts'
import { checkPassword } from '../../owners/password-login.ts'
import { passkeyPlaceOf } from '../../owners/relying-party.ts'
import { beginSecondStep } from '../../owners/second-factor.ts'
import { isSecure } from '../../owners/secure.ts'
import {
  csrfToken,
  type Entry,
  findVisitor,
  loggedOut,
  startSession,
  type Visitor,
} from '../../owners/session.ts'
import { type LoginPage, type LoginProblem, renderLogin } from '../../pages/login.ts'
import { loginWords } from '../../pages/words/login.ts'
import { type Parts, traceOf } from '../../parts.ts'
import { loginElsewhere } from '../door/elsewhere.ts'
import { readOwnForm } from '../door/forms.ts'
import { refusedBy } from '../door/refused.ts'
import { noticeOf } from '../door/signed-in.ts'
import { orWait } from '../door/throttled.ts'
import { answerSeeOther, showPage, viewOf } from '../door/view.ts'
import { situate } from '../oauth/authorize.ts'
import { answerEntered, readWaiting, type Waiting } from './entered.ts'

interface Shown {
  readonly username?: string
  readonly problem?: LoginProblem
  readonly waitSeconds?: number
}

const reasons: Readonly<Record<LoginProblem, string>> = {
  wrong: 'wrong_password',
  throttled: 'login_throttled',
  passkey: 'wrong_passkey',
  begin: 'login_not_begun',
  finished: 'login_finished',
}

/** What a passkey is asked to sign, where there can be one. */
const passkeyFormOf = (
  visitor: Visitor,
  { request, at }: Exchange,
  parts: Parts,
): NonNullable<LoginPage['passkey']> | null => {
  const place = passkeyPlaceOf(request, parts)
  if (place.is !== 'here') return null
  const { id, text } = beginCeremony('log in', null, visitor, at, parts)
  return { ceremony: text, options: requestOptions(id, [], place.party) }
}

/**
 * The forms are bound to the browser alone: whoever has two tabs open may log in with the second
 * after the first.
 */
export const showLogin = async (
  waiting: Waiting,
  said: Shown,
  visitor: Visitor,
  exchange: Exchange,
  parts: Parts,
  status: number,
): Promise<Answer> => {
  const { journey, resumed, next } = waiting
  const browser = visitor.browser ?? newSecret('', parts.random)
  const client = resumed && (await situate(resumed, visitor, exchange.at, parts)).target.client
  const view = viewOf(exchange, parts, resumed)
  const stranger = loggedOut({ ...visitor, browser })
  const passkey = passkeyFormOf(stranger, exchange, parts)
  const html = renderLogin({
    ...said,
    view,
    csrf: csrfToken(stranger),
    journey,
    next,
    notice: noticeOf(exchange, loggedOut(visitor), loginWords[view.language].done),
    passkey,
    elsewhere: loginElsewhere(waiting, exchange, parts),
    clientName: client?.name ?? null,
    clientRegisteredBy: client?.registeredBy ?? null,
  })
  const cookies = visitor.browser === null ? [setCookie('browser', browser, isSecure(parts))] : []
  const wait = said.waitSeconds === undefined ? {} : { 'Retry-After': String(said.waitSeconds) }
  const page = showPage(view, html, status, cookies, {
    ...(passkey === null ? {} : scriptPolicy),
    ...wait,
  })
  return refusedBy(said.problem === undefined ? null : reasons[said.problem], page)
}

/** `GET /login`: for a journey, or on the way to a page of one's account. */
export const showLoginPage = async (exchange: Exchange, parts: Parts): Promise<Answer> => {
  const visitor = await findVisitor(exchange, parts)
  const query = queryOf(exchange.request)
  const waiting = await readWaiting(query, visitor, exchange.at, parts)
  if (waiting.resumed === null && visitor.login !== null && query.find('switch') === null) {
    return answerEntered([], waiting, visitor, exchange, parts)
  }
  return showLogin(waiting, {}, visitor, exchange, parts, 200)
}

/**
 * `POST /login`: the same words, status and work for an unknown name and a wrong password. Whoever has
 * a second factor is not logged in by it, but led on to show that.
 */
export const logIn = async (exchange: Exchange, parts: Parts): Promise<Answer> => {
  const { request, at, address } = exchange
  const visitor = await findVisitor(exchange, parts)
  const form = await readOwnForm(request, loggedOut(visitor), parts)
  const waiting = await readWaiting(form, visitor, at, parts)
  const username = form.find('username') ?? ''
  const again = (problem: LoginProblem, status: number, waitSeconds?: number): Promise<Answer> => {
    const wait = waitSeconds === undefined ? {} : { waitSeconds }
    return showLogin(waiting, { username, problem, ...wait }, visitor, exchange, parts, status)
  }
  const attempt = async (): Promise<Answer> => {
    const password = form.find('password') ?? ''
    const guesser = await guesserOf(username, exchange, parts)
    const login = { username, password, address, guesser }
    const owner = await checkPassword(login, traceOf(exchange, parts), parts)
    if (owner === null) return again('wrong', 403)
    if (needsSecondFactor(await parts.store.findFactors(owner.id))) {
      const ceremony = beginSecondStep(owner, loggedOut(visitor), at, parts)
      const { journey, next } = waiting
      return answerSeeOther('/login/second', { ceremony, journey, next }, exchange, parts)
    }
    const entry: Entry = { login: { passwordHash: owner.passwordHash }, methods: ['pwd'] }
    const started = await startSession(owner, entry, visitor, exchange, parts)
    if (started.outcome !== 'accepted') return again('wrong', 403)
    return answerEntered(started.cookies, waiting, visitor, exchange, parts)
  }
  return orWait(attempt, (seconds) => again('throttled', 429, seconds))
}
