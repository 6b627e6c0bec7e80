/**
 * `/forgot` and `/signup`: people ask for a link. The same page, the same words and the same work,
 * whoever is meant. So nobody learns who has an account, and nobody makes one with somebody else's address.
 */

import { plainAddress } from '../../config/people.ts'
import type { Answer } from '../../http/answer.ts'
import { type Journey, openJourney } from '../../journey/journey.ts'
import { situate } from '../../journey/situation.ts'
import { askForMail } from '../../owners/ask-mail.ts'
import { ownerLimits } from '../../owners/limits.ts'
import { type OpenedLink, openLinks } from '../../owners/links.ts'
import { type PasswordFault, passwordFault } from '../../owners/password-rule.ts'
import { newOwner } from '../../owners/registration.ts'
import { openSessionStart } from '../../owners/session.ts'
import { canMail, signUpMode } from '../../owners/ways-in.ts'
import { type Parameters, parameterLimits } from '../../protocol/parameters.ts'
import { formRows, type RouteRow } from '../../route.ts'
import { traceOf } from '../../store/trace.ts'
import { answerLogInNow } from '../owner-visit.ts'
import type { PageHandler, Pages } from '../pages.ts'
import { viewOf } from '../view.ts'
import { answerSeeOther, type BrowserVisit, showPage } from '../visit.ts'
import { openWaiting } from '../waiting.ts'
import { answerArrived, answeredAs, showDeadLink, showTaken, type WaysNeeds } from './needs.ts'
import {
  type AskedFor,
  renderAsk,
  renderClosed,
  renderMade,
  renderSent,
  renderSignUp,
} from './page.ts'

interface SignUpShown {
  readonly link: string
  readonly opened: OpenedLink
  readonly name?: string
  readonly problem?: PasswordFault
}

const openSignUp = (needs: WaysNeeds) => {
  const { settings, store } = needs
  const { openSignUpLink } = openLinks(needs)
  const waiting = openWaiting(needs)
  const startSession = openSessionStart(needs)

  const showForm = (
    { view, csrf, cookies }: BrowserVisit,
    { link, opened, name = '', problem }: SignUpShown,
  ): Answer => {
    const html = renderSignUp({
      view,
      csrf,
      link,
      name,
      email: opened.email,
      leastCharacters: settings.passwordCharacters,
      problem: problem ?? null,
    })
    return showPage({ view, cookies }, html, answeredAs(problem ?? null))
  }

  return {
    async show(visit: BrowserVisit, link: string): Promise<Answer> {
      const opened = await openSignUpLink(link, visit.at)
      return opened === null
        ? showDeadLink(visit, 'signup', needs)
        : showForm(visit, { link, opened })
    },
    /** The account is called by its address. A chosen name would tell whether somebody else has it. */
    async create(visit: BrowserVisit, link: string, form: Parameters): Promise<Answer> {
      const opened = await openSignUpLink(link, visit.at)
      if (opened === null) return showDeadLink(visit, 'signup', needs)
      const { email } = opened
      const name = (form.find('name') ?? '').trim()
      const password = form.find('password') ?? ''
      const problem = await passwordFault(password, { username: email, name, email }, settings)
      if (problem !== null) return showForm(visit, { link, opened, name, problem })
      const members = { username: email, email, email_verified: true, name, password }
      const owner = await newOwner(members, needs)
      const outcome = await store.signUp(owner, opened.link, traceOf(visit, needs))
      if (outcome === 'address_taken') return showTaken(visit, email)
      if (outcome !== 'created') return showDeadLink(visit, 'signup', needs)
      const login = { passwordHash: owner.passwordHash }
      const entry = { login, methods: ['pwd'], isNewAccount: true } as const
      const started = await startSession(owner, entry, visit)
      return started.outcome === 'accepted'
        ? answerArrived(visit, opened.waits, started.cookies, waiting)
        : answerLogInNow(visit, 'passwordChosen')
    },
  }
}

/** A visit to a page on which people ask for a link. */
interface WayVisit extends BrowserVisit {
  /** The form that was sent, or the query of the page. */
  readonly given: Parameters
  /** The authorization request that waits, sealed; '' = none. */
  readonly journey: string
  /** The same, opened. */
  readonly resumed: Journey | null
}

interface Shown {
  readonly problem?: 'bad' | null
  readonly waitSeconds?: number | null
}

const showAsk = (
  visit: WayVisit,
  way: AskedFor,
  { problem = null, waitSeconds = null }: Shown = {},
): Answer => {
  const { view, csrf, journey } = visit
  const html = renderAsk({ view, csrf, journey, way, problem, waitSeconds })
  if (waitSeconds !== null) {
    return showPage(visit, html, { status: 429, reason: 'mail_throttled', waitSeconds })
  }
  return showPage(visit, html, problem === null ? {} : { status: 400, reason: 'bad_email' })
}

