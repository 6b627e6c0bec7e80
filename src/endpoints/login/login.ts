/** The login page and its form. */
import type { Answer } from '../../http/answer.ts'
import { type Exchange, queryOf } from '../../http/exchange.ts'
import { needsSecondFactor } from '../../model/factor.ts'
import { guesserOf } from '../../owners/known-browser.ts'
import { checkPassword } from '../../owners/password-login.ts'
import { beginSecondStep } from '../../owners/second-factor.ts'
import { type Entry, findVisitor, loggedOut, startSession } from '../../owners/session.ts'
import type { LoginProblem } from '../../pages/login.ts'
import { traceOf } from '../../parts.ts'
import type { EndpointParts } from '../../registries.ts'
import { readOwnForm } from '../door/forms.ts'
import { orWait } from '../door/throttled.ts'
import { answerSeeOther } from '../door/view.ts'
import { answerEntered, readWaiting } from './entered.ts'
import { showLogin } from './login-page.ts'

/** `GET /login`: for a journey, or on the way to a page of one's account. */
export const showLoginPage = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
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
export const logIn = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
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
