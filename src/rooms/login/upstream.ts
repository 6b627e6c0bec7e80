/** `/login/with/{id}`: a login by an upstream, and its way back. */
import { makeSecret } from '../../crypto/digest.ts'
import type { Answer } from '../../http/answer.ts'
import { isSecure, setCookie } from '../../http/cookies.ts'
import { queryOf } from '../../http/request.ts'
import { openCeremony } from '../../owners/ceremony.ts'
import { stripLogin } from '../../owners/session.ts'
import { makeRows, page, type RouteRow } from '../../route.ts'
import type { Ceremony } from '../../store/contract/factor.ts'
import { traceOf } from '../../store/trace.ts'
import { isLeading, type LeadingUpstream, type Upstream } from '../../upstreams/index.ts'
import { noRights } from '../../upstreams/mapped.ts'
import { UpstreamFault, type UpstreamPerson } from '../../upstreams/upstream.ts'
import { findAccountPage } from '../account-pages.ts'
import { answerDone, type OwnerVisit } from '../owner-visit.ts'
import type { Pages } from '../pages.ts'
import {
  confirmPerson,
  leadToUpstream,
  linkFor,
  linkPerson,
  makeTrip,
  requireLeading,
  requireUpstream,
  tellUpstreamFault,
  upstreamProblems,
} from '../upstream-trip.ts'
import { answerSeeOther, type BrowserVisit } from '../visit.ts'
import { makeUpstreamOwner, maySignUp, openAdmission, openDirectoryLogin } from './by-upstream.ts'
import { type Entrance, type LoginNeeds, type LoginVisit, readHintedName } from './entrance.ts'
import { applyRights } from './rights.ts'

/** Whether a login that the person made there before does not suffice. */
const needsFresh = ({ resumed }: LoginVisit): boolean => {
  const asked = new URLSearchParams(resumed?.parameters ?? '')
  return asked.has('max_age') || (asked.get('prompt') ?? '').split(' ').includes('login')
}

const openFault =
  (needs: LoginNeeds, { showLogin }: Entrance) =>
  (fault: UpstreamFault, upstream: Upstream, visit: LoginVisit): Promise<Answer> => {
    tellUpstreamFault(fault, upstream, visit, needs)
    return showLogin(visit, { problem: upstreamProblems[fault.kind] })
  }

export const openUpstreamLogin = (needs: LoginNeeds, entrance: Entrance): readonly RouteRow[] => {
  const { forLogin } = entrance
  const directory = openDirectoryLogin(needs, openAdmission(needs, entrance))
  const showFault = openFault(needs, entrance)

  /** The form of a directory. Only the button of the login page leads to other upstreams. */
  const show = forLogin((visit) => {
    const upstream = requireUpstream(visit, needs)
    const { journey, next } = visit
    return isLeading(upstream)
      ? answerSeeOther(visit, '/login', { journey, next })
      : directory.show(upstream, visit)
  })

  const begin = forLogin(async (visit) => {
    const upstream = requireUpstream(visit, needs)
    if (!isLeading(upstream)) return directory.take(upstream, visit)
    const { journey, next, stranger, resumed } = visit
    if (needsFresh(visit) && !upstream.open.asksAgain) {
      return showFault(new UpstreamFault('stale', 'cannot ask again'), upstream, visit)
    }
    // An owner with a login here has to prove to be there.
    const isFresh = needsFresh(visit) || visit.login !== null
    const states = { upstream: upstream.settings.id, journey, next }
    const loginHint = readHintedName(resumed)
    const trip = { kind: 'log in upstream', states, visitor: stranger, upstream } as const
    const answer = await leadToUpstream({ ...trip, isFresh, loginHint }, visit, needs)
    return answer instanceof UpstreamFault ? showFault(answer, upstream, visit) : answer
  })

  return makeRows('/login/with/:id', show, begin)
}

/** A visit on the way back, and the ceremony that it finishes. */
interface Trip {
  readonly ceremony: Ceremony
  /** The sealed ceremony. */
  readonly state: string
  readonly upstream: LeadingUpstream
}

/**
 * The ways back from an upstream: a login, a link and a confirmation. An upstream takes its code only
 * once, and the answer to the first request may be lost. So a finished ceremony is answered without it.
 */
