/**
 * `/reset`, `/invite` and `/verify`: the holder of a link chooses the password of an account, or confirms
 * the email address. Opening a link shows the page; only its form uses the link up.
 */

import type { Answer } from '../../http/answer.ts'
import type { Owner } from '../../model/owner.ts'
import { makeGuessedCounters } from '../../owners/counters.ts'
import { rememberBrowser } from '../../owners/known-browser.ts'
import { type OwnerLinkPurpose, openLinks } from '../../owners/links.ts'
import { findPasswordFault, type PasswordFault } from '../../owners/password-rule.ts'
import { hashNewPassword } from '../../owners/registration.ts'
import { findSuspectWays } from '../../owners/ways-in.ts'
import { sayPasswordFault } from '../../paper/words/password.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import { type Handler, makeRows, type RouteRow } from '../../route.ts'
import { traceOf } from '../../store/trace.ts'
import { answerLogInNow } from '../owner-visit.ts'
import type { PageHandler, Pages } from '../pages.ts'
import { type BrowserVisit, showPage } from '../visit.ts'
import { openWaiting } from '../waiting.ts'
import { type LinkPage, renderNewPassword, renderVerify } from './link.ts'
import { getPageOptions, openArrival, showDeadLink, showTaken, type WaysNeeds } from './needs.ts'

interface LinkVisit extends BrowserVisit, LinkPage {
  /** The form that was sent, or the query of the page. */
  readonly given: Parameters
}

/** @param next where people ask for another link */
const openForLink = (needs: WaysNeeds, { forBrowser, readGiven }: Pages) => {
  const { openOwnerLink } = openLinks(needs)
  return (
    purpose: OwnerLinkPurpose,
    next: 'forgot' | null,
    handle: PageHandler<LinkVisit>,
  ): Handler =>
    forBrowser(async (visit) => {
      const given = await readGiven(visit)
      const link = given.find('link') ?? ''
      const opened = await openOwnerLink(purpose, link, visit.at)
      if (opened === null) return showDeadLink(visit, next, needs)
      return handle({ ...visit, given, link, opened })
    })
}

type AnswerChosen = (visit: LinkVisit, owner: Owner) => Promise<Answer>

const openReset = (needs: WaysNeeds): AnswerChosen => {
  const { findParked, keepTypedName, forgetSent } = openWaiting(needs)

  /**
   * Somebody else may read the mails of an owner. So a reset does not log in, and second factors stay.
   * A thief of the former password may have added a passkey: then the login leads to the page of them.
   */
  return async (visit, owner) => {
    // Only the owner was mailed the link. Strangers who guessed meanwhile keep this browser out no longer.
    await needs.store.clearAttempts(makeGuessedCounters(owner), [], traceOf(visit, needs))
    const known = rememberBrowser(owner, [], visit.request, visit.at, needs)
    // A name is no address, and no link to it is under way.
    const kept = [known, ...forgetSent(), keepTypedName(owner.username)]
    if (!(await findSuspectWays(owner.id, needs)).isNone) {
      return answerLogInNow(visit, 'passwordChosen', { next: 'security' }, kept)
    }
    const parked = await findParked(visit, owner.id)
    if (parked !== null) {
      return answerLogInNow(visit, 'passwordChosen', parked, [...parked.cookies, ...kept])
    }
    const what = visit.opened.waits ? 'passwordChosenElsewhere' : 'passwordChosen'
    return answerLogInNow(visit, what, {}, kept)
  }
}

export const openPasswordLinks = (needs: WaysNeeds, pages: Pages): readonly RouteRow[] => {
  const { settings, store } = needs
  const forLink = openForLink(needs, pages)

  const show = (
    visit: LinkVisit,
    purpose: 'reset' | 'invite',
    problem: PasswordFault | null = null,
    typed = '',
  ): Answer => {
    const { passwordCharacters: least } = settings
    const said = problem && sayPasswordFault(problem, typed, least, visit.view.language)
    const html = renderNewPassword(visit, purpose, least, said)
    return showPage(visit, html, getPageOptions(problem))
  }

  /** Null where the link was used, or the account changed, in this very moment. */
  const choose = async (visit: LinkVisit, password: string): Promise<Owner | null> => {
    const { owner, link, email: proves } = visit.opened
    const { email, passwordHash, roles } = owner
    const by = { link, email, passwordHash, roles, proves }
    const changed = await hashNewPassword({ password }, owner, needs)
    return store.changePassword(owner.id, changed, by, traceOf(visit, needs))
  }

  const openFor = (purpose: 'reset' | 'invite', answer: AnswerChosen) => ({
    show: forLink(purpose, 'forgot', (visit) => show(visit, purpose)),
    take: forLink(purpose, 'forgot', async (visit) => {
      const password = visit.given.find('password') ?? ''
      const fault = await findPasswordFault(password, visit.opened.owner, settings)
      if (fault !== null) return show(visit, purpose, fault, password)
      const owner = await choose(visit, password)
      return owner === null ? showDeadLink(visit, 'forgot', needs) : answer(visit, owner)
    }),
  })

  const reset = openFor('reset', openReset(needs))
  // A login would ask for nothing but the new password.
  const invite = openFor('invite', openArrival(needs))
  return [
    ...makeRows('/reset', reset.show, reset.take),
    ...makeRows('/invite', invite.show, invite.take),
  ]
}

export const openVerify = (needs: WaysNeeds, pages: Pages): readonly RouteRow[] => {
  const forLink = openForLink(needs, pages)

  const show = forLink('verify', null, (visit) => showPage(visit, renderVerify(visit)))

  const confirm = forLink('verify', null, async (visit) => {
    const { owner, email, link } = visit.opened
    const { passwordHash, roles } = owner
    const by = { link, email: owner.email, passwordHash, roles, proves: email }
    const trace = traceOf(visit, needs)
    const confirmed = await needs.store.confirmEmail(owner.id, email, by, trace)
    if (confirmed === 'address_taken') return showTaken(visit, email)
    if (confirmed === null) return showDeadLink(visit, null, needs)
    const known = rememberBrowser(confirmed, [], visit.request, visit.at, needs)
    return answerLogInNow(visit, 'emailConfirmed', {}, [known])
  })

  return makeRows('/verify', show, confirm)
}
