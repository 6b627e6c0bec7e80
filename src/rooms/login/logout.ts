/**
 * `/logout`: the way out, and the `end_session_endpoint` (OpenID Connect RP-Initiated Logout 1.0). A
 * request alone logs nobody out, unless it proves by an ID token that it is about this very session.
 */
import { findLogoutFrames } from '../../clients/logout-frames.ts'
import { type Answer, answerRedirect, framePolicy } from '../../http/answer.ts'
import { readForm, readText } from '../../http/body.ts'
import { queryOf } from '../../http/exchange.ts'
import { httpLimits } from '../../http/limits.ts'
import { clientSession } from '../../owners/client-session.ts'
import { endSession } from '../../owners/session.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import { requestLimits } from '../../requests/limits.ts'
import {
  asksToLogOut,
  type LogoutRequest,
  readCarried,
  readLogoutRequest,
} from '../../requests/logout-request.ts'
import type { MetadataFragment } from '../../route.ts'
import { traceOf } from '../../store/trace.ts'
import { readOwnForm } from '../form.ts'
import { forVisitor } from '../former.ts'
import type { OwnerVisit } from '../owner-visit.ts'
import { basePath } from '../paths.ts'
import { viewOf } from '../view.ts'
import { answerSeeOther, showPage, type Visit } from '../visit.ts'
import { renderLoggedOut, renderLogout } from './logout-page.ts'

const goOnSeconds = 3

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

const end = async (
  visit: OwnerVisit,
  request: Pick<LogoutRequest, 'returnTo'>,
  parts: ServiceParts,
): Promise<Answer> => {
  const frames = await findLogoutFrames(visit.login.session, parts)
  const cookie = await endSession(visit.login, traceOf(visit, parts), parts)
  parts.logouts.wake()
  if (frames.length === 0) return leave(visit, request, [cookie])
  const { returnTo } = request
  const page = renderLoggedOut({ view: visit.view, frames, returnTo })
  const goOn = returnTo === null ? {} : { Refresh: `${goOnSeconds};url=${returnTo}` }
  return showPage({ view: visit.view, cookies: [cookie] }, page, {
    headers: { ...framePolicy(frames), ...goOn },
  })
}

/** Whether the hint is about the session of this browser: a page of another site has no such token. */
const isOfThisSession = ({ client, session }: LogoutRequest, { login }: OwnerVisit): boolean =>
  client !== null && session === clientSession(login.session, client)

/** Answers an application. */
const answerRequest = async (
  visit: Visit,
  request: LogoutRequest,
  parts: ServiceParts,
): Promise<Answer> => {
  const { login } = visit
  if (login === null) return answerNobody(visit, request)
  if (isOfThisSession(request, { ...visit, login })) return end({ ...visit, login }, request, parts)
  const clientName = request.client?.name ?? null
  return showPage(visit, renderLogout({ ...visit, clientName, request: request.carried }))
}

/** `GET /logout`: asks first, for a link alone must not log anyone out. */
export const showLogoutPage = forVisitor(async (visit, parts) => {
  const parameters = queryOf(visit.request)
  if (asksToLogOut(parameters)) {
    return answerRequest(visit, await readLogoutRequest(parameters, parts), parts)
  }
  return showPage(
    visit,
    visit.login === null
      ? renderLoggedOut(visit)
      : renderLogout({ ...visit, clientName: null, request: '' }),
  )
})

/** From another site a POST comes without cookies (RFC 6265bis section 5.2): as a GET it has them. */
const asGet = (body: string, parts: ServiceParts): Answer => {
  if (body.length > requestLimits.authorizationRequestCharacters || !/^[\x21-\x7e]*$/.test(body)) {
    const said = 'the request is too long, or its parameters are not percent-encoded'
    throw new Refusal('invalid_request', 'bad_logout_request', said)
  }
  return answerRedirect(`${basePath(parts)}/logout?${body}`, 303)
}

/** `POST /logout`: the form of our own page, or a request of an application. */
export const logOut = forVisitor(async (visit, parts) => {
  const { login } = visit
  const form = await readForm(visit.request)
  if (asksToLogOut(form)) {
    const body = await readText(visit.request, httpLimits.formBytes)
    if (visit.browser === null) return asGet(body, parts)
    const view = viewOf(visit, parts, { parameters: body }, visit.login?.owner.pages)
    return answerRequest({ ...visit, view }, await readLogoutRequest(form, parts), parts)
  }
  const request = await readCarried(form.find('request'), parts)
  // No cookie is removed then: a form of another site comes without those of whoever is logged in.
  if (login === null) {
    return request.returnTo === null ? leave(visit, request) : answerNobody(visit, request)
  }
  await readOwnForm(visit, parts)
  if (form.find('decision') === 'stay') return answerSeeOther(visit, '/account')
  return end({ ...visit, login }, request, parts)
})

export const logoutMetadata: MetadataFragment = ({ settings }) => ({
  end_session_endpoint: `${settings.issuer}/logout`,
  frontchannel_logout_supported: true,
  frontchannel_logout_session_supported: true,
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
})
