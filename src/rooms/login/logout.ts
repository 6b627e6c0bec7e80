/**
 * `/logout`: the way out, and the `end_session_endpoint` (OpenID Connect RP-Initiated Logout 1.0). A
 * request alone logs nobody out, unless it proves by an ID token that it is about this very session.
 */
import { findLogoutFrames } from '../../clients/logout-frames.ts'
import { type Answer, answerRedirect, makeFramePolicy } from '../../http/answer.ts'
import { readForm, readText } from '../../http/body.ts'
import { httpLimits } from '../../http/limits.ts'
import { queryOf } from '../../http/request.ts'
import { getRedirectHost } from '../../model/requester.ts'
import { deriveClientSession, endSession } from '../../owners/session.ts'
import { allowMarkup, defineWords } from '../../paper/catalog.ts'
import { hide, type PageWithForm, renderForm, sayName } from '../../paper/fields.ts'
import { renderLayout } from '../../paper/layout.ts'
import { html, type Markup } from '../../paper/markup.ts'
import { pageUrl, type View } from '../../paper/view.ts'
import { invalidRequest } from '../../protocol/refusal.ts'
import { requestLimits } from '../../requests/limits.ts'
import {
  isLogoutRequest,
  type LogoutRequest,
  readCarried,
  readLogoutRequest,
} from '../../requests/logout-request.ts'
import { type MetadataFragment, makeRows, type RouteRow } from '../../route.ts'
import { traceOf } from '../../store/trace.ts'
import type { OwnerVisit } from '../owner-visit.ts'
import type { Pages } from '../pages.ts'
import { answerSeeOther, getBasePath, makeView, showPage, type Visit } from '../visit.ts'
import type { LoginNeeds } from './entrance.ts'

const logoutWords = defineWords('logout', {
  title: 'Log out',
  question: 'Log out?',
  asks: allowMarkup('{client} asks to log you out here.'),
  effect:
    'Applications that you allowed until you log out lose their access now. All others keep it.',
  submit: 'Log out',
  stay: 'Stay logged in',
  doneTitle: 'Logged out',
  done: 'You are logged out',
  doneEffect: 'Nobody can use your account in this browser without logging in again.',
  telling: 'The applications that you used are told now.',
  frame: 'Logout at an application',
  goOn: allowMarkup('Go on to {host}'),
  again: 'Log in again',
})

interface LogoutPage extends PageWithForm {
  /** The application that asks; null if none is proven. */
  readonly clientName: string | null
  /** The request behind the question; '' without one. */
  readonly request: string
}

export const renderLogout = (page: LogoutPage): string => {
  const { view, clientName, request } = page
  const words = logoutWords(view.language)
  const fields = html`${request === '' ? null : hide('request', request)}
<p class="actions"><button class="primary" type="submit" name="decision" value="logout">${words.submit}</button><button type="submit" name="decision" value="stay">${words.stay}</button></p>`
  return renderLayout({
    view,
    title: words.title,
    main: html`<h1>${words.question}</h1>
${clientName === null ? null : html`<p>${words.asks({ client: sayName(clientName) })}</p>`}
<p>${words.effect}</p>
${renderForm(page, '/logout', fields)}`,
  })
}

interface LoggedOutPage {
  readonly view: View
  /** Pages of applications that end their own sessions. */
  readonly frames?: readonly string[]
  /** The registered address that the page goes on to; null to stay. */
  readonly returnTo?: string | null
}

/** A frame may run its scripts, but not send this page elsewhere. */
const renderFrame = (url: string, title: string): Markup =>
  html`<iframe hidden title="${title}" src="${url}" sandbox="allow-scripts allow-same-origin"></iframe>
`

export const renderLoggedOut = ({ view, frames = [], returnTo = null }: LoggedOutPage): string => {
  const words = logoutWords(view.language)
  const host = returnTo === null ? null : html`<bdi>${getRedirectHost(returnTo)}</bdi>`
  return renderLayout({
    view,
    title: words.doneTitle,
    main: html`<h1>${words.done}</h1>
<p>${words.doneEffect}</p>
${frames.length === 0 ? null : html`<p>${words.telling}</p>`}
${host === null ? null : html`<p><a href="${returnTo}">${words.goOn({ host })}</a></p>`}
<p><a href="${pageUrl(view, '/login')}">${words.again}</a></p>
${frames.map((url) => renderFrame(url, words.frame))}`,
  })
}

const goOnSeconds = 3

const getLogoutMetadata: MetadataFragment = ({ settings }) => ({
  end_session_endpoint: `${settings.issuer}/logout`,
  frontchannel_logout_supported: true,
  frontchannel_logout_session_supported: true,
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
})

