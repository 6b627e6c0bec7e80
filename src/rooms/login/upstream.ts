/** `/login/with/{id}`: a login by an upstream, and its way back. */
import { newSecret } from '../../crypto/digest.ts'
import type { Answer } from '../../http/answer.ts'
import { setCookie } from '../../http/cookies.ts'
import { queryOf } from '../../http/exchange.ts'
import { type OpenedCeremony, openCeremony } from '../../owners/ceremony.ts'
import { isSecure } from '../../owners/secure.ts'
import { loggedOut } from '../../owners/session.ts'
import type { ServiceParts } from '../../registries.ts'
import { type LeadingUpstream, leads } from '../../upstreams/index.ts'
import { UpstreamFault } from '../../upstreams/upstream.ts'
import { findAccountPage } from '../account-pages.ts'
import { forVisitor } from '../former.ts'
import { answerDone, type OwnerVisit } from '../owner-visit.ts'
import { confirmPerson, linkPerson } from '../upstream-link.ts'
import {
  leadToUpstream,
  requireLeading,
  requireUpstream,
  tellUpstreamFault,
  tripOf,
} from '../upstream-trip.ts'
import { answerSeeOther, type BrowserVisit } from '../visit.ts'
import { admitPerson, showUpstreamFault } from './by-upstream.ts'
import { logInByDirectory } from './directory-form.ts'
import { answerEntered, forLogin, type LoginVisit, loginVisitOf } from './entered.ts'
import { hintedName, showLogin } from './login-page.ts'

/** Whether a login that the person made there before does not suffice. */
const needsFresh = ({ resumed }: LoginVisit): boolean => {
  const asked = new URLSearchParams(resumed?.parameters ?? '')
  return asked.has('max_age') || (asked.get('prompt') ?? '').split(' ').includes('login')
}

/** `POST /login/with/{id}` */
export const beginUpstreamLogin = forLogin(async (visit, parts) => {
  const upstream = requireUpstream(visit, parts)
  if (!leads(upstream)) return logInByDirectory(upstream, visit, parts)
  const { journey, next, stranger, resumed } = visit
  if (needsFresh(visit) && !upstream.open.asksAgain) {
    const fault = new UpstreamFault('stale', 'cannot ask again')
    return showUpstreamFault(fault, upstream, visit, parts)
  }
  // An owner with a login here has to prove to be there.
  const isFresh = needsFresh(visit) || visit.login !== null
  const answer = await leadToUpstream(
    {
      kind: 'log in upstream',
      states: { upstream: upstream.settings.id, journey, next },
      visitor: stranger,
      upstream,
      isFresh,
      loginHint: hintedName(resumed),
    },
    visit,
    parts,
  )
  return answer instanceof UpstreamFault
    ? showUpstreamFault(answer, upstream, visit, parts)
    : answer
})

/** The person came back to log in. A repeated request finds the trip finished. */
const finishLogin = async (
  opened: OpenedCeremony<'log in upstream'>,
  state: string,
  upstream: LeadingUpstream,
  visit: LoginVisit,
  parts: ServiceParts,
): Promise<Answer> => {
  const { ceremony } = opened
  if (await parts.store.isFinished(ceremony.id)) {
    return visit.login === null
      ? showLogin(visit, { problem: 'finished' }, parts)
      : answerEntered(visit, [], parts)
  }
  const trip = tripOf(ceremony, state, needsFresh(visit), upstream, visit, parts)
  const person = await upstream.open.finish(visit.given, trip)
  return person instanceof UpstreamFault
    ? showUpstreamFault(person, upstream, visit, parts)
    : admitPerson(person, ceremony, upstream, visit, parts)
}

/**
 * The owner came back to link the account. A repeated request finds the trip finished: the answer to
 * the first one may be lost, and the upstream takes its code only once.
 */
const finishLink = async (
  { ceremony }: OpenedCeremony<'link upstream'>,
  state: string,
  upstream: LeadingUpstream,
  visit: OwnerVisit & BrowserVisit,
  parts: ServiceParts,
): Promise<Answer> => {
  const ownerId = visit.login.owner.id
  const done = (what: string): Answer => answerDone(visit, '/account/security', what)
  if (await parts.store.isFinished(ceremony.id)) {
    const links = await parts.store.listUpstreamLinks(ownerId)
    const isLinked = links.some((link) => link.upstream === upstream.settings.id)
    return done(isLinked ? 'upstreamLinked' : 'upstreamTaken')
  }
  const trip = tripOf(ceremony, state, false, upstream, visit, parts)
  const person = await upstream.open.finish(queryOf(visit.request), trip)
  if (person instanceof UpstreamFault) {
    tellUpstreamFault(person, upstream, visit, parts)
    return done('upstreamFailed')
  }
  return linkPerson(person, ceremony, visit, parts)
}

/** The owner came back to confirm the login. The next page asks again if it was not. */
const finishConfirmation = async (
  { ceremony, states }: OpenedCeremony<'confirm upstream'>,
  state: string,
  upstream: LeadingUpstream,
  visit: OwnerVisit & BrowserVisit,
  parts: ServiceParts,
): Promise<Answer> => {
  const { next } = states
  if (await parts.store.isFinished(ceremony.id)) {
    return answerSeeOther(visit, findAccountPage(next).path)
  }
  const trip = tripOf(ceremony, state, true, upstream, visit, parts)
  const person = await upstream.open.finish(queryOf(visit.request), trip)
  if (!(person instanceof UpstreamFault)) {
    return confirmPerson(person, ceremony, next, visit, parts)
  }
  tellUpstreamFault(person, upstream, visit, parts)
  return answerDone(visit, '/account/security', 'confirmFailed')
}

/** `GET /login/with/{id}/callback`. Without a trip of this browser nothing is asked of the upstream. */
export const finishUpstreamTrip = forVisitor(async (visit, parts) => {
  const upstream = requireLeading(visit, parts)
  const { browser, at } = visit
  const { id } = upstream.settings
  const given = queryOf(visit.request)
  const state = given.find('state') ?? ''
  const login = await openCeremony('log in upstream', state, loggedOut(visit), at, parts)
  if (login !== null && browser !== null && login.states.upstream === id) {
    const { journey, next } = login.states
    const made = await loginVisitOf({ ...visit, browser }, given, journey, next, parts)
    return finishLogin(login, state, upstream, made, parts)
  }
  const link = await openCeremony('link upstream', state, visit, at, parts)
  if (link !== null && browser !== null && visit.login !== null && link.states === id) {
    return finishLink(link, state, upstream, { ...visit, browser, login: visit.login }, parts)
  }
  const confirmation = await openCeremony('confirm upstream', state, visit, at, parts)
  if (confirmation?.states.upstream === id && browser !== null && visit.login !== null) {
    const made = { ...visit, browser, login: visit.login }
    return finishConfirmation(confirmation, state, upstream, made, parts)
  }
  // Of another browser, too late, or begun before a login or logout.
  const bound = browser ?? newSecret('', parts.random)
  const cookies = browser === null ? [setCookie('browser', bound, isSecure(parts))] : []
  const made = await loginVisitOf({ ...visit, browser: bound, cookies }, given, '', '', parts)
  return showLogin(made, { problem: 'begin' }, parts)
})
