/** After an upstream has logged somebody in, or not: the session, the second step, or the page for newcomers. */
import type { Answer } from '../../http/answer.ts'
import { needsSecondFactor } from '../../model/factor.ts'
import type { Owner } from '../../model/owner.ts'
import type { UpstreamLogin } from '../../owners/ceremony.ts'
import { beginSecondStep } from '../../owners/second-factor.ts'
import { startSession } from '../../owners/session.ts'
import { confirmsAlone } from '../../owners/ways-in.ts'
import type { EndpointParts } from '../../registries.ts'
import type { Ceremony } from '../../store/contract/factor.ts'
import type { Upstream } from '../../upstreams/index.ts'
import type { UpstreamFault, UpstreamPerson } from '../../upstreams/upstream.ts'
import { tellUpstreamFault, upstreamProblems } from '../upstream-trip.ts'
import { answerSeeOther } from '../visit.ts'
import { answerEntered, type LoginVisit } from './entered.ts'
import { showLogin } from './login-page.ts'
import { meetNewcomer } from './newcomer-page.ts'

export const showUpstreamFault = (
  fault: UpstreamFault,
  upstream: Upstream,
  visit: LoginVisit,
  parts: EndpointParts,
): Promise<Answer> => {
  tellUpstreamFault(fault, upstream, visit, parts)
  return showLogin(visit, { problem: upstreamProblems[fault.kind] }, parts)
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