const openReturns = (needs: LoginNeeds, entrance: Entrance) => {
  const { answerEntered, showLogin } = entrance
  const admitPerson = openAdmission(needs, entrance)
  const showFault = openFault(needs, entrance)
  const { store } = needs

  const finish = (
    { ceremony, state, upstream }: Trip,
    visit: BrowserVisit,
    isFresh: boolean,
  ): Promise<UpstreamPerson | UpstreamFault> => {
    const trip = makeTrip(ceremony, state, isFresh, upstream, visit, needs)
    return upstream.open.finish(queryOf(visit.request), trip)
  }

  return {
    async logIn(trip: Trip, visit: LoginVisit): Promise<Answer> {
      const { ceremony, upstream } = trip
      if (await store.isFinished(ceremony.id)) {
        const isHere = visit.login !== null
        return isHere ? answerEntered(visit) : showLogin(visit, { problem: 'finished' })
      }
      const person = await finish(trip, visit, needsFresh(visit))
      return person instanceof UpstreamFault
        ? showFault(person, upstream, visit)
        : admitPerson(person, ceremony, upstream, visit)
    },
    async link(trip: Trip, visit: OwnerVisit & BrowserVisit): Promise<Answer> {
      const { ceremony, upstream } = trip
      const done = (what: string): Answer => answerDone(visit, '/account/security', what)
      if (await store.isFinished(ceremony.id)) {
        const links = await store.listUpstreamLinks(visit.login.owner.id)
        const isLinked = links.some((link) => link.upstream === upstream.settings.id)
        return done(isLinked ? 'upstreamLinked' : 'upstreamTaken')
      }
      const person = await finish(trip, visit, false)
      if (!(person instanceof UpstreamFault))
        return linkPerson(person, ceremony, upstream, visit, needs)
      tellUpstreamFault(person, upstream, visit, needs)
      return done('upstreamFailed')
    },
    /** For a page of the account, which asks again if the login was not confirmed. */
    async confirm(trip: Trip, next: string, visit: OwnerVisit & BrowserVisit): Promise<Answer> {
      const { ceremony, upstream } = trip
      const isFinished = await store.isFinished(ceremony.id)
      if (isFinished) return answerSeeOther(visit, findAccountPage(next).path)
      const person = await finish(trip, visit, true)
      if (!(person instanceof UpstreamFault)) {
        return confirmPerson(person, ceremony, next, visit, needs)
      }
      tellUpstreamFault(person, upstream, visit, needs)
      return answerDone(visit, '/account/security', 'confirmFailed')
    },
  }
}

/** `GET /login/with/{id}/callback`. Without a trip of this browser nothing is asked of the upstream. */
export const openUpstreamReturn = (
  needs: LoginNeeds,
  { forVisitor }: Pages,
  entrance: Entrance,
): readonly RouteRow[] => {
  const { visitOf, showLogin } = entrance
  const { logIn, link, confirm } = openReturns(needs, entrance)

  const finish = forVisitor(async (visit) => {
    const upstream = requireLeading(visit, needs)
    const { browser, login, at } = visit
    const { id } = upstream.settings
    const given = queryOf(visit.request)
    const state = given.find('state') ?? ''
    const begun = await openCeremony('log in upstream', state, stripLogin(visit), at, needs)
    if (begun !== null && browser !== null && begun.states.upstream === id) {
      const { journey, next } = begun.states
      const made = await visitOf({ ...visit, browser }, given, journey, next)
      return logIn({ ceremony: begun.ceremony, state, upstream }, made)
    }
    if (browser !== null && login !== null) {
      const made = { ...visit, browser, login }
      const linking = await openCeremony('link upstream', state, visit, at, needs)
      if (linking?.states === id) return link({ ...linking, state, upstream }, made)
      const confirming = await openCeremony('confirm upstream', state, visit, at, needs)
      if (confirming?.states.upstream === id) {
        return confirm({ ...confirming, state, upstream }, confirming.states.next, made)
      }
    }
    // Of another browser, too late, or begun before a login or logout.
    const bound = browser ?? makeSecret('', needs.random)
    const cookies = browser === null ? [setCookie('browser', bound, isSecure(needs))] : []
    const made = await visitOf({ ...visit, browser: bound, cookies }, given)
    return showLogin(made, { problem: 'begin' })
  })

  return [{ ...page, method: 'GET', path: '/login/with/:id/callback', handler: finish }]
}

/** A newcomer makes an account. An upstream has logged the person in, and nobody is linked to that yet. */
export const openNewcomer = (
  needs: LoginNeeds,
  { forLogin, answerEntered, showLogin, startSession }: Entrance,
): readonly RouteRow[] => {
  const create = forLogin(async (visit) => {
    const upstream = requireUpstream(visit, needs)
    const { given, stranger, at } = visit
    const text = given.find('ceremony') ?? ''
    const opened = await openCeremony('new upstream owner', text, stranger, at, needs)
    const isOfThis = opened?.states.account.upstream === upstream.settings.id
    if (opened === null || !isOfThis || !maySignUp(upstream, needs)) {
      return showLogin(visit, { problem: 'begin' })
    }
    const { states, ceremony } = opened
    const { account, methods, isStrong, authTime } = states
    const { settings } = upstream
    const make = async (username: 'keep' | 'suffix') => {
      const owner = await makeUpstreamOwner(states, { ...settings, username }, needs)
      const link = linkFor(owner.id, account, states, at)
      const trace = traceOf(visit, needs)
      const outcome = await needs.store.createLinkedOwner(owner, link, ceremony, trace)
      return { owner, outcome }
    }
    const made = await make(settings.username)
    // Somebody else has the kept name: then the new one has digits.
    const isTaken = made.outcome === 'taken' && settings.username === 'keep'
    const { owner, outcome } = isTaken ? await make('suffix') : made
    if (outcome === 'address_taken') return showLogin(visit, { problem: 'addressTaken' })
    if (outcome !== 'created') return showLogin(visit, { problem: 'finished' })
    const first = { id: `${ceremony.id}.login`, expiresAt: ceremony.expiresAt }
    const login = { upstream: account, ceremony: first, isStrong }
    const started = await startSession(
      owner,
      { login, methods, authTime, isNewAccount: true },
      visit,
    )
    if (started.outcome !== 'accepted') return showLogin(visit, { problem: 'begin' })
    const { session, cookies } = started
    const { mapped = noRights } = states
    const isSet = await applyRights(owner, mapped, settings.id, session, visit, needs)
    if (!isSet) return showLogin(visit, { problem: 'begin' })
    needs.faces.want(owner, account, states.picture)
    return answerEntered(visit, cookies)
  })

  return [{ ...page, method: 'POST', path: '/login/with/:id/new', handler: create }]
}
