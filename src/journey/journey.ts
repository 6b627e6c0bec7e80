/**
 * The parked request: what an authorization request carries along while its owner logs in and
 * decides. It is a sealed statement, bound to the browser that began it, so nothing is stored and
 * no page can change it.
 */
import { limits } from '../config/limits.ts'
import { digest } from '../crypto/digest.ts'
import { learnKey, readSealed, seal, verifySeal } from '../crypto/seal.ts'
import type { AuthorizationId, FamilyId, SessionId } from '../model/ids.ts'
import type { Permissions } from '../model/resource.ts'
import type { Parts } from '../parts.ts'
import { Refusal } from '../protocol/refusal.ts'

/** What an owner decided on the consent page, in which login session. */
export interface Decision {
  readonly by: SessionId
  /** Null = denied. */
  readonly authorizationId: AuthorizationId | null
  readonly permissions: Permissions
}

export interface Journey {
  /** Becomes the id inside the code, so that one journey earns one redemption. */
  readonly id: FamilyId
  /** The parameters as they came, form-encoded; parsed anew at every step. */
  readonly parameters: string
  /** Unix seconds. */
  readonly startedAt: number
  /** The login session that the browser had then; any other one began since. */
  readonly sessionAtStart: SessionId | null
  readonly decision: Decision | null
}

export const sealJourney = (
  journey: Journey,
  browser: string,
  parts: Pick<Parts, 'keyring'>,
): string => seal('journey', parts.keyring.current(), digest(browser), [JSON.stringify(journey)])

/** The request that a journey claims to carry, good for the language of a page and for nothing else. */
export const claimedParameters = (text: string): string | null => {
  try {
    const claimed: unknown = JSON.parse(readSealed('journey', text)?.fields.join('~') ?? '')
    const { parameters } = claimed as Partial<Journey>
    return typeof parameters === 'string' ? parameters : null
  } catch {
    return null
  }
}

/**
 * The journey that a page carries.
 *
 * @throws Refusal where it is not of this browser, was changed, or is too old
 */
export const openJourney = async (
  text: string,
  browser: string | null,
  at: number,
  parts: Pick<Parts, 'keyring'>,
): Promise<Journey> => {
  const sealed = readSealed('journey', text)
  if (sealed !== null) await learnKey(sealed, parts.keyring)
  if (sealed === null || browser === null || !verifySeal(sealed, parts.keyring, digest(browser))) {
    throw new Refusal(
      'invalid_request',
      'foreign_journey',
      'this page belongs to another browser or was changed, or cookies are off: start again at the application',
    )
  }
  const journey = JSON.parse(sealed.fields.join('~')) as Journey
  if (journey.startedAt + limits.journeySeconds <= at) {
    throw new Refusal(
      'invalid_request',
      'journey_too_old',
      'this page was open for too long: start again at the application',
    )
  }
  return journey
}
