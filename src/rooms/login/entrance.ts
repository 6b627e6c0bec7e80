/** The entrance of the login pages, and the login page. A login leads on to an authorization request or an account page. */

import type { Answer } from '../../http/answer.ts'
import { findCookie, isSecure } from '../../http/cookies.ts'
import { formatBeginning, type Journey, sealJourney } from '../../journey/journey.ts'
import { type SituationParts, situate } from '../../journey/situation.ts'
import { findDocumentHost } from '../../model/client.ts'
import { beginCeremony } from '../../owners/ceremony.ts'
import { ownerLimits } from '../../owners/limits.ts'
import { findPasskeyPlace, requestOptions } from '../../owners/passkeys.ts'
import type { PasswordParts } from '../../owners/password-login.ts'
import {
  deriveCsrfToken,
  openSessionStart,
  type SessionNeeds,
  stripLogin,
  type Visitor,
} from '../../owners/session.ts'
import { canMail, signUpMode } from '../../owners/ways-in.ts'
import {
  type LoginPage,
  type LoginWay,
  loginRefused,
  loginWords,
  renderLogin,
} from '../../paper/login.ts'
import { pageUrl } from '../../paper/view.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import type { ServiceParts } from '../../registries.ts'
import type { Handler } from '../../route.ts'
import { findAccountPage } from '../account-pages.ts'
import { findNotice, readDone } from '../owner-visit.ts'
import type { PageHandler, Pages } from '../pages.ts'
import { describeUpstreams } from '../upstream-trip.ts'
import { answerSeeOther, type BrowserVisit, showPage } from '../visit.ts'
import { openWaiting, openWaitingVisit, type WaitingVisit } from '../waiting.ts'

export type LoginNeeds = SessionNeeds &
  PasswordParts &
  SituationParts &
  Pick<ServiceParts, 'vault' | 'upstreams' | 'faces' | 'logouts'>

/** A visit to a login page, with the request that waits for the login. */
export interface LoginVisit extends WaitingVisit {
  /** The same browser without its login: ceremonies of the login are bound to it. */
  readonly stranger: Visitor
  /** The name of the account page to go to if no request waits; '' = the first one. */
  readonly next: string
}

export type LoginShown = Partial<Pick<LoginPage, 'username' | 'problem' | 'waitSeconds'>>

/** `login_hint` only fills in the field: nothing is looked up for it. */
export const readHintedName = (resumed: Journey | null): string => {
  const hint = new URLSearchParams(resumed?.parameters ?? '').get('login_hint') ?? ''
  const isTypeable =
    hint.length <= ownerLimits.usernameCharacters && /^[^\p{Cc}\p{Cs}]*$/u.test(hint)
  return isTypeable ? hint : ''
}

/**
 * The demo at its IP address: passkeys need its host name, so a login with one begins there. Null if
 * passkeys work here, or nowhere. A journey is bound to the cookies of this host, so the other host
 * begins another one. Somebody else may be logged in there, so the login is asked for in any case.
 */
export const findLoginElsewhere = (
  { request, view, resumed, next }: LoginVisit,
  needs: Pick<LoginNeeds, 'settings'>,
): string | null => {
  const place = findPasskeyPlace(request, needs)
  if (place.is !== 'elsewhere') return null
  if (resumed === null) return place.origin + pageUrl(view, '/login', { next, switch: '1' })
  // Its owner types the code again: no URL has it.
  if (resumed.ending !== null) return place.origin + pageUrl(view, resumed.ending.page)
  const login = new URLSearchParams(resumed.parameters).has('prompt') ? '' : '&prompt=login'
  return `${place.origin}${view.base}/authorize?${formatBeginning(resumed)}${login}`
}

/** Shows the login page, after a failed login again, with any factor. */
const openLoginPage = (needs: LoginNeeds) => {
  const secure = isSecure(needs)
  const { findTypedName } = openWaiting(needs)
  const ways: readonly LoginWay[] = [
    ...(canMail(needs) ? ['forgot' as const] : []),
    ...(signUpMode(needs) === 'off' ? [] : ['signUp' as const]),
  ]

  /** The challenge for a passkey; null if passkeys do not work here. */
  const passkeyFormOf = (visit: LoginVisit): NonNullable<LoginPage['passkey']> | null => {
    const { request, at, stranger } = visit
    const place = findPasskeyPlace(request, needs)
    if (place.is !== 'here') return null
    const { id, text } = beginCeremony('log in', null, stranger, at, needs)
    return { ceremony: text, options: requestOptions(id, [], place.party) }
  }

  /** Of the password that was just chosen behind a link. */
  const chosenName = (visit: LoginVisit): string =>
    readDone(visit)?.what.startsWith('passwordChosen') ? findTypedName(visit) : ''

  return async (visit: LoginVisit, said: LoginShown = {}): Promise<Answer> => {
    const { view, resumed, at } = visit
    const client = resumed && (await situate(resumed, visit, at, needs)).target.client
    const html = renderLogin({
      username: chosenName(visit) || readHintedName(resumed),
      ...said,
      ...visit,
      notice: findNotice(visit, loginWords(view.language).done),
      passkey: passkeyFormOf(visit),
      upstreams: describeUpstreams(view.language, needs),
      lastWay: findCookie(visit.request, 'way', secure) ?? '',
      elsewhere: findLoginElsewhere(visit, needs),
      ways,
      clientName: client?.name ?? null,
      clientRegisteredBy: client?.registeredBy ?? null,
      documentHost: client === null ? null : findDocumentHost(client),
    })
    const { problem, waitSeconds = null } = said
    const refused = problem && loginRefused[problem]
    return showPage(visit, html, { ...refused, waitSeconds })
  }
}

export type Entrance = ReturnType<typeof openEntrance>

export const openEntrance = (needs: LoginNeeds, { forBrowser, readGiven }: Pages) => {
  /** @throws Refusal if the waiting request is too old, changed, or of another browser */
  const visitOf = async (
    visit: BrowserVisit,
    given: Parameters,
    journey = '',
    nextName = '',
  ): Promise<LoginVisit> => {
    const { name: next } = findAccountPage(nextName)
    const stranger = stripLogin(visit)
    const made = await openWaitingVisit(visit, given, journey, needs)
    return { ...made, csrf: deriveCsrfToken(stranger), stranger, next }
  }
  return {
    visitOf,
    showLogin: openLoginPage(needs),
    startSession: openSessionStart(needs),
    /** Opens the request that waits. Refuses it if it is too old, changed, or of another browser. */
    forLogin: (handle: PageHandler<LoginVisit>): Handler =>
      forBrowser(async (visit) => {
        const given = await readGiven(visit)
        const [journey, next] = [given.find('journey') ?? '', given.find('next') ?? '']
        return handle(await visitOf(visit, given, journey, next))
      }),
    /**
     * Leads on to the request or page behind the login.
     *
     * @param cookies the headers of a new login; none if the browser has them already
     */
    answerEntered(visit: LoginVisit, cookies: readonly string[] = []): Answer {
      const { resumed, next, browser } = visit
      if (resumed === null) {
        const { path, query } = findAccountPage(next)
        return answerSeeOther(visit, path, query, cookies)
      }
      const journey = sealJourney({ ...resumed, decision: null }, browser, needs)
      return answerSeeOther(visit, '/authorize', { journey }, cookies)
    },
  }
}
