/** The entry point of every page: finds the visitor, calls the endpoint, and answers with a page. */
import { makeSecret } from '../crypto/digest.ts'
import type { Answer } from '../http/answer.ts'
import { isSecure, setCookie } from '../http/cookies.ts'
import { queryOf } from '../http/request.ts'
import { deriveCsrfToken, findVisitor } from '../owners/session.ts'
import type { Parameters } from '../protocol/parameters.ts'
import type { ServiceParts } from '../registries.ts'
import { type Handler, makeRows, type RouteRow } from '../route.ts'
import { readOwnForm } from './form.ts'
import { answerLoginFirst, type OwnerVisit } from './owner-visit.ts'
import { answerSeeOther, type BrowserVisit, makeView, type Visit } from './visit.ts'

export type PagesNeeds = Pick<ServiceParts, 'settings' | 'languages' | 'store' | 'random'>

export type PageHandler<Made extends Visit> = (visit: Made) => Promise<Answer> | Answer

export type TakeForm = (visit: OwnerVisit, form: Parameters) => Promise<Answer> | Answer

export type Pages = ReturnType<typeof openPages>

export const openPages = (needs: PagesNeeds) => {
  const { random } = needs
  const secure = isSecure(needs)

  /** A page for anybody. Its forms are bound to the browser and the login. */
  const forVisitor =
    (handle: PageHandler<Visit>): Handler =>
    async (exchange) => {
      const visitor = await findVisitor(exchange, needs)
      const view = makeView(exchange, needs, null, visitor.login?.owner.pages)
      return handle({ ...exchange, ...visitor, view, csrf: deriveCsrfToken(visitor), cookies: [] })
    }

  /**
   * A page for owners who are logged in.
   *
   * @param otherwise answers everybody else; by default the login, and back
   */
  const forOwner = (
    handle: PageHandler<OwnerVisit>,
    otherwise: PageHandler<Visit> = (visit) => answerLoginFirst(visit, needs),
  ): Handler =>
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
    /** The rows of such a page with a form: `show` answers GET, and `take` the form that was sent. */
    ownerForm(
      path: string,
      show: PageHandler<OwnerVisit>,
      take: TakeForm,
      shown?: Partial<RouteRow>,
    ): readonly RouteRow[] {
      const taken = forOwner(async (visit) => take(visit, await readOwnForm(visit, needs)))
      return makeRows(path, forOwner(show), taken, shown)
    },
    /**
     * A page whose forms are bound to the browser alone. So somebody with two tabs open may log in with
     * the second after the first. A browser without a cookie gets one with the page.
     */
    forBrowser: (handle: PageHandler<BrowserVisit>): Handler =>
      forVisitor((visit) => {
        const browser = visit.browser ?? makeSecret('', random)
        const cookies = visit.browser === null ? [setCookie('browser', browser, secure)] : []
        const csrf = deriveCsrfToken({ browser, login: null })
        return handle({ ...visit, browser, csrf, cookies })
      }),
    /** @throws Refusal `access_denied` (403) where its CSRF token is wrong */
    readForm: (visit: Pick<Visit, 'request' | 'browser' | 'csrf'>): Promise<Parameters> =>
      readOwnForm(visit, needs),
    /** The form that was sent, or the query of the page. */
    readGiven: async (visit: Visit): Promise<Parameters> =>
      visit.request.method === 'POST' ? readOwnForm(visit, needs) : queryOf(visit.request),
  }
}
