/**
 * What cookies of a browser keep for its next pages. The authorization request waits while somebody
 * looks for a mail (decision 61), sealed for the browser that began it. No link holds it, so a link
 * that is opened elsewhere continues nothing. Beside it waits the name or address that somebody typed:
 * URLs are kept in histories and logs.
 */

import { findCookie, isSecure, setCookie } from '../http/cookies.ts'
import { type Journey, openJourney, sealJourney, waitingSeconds } from '../journey/journey.ts'
import { refuseAnswered } from '../journey/situation.ts'
import type { OwnerId } from '../model/ids.ts'
import { type Parameters, parameterLimits } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { ServiceParts } from '../registries.ts'
import { type BrowserVisit, makeView, type Visit } from './visit.ts'

/** A cookie has 4,096 bytes, with its name and attributes. */
const waitingCookieCharacters = 3_900
const typedSeconds = 600

/** A visit to a page that an authorization request may wait for. */
export interface WaitingVisit extends BrowserVisit {
  /** The form that was sent, or the query of the page. */
  readonly given: Parameters
  /** The request that waits, sealed; '' = none. */
  readonly journey: string
  /** The same, opened. */
  readonly resumed: Journey | null
}

/** @throws Refusal if the request is too old, changed, or of another browser */
export const openWaitingVisit = async (
  visit: BrowserVisit,
  given: Parameters,
  journey: string,
  needs: Pick<ServiceParts, 'settings' | 'languages' | 'keyring'>,
): Promise<WaitingVisit> => {
  const { browser, at, login } = visit
  const resumed = journey === '' ? null : await openJourney(journey, browser, at, needs)
  const view = makeView(visit, needs, resumed, login?.owner.pages)
  return { ...visit, view, given, journey, resumed }
}

/** A request that waits, sealed, and the headers for its cookie. */
interface Parked {
  readonly journey: string
  readonly cookies: readonly string[]
}

export const openWaiting = (
  needs: Pick<ServiceParts, 'settings' | 'store' | 'keyring' | 'shardKeys'>,
) => {
  const secure = isSecure(needs)

  const forget = ({ request }: BrowserVisit): readonly string[] =>
    findCookie(request, 'waiting', secure) === null ? [] : [setCookie('waiting', '', secure)]

  return {
    /**
     * From now on the request waits for a mail. The latest one of a browser counts. One that is too long
     * for a cookie waits on the open page alone.
     */
    park(visit: BrowserVisit & { readonly resumed: Journey | null }): Parked {
      const { resumed, browser, at } = visit
      if (resumed === null) return { journey: '', cookies: forget(visit) }
      const waiting = { ...resumed, decision: null, startedAt: at, awaitsMail: true }
      const journey = sealJourney(waiting, browser, needs)
      const cookies =
        journey.length > waitingCookieCharacters
          ? forget(visit)
          : [setCookie('waiting', journey, secure, waitingSeconds)]
      return { journey, cookies }
    },
    /**
     * The request that waits in this browser. Null: there is none, it is over, or was answered.
     *
     * @param ownerId for the answers of this owner; null where nobody knows the owner yet
     */
    async findParked(visit: BrowserVisit, ownerId: OwnerId | null): Promise<Parked | null> {
      const journey = findCookie(visit.request, 'waiting', secure)
      if (journey === null) return null
      try {
        const opened = await openJourney(journey, visit.browser, visit.at, needs)
        await refuseAnswered(opened, ownerId, needs)
        return { journey, cookies: forget(visit) }
      } catch (fault) {
        if (fault instanceof Refusal) return null
        throw fault
      }
    },
    /** What the next page can cancel, sealed. */
    keepSent: (sent: string): string => setCookie('sent', sent, secure, typedSeconds),
    findSent: ({ request }: Pick<Visit, 'request'>): string =>
      findCookie(request, 'sent', secure) ?? '',
    /** The headers after mails were cancelled. */
    forgetSent: (): readonly string[] => [
      setCookie('typed', '', secure),
      setCookie('sent', '', secure),
    ],
    keepTypedName: (name: string): string =>
      setCookie('typed', Buffer.from(name).toString('base64url'), secure, typedSeconds),
    /** '' where none is kept. The name is shown only, and looked up nowhere. */
    findTypedName: ({ request }: Pick<Visit, 'request'>): string =>
      Buffer.from(findCookie(request, 'typed', secure) ?? '', 'base64url')
        .toString()
        .replace(/\p{C}+/gu, '')
        .slice(0, parameterLimits.emailCharacters),
  }
}