/** Back to the application, or to the page that says that nobody is logged in. */
const leave = (
  visit: Visit,
  { returnTo }: Pick<LogoutRequest, 'returnTo'>,
  cookies: readonly string[] = [],
): Answer =>
  returnTo === null
    ? answerSeeOther(visit, '/logout', {}, cookies)
    : answerRedirect(returnTo, 303, cookies)

/**
 * The answer where nobody is logged in. A client of a stranger could send anybody anywhere through us
 * (RFC 9700 section 4.11.2), so its address is only a link.
 */
const answerNobody = (visit: Visit, request: LogoutRequest): Answer => {
  const { returnTo, isVouchedFor } = request
  return returnTo !== null && isVouchedFor
    ? leave(visit, request)
    : showPage(visit, renderLoggedOut({ view: visit.view, returnTo }))
}

/** Whether the hint is about the session of this browser: a page of another site has no such token. */
const isOfThisSession = ({ client, session }: LogoutRequest, { login }: OwnerVisit): boolean =>
  client !== null && session === deriveClientSession(login.session, client)

/** From another site a POST comes without cookies (RFC 6265bis section 5.2): as a GET it has them. */
const answerAsGet = (body: string, needs: Pick<LoginNeeds, 'settings'>): Answer => {
  if (body.length > requestLimits.authorizationRequestCharacters || !/^[\x21-\x7e]*$/.test(body)) {
    const said = 'the request is too long, or its parameters are not percent-encoded'
    throw invalidRequest('bad_logout_request', said)
  }
  return answerRedirect(`${getBasePath(needs)}/logout?${body}`, 303)
}

/** Ends the session, and tells the applications of it. */
const openEnd =
  (needs: LoginNeeds) =>
  async (visit: OwnerVisit, { returnTo }: Pick<LogoutRequest, 'returnTo'>): Promise<Answer> => {
    const frames = await findLogoutFrames(visit.login.session, needs)
    const cookie = await endSession(visit.login, traceOf(visit, needs), needs)
    needs.logouts.wake()
    if (frames.length === 0) return leave(visit, { returnTo }, [cookie])
    const html = renderLoggedOut({ view: visit.view, frames, returnTo })
    const goOn = returnTo === null ? {} : { Refresh: `${goOnSeconds};url=${returnTo}` }
    return showPage({ view: visit.view, cookies: [cookie] }, html, {
      headers: { ...makeFramePolicy(frames), ...goOn },
    })
  }

export const openLogout = (
  needs: LoginNeeds,
  { forVisitor, readForm: readOwnForm }: Pages,
): readonly RouteRow[] => {
  const end = openEnd(needs)

  const answerRequest = (visit: Visit, request: LogoutRequest): Promise<Answer> | Answer => {
    const { login } = visit
    if (login === null) return answerNobody(visit, request)
    if (isOfThisSession(request, { ...visit, login })) return end({ ...visit, login }, request)
    const clientName = request.client?.name ?? null
    return showPage(visit, renderLogout({ ...visit, clientName, request: request.carried }))
  }

  /** `GET /logout`: asks first, for a link alone must not log anyone out. */
  const show = forVisitor(async (visit) => {
    const parameters = queryOf(visit.request)
    if (isLogoutRequest(parameters)) {
      return answerRequest(visit, await readLogoutRequest(parameters, needs))
    }
    const html =
      visit.login === null
        ? renderLoggedOut(visit)
        : renderLogout({ ...visit, clientName: null, request: '' })
    return showPage(visit, html)
  })

  /** `POST /logout`: the form of our own page, or a request of an application. */
  const logOut = forVisitor(async (visit) => {
    const { login } = visit
    const form = await readForm(visit.request)
    if (isLogoutRequest(form)) {
      const body = await readText(visit.request, httpLimits.formBytes)
      if (visit.browser === null) return answerAsGet(body, needs)
      const view = makeView(visit, needs, { parameters: body }, visit.login?.owner.pages)
      return answerRequest({ ...visit, view }, await readLogoutRequest(form, needs))
    }
    const request = await readCarried(form.find('request'), needs)
    // No cookie is removed then: a form of another site comes without those of whoever is logged in.
    if (login === null) {
      return request.returnTo === null ? leave(visit, request) : answerNobody(visit, request)
    }
    await readOwnForm(visit)
    if (form.find('decision') === 'stay') return answerSeeOther(visit, '/account')
    return end({ ...visit, login }, request)
  })

  return makeRows('/logout', show, logOut, { metadata: getLogoutMetadata })
}
