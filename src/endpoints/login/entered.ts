/** What a login is for: an authorization request that waits, or a page of the account. */
import { type Answer, answerRedirect } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import { type Journey, openJourney, sealJourney } from '../../journey/journey.ts'
import type { Visitor } from '../../owners/session.ts'
import type { Parts } from '../../parts.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import { findAccountPage } from '../door/account-pages.ts'
import { answerSeeOther, pagePath } from '../door/view.ts'

/** What waits for a login, as its pages carry it. */
export interface Waiting {
  /** The authorization request, sealed; '' where none waits. */
  readonly journey: string
  /** The same, opened. */
  readonly resumed: Journey | null
  /** The name of the page of the account that is gone to where no request waits; '' = the first one. */
  readonly next: string
}

/** @throws Refusal where the journey is not of this browser, was changed, or is too old */
export const readWaiting = async (
  parameters: Parameters,
  { browser }: Visitor,
  at: number,
  parts: Parts,
): Promise<Waiting> => {
  const journey = parameters.find('journey') ?? ''
  const resumed = journey === '' ? null : await openJourney(journey, browser, at, parts)
  return { journey, resumed, next: findAccountPage(parameters.find('next') ?? '').name }
}

/**
 * On to what waited for the login.
 *
 * @param cookies the headers that a login sets; none where the browser has them already
 */
export const answerEntered = (
  cookies: readonly string[],
  { resumed, next }: Waiting,
  visitor: Visitor,
  exchange: Exchange,
  parts: Parts,
): Answer => {
  if (resumed === null) {
    const { path, query } = findAccountPage(next)
    return answerSeeOther(path, query, exchange, parts, cookies)
  }
  const onward = sealJourney({ ...resumed, decision: null }, visitor.browser ?? '', parts)
  return answerRedirect(pagePath('authorize', onward, exchange, parts), 303, cookies)
}
