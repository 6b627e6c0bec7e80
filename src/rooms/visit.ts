/** The entry point of every page: finds the visitor, calls the endpoint, and answers with a page. */
import { newSecret } from '../crypto/digest.ts'
import { type Answer, answerPage, answerRedirect, scriptPolicy } from '../http/answer.ts'
import { setCookie } from '../http/cookies.ts'
import type { Exchange } from '../http/exchange.ts'
import { isSecure } from '../owners/secure.ts'
import { csrfToken, findVisitor, type Visitor } from '../owners/session.ts'
import { withReference } from '../paper/reference.ts'
import { pageUrl, type View } from '../paper/view.ts'
import type { ServiceParts } from '../registries.ts'
import type { Endpoint } from '../route.ts'
import { viewOf } from './view.ts'

/** One request for a page: the exchange, the browser and login behind it, and the view. */
export interface Visit extends Exchange, Visitor {
  readonly view: View
  /** What the forms of the page carry. A form is accepted only with it. */
  readonly csrf: string
  /** The header that sets the browser's cookie; empty if it has one. */
  readonly cookies: readonly string[]
}

/** A visit by a browser that has a cookie, or gets one with this page. */
export interface BrowserVisit extends Visit {
  readonly browser: string
}

export type PageEndpoint<Made extends Visit> = (
  visit: Made,
  parts: ServiceParts,
) => Promise<Answer> | Answer

/** A page for anybody. Its forms are bound to the browser and the login. */
export const forVisitor =
  (endpoint: PageEndpoint<Visit>): Endpoint =>
  async (exchange, parts) => {
    const visitor = await findVisitor(exchange, parts)
    const view = viewOf(exchange, parts, null, visitor.login?.owner.pages)
    return endpoint({ ...exchange, ...visitor, view, csrf: csrfToken(visitor), cookies: [] }, parts)
  }

/**
 * A page whose forms are bound to the browser alone. So somebody with two tabs open may log in with
 * the second after the first. A browser without a cookie gets one with the page.
 */
export const forBrowser = (endpoint: PageEndpoint<BrowserVisit>): Endpoint =>
  forVisitor((visit, parts) => {
    const browser = visit.browser ?? newSecret('', parts.random)
    const cookies = visit.browser === null ? [setCookie('browser', browser, isSecure(parts))] : []
    return endpoint(
      { ...visit, browser, csrf: csrfToken({ browser, login: null }), cookies },
      parts,
    )
  })

/** What a page is answered with, besides its HTML. */
interface PageAnswer {
  readonly status?: number
  /** Why the page is a refusal: the door counts and logs it as a thrown one. */
  readonly reason?: string | null
  /** Whether the page loads one of our scripts. */
  readonly hasScript?: boolean
  /** How long the next try has to wait. */
  readonly waitSeconds?: number | null
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Answers with a page. Another browser may have got it in another language. A refusal shows its
 * reference.
 */
export const showPage = (
  { view, cookies = [] }: Pick<Visit, 'view'> & Partial<Pick<Visit, 'cookies'>>,
  html: string,
  {
    status = 200,
    reason = null,
    hasScript = false,
    waitSeconds = null,
    headers = {},
  }: PageAnswer = {},
): Answer => ({
  ...answerPage(reason === null ? html : withReference(html, view), status, cookies, {
    'Content-Language': view.language.lang,
    Vary: 'Accept-Language',
    ...(hasScript ? scriptPolicy : {}),
    ...(waitSeconds === null ? {} : { 'Retry-After': String(waitSeconds) }),
    ...headers,
  }),
  ...(reason === null ? {} : { reason }),
})

/** Redirects to one of our pages by 303 (See Other), and keeps the language that was asked for. */
export const answerSeeOther = (
  { view }: Pick<Visit, 'view'>,
  path: `/${string}`,
  query: Readonly<Record<string, string>> = {},
  cookies: readonly string[] = [],
): Answer => answerRedirect(pageUrl(view, path, query), 303, cookies)
