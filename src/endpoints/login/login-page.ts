/** The login page. A login that fails shows it again, whichever factor was tried. */
import { newSecret } from '../../crypto/digest.ts'
import { type Answer, scriptPolicy } from '../../http/answer.ts'
import { setCookie } from '../../http/cookies.ts'
import type { Exchange } from '../../http/exchange.ts'
import { situate } from '../../journey/situation.ts'
import { beginCeremony } from '../../owners/ceremony.ts'
import { requestOptions } from '../../owners/passkeys.ts'
import { passkeyPlaceOf } from '../../owners/relying-party.ts'
import { isSecure } from '../../owners/secure.ts'
import { csrfToken, loggedOut, type Visitor } from '../../owners/session.ts'
import { type LoginPage, type LoginProblem, renderLogin } from '../../pages/login.ts'
import { loginWords } from '../../pages/words/login.ts'
import type { EndpointParts } from '../../registries.ts'
import { refusedBy } from '../door/refused.ts'
import { noticeOf } from '../door/signed-in.ts'
import { showPage, viewOf } from '../door/view.ts'
import { loginElsewhere } from './elsewhere.ts'
import type { Waiting } from './entered.ts'

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
  parts: EndpointParts,
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
  parts: EndpointParts,
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
