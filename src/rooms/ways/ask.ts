/**
 * `/forgot` and `/signup`: people ask for a link. The same page, the same words and the same work,
 * whoever is meant. So nobody learns who has an account, and nobody makes one with somebody else's address.
 */

import { plainAddress } from '../../config/people.ts'
import type { Answer } from '../../http/answer.ts'
import { situate } from '../../journey/situation.ts'
import { askForMail } from '../../owners/ask-mail.ts'
import { ownerLimits } from '../../owners/limits.ts'
import { type OpenedLink, openLinks } from '../../owners/links.ts'
import { findPasswordFault, type PasswordFault } from '../../owners/password-rule.ts'
import { parseOwner } from '../../owners/registration.ts'
import { type AskedMail, openSentMails } from '../../owners/sent-mails.ts'
import { canMail, signUpMode } from '../../owners/ways-in.ts'
import { sayPasswordFault } from '../../paper/words/password.ts'
import { type Parameters, parameterLimits } from '../../protocol/parameters.ts'
import { makeRows, type RouteRow } from '../../route.ts'
import { traceOf } from '../../store/trace.ts'
import { answerLogInNow } from '../owner-visit.ts'
import type { PageHandler, Pages } from '../pages.ts'
import { answerSeeOther, type BrowserVisit, showPage } from '../visit.ts'
import { openWaiting, openWaitingVisit, type WaitingVisit } from '../waiting.ts'
import type { LinkPage } from './link.ts'
import { getPageOptions, openArrival, showDeadLink, showTaken, type WaysNeeds } from './needs.ts'
import {
  type AskedFor,
  type AskProblem,
  askRefused,
  renderAsk,
  renderClosed,
  renderMade,
  renderSent,
  renderSignUp,
} from './page.ts'

const openSignUp = (needs: WaysNeeds) => {
  const { settings, store } = needs
  const { openSignUpLink } = openLinks(needs)
  const arrive = openArrival(needs)

  const showForm = (
    visit: BrowserVisit & LinkPage<OpenedLink>,
    name = '',
    problem: PasswordFault | null = null,
    typed = '',
  ): Answer => {
    const { passwordCharacters: least } = settings
    const said = problem && sayPasswordFault(problem, typed, least, visit.view.language)
    const html = renderSignUp(visit, name, least, said)
    return showPage(visit, html, getPageOptions(problem))
  }

  return {
    async show(visit: BrowserVisit, link: string): Promise<Answer> {
      const opened = await openSignUpLink(link, visit.at)
      return opened === null
        ? showDeadLink(visit, 'signup', needs)
        : showForm({ ...visit, link, opened })
    },
    /** The account is called by its address. A chosen name would tell whether somebody else has it. */
    async create(visit: BrowserVisit, link: string, form: Parameters): Promise<Answer> {
      const opened = await openSignUpLink(link, visit.at)
      if (opened === null) return showDeadLink(visit, 'signup', needs)
      const { email } = opened
      const name = (form.find('name') ?? '').trim()
      const password = form.find('password') ?? ''
      const problem = await findPasswordFault(password, { username: email, name, email }, settings)
      if (problem !== null) return showForm({ ...visit, link, opened }, name, problem, password)
      const members = { username: email, email, email_verified: true, name, password }
      const owner = await parseOwner(members, needs)
      const outcome = await store.signUp(owner, opened.link, traceOf(visit, needs))
      if (outcome === 'address_taken') return showTaken(visit, email)
      if (outcome !== 'created') return showDeadLink(visit, 'signup', needs)
      return arrive(visit, owner, opened.waits)
    },
  }
}

const showAsk = (
  visit: WaitingVisit,
  way: AskedFor,
  problem: AskProblem | null = null,
  waitSeconds: number | null = null,
): Answer => {
  const html = renderAsk({ ...visit, way, problem, waitSeconds })
  if (waitSeconds !== null) {
    return showPage(visit, html, { status: 429, reason: 'mail_throttled', waitSeconds })
  }
  return showPage(visit, html, problem === null ? {} : askRefused[problem])
}

const makeAsked = ({ browser, at }: WaitingVisit, way: AskedFor): AskedMail => ({
  purpose: way === 'forgot' ? 'reset' : way,
  browser,
  ownerId: null,
  at,
})

/** Nobody has a longer name or address, or one with invisible characters. */
const readName = (form: Parameters): string =>
  (form.find('username') ?? '')
    .slice(0, parameterLimits.emailCharacters)
    .replace(/\p{C}+/gu, '')
    .trim()

