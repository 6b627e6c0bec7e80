/** The entry point of every page: finds the visitor, calls the endpoint, and answers with a page. */
import { newSecret } from '../crypto/digest.ts'
import type { Answer } from '../http/answer.ts'
import { isSecure, setCookie } from '../http/cookies.ts'
import { queryOf } from '../http/exchange.ts'
import { csrfToken, findVisitor } from '../owners/session.ts'
import type { Parameters } from '../protocol/parameters.ts'
import type { ServiceParts } from '../registries.ts'
import { formRows, type Handler, type RouteRow } from '../route.ts'
import { readOwnForm } from './form.ts'
import { answerLoginFirst, type OwnerVisit } from './owner-visit.ts'
import { viewOf } from './view.ts'
import { answerSeeOther, type BrowserVisit, type Visit } from './visit.ts'

export type PagesNeeds = Pick<ServiceParts, 'settings' | 'languages' | 'store' | 'random'>

export type PageHandler<Made extends Visit> = (visit: Made) => Promise<Answer> | Answer

/** Takes a form of an owner who is logged in. */
export type TakeForm = (visit: OwnerVisit, form: Parameters) => Promise<Answer> | Answer

export interface Pages {
  /** A page for anybody. Its forms are bound to the browser and the login. */
  forVisitor(handle: PageHandler<Visit>): Handler
  /**
   * A page whose forms are bound to the browser alone. So somebody with two tabs open may log in with
   * the second after the first. A browser without a cookie gets one with the page.
   */
  forBrowser(handle: PageHandler<BrowserVisit>): Handler
  /**
   * A page for owners who are logged in.
   *
   * @param otherwise answers everybody else; by default the login, and back
   */
  forOwner(handle: PageHandler<OwnerVisit>, otherwise?: PageHandler<Visit>): Handler
  /** The rows of such a page with a form: `show` answers GET, and `take` the form that was sent. */
  ownerForm(
    path: string,
    show: PageHandler<OwnerVisit>,
    take: TakeForm,
    shown?: Partial<RouteRow>,
  ): readonly RouteRow[]
  /**
   * Reads one of our forms, and checks its CSRF token.
   *
   * @throws Refusal `access_denied` (403)
   */
  readForm(visit: Pick<Visit, 'request' | 'browser' | 'csrf'>): Promise<Parameters>
  /** The form that was sent, or the query of the page. */
  readGiven(visit: Visit): Promise<Parameters>
}

export const openPages = (needs: PagesNeeds): Pages => {
  const { random } = needs
  const secure = isSecure(needs)

  const forVisitor: Pages['forVisitor'] = (handle) => async (exchange) => {
    const visitor = await findVisitor(exchange, needs)
    const view = viewOf(exchange, needs, null, visitor.login?.owner.pages)
    return handle({ ...exchange, ...visitor, view, csrf: csrfToken(visitor), cookies: [] })
  }

  const forOwner: Pages['forOwner'] = (
    handle,
    otherwise = (visit) => answerLoginFirst(visit, needs),
  ) =>
    forVisitor((visit) => {
      const { login, leaving } = visit
      if (leaving) return answerSeeOther(visit, '/account/deletion')
      if (login === null) return otherwise(visit)
      // Its foot names the zone, once for all times on a page.
      const view = { ...visit.view, zone: visit.view.zone ?? 'UTC' }
      return handle({ ...visit, view, login })
    })

  return {
    forVisitor,
    forOwner,
    ownerForm(path, show, take, shown) {
      const taken = forOwner(async (visit) => take(visit, await readOwnForm(visit, needs)))
      return formRows(path, forOwner(show), taken, shown)
    },
    forBrowser: (handle) =>
      forVisitor((visit) => {
        const browser = visit.browser ?? newSecret('', random)
        const cookies = visit.browser === null ? [setCookie('browser', browser, secure)] : []
        const csrf = csrfToken({ browser, login: null })
        return handle({ ...visit, browser, csrf, cookies })
      }),
    readForm: (visit) => readOwnForm(visit, needs),
    readGiven: async (visit) =>
      visit.request.method === 'POST' ? readOwnForm(visit, needs) : queryOf(visit.request),
  }
}
