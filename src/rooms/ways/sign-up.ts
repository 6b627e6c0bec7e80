/**
 * `/signup`: first an email address, then, behind the link of the mail, the account. So nobody learns
 * who has an account, and nobody makes one with somebody else's address.
 */
import { plainAddress } from '../../config/people.ts'
import type { Answer } from '../../http/answer.ts'
import { ownerLimits } from '../../owners/limits.ts'
import { type OpenedLink, openSignUpLink } from '../../owners/links.ts'
import { type PasswordFault, passwordFault } from '../../owners/password-rule.ts'
import { newOwner } from '../../owners/registration.ts'
import { startSession } from '../../owners/session.ts'
import { signUpMode } from '../../owners/ways-in.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import type { ServiceParts } from '../../registries.ts'
import { traceOf } from '../../store/trace.ts'
import { answerLogInNow } from '../owner-visit.ts'
import { type BrowserVisit, showPage } from '../visit.ts'
import { answerArrived, forWay } from '../waiting.ts'
import { ask, showAsk, showClosed, showSent } from './ask.ts'
import { renderMade, renderSignUp } from './page.ts'
import { passwordReasons, showDeadLink, showTaken } from './visit.ts'

interface SignUpShown {
  readonly link: string
  readonly opened: OpenedLink
  readonly name?: string
  readonly problem?: PasswordFault
}

const showForm = (
  visit: BrowserVisit,
  { link, opened, name = '', problem }: SignUpShown,
  { settings }: ServiceParts,
): Answer => {
  const html = renderSignUp({
    view: visit.view,
    csrf: visit.csrf,
    link,
    name,
    email: opened.email,
    leastCharacters: settings.passwordCharacters,
    problem: problem ?? null,
  })
  return showPage(
    visit,
    html,
    problem === undefined
      ? { hasScript: true }
      : { status: 400, reason: passwordReasons[problem], hasScript: true },
  )
}

/** `GET /signup` */
export const showSignUpPage = forWay(async (visit, parts) => {
  const { given, view } = visit
  const mode = signUpMode(parts)
  if (mode !== 'open') return showClosed(visit, 'signup', mode, parts)
  if (given.find('made') !== null) return showPage(visit, renderMade({ view }))
  const link = given.find('link')
  if (link === null) {
    return given.find('sent') === null ? showAsk(visit, 'signup') : showSent(visit, 'signup', parts)
  }
  const opened = await openSignUpLink(link, visit.at, parts)
  return opened === null
    ? showDeadLink(visit, 'signup', parts)
    : showForm(visit, { link, opened }, parts)
})

/** The account is called by its address. A chosen name would tell whether somebody else has it. */
const create = async (
  visit: BrowserVisit,
  link: string,
  form: Parameters,
  parts: ServiceParts,
): Promise<Answer> => {
  const opened = await openSignUpLink(link, visit.at, parts)
  if (opened === null) return showDeadLink(visit, 'signup', parts)
  const { email } = opened
  const name = (form.find('name') ?? '').trim()
  const password = form.find('password') ?? ''
  const problem = await passwordFault(password, { username: email, name, email }, parts.settings)
  if (problem !== null) return showForm(visit, { link, opened, name, problem }, parts)
  const members = { username: email, email, email_verified: true, name, password }
  const owner = await newOwner(members, parts)
  const outcome = await parts.store.signUp(owner, opened.link, traceOf(visit, parts))
  if (outcome === 'address_taken') return showTaken(visit, email)
  if (outcome !== 'created') return showDeadLink(visit, 'signup', parts)
  const login = { passwordHash: owner.passwordHash }
  const started = await startSession(
    owner,
    { login, methods: ['pwd'], isNewAccount: true },
    visit,
    parts,
  )
  return started.outcome === 'accepted'
    ? answerArrived(visit, opened.waits, started.cookies, parts)
    : answerLogInNow(visit, 'passwordChosen')
}

/** `POST /signup` */
export const signUp = forWay(async (visit, parts) => {
  const { given } = visit
  const mode = signUpMode(parts)
  if (mode !== 'open') return showClosed(visit, 'signup', mode, parts)
  const link = given.find('link')
  if (link !== null) return create(visit, link, given, parts)
  const email = (given.find('email') ?? '').trim().normalize('NFC')
  const isAddress = plainAddress.test(email) && email.length <= ownerLimits.usernameCharacters
  return isAddress
    ? ask(visit, 'signup', email, parts)
    : showAsk(visit, 'signup', { problem: 'bad' })
})
