/** After an upstream has logged somebody in, or not: the session, the second step, or the page for newcomers. */
import type { Answer } from '../../http/answer.ts'
import { needsSecondFactor } from '../../model/factor.ts'
import { textIn } from '../../model/language.ts'
import type { Owner } from '../../model/owner.ts'
import { beginCeremony, type NewUpstreamOwner, type UpstreamLogin } from '../../owners/ceremony.ts'
import { openSecondFactor } from '../../owners/second-factor.ts'
import { maySignUp } from '../../owners/upstream-owner.ts'
import { confirmsAlone } from '../../owners/ways-in.ts'
import { hidden, waitingFields } from '../../paper/fields.ts'
import { html } from '../../paper/markup.ts'
import { renderNewcomer } from '../../paper/upstreams.ts'
import { pageUrl } from '../../paper/view.ts'
import type { Ceremony } from '../../store/contract/factor.ts'
import type { Upstream } from '../../upstreams/index.ts'
import type { UpstreamPerson } from '../../upstreams/upstream.ts'
import { answerSeeOther, showPage } from '../visit.ts'
import type { Entrance, LoginNeeds, LoginVisit } from './entrance.ts'

/** @param ceremony of this login: it counts once */
export type AdmitPerson = (
  person: UpstreamPerson,
  ceremony: Ceremony,
  upstream: Upstream,
  visit: LoginVisit,
) => Promise<Answer>

export const openAdmission = (
  needs: LoginNeeds,
  { answerEntered, showLogin, startSession }: Entrance,
): AdmitPerson => {
  const { begin } = openSecondFactor(needs, startSession)
  const { store } = needs

  /**
   * The page for somebody whom an upstream knows and nobody here. An email address opens no account, not
   * even a verified one: whoever has an account links it, and anybody else makes a new one.
   */
  const meetNewcomer = (
    person: NewUpstreamOwner,
    upstream: Upstream,
    visit: LoginVisit,
  ): Answer => {
    const { view, csrf, journey, next, stranger, at } = visit
    const { id, title } = upstream.settings
    const { text } = beginCeremony('new upstream owner', person, stranger, at, needs)
    const fields = html`${hidden('csrf', csrf)}${waitingFields(journey, next)}${hidden('ceremony', text)}`
    const newcomer = renderNewcomer({
      view,
      upstream: { id, title: textIn(title, view.language) },
      label: person.email || person.username,
      form: maySignUp(upstream, needs) ? fields : null,
      back: pageUrl(view, '/login', { journey, next }),
    })
    return showPage(visit, newcomer)
  }

  const enter = async (
    owner: Owner,
    login: UpstreamLogin,
    isFresh: boolean,
    ceremony: Ceremony,
    visit: LoginVisit,
  ): Promise<Answer> => {
    const { stranger, at, journey, next } = visit
    const { account, methods, isStrong, authTime } = login
    if (!isStrong && needsSecondFactor(await store.findFactors(owner.id))) {
      const second = begin(owner, stranger, at, login)
      return answerSeeOther(visit, '/login/second', { ceremony: second, journey, next })
    }
    const isConfirmed = isFresh || authTime !== null || !(await confirmsAlone(owner, needs))
    const entry = {
      login: { upstream: account, ceremony, isStrong },
      methods,
      authTime,
      isConfirmed,
    }
    const started = await startSession(owner, entry, visit)
    if (started.outcome === 'accepted') return answerEntered(visit, started.cookies)
    return showLogin(visit, { problem: started.outcome === 'finished' ? 'finished' : 'begin' })
  }

  return async (person, ceremony, upstream, visit) => {
    const { account, methods, isStrong, authTime, isFresh, findClaims } = person
    const login = { account, methods, isStrong, authTime }
    const owner = await store.findUpstreamOwner(account)
    if (owner !== null) return enter(owner, login, isFresh, ceremony, visit)
    return meetNewcomer({ ...login, ...(await findClaims()) }, upstream, visit)
  }
}
