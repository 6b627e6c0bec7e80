/** Visits to pages, and their answers. */
import { type Answer, answerPage, answerRedirect, scriptPolicy } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Visitor } from '../owners/session.ts'
import { addReference } from '../paper/error.ts'
import { pageUrl, type View } from '../paper/view.ts'

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

interface PageAnswer {
  readonly status?: number
  /** Why the page is a refusal: the door counts and logs it as a thrown one. */
  readonly reason?: string | null
  /** Whether the page loads one of our scripts. */
  readonly hasScript?: boolean
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
  ...answerPage(reason === null ? html : addReference(html, view), status, cookies, {
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
