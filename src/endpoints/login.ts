/** The login page and its form. */
import { newSecret } from '../crypto/digest.ts'
import { type Answer, answerRedirect } from '../http/answer.ts'
import { setCookie } from '../http/cookies.ts'
import { type Exchange, queryOf } from '../http/exchange.ts'
import { openJourney, sealJourney } from '../journey/journey.ts'
import { checkPassword } from '../owners/password-login.ts'
import { csrfToken, findVisitor, isSecure, startSession, type Visitor } from '../owners/session.ts'
import { renderLogin } from '../pages/login.ts'
import { type Parts, traceOf } from '../parts.ts'
import { Refusal } from '../protocol/refusal.ts'
import { situate } from './authorize.ts'
import { readOwnForm } from './forms.ts'
import { basePath, pagePath } from './paths.ts'
import { showPage, viewOf } from './view.ts'

/**
 * The form is bound to the browser alone: whoever has two tabs open may log in with the second
 * after the first.
 */
const loggedOut = (visitor: Visitor): Visitor => ({ ...visitor, login: null })

interface Shown {
  readonly journey: string
  readonly username?: string
  readonly problem?: 'wrong' | 'throttled'
  readonly waitSeconds?: number
}

const showLogin = async (
  { journey, ...said }: Shown,
  visitor: Visitor,
  exchange: Exchange,
  parts: Parts,
  status: number,
): Promise<Answer> => {
  const browser = visitor.browser ?? newSecret('', parts.random)
  const opened = journey === '' ? null : await openJourney(journey, browser, exchange.at, parts)
  const client = opened && (await situate(opened, visitor, exchange.at, parts)).target.client
  const view = viewOf(exchange, parts, opened)
  const html = renderLogin({
    ...said,
    view,
    csrf: csrfToken(loggedOut({ ...visitor, browser })),
    journey,
    clientName: client?.name ?? null,
  })
  const cookies = visitor.browser === null ? [setCookie('browser', browser, isSecure(parts))] : []
  const wait = said.waitSeconds === undefined ? {} : { 'Retry-After': String(said.waitSeconds) }
  return showPage(view, html, status, cookies, wait)
}

/** `GET /login`: for a journey, or on the way to one's account. */
export const showLoginPage = async (exchange: Exchange, parts: Parts): Promise<Answer> => {
  const visitor = await findVisitor(exchange.request, exchange.at, parts)
  const query = queryOf(exchange.request)
  const journey = query.find('journey') ?? ''
  if (journey === '' && visitor.login !== null && query.find('switch') === null) {
    return answerRedirect(`${basePath(parts)}/account`, 303)
  }
  return showLogin({ journey }, visitor, exchange, parts, 200)
}

/** `POST /login`: the same words, status and work for an unknown name and a wrong password. */
export const logIn = async (exchange: Exchange, parts: Parts): Promise<Answer> => {
  const { request, at, address } = exchange
  const visitor = await findVisitor(request, at, parts)
  const form = await readOwnForm(request, loggedOut(visitor), parts)
  const journey = form.find('journey') ?? ''
  const username = form.find('username') ?? ''
  const again = (
    problem: 'wrong' | 'throttled',
    status: number,
    waitSeconds?: number,
  ): Promise<Answer> => {
    const wait = waitSeconds === undefined ? {} : { waitSeconds }
    return showLogin({ journey, username, problem, ...wait }, visitor, exchange, parts, status)
  }
  const resumed = journey === '' ? null : await openJourney(journey, visitor.browser, at, parts)
  const trace = traceOf(exchange, parts)
  try {
    const password = form.find('password') ?? ''
    const login = { username, password, address, countsAddress: true }
    const owner = await checkPassword(login, trace, parts)
    const cookie = owner && (await startSession(owner, visitor, exchange, parts))
    if (cookie === null) return await again('wrong', 403)
    if (resumed === null) return answerRedirect(`${basePath(parts)}/account`, 303, [cookie])
    const onward = sealJourney({ ...resumed, decision: null }, visitor.browser ?? '', parts)
    return answerRedirect(pagePath(parts, 'authorize', onward), 303, [cookie])
  } catch (fault) {
    if (!(fault instanceof Refusal) || fault.reason !== 'login_throttled') throw fault
    return again('throttled', 429, Number(fault.headers['Retry-After']))
  }
}
