/**
 * The entry of the console. The entry finds the operator or auditor behind a request, and refuses everybody
 * else:
 *
 * - a stranger is led to the login and back;
 * - an owner without a role gets the page of an unknown address (404);
 * - a login with one factor is told to log in with two (403);
 * - an auditor who sends a form is refused (403), and so is a form without its CSRF token;
 * - an action without a recent proof leads to `/account/confirm` and back, and does nothing.
 *
 * The role is read with each request, so taking it away holds at once. Steps of the store get their
 * trace by `traceOf(visit, needs)` as everywhere; then the event names the operator.
 */

import type { Answer } from '../../http/answer.ts'
import { hasFactor } from '../../model/factor.ts'
import { type ConsoleRole, findConsoleRole } from '../../model/owner.ts'
import { deriveContext } from '../../model/session.ts'
import type { Operation } from '../../operations/operation.ts'
import { type AdminNeeds, getPermissions, type Operator } from '../../operations/operator.ts'
import type { JsonRow } from '../../operations/surface/said.ts'
import { showOwner } from '../../paper/fields.ts'
import { renderLayout } from '../../paper/layout.ts'
import { html } from '../../paper/markup.ts'
import { pageUrl, type View } from '../../paper/view.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { type Handler, page, type RouteRow } from '../../route.ts'
import type { Upstreams } from '../../upstreams/index.ts'
import { findAccountPlace } from '../account-pages.ts'
import { answerDoneAt, findNotice, type OwnerVisit } from '../owner-visit.ts'
import type { PageHandler, Pages } from '../pages.ts'
import { answerSeeOther, showPage } from '../visit.ts'
import type { ConsolePageGiven, ConsolePath } from './frame.ts'
import { consoleLimits } from './limits.ts'
import { consoleWords } from './words.ts'

/** The parts behind the pages of the console. */
export type ConsoleNeeds = AdminNeeds & { readonly upstreams: Upstreams }

/** A visit to the console. */
export interface ConsoleVisit extends OwnerVisit {
  readonly role: ConsoleRole
  /** For `renderConsolePage`. */
  readonly given: ConsolePageGiven
}

interface Performed {
  readonly operation: Operation
  /** The body, as the admin API takes it. */
  readonly given?: JsonRow
  /** The name in the path of the admin API, for a page with another path. */
  readonly id?: string
  /** The subject as the form was compared with it. */
  readonly found?: object
}

interface ConsoleEntrance {
  /** `auditor`: everybody who has entry. */
  readonly least?: ConsoleRole
  readonly offers?: readonly Operation[]
}

type FormHandler = (visit: ConsoleVisit, form: Parameters) => Promise<Answer> | Answer

interface SecondFactorPage {
  readonly view: View
  readonly owner: { readonly username: string; readonly name: string }
  /** Whether the owner has a passkey or one-time codes already. */
  readonly hasFactor: boolean
  /** The name of the page of the console to go to. */
  readonly next: string
}

/** For an operator who logged in with one factor. */
export const renderSecondFactor = ({ view, owner, hasFactor, next }: SecondFactorPage): string => {
  const words = consoleWords(view.language).secondFactor
  const again = pageUrl(view, '/login', { next, switch: '1' })
  const first = hasFactor ? again : pageUrl(view, '/account/security')
  return renderLayout({
    view,
    title: words.title,
    main: html`<h1>${words.title}</h1>
<p>${words.intro({ owner: showOwner(owner) })}</p>
<p>${hasFactor ? words.how : words.none}</p>
<p class="actions"><a class="button primary" href="${first}">${hasFactor ? words.logInAgain : words.setUp}</a></p>
${hasFactor ? null : html`<p class="after"><a href="${again}">${words.logInAgain}</a></p>`}`,
  })
}

const answerSecondFactor = async (visit: OwnerVisit, needs: ConsoleNeeds): Promise<Answer> => {
  const { view, login } = visit
  const { owner } = login
  const html = renderSecondFactor({
    view,
    owner,
    hasFactor: hasFactor(await needs.store.findFactors(owner.id)),
    next: findAccountPlace(visit, needs).name,
  })
  return showPage(visit, html, { status: 403, reason: 'console_factor_needed' })
}

/** Without a proof: the way to it, and back to this page. */
const answerProven = (
  visit: ConsoleVisit,
  needs: ConsoleNeeds,
  handle: () => Promise<Answer> | Answer,
): Promise<Answer> | Answer =>
  visit.at - visit.login.session.confirmedAt < consoleLimits.confirmationSeconds
    ? handle()
    : answerSeeOther(visit, '/account/confirm', { next: findAccountPlace(visit, needs).name })

