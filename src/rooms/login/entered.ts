/** The entry point of the login pages. A login leads on to an authorization request or an account page. */
import type { Answer } from '../../http/answer.ts'
import { queryOf } from '../../http/exchange.ts'
import { type Journey, openJourney, sealJourney } from '../../journey/journey.ts'
import { csrfToken, loggedOut, type Visitor } from '../../owners/session.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import type { ServiceParts } from '../../registries.ts'
import type { Endpoint } from '../../route.ts'
import { findAccountPage } from '../account-pages.ts'
import { readOwnForm } from '../form.ts'
import { forBrowser, type PageEndpoint } from '../former.ts'
import { viewOf } from '../view.ts'
import { answerSeeOther, type BrowserVisit } from '../visit.ts'

/** A visit to a login page, with the request that waits for the login. */
export interface LoginVisit extends BrowserVisit {
  /** The form that was sent, or the query of the page. */
  readonly given: Parameters
  /** The same browser without its login: ceremonies of the login are bound to it. */
  readonly stranger: Visitor
  /** The authorization request that waits, sealed; '' = none. */
  readonly journey: string
  /** The same, opened. */
  readonly resumed: Journey | null
  /** The name of the account page to go to if no request waits; '' = the first one. */
  readonly next: string
}

/** @throws Refusal if the waiting request is too old, changed, or of another browser */
export const loginVisitOf = async (
  visit: BrowserVisit,
  given: Parameters,
  journey: string,
  nextName: string,
  parts: ServiceParts,
): Promise<LoginVisit> => {
  const { browser, at } = visit
  const resumed = journey === '' ? null : await openJourney(journey, browser, at, parts)
  const { name: next } = findAccountPage(nextName)
  const view = viewOf(visit, parts, resumed, visit.login?.owner.pages)
  const stranger = loggedOut(visit)
  const csrf = csrfToken(stranger)
  return { ...visit, view, csrf, given, stranger, journey, resumed, next }
}

/** Opens the request that waits. Refuses it if it is too old, changed, or of another browser. */
export const forLogin = (endpoint: PageEndpoint<LoginVisit>): Endpoint =>
  forBrowser(async (visit, parts) => {
    const { request } = visit
    const given = request.method === 'POST' ? await readOwnForm(visit, parts) : queryOf(request)
    const [journey, next] = [given.find('journey') ?? '', given.find('next') ?? '']
    return endpoint(await loginVisitOf(visit, given, journey, next, parts), parts)
  })

/**
 * Leads on to the request or page behind the login.
 *
 * @param cookies the headers of a new login; none if the browser has them already
 */
export const answerEntered = (
  visit: LoginVisit,
  cookies: readonly string[],
  parts: Pick<ServiceParts, 'keyring'>,
): Answer => {
  const { resumed, next, browser } = visit
  if (resumed === null) {
    const { path, query } = findAccountPage(next)
    return answerSeeOther(visit, path, query, cookies)
  }
  const journey = sealJourney({ ...resumed, decision: null }, browser, parts)
  return answerSeeOther(visit, '/authorize', { journey }, cookies)
}
