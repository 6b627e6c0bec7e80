/** `/reset` and `/invite`: the holder of a link chooses the password of an account. */
import type { Answer } from '../../http/answer.ts'
import type { Owner } from '../../model/owner.ts'
import { guessedCounters } from '../../owners/counters.ts'
import { rememberBrowser } from '../../owners/known-browser.ts'
import { type OpenedOwnerLink, openOwnerLink } from '../../owners/links.ts'
import { type PasswordFault, passwordFault } from '../../owners/password-rule.ts'
import { changedPassword } from '../../owners/registration.ts'
import { startSession } from '../../owners/session.ts'
import { waysOfFormerPassword } from '../../owners/ways-in.ts'
import type { ServiceParts } from '../../registries.ts'
import { traceOf } from '../../store/trace.ts'
import { answerLogInNow } from '../owner-visit.ts'
import { keepTypedName } from '../typed-name.ts'
import { showPage } from '../visit.ts'
import { answerArrived, findParked } from '../waiting.ts'
import { renderNewPassword } from './link.ts'
import { forLink, type LinkVisit, passwordReasons, showDeadLink } from './visit.ts'

type ResetVisit = LinkVisit<OpenedOwnerLink>
type ResetPurpose = 'reset' | 'invite'

const openFor =
  (purpose: ResetPurpose) =>
  (link: string, at: number, parts: ServiceParts): Promise<OpenedOwnerLink | null> =>
    openOwnerLink(purpose, link, at, parts)

const show = (
  visit: ResetVisit,
  purpose: ResetPurpose,
  problem: PasswordFault | null,
  { settings }: ServiceParts,
): Answer => {
  const { view, csrf, link, opened } = visit
  const html = renderNewPassword({
    view,
    csrf,
    link,
    purpose,
    problem,
    expiresAt: opened.link.expiresAt,
    username: opened.owner.username,
    leastCharacters: settings.passwordCharacters,
  })
  return showPage(
    visit,
    html,
    problem === null
      ? { hasScript: true }
      : { status: 400, reason: passwordReasons[problem], hasScript: true },
  )
}

/** Null where the link was used, or the account changed, in this very moment. */
const choose = async (
  visit: ResetVisit,
  password: string,
  parts: ServiceParts,
): Promise<Owner | null> => {
  const { owner, link, email: proves } = visit.opened
  const { email, passwordHash, roles } = owner
  const by = { link, email, passwordHash, roles, proves }
  const changed = await changedPassword({ password }, owner, parts)
  return parts.store.changePassword(owner.id, changed, by, traceOf(visit, parts))
}

/**
 * Only the owner was mailed the link. So strangers who guessed meanwhile keep this browser out no
 * longer.
 *
 * @returns the header that makes the browser known
 */
const letIn = async (visit: ResetVisit, owner: Owner, parts: ServiceParts): Promise<string> => {
  const guessed = guessedCounters(owner)
  await parts.store.clearAttempts(guessed, [], traceOf(visit, parts))
  return rememberBrowser(owner, [], visit.request, visit.at, parts)
}

/**
 * Somebody else may read the mails of an owner. So a reset does not log in, and second factors stay.
 * A thief of the former password may have added a passkey: then the login leads to the page of them.
 */
const answerReset = async (
  visit: ResetVisit,
  owner: Owner,
  parts: ServiceParts,
): Promise<Answer> => {
  const kept = [await letIn(visit, owner, parts), keepTypedName(owner.username, parts)]
  if (!(await waysOfFormerPassword(owner.id, parts)).isNone) {
    return answerLogInNow(visit, 'passwordChosen', { next: 'security' }, kept)
  }
  const parked = await findParked(visit, parts)
  if (parked !== null) {
    return answerLogInNow(visit, 'passwordChosen', parked, [...parked.cookies, ...kept])
  }
  const what = visit.opened.waits ? 'passwordChosenElsewhere' : 'passwordChosen'
  return answerLogInNow(visit, what, {}, kept)
}

/** An invitation logs in: a login would ask for nothing but the new password. */
const answerInvited = async (
  visit: ResetVisit,
  owner: Owner,
  parts: ServiceParts,
): Promise<Answer> => {
  const login = { passwordHash: owner.passwordHash }
  const started = await startSession(
    owner,
    { login, methods: ['pwd'], isNewAccount: true },
    visit,
    parts,
  )
  return started.outcome === 'accepted'
    ? answerArrived(visit, false, started.cookies, parts)
    : answerLogInNow(visit, 'passwordChosen')
}

const answers = { reset: answerReset, invite: answerInvited } as const

const showFor = (purpose: ResetPurpose) =>
  forLink(openFor(purpose), 'forgot', (visit, parts) => show(visit, purpose, null, parts))

const chooseFor = (purpose: ResetPurpose) =>
  forLink(openFor(purpose), 'forgot', async (visit, parts) => {
    const password = visit.given.find('password') ?? ''
    const fault = await passwordFault(password, visit.opened.owner, parts.settings)
    if (fault !== null) return show(visit, purpose, fault, parts)
    const owner = await choose(visit, password, parts)
    return owner === null
      ? showDeadLink(visit, 'forgot', parts)
      : answers[purpose](visit, owner, parts)
  })

/** `GET` and `POST /reset` */
export const showResetPage = showFor('reset')
export const resetPassword = chooseFor('reset')

/** `GET` and `POST /invite` */
export const showInvitePage = showFor('invite')
export const acceptInvitation = chooseFor('invite')