const getOperator = ({ role }: ConsoleVisit): Operator => ({ permissions: getPermissions(role) })

/** How the console works by the rows of operations. */
const openOperations = (needs: ConsoleNeeds) => ({
  /** What the path of a page names, as the operation finds it. */
  find: async <On>(visit: ConsoleVisit, { find }: Operation<On>): Promise<On> =>
    (await find?.(visit, needs, getOperator(visit))) as On,
  /**
   * Acts by the row of an operation, as the admin API and the command line do.
   *
   * @returns the members of its answer
   */
  async perform(
    visit: ConsoleVisit,
    { operation, given = {}, id, found }: Performed,
  ): Promise<JsonRow> {
    const exchange = id === undefined ? visit : { ...visit, params: { id } }
    const asked = {
      exchange,
      operator: getOperator(visit),
      given,
      ...(found === undefined ? {} : { found }),
    }
    return { ...(await operation.perform(asked, needs)) }
  },
})

/** What every page of the console is made by: rows of routes, and operations. */
export const openEntry = (needs: ConsoleNeeds, { forOwner, readForm }: Pages) => {
  const enter = (least: ConsoleRole, handle: PageHandler<ConsoleVisit>): Handler =>
    forOwner((visit) => {
      const { view, csrf, login, caller } = visit
      const { owner, session } = login
      const role = findConsoleRole(owner)
      // The same words as for a path that does not exist.
      if (role === null) {
        throw new Refusal('not_found', 'no_console_role', 'there is nothing at this path')
      }
      if (deriveContext(session) === '1') return answerSecondFactor(visit, needs)
      if (least === 'operator' && role !== 'operator') {
        throw new Refusal('access_denied', 'operator_role_needed', 'this needs the role operator')
      }
      caller.proven = { type: 'operator', ownerId: owner.id }
      return handle({ ...visit, role, given: { view, csrf, owner, role } })
    })

  const make = (
    method: 'GET' | 'POST',
    path: ConsolePath,
    handle: PageHandler<ConsoleVisit>,
    { least = 'auditor', offers = [] }: ConsoleEntrance = {},
  ): RouteRow => ({
    ...page,
    method,
    path,
    offers: offers.map(({ method, path }) => `${method} ${path}`),
    handler: enter(least, handle),
  })

  const look = (path: ConsolePath, handle: FormHandler, entrance?: ConsoleEntrance): RouteRow =>
    make('POST', path, async (visit) => handle(visit, await readForm(visit)), entrance)

  return {
    page: (path: ConsolePath, handle: PageHandler<ConsoleVisit>, entrance?: ConsoleEntrance) =>
      make('GET', path, handle, entrance),
    /** The answer to a form that changes nothing. */
    look,
    /**
     * A form for operators whose action is dangerous. The proof comes first: otherwise all that was
     * typed would be lost on the way.
     */
    form: (path: ConsolePath, handle: PageHandler<ConsoleVisit>) =>
      make('GET', path, (visit) => answerProven(visit, needs, () => handle(visit)), {
        least: 'operator',
      }),
    /** What such a form does. Such a form needs a recent proof that the operator is there. */
    change: (path: ConsolePath, handle: FormHandler, offers: readonly Operation[]) =>
      look(path, (visit, form) => answerProven(visit, needs, () => handle(visit, form)), {
        least: 'operator',
        offers,
      }),
    ...openOperations(needs),
  }
}

export type Console = ReturnType<typeof openEntry>

/** Null where the subject of the page has gone meanwhile. */
export const catchGone = <Said>(said: Promise<Said>): Promise<Said | null> =>
  said.catch((fault: unknown) => {
    if (fault instanceof Refusal && fault.code === 'not_found') return null
    throw fault
  })

/** Back to a page of the console. Its notice says what was done. */
export const answerConsole = (
  visit: ConsoleVisit,
  path: `/admin${string}`,
  what: string,
  query: Readonly<Record<string, string>> = {},
): Answer => answerDoneAt(visit, path, { what, clientId: null }, query)

/** What was just done, in the words of a page. */
export const findConsoleNotice = (
  visit: ConsoleVisit,
  said: Readonly<Record<string, string>>,
): string | null =>
  findNotice(visit, { ...said, confirmed: consoleWords(visit.view.language).confirmed })
