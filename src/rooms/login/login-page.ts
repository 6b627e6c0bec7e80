/** The login page. A failed login shows it again, with any factor. */

import { limits } from '../../config/limits.ts'
import type { Answer } from '../../http/answer.ts'
import type { Journey } from '../../journey/journey.ts'
import { situate } from '../../journey/situation.ts'
import { documentHost } from '../../model/client-document.ts'
import { beginCeremony } from '../../owners/ceremony.ts'
import { requestOptions } from '../../owners/passkeys.ts'
import { passkeyPlaceOf } from '../../owners/relying-party.ts'
import { canMail, signUpMode } from '../../owners/ways-in.ts'
import { type LoginPage, type LoginProblem, type LoginWay, renderLogin } from '../../paper/login.ts'
import { pageUrl } from '../../paper/view.ts'
import { loginWords } from '../../paper/words/login.ts'
import { upstreamRefused } from '../directory-try.ts'
import { doneOf, noticeOf } from '../owner-visit.ts'
import { upstreamsShown } from '../upstream-trip.ts'
import { showPage } from '../visit.ts'
import { openWaiting } from '../waiting.ts'
import type { LoginNeeds, LoginVisit } from './entrance.ts'

export interface LoginShown {
  readonly username?: string
  readonly problem?: LoginProblem
  readonly waitSeconds?: number
}

const refused: Readonly<
  Record<LoginProblem, { readonly reason: string; readonly status: number }>
> = {
  wrong: { reason: 'wrong_password', status: 403 },
  throttled: { reason: 'login_throttled', status: 429 },
  passkey: { reason: 'wrong_passkey', status: 403 },
  begin: { reason: 'login_not_begun', status: 403 },
  finished: { reason: 'login_finished', status: 403 },
  addressTaken: { reason: 'address_taken', status: 409 },
  ...upstreamRefused,
}

/** `login_hint` only fills in the field: nothing is looked up for it. */
export const hintedName = (resumed: Journey | null): string => {
  const hint = new URLSearchParams(resumed?.parameters ?? '').get('login_hint') ?? ''
  const isTypeable = hint.length <= limits.usernameCharacters && /^[^\p{Cc}\p{Cs}]*$/u.test(hint)
  return isTypeable ? hint : ''
}

/**
 * The demo at its IP address: passkeys need its host name, so a login with one begins there. Null if
 * passkeys work here, or nowhere. A journey is bound to the cookies of this host, so the other host
 * begins another one. Somebody else may be logged in there, so the login is asked for in any case.
 */
export const loginElsewhere = (
  { request, view, resumed, next }: LoginVisit,
  needs: Pick<LoginNeeds, 'settings'>,
): string | null => {
  const place = passkeyPlaceOf(request, needs)
  if (place.is !== 'elsewhere') return null
  if (resumed === null) return place.origin + pageUrl(view, '/login', { next, switch: '1' })
  const { parameters } = resumed
  const login = new URLSearchParams(parameters).has('prompt') ? '' : '&prompt=login'
  return `${place.origin}${view.base}/authorize?${parameters}${login}`
}

const waysOf = (needs: Pick<LoginNeeds, 'settings'>): readonly LoginWay[] => [
  ...(canMail(needs) ? ['forgot' as const] : []),
  ...(signUpMode(needs) === 'off' ? [] : ['signUp' as const]),
]

export type ShowLogin = (visit: LoginVisit, said: LoginShown) => Promise<Answer>

export const openLoginPage = (needs: LoginNeeds): ShowLogin => {
  const { findTypedName } = openWaiting(needs)

  /** The challenge for a passkey; null if passkeys do not work here. */
  const passkeyFormOf = ({
    request,
    at,
    stranger,
  }: LoginVisit): NonNullable<LoginPage['passkey']> | null => {
    const place = passkeyPlaceOf(request, needs)
    if (place.is !== 'here') return null
    const { id, text } = beginCeremony('log in', null, stranger, at, needs)
    return { ceremony: text, options: requestOptions(id, [], place.party) }
  }

  /** Of the password that was just chosen behind a link. */
  const chosenName = (visit: LoginVisit): string =>
    doneOf(visit)?.what.startsWith('passwordChosen') ? findTypedName(visit) : ''

  return async (visit, said) => {
    const { view, csrf, journey, next, resumed, at } = visit
    const client = resumed && (await situate(resumed, visit, at, needs)).target.client
    const html = renderLogin({
      username: chosenName(visit) || hintedName(resumed),
      ...said,
      view,
      csrf,
      journey,
      next,
      notice: noticeOf(visit, loginWords(view.language).done),
      passkey: passkeyFormOf(visit),
      upstreams: upstreamsShown(view.language, needs),
      elsewhere: loginElsewhere(visit, needs),
      ways: waysOf(needs),
      clientName: client?.name ?? null,
      clientRegisteredBy: client?.registeredBy ?? null,
      documentHost: client === null ? null : documentHost(client),
    })
    const { problem, waitSeconds = null } = said
    return showPage(visit, html, { ...(problem && refused[problem]), hasScript: true, waitSeconds })
  }
}
