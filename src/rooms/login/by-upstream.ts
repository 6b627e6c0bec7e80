/** After an upstream has logged somebody in, or not: the session, the second step, or the page for newcomers. */
import type { Answer } from '../../http/answer.ts'
import { needsSecondFactor } from '../../model/factor.ts'
import { textIn } from '../../model/language.ts'
import type { Owner } from '../../model/owner.ts'
import { beginCeremony, type NewUpstreamOwner, type UpstreamLogin } from '../../owners/ceremony.ts'
import { beginSecondStep } from '../../owners/second-factor.ts'
import { startSession } from '../../owners/session.ts'
import { maySignUp } from '../../owners/upstream-owner.ts'
import { confirmsAlone } from '../../owners/ways-in.ts'
import { hidden, waitingFields } from '../../paper/fields.ts'
import { html } from '../../paper/markup.ts'
import { renderNewcomer } from '../../paper/upstreams.ts'
import { pageUrl } from '../../paper/view.ts'
import type { EndpointParts } from '../../registries.ts'
import type { Ceremony } from '../../store/store.ts'
import type { Upstream } from '../../upstreams/index.ts'
import type { UpstreamFault, UpstreamPerson } from '../../upstreams/upstream.ts'
import { tellUpstreamFault, upstreamProblems } from '../upstream-trip.ts'
import { answerSeeOther, showPage } from '../visit.ts'
import { answerEntered, type LoginVisit } from './entered.ts'
import { showLogin } from './login-page.ts'

export const showUpstreamFault = (
  fault: UpstreamFault,
  upstream: Upstream,
  visit: LoginVisit,
  parts: EndpointParts,
): Promise<Answer> => {
  tellUpstreamFault(fault, upstream, visit, parts)
  return showLogin(visit, { problem: upstreamProblems[fault.kind] }, parts)
}

/**
 * The page for somebody whom an upstream knows and nobody here. An email address opens no account, not
 * even a verified one: whoever has an account links it, and anybody else makes a new one.
 */
const meetNewcomer = (
  person: NewUpstreamOwner,
  upstream: Upstream,
  visit: LoginVisit,
  parts: EndpointParts,
): Answer => {
  const { view, csrf, journey, next, stranger, at } = visit
  const { settings } = upstream
  const { text } = beginCeremony('new upstream owner', person, stranger, at, parts)
  const fields = html`${hidden('csrf', csrf)}${waitingFields(journey, next)}${hidden('ceremony', text)}`
  const page = renderNewcomer({
    view,
    upstream: { id: settings.id, title: textIn(settings.title, view.language) },
    label: person.email || person.username,
    form: maySignUp(upstream, parts) ? fields : null,
    back: pageUrl(view, '/login', { journey, next }),
  })
  return showPage(visit, page)
}

const enter = async (
  owner: Owner,
  login: UpstreamLogin,
  isFresh: boolean,
  ceremony: Ceremony,
  visit: LoginVisit,
  parts: EndpointParts,
): Promise<Answer> => {
  const { stranger, at, journey, next } = visit
  const { account, methods, isStrong, authTime } = login
  if (!isStrong && needsSecondFactor(await parts.store.findFactors(owner.id))) {
    const second = beginSecondStep(owner, stranger, at, parts, login)
    return answerSeeOther(visit, '/login/second', { ceremony: second, journey, next })
  }
  const isConfirmed = isFresh || authTime !== null || !(await confirmsAlone(owner, parts))
  const entry = { login: { upstream: account, ceremony, isStrong }, methods, authTime, isConfirmed }
  const started = await startSession(owner, entry, visit, parts)
  if (started.outcome === 'accepted') return answerEntered(visit, started.cookies, parts)
  return showLogin(visit, { problem: started.outcome === 'finished' ? 'finished' : 'begin' }, parts)
}

/** @param ceremony of this login: it counts once */
export const admitPerson = async (
  { account, methods, isStrong, authTime, isFresh, findClaims }: UpstreamPerson,
  ceremony: Ceremony,
  upstream: Upstream,
  visit: LoginVisit,
  parts: EndpointParts,
): Promise<Answer> => {
  const login = { account, methods, isStrong, authTime }
  const owner = await parts.store.findUpstreamOwner(account)
  if (owner !== null) return enter(owner, login, isFresh, ceremony, visit, parts)
  return meetNewcomer({ ...login, ...(await findClaims()) }, upstream, visit, parts)
}
