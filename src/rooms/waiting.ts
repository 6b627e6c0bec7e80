/**
 * The authorization request that waits while somebody looks for a mail (decision 61). A cookie keeps
 * it in the browser that began it, sealed for that browser. No link holds it, so a link that is opened
 * elsewhere continues nothing.
 */
import type { Answer } from '../http/answer.ts'
import { findCookie, setCookie } from '../http/cookies.ts'
import { queryOf } from '../http/exchange.ts'
import { type Journey, openJourney, sealJourney, waitingSeconds } from '../journey/journey.ts'
import { isSecure } from '../owners/secure.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { ServiceParts } from '../registries.ts'
import type { Endpoint } from '../route.ts'
import { readOwnForm } from './form.ts'
import { forBrowser, type PageEndpoint } from './former.ts'
import { viewOf } from './view.ts'
import { answerSeeOther, type BrowserVisit } from './visit.ts'

/** Browsers keep cookies of 4,096 bytes, name and value together. */
const waitingCookieCharacters = 3_900

/** A visit to a page on which people ask for a link. */
export interface WayVisit extends BrowserVisit {
  /** The form that was sent, or the query of the page. */
  readonly given: Parameters
  /** The authorization request that waits, sealed; '' = none. */
  readonly journey: string
  /** The same, opened. */
  readonly resumed: Journey | null
}

/** Opens the request that waits. Refuses it if it is too old, changed, or of another browser. */
export const forWay = (endpoint: PageEndpoint<WayVisit>): Endpoint =>
  forBrowser(async (visit, parts) => {
    const { request, browser, at } = visit
    const given = request.method === 'POST' ? await readOwnForm(visit, parts) : queryOf(request)
    const journey = given.find('journey') ?? ''
    const resumed = journey === '' ? null : await openJourney(journey, browser, at, parts)
    const view = viewOf(visit, parts, resumed, visit.login?.owner.pages)
    return endpoint({ ...visit, view, given, journey, resumed }, parts)
  })

/** A request that waits, sealed, and the headers for its cookie. */
interface Parked {
  readonly journey: string
  readonly cookies: readonly string[]
}

const forget = ({ request }: BrowserVisit, parts: ServiceParts): readonly string[] => {
  const secure = isSecure(parts)
  return findCookie(request, 'waiting', secure) === null ? [] : [setCookie('waiting', '', secure)]
}

/**
 * From now on the request waits for a mail. The latest one of a browser counts. One that is too long
 * for a cookie waits on the open page alone.
 */
export const park = (visit: WayVisit, parts: ServiceParts): Parked => {
  const { resumed, browser, at } = visit
  if (resumed === null) return { journey: '', cookies: forget(visit, parts) }
  const waiting = { ...resumed, decision: null, startedAt: at, awaitsMail: true }
  const journey = sealJourney(waiting, browser, parts)
  const cookies =
    journey.length > waitingCookieCharacters
      ? forget(visit, parts)
      : [setCookie('waiting', journey, isSecure(parts), waitingSeconds)]
  return { journey, cookies }
}

/** The request that waits in this browser. Null: there is none, it is over, or was answered. */
export const findParked = async (
  visit: BrowserVisit,
  parts: ServiceParts,
): Promise<Parked | null> => {
  const journey = findCookie(visit.request, 'waiting', isSecure(parts))
  if (journey === null) return null
  try {
    const { id } = await openJourney(journey, visit.browser, visit.at, parts)
    return (await parts.store.isRedeemed(id)) ? null : { journey, cookies: forget(visit, parts) }
  } catch (fault) {
    if (fault instanceof Refusal) return null
    throw fault
  }
}

/**
 * Leads on after a link that made a login.
 *
 * @param waits whether an application waits in the browser that asked for the link
 * @param cookies the headers of the login
 */
export const answerArrived = async (
  visit: BrowserVisit,
  waits: boolean,
  cookies: readonly string[],
  parts: ServiceParts,
): Promise<Answer> => {
  const parked = await findParked(visit, parts)
  if (parked === null) {
    return waits
      ? answerSeeOther(visit, '/signup', { made: '1' }, cookies)
      : answerSeeOther(visit, '/account', {}, cookies)
  }
  const { journey } = parked
  return answerSeeOther(visit, '/authorize', { journey }, [...cookies, ...parked.cookies])
}
