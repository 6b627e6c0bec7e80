/** `/login/with/{id}`: a login by an upstream, and its way back. */
import { newSecret } from '../../crypto/digest.ts'
import type { Answer } from '../../http/answer.ts'
import { setCookie } from '../../http/cookies.ts'
import { queryOf } from '../../http/exchange.ts'
import { needsSecondFactor } from '../../model/factor.ts'
import type { Owner } from '../../model/owner.ts'
import { type OpenedCeremony, openCeremony, type UpstreamLogin } from '../../owners/ceremony.ts'
import { beginSecondStep } from '../../owners/second-factor.ts'
import { isSecure } from '../../owners/secure.ts'
import { loggedOut, startSession } from '../../owners/session.ts'
import { traceOf } from '../../parts.ts'
import type { EndpointParts } from '../../registries.ts'
import type { Upstream } from '../../upstreams/index.ts'
import { UpstreamFault, type UpstreamPerson } from '../../upstreams/upstream.ts'
import { answerSeeOther, type BrowserVisit, forVisitor } from '../door/page.ts'
import { answerDone, type OwnerVisit } from '../door/signed-in.ts'
import {
  leadToUpstream,
  linkFor,
  requireUpstream,
  tellUpstreamFault,
  tripOf,
} from '../door/upstream-trip.ts'
import { answerEntered, forLogin, type LoginVisit, loginVisitOf } from './entered.ts'
import { hintedName, showLogin } from './login-page.ts'
import { meetNewcomer } from './newcomer-page.ts'

const problems = {
  unreachable: 'upstreamDown',
  wrong: 'upstreamWrong',
  refused: 'upstreamRefused',
  stale: 'upstreamStale',
} as const

const showFault = (
  fault: UpstreamFault,
  upstream: Upstream,
  visit: LoginVisit,
  parts: EndpointParts,
): Promise<Answer> => {
  tellUpstreamFault(fault, upstream, visit, parts)
  return showLogin(visit, { problem: problems[fault.kind] }, parts)
}

/** Whether a login that the person made there before does not suffice. */
const needsFresh = ({ resumed, login }: LoginVisit): boolean => {
  // Whoever is logged in and logs in again proves to be there.
  if (login !== null) return true
  const asked = new URLSearchParams(resumed?.parameters ?? '')
  return asked.has('max_age') || (asked.get('prompt') ?? '').split(' ').includes('login')
}

/** `POST /login/with/{id}` */
export const beginUpstreamLogin = forLogin(async (visit, parts) => {
  const upstream = requireUpstream(visit, parts)
  const { journey, next, stranger, resumed } = visit
  const isFresh = needsFresh(visit)
  const answer = await leadToUpstream(
    {
      kind: 'log in upstream',
      states: { upstream: upstream.settings.id, journey, next, isFresh },
      visitor: stranger,
      upstream,
      isFresh,
      loginHint: hintedName(resumed),
    },
    visit,
    parts,
  )
  return answer instanceof UpstreamFault ? showFault(answer, upstream, visit, parts) : answer
})

const enter = async (
  owner: Owner,
  login: UpstreamLogin,
  { ceremony }: Pick<OpenedCeremony<'log in upstream'>, 'ceremony'>,
  visit: LoginVisit,
  parts: EndpointParts,
): Promise<Answer> => {
  const { stranger, at, journey, next } = visit
  const { account, methods, isStrong, authTime } = login
  if (!isStrong && needsSecondFactor(await parts.store.findFactors(owner.id))) {
    const second = beginSecondStep(owner, stranger, at, parts, login)
    return answerSeeOther(visit, '/login/second', { ceremony: second, journey, next })
  }
  const entry = { login: { upstream: account, ceremony, isStrong }, methods, authTime }
  const started = await startSession(owner, entry, visit, parts)
  if (started.outcome === 'accepted') return answerEntered(visit, started.cookies, parts)
  return showLogin(visit, { problem: started.outcome === 'finished' ? 'finished' : 'begin' }, parts)
}

const loginOf = ({ account, methods, isStrong, authTime }: UpstreamPerson): UpstreamLogin => ({
  account,
  methods,
  isStrong,
  authTime,
})

/** The person came back to log in. A repeated request finds the trip finished. */
const finishLogin = async (
  opened: OpenedCeremony<'log in upstream'>,
  state: string,
  upstream: Upstream,
  visit: LoginVisit,
  parts: EndpointParts,
): Promise<Answer> => {
  const { ceremony, states } = opened
  if (await parts.store.isFinished(ceremony.id)) {
    return visit.login === null
      ? showLogin(visit, { problem: 'finished' }, parts)
      : answerEntered(visit, [], parts)
  }
  const trip = tripOf(ceremony, state, states.isFresh, upstream, visit, parts)
  const person = await upstream.open.finish(visit.given, trip)
  if (person instanceof UpstreamFault) return showFault(person, upstream, visit, parts)
  const login = loginOf(person)
  const owner = await parts.store.findUpstreamOwner(person.account)
  if (owner !== null) return enter(owner, login, opened, visit, parts)
  const claims = await person.findClaims()
  return meetNewcomer({ ...login, ...claims }, upstream, visit, parts)
}

/**
 * The owner came back to link the account. A repeated request finds the trip finished: the answer to
 * the first one may be lost, and the upstream takes its code only once.
 */
const finishLink = async (
  { ceremony }: OpenedCeremony<'link upstream'>,
  state: string,
  upstream: Upstream,
  visit: OwnerVisit & BrowserVisit,
  parts: EndpointParts,
): Promise<Answer> => {
  const { login, at } = visit
  const ownerId = login.owner.id
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
  const { account } = person
  const link = linkFor(ownerId, account, await person.findClaims(), at)
  const by = { ownerId, session: login.session.id }
  const outcome = await parts.store.linkUpstream(link, ceremony, by, traceOf(visit, parts))
  if (outcome === 'linked') return done('upstreamLinked')
  const own = await parts.store.findUpstreamOwner(account)
  return done(own?.id === ownerId ? 'upstreamLinked' : 'upstreamTaken')
}

/** `GET /login/with/{id}/callback`. Without a trip of this browser nothing is asked of the upstream. */
export const finishUpstreamTrip = forVisitor(async (visit, parts) => {
  const upstream = requireUpstream(visit, parts)
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
  // Of another browser, too late, or begun before a login or logout.
  const bound = browser ?? newSecret('', parts.random)
  const cookies = browser === null ? [setCookie('browser', bound, isSecure(parts))] : []
  const made = await loginVisitOf({ ...visit, browser: bound, cookies }, given, '', '', parts)
  return showLogin(made, { problem: 'begin' }, parts)
})
