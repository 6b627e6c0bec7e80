/**
 * The parked request: what an authorization request carries along while its owner logs in and
 * decides. A journey is a sealed statement, bound to the browser that began it, so nothing is stored and
 * no page can change it.
 */

import { hashText } from '../crypto/digest.ts'
import { type Keyring, openSealed, readSealed, type SealedStatement, seal } from '../crypto/seal.ts'
import {
  field,
  flag,
  id,
  list,
  number,
  optional,
  record,
  text,
  texts,
  type ValueOf,
} from '../model/codec/types.ts'
import type { AuthorizationId, FamilyId, SessionId } from '../model/ids.ts'
import type { ScopeName } from '../model/resource.ts'
import { invalidRequest } from '../protocol/refusal.ts'
import { formatPushed, openPushed } from '../requests/pushed-request.ts'
import { journeySeconds } from '../store/limits.ts'

/** How long an authorization request waits while somebody looks for a mail. */
export const waitingSeconds = 3600

/** The decision of an owner on the consent page, with the login session. */
const decisionType = record({
  by: field(1, text<SessionId>()),
  /** Null = denied. */
  authorizationId: field(2, optional(id<AuthorizationId>())),
  permissions: field(3, texts<ScopeName>()),
  /** The details that were allowed, by their places in the request. */
  details: field(4, list(number)),
})

const pushedType = record({
  /** Encrypted. */
  request: field(1, text()),
  /** The end of every journey that began with it, in unix seconds. */
  endsAt: field(2, number),
})

const endingType = record({
  /** The path of the page. */
  page: field(1, text<`/${string}`>()),
  /** The login session in which its owner went on from there to the consent page. */
  begunBy: field(3, optional(text<SessionId>())),
  /** What the page shows and no URL may tell: encrypted. */
  sealed: field(4, text()),
})

const journeyType = record({
  /** Placed, it is the id inside the code, so that one journey earns one redemption from an owner. */
  id: field(1, id<FamilyId>()),
  /** The parameters as they came, form-encoded; parsed anew at every step. */
  parameters: field(2, text()),
  /** Unix seconds. */
  startedAt: field(3, number),
  /** The login session that the browser had then; any other one began since. */
  sessionAtStart: field(4, optional(text<SessionId>())),
  decision: field(5, optional(decisionType)),
  /** A request object in the parameters has not been read, or was refused. The object is read at the next step. */
  unresolved: field(6, flag),
  /** Its owner looks for a mail meanwhile, so it waits longer. */
  awaitsMail: field(7, flag),
  /** The pushed request that it began with: its parameters travel in there alone, so nobody can read them. */
  pushed: field(8, optional(pushedType)),
  /** Our page at its end, in place of a redirect to the client. */
  ending: field(9, optional(endingType)),
})

export type Journey = ValueOf<typeof journeyType>

const statement: SealedStatement<Journey> = { kind: 'journey', says: journeyType }

export const sealJourney = (
  journey: Journey,
  browser: string,
  parts: { readonly keyring: Keyring },
): string => {
  const said = journey.pushed === null ? journey : { ...journey, parameters: '' }
  return seal(statement, parts.keyring.current(), hashText(browser), said)
}

/**
 * The request that a journey claims to carry, good for the language of a page and for nothing else. Empty
 * for a pushed one.
 */
export const readClaimedParameters = (text: string): string | null =>
  readSealed(statement, text)?.says.parameters ?? null

/**
 * The journey that a page carries.
 *
 * @throws Refusal where it is not of this browser, was changed, or is too old
 */
export const openJourney = async (
  text: string,
  browser: string | null,
  at: number,
  parts: { readonly keyring: Keyring },
): Promise<Journey> => {
  const journey =
    browser === null ? null : await openSealed(statement, text, hashText(browser), parts.keyring)
  if (journey === null) {
    throw invalidRequest(
      'foreign_journey',
      'this page belongs to another browser or was changed, or cookies are off: start again at the application',
    )
  }
  const seconds = journey.awaitsMail ? waitingSeconds : journeySeconds
  const { pushed } = journey
  const endsAt = Math.min(journey.startedAt + seconds, pushed?.endsAt ?? Infinity)
  const asked = pushed && (await openPushed(pushed, parts))
  // Without the key of a pushed request, nobody knows what it asked.
  if (endsAt <= at || (pushed !== null && asked === null)) {
    throw invalidRequest(
      'journey_too_old',
      'this page was open for too long: start again at the application',
    )
  }
  return asked === null ? journey : { ...journey, parameters: asked.parameters }
}

/** The parameters with which its request can begin anew. */
export const formatBeginning = ({ parameters, pushed }: Journey): string =>
  pushed === null ? parameters : formatPushed(pushed, parameters)
