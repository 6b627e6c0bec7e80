/** A new account, behind the link of the mail about a sign-up. */

import type { Answer } from '../../http/answer.ts'
import { type OpenedLink, openLinks } from '../../owners/links.ts'
import { type PasswordFault, passwordFault } from '../../owners/password-rule.ts'
import { newOwner } from '../../owners/registration.ts'
import { openSessionStart } from '../../owners/session.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import { traceOf } from '../../store/trace.ts'
import { answerLogInNow } from '../owner-visit.ts'
import { type BrowserVisit, showPage } from '../visit.ts'
import { openWaiting } from '../waiting.ts'
import { answerArrived, answeredAs, showDeadLink, showTaken, type WaysNeeds } from './needs.ts'
import { renderSignUp } from './page.ts'

interface SignUpShown {
  readonly link: string
  readonly opened: OpenedLink
  readonly name?: string
  readonly problem?: PasswordFault
}

export const openSignUp = (needs: WaysNeeds) => {
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
