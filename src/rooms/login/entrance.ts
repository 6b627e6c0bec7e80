/** The entry point of the login pages. A login leads on to an authorization request or an account page. */

import type { Vault } from '../../crypto/wrap.ts'
import type { Answer } from '../../http/answer.ts'
import { type Journey, openJourney, sealJourney } from '../../journey/journey.ts'
import type { SituationParts } from '../../journey/situation.ts'
import type { PasswordParts } from '../../owners/password-login.ts'
import { csrfToken, loggedOut, type SessionNeeds, type Visitor } from '../../owners/session.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import type { Handler } from '../../route.ts'
import type { LogoutNotices } from '../../tokens/logout-notices.ts'
import type { Upstreams } from '../../upstreams/index.ts'
import { findAccountPage } from '../account-pages.ts'
import type { PageHandler, Pages } from '../pages.ts'
import { viewOf } from '../view.ts'
import { answerSeeOther, type BrowserVisit } from '../visit.ts'

/** What logging in and out take of the service. */
export interface LoginNeeds extends SessionNeeds, PasswordParts, SituationParts {
  readonly vault: Vault
  readonly upstreams: Upstreams
  readonly logouts: LogoutNotices
}

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

export interface Entrance {
  /** Opens the request that waits. Refuses it if it is too old, changed, or of another browser. */
  forLogin(handle: PageHandler<LoginVisit>): Handler
  /** @throws Refusal if the waiting request is too old, changed, or of another browser */
  visitOf(
    visit: BrowserVisit,
    given: Parameters,
    journey?: string,
    next?: string,
  ): Promise<LoginVisit>
  /**
   * Leads on to the request or page behind the login.
   *
   * @param cookies the headers of a new login; none if the browser has them already
   */
  answerEntered(visit: LoginVisit, cookies?: readonly string[]): Answer
}

export const openEntrance = (needs: LoginNeeds, { forBrowser, readGiven }: Pages): Entrance => {
  const visitOf: Entrance['visitOf'] = async (visit, given, journey = '', nextName = '') => {
    const { browser, at } = visit
    const resumed = journey === '' ? null : await openJourney(journey, browser, at, needs)
    const { name: next } = findAccountPage(nextName)
    const view = viewOf(visit, needs, resumed, visit.login?.owner.pages)
    const stranger = loggedOut(visit)
    const csrf = csrfToken(stranger)
    return { ...visit, view, csrf, given, stranger, journey, resumed, next }
  }
  return {
    visitOf,
    forLogin: (handle) =>
      forBrowser(async (visit) => {
        const given = await readGiven(visit)
        const [journey, next] = [given.find('journey') ?? '', given.find('next') ?? '']
        return handle(await visitOf(visit, given, journey, next))
      }),
    answerEntered(visit, cookies = []) {
      const { resumed, next, browser } = visit
      if (resumed === null) {
        const { path, query } = findAccountPage(next)
        return answerSeeOther(visit, path, query, cookies)
      }
      const journey = sealJourney({ ...resumed, decision: null }, browser, needs)
      return answerSeeOther(visit, '/authorize', { journey }, cookies)
    },
  }
}
