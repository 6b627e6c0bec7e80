/** The login page and its form. */
import type { Answer } from '../../http/answer.ts'
import { needsSecondFactor } from '../../model/factor.ts'
import { guesserOf } from '../../owners/known-browser.ts'
import { checkPassword } from '../../owners/password-login.ts'
import { beginSecondStep } from '../../owners/second-factor.ts'
import { type LoginEntry, startSession } from '../../owners/session.ts'
import { traceOf } from '../../store/trace.ts'
import { orWait } from '../throttled.ts'
import { answerSeeOther } from '../visit.ts'
import { findParked } from '../waiting.ts'
import { answerEntered, forLogin } from './entered.ts'
import { type LoginShown, showLogin } from './login-page.ts'

/** `GET /login`: for a journey, or on the way to a page of one's account. */
export const showLoginPage = forLogin(async (visit, parts) => {
  const { given, resumed, login, leaving } = visit
  if (leaving && given.find('switch') === null) return answerSeeOther(visit, '/account/deletion')
  // The link of a mail about an account that is there already.
  const parked = given.find('waits') === null ? null : await findParked(visit, parts)
  if (parked !== null) {
    return answerSeeOther(visit, '/login', { journey: parked.journey }, parked.cookies)
  }
  const isHere = resumed === null && login !== null && given.find('switch') === null
  return isHere ? answerEntered(visit, [], parts) : showLogin(visit, {}, parts)
})

/**
 * `POST /login`: the same words, status and work for an unknown name and a wrong password. An owner
 * with a second factor is not logged in yet, but led on to it.
 */
export const logIn = forLogin((visit, parts) => {
  const { given, journey, next, stranger, at, address } = visit
  // Keyboards of telephones add a blank after a word that they complete.
  const username = (given.find('username') ?? '').trim()
  const again = (said: LoginShown): Promise<Answer> =>
    showLogin(visit, { username, ...said }, parts)
  const attempt = async (): Promise<Answer> => {
    const password = given.find('password') ?? ''
    const guesser = await guesserOf(username, visit, parts)
    const login = { username, password, address, guesser }
    const owner = await checkPassword(login, traceOf(visit, parts), parts)
    if (owner === null) return again({ problem: 'wrong' })
    if (needsSecondFactor(await parts.store.findFactors(owner.id))) {
      const ceremony = beginSecondStep(owner, stranger, at, parts)
      return answerSeeOther(visit, '/login/second', { ceremony, journey, next })
    }
    const entry: LoginEntry = { login: { passwordHash: owner.passwordHash }, methods: ['pwd'] }
    const started = await startSession(owner, entry, visit, parts)
    if (started.outcome !== 'accepted') return again({ problem: 'wrong' })
    return answerEntered(visit, started.cookies, parts)
  }
  return orWait(attempt, (waitSeconds) => again({ problem: 'throttled', waitSeconds }))
})