const openAsking = (needs: WaysNeeds) => {
  const { settings } = needs
  const waiting = openWaiting(needs)
  const { park, keepTypedName, findTypedName } = waiting
  const sentMails = openSentMails(needs)
  return {
    /** The page after the form. The page does not say for whom: its URL would. */
    async showSent(visit: WaitingVisit, way: AskedFor): Promise<Answer> {
      const { resumed, at } = visit
      const hasMailbox = settings.demo && settings.smtp === null
      const client = resumed && (await situate(resumed, visit, at, needs)).target.client
      const clientName = client?.name ?? null
      const typed = findTypedName(visit)
      const kept = waiting.findSent(visit)
      const isOpen = (await sentMails.list(kept, makeAsked(visit, way))).length > 0
      const sent = isOpen ? kept : ''
      return showPage(visit, renderSent({ ...visit, way, typed, sent, hasMailbox, clientName }))
    },
    /** People may hold a link of the operator, so the request waits here, too. */
    showClosed(visit: WaitingVisit, way: AskedFor, why: 'off' | 'invited'): Answer {
      const { view, resumed } = visit
      const parked = resumed === null ? [] : park(visit).cookies
      const cookies = [...visit.cookies, ...parked]
      const html = renderClosed({ ...visit, way }, why)
      return showPage({ view, cookies }, html, { status: 404, reason: `${way}_closed` })
    },
    /** @param about a name or an address, as typed */
    async ask(visit: WaitingVisit, way: AskedFor, about: string): Promise<Answer> {
      const waits = visit.resumed !== null
      const wanted = { kind: way, ownerId: null, about, language: visit.view.language.tag, waits }
      const mail = await askForMail(wanted, visit.address, traceOf(visit, needs), needs)
      if (typeof mail === 'number') return showAsk(visit, way, null, mail)
      // A page that was left behind has mails, too.
      const before = visit.given.find('sent') || waiting.findSent(visit)
      const sent = await sentMails.add(mail, before, makeAsked(visit, way))
      const { journey, cookies } = park(visit)
      const kept = [...cookies, keepTypedName(about), waiting.keepSent(sent)]
      return answerSeeOther(visit, `/${way}`, { sent: '1', journey }, kept)
    },
    /** Says the same whether or not there was a mail, and whether or not its link was used. */
    async cancel(visit: WaitingVisit, way: AskedFor): Promise<Answer> {
      const { given, journey } = visit
      const asked = makeAsked(visit, way)
      const mails = await sentMails.list(given.find('sent') ?? '', asked)
      if (mails.length === 0) return showAsk(visit, way, 'stale')
      await sentMails.cancel(mails, asked)
      const to = journey === '' ? {} : { journey }
      return answerLogInNow(visit, 'mailCancelled', to, waiting.forgetSent())
    },
  }
}

export const openAsk = (needs: WaysNeeds, pages: Pages): readonly RouteRow[] => {
  const { showSent, showClosed, ask, cancel } = openAsking(needs)
  const signUp = openSignUp(needs)

  const forWay = (handle: PageHandler<WaitingVisit>) =>
    pages.forBrowser(async (visit) => {
      const given = await pages.readGiven(visit)
      const journey = given.find('journey') ?? ''
      return handle(await openWaitingVisit(visit, given, journey, needs))
    })

  const showForgot = forWay((visit) => {
    if (!canMail(needs)) return showClosed(visit, 'forgot', 'off')
    return visit.given.find('sent') === null ? showAsk(visit, 'forgot') : showSent(visit, 'forgot')
  })

  const isCancel = ({ given }: WaitingVisit): boolean => given.find('action') === 'cancel'

  const askForReset = forWay((visit) => {
    if (isCancel(visit)) return cancel(visit, 'forgot')
    return canMail(needs)
      ? ask(visit, 'forgot', readName(visit.given))
      : showClosed(visit, 'forgot', 'off')
  })

  const showSignUp = forWay((visit) => {
    const { given, view } = visit
    const mode = signUpMode(needs)
    if (mode !== 'open') return showClosed(visit, 'signup', mode)
    if (given.find('made') !== null) return showPage(visit, renderMade(view))
    const link = given.find('link')
    if (link !== null) return signUp.show(visit, link)
    return given.find('sent') === null ? showAsk(visit, 'signup') : showSent(visit, 'signup')
  })

  const takeSignUp = forWay((visit) => {
    const { given } = visit
    if (isCancel(visit)) return cancel(visit, 'signup')
    const mode = signUpMode(needs)
    if (mode !== 'open') return showClosed(visit, 'signup', mode)
    const link = given.find('link')
    if (link !== null) return signUp.create(visit, link, given)
    const email = (given.find('email') ?? '').trim().normalize('NFC')
    const isAddress = plainAddress.test(email) && email.length <= ownerLimits.usernameCharacters
    return isAddress ? ask(visit, 'signup', email) : showAsk(visit, 'signup', 'bad')
  })

  return [
    ...makeRows('/signup', showSignUp, takeSignUp),
    ...makeRows('/forgot', showForgot, askForReset),
  ]
}
