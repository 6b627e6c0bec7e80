/**
 * The door of the console. `consolePage` is for pages, and `consoleAction` for what their forms do.
 * Both find the operator or auditor behind a request, and refuse everybody else:
 *
 * - a stranger is led to the login and back;
 * - an owner without a role gets the page of an unknown address (404);
 * - a login with one factor is told to log in with two (403);
 * - an auditor who sends a form is refused (403), and so is a form without its CSRF token;
 * - an action without a recent proof leads to `/account/confirm` and back, and does nothing.
 *
 * The role is read with each request, so taking it away holds at once. Steps of the store get their
 * trace by `traceOf(visit, parts)` as everywhere; then the event names the operator.
 */
import type { Answer } from '../../http/answer.ts'
import { hasFactor } from '../../model/factor.ts'
import { type ConsoleRole, consoleRoleOf } from '../../model/owner.ts'
import { contextOf } from '../../model/session.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import type { Endpoint } from '../../route.ts'
import { accountPageOf } from '../account-pages.ts'
import { readOwnForm } from '../form.ts'
import { forOwner, type PageEndpoint } from '../former.ts'
import { answerDoneAt, noticeOf, type OwnerVisit } from '../owner-visit.ts'
import { answerSeeOther, showPage } from '../visit.ts'
import type { ConsolePageGiven } from './frame.ts'
import { consoleLimits } from './limits.ts'
import { renderSecondFactor } from './second-factor.ts'
import { consoleWords } from './words.ts'

/** A visit to the console. */
export interface ConsoleVisit extends OwnerVisit {
  readonly role: ConsoleRole
  /** For `renderConsolePage`. */
  readonly given: ConsolePageGiven
}

/** The same words as for a path that does not exist. */
const noRole = (): Refusal =>
  new Refusal('not_found', 'no_console_role', 'there is nothing at this path')

const operatorNeeded = (): Refusal =>
  new Refusal('access_denied', 'operator_role_needed', 'this needs the role operator')

const answerSecondFactor = async (visit: OwnerVisit, parts: ServiceParts): Promise<Answer> => {
  const { view, login } = visit
  const { owner } = login
  const page = renderSecondFactor({
    view,
    owner,
    hasFactor: hasFactor(await parts.store.findFactors(owner.id)),
    next: accountPageOf(visit, parts).name,
  })
  return showPage(visit, page, { status: 403, reason: 'console_factor_needed' })
}

/**
 * A page of the console.
 *
 * @param least `auditor`: for everybody who has entry; `operator`: for operators alone
 */
export const consolePage = (
  endpoint: PageEndpoint<ConsoleVisit>,
  least: ConsoleRole = 'auditor',
): Endpoint =>
  forOwner((visit, parts) => {
    const { view, csrf, login, caller } = visit
    const { owner, session } = login
    const role = consoleRoleOf(owner)
    if (role === null) throw noRole()
    if (contextOf(session) === '1') return answerSecondFactor(visit, parts)
    if (least === 'operator' && role !== 'operator') throw operatorNeeded()
    caller.proven = { type: 'operator', ownerId: owner.id }
    return endpoint({ ...visit, role, given: { view, csrf, owner, role } }, parts)
  })

/**
 * A form for operators whose action is dangerous. The proof comes first: otherwise all that was typed
 * would be lost on the way.
 */
export const consoleForm = (endpoint: PageEndpoint<ConsoleVisit>): Endpoint =>
  consolePage(
    (visit, parts) => (isProven(visit) ? endpoint(visit, parts) : answerUnproven(visit, parts)),
    'operator',
  )

type ConsoleChange = (
  visit: ConsoleVisit,
  form: Parameters,
  parts: ServiceParts,
) => Promise<Answer> | Answer

const isProven = ({ login, at }: ConsoleVisit): boolean =>
  at - login.session.confirmedAt < consoleLimits.confirmationSeconds

/** The way to the proof, and back to this page. */
const answerUnproven = (visit: ConsoleVisit, parts: ServiceParts): Answer => {
  const { name: next } = accountPageOf(visit, parts)
  return answerSeeOther(visit, '/account/confirm', { next })
}

/**
 * What a form of the console does. A dangerous action needs a recent proof that the operator is there.
 *
 * @param danger `harmless`: it can be undone by the next click, and opens nothing to anybody
 */
export const consoleAction = (
  change: ConsoleChange,
  danger: 'dangerous' | 'harmless' = 'dangerous',
): Endpoint =>
  consolePage(async (visit, parts) => {
    const form = await readOwnForm(visit, parts)
    if (danger === 'harmless' || isProven(visit)) return change(visit, form, parts)
    return answerUnproven(visit, parts)
  }, 'operator')

/** A form of old values would undo the change of another operator. */
export const changedMeanwhile = (): Refusal =>
  new Refusal('conflict', 'changed_meanwhile', 'it was changed meanwhile: open this form again')

/** Back to a page of the console. Its notice says what was done. */
export const answerConsole = (
  visit: ConsoleVisit,
  path: `/admin${string}`,
  what: string,
  query: Readonly<Record<string, string>> = {},
): Answer => answerDoneAt(visit, path, { what, clientId: null }, query)

/** What was just done, in the words of a page. */
export const consoleNotice = (
  visit: ConsoleVisit,
  said: Readonly<Record<string, string>>,
): string | null =>
  noticeOf(visit, { ...said, confirmed: consoleWords(visit.view.language).confirmed })