/** Nobody has a longer name or address, or one with invisible characters. */
const namedIn = (form: Parameters): string =>
  (form.find('username') ?? '')
    .slice(0, parameterLimits.emailCharacters)
    .replace(/\p{C}+/gu, '')
    .trim()

/** What both ways share. */
const openAsking = (needs: WaysNeeds) => {
  const { settings } = needs
  const { park, keepTypedName, findTypedName } = openWaiting(needs)
  return {
    /** The page after the form. The page does not say for whom: its URL would. */
    async showSent(visit: WayVisit, way: AskedFor): Promise<Answer> {
      const { view, csrf, journey, resumed, at } = visit
      const hasMailbox = settings.demo && settings.smtp === null
      const client = resumed && (await situate(resumed, visit, at, needs)).target.client
      const clientName = client?.name ?? null
      const typed = findTypedName(visit)
      return showPage(
        visit,
        renderSent({ view, csrf, way, typed, hasMailbox, journey, clientName }),
      )
    },
    /** People may hold a link of the operator, so the request waits here, too. */
    showClosed(visit: WayVisit, way: AskedFor, why: 'off' | 'invited'): Answer {
      const { view, journey, resumed } = visit
      const parked = resumed === null ? [] : park(visit).cookies
      const cookies = [...visit.cookies, ...parked]
      const html = renderClosed({ view, journey, way, why })
      return showPage({ view, cookies }, html, { status: 404, reason: `${way}_closed` })
    },
    /** @param about a name or an address, as typed */
    async ask(visit: WayVisit, way: AskedFor, about: string): Promise<Answer> {
      const waits = visit.resumed !== null
      const wanted = { kind: way, ownerId: null, about, language: visit.view.language.tag, waits }
      const waitSeconds = await askForMail(wanted, visit.address, traceOf(visit, needs), needs)
      if (waitSeconds !== null) return showAsk(visit, way, { waitSeconds })
      const { journey, cookies } = park(visit)
      const kept = [...cookies, keepTypedName(about)]
      return answerSeeOther(visit, `/${way}`, { sent: '1', journey }, kept)
    },
  }
}

export const openAsk = (needs: WaysNeeds, pages: Pages): readonly RouteRow[] => {
  const { showSent, showClosed, ask } = openAsking(needs)
  const signUp = openSignUp(needs)

  /** Opens the request that waits. Refuses it if it is too old, changed, or of another browser. */
  const forWay = (handle: PageHandler<WayVisit>) =>
    pages.forBrowser(async (visit) => {
      const { browser, at } = visit
      const given = await pages.readGiven(visit)
      const journey = given.find('journey') ?? ''
      const resumed = journey === '' ? null : await openJourney(journey, browser, at, needs)
      const view = viewOf(visit, needs, resumed, visit.login?.owner.pages)
      return handle({ ...visit, view, given, journey, resumed })
    })

  const showForgot = forWay((visit) => {
    if (!canMail(needs)) return showClosed(visit, 'forgot', 'off')
    return visit.given.find('sent') === null ? showAsk(visit, 'forgot') : showSent(visit, 'forgot')
  })

  const askForReset = forWay((visit) =>
    canMail(needs)
      ? ask(visit, 'forgot', namedIn(visit.given))
      : showClosed(visit, 'forgot', 'off'),
  )

  const showSignUp = forWay((visit) => {
    const { given, view } = visit
    const mode = signUpMode(needs)
    if (mode !== 'open') return showClosed(visit, 'signup', mode)
    if (given.find('made') !== null) return showPage(visit, renderMade({ view }))
    const link = given.find('link')
    if (link !== null) return signUp.show(visit, link)
    return given.find('sent') === null ? showAsk(visit, 'signup') : showSent(visit, 'signup')
  })

  const takeSignUp = forWay((visit) => {
    const { given } = visit
    const mode = signUpMode(needs)
    if (mode !== 'open') return showClosed(visit, 'signup', mode)
    const link = given.find('link')
    if (link !== null) return signUp.create(visit, link, given)
    const email = (given.find('email') ?? '').trim().normalize('NFC')
    const isAddress = plainAddress.test(email) && email.length <= ownerLimits.usernameCharacters
    return isAddress ? ask(visit, 'signup', email) : showAsk(visit, 'signup', { problem: 'bad' })
  })

  return [
    ...formRows('/signup', showSignUp, takeSignUp),
    ...formRows('/forgot', showForgot, askForReset),
  ]
}
