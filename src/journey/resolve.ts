/**
 * The request object of a journey, resolved into parameters (RFC 9101 section 6). From then on the journey
 * carries these, so nothing is fetched or verified again on the way back from a page.
 */
import type { ClientKeys } from '../clients/keys.ts'
import type { FetchAsker } from '../clients/site-fetch.ts'
import type { RequestObjects } from '../clients/sites.ts'
import type { Settings } from '../config/settings.ts'
import type { RefusalCounter } from '../model/kept-refusal.ts'
import { type Parameters, parseParameters } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import { resolveRequest } from '../requests/resolve-request.ts'
import type { Store } from '../store/store.ts'
import type { Journey } from './journey.ts'

export interface ResolvedJourney {
  readonly journey: Journey
  /** Its parameters; null where they cannot be read. The refusal of that comes later. */
  readonly parameters: Parameters | null
  /** Why its request object is refused. The journey is then as it came. */
  readonly refused: Refusal | null
}

/** Null where they cannot be read: the refusal of that comes later. */
export const readParameters = ({ parameters }: Pick<Journey, 'parameters'>): Parameters | null => {
  try {
    return parseParameters(parameters)
  } catch (fault) {
    if (fault instanceof Refusal) return null
    throw fault
  }
}

/** @param outer the parameters of the journey as it came */
export const resolveJourney = async (
  journey: Journey,
  outer: Parameters | null,
  asker: FetchAsker,
  parts: {
    readonly store: Store
    readonly settings: Settings
    readonly clientKeys: ClientKeys
    readonly requestObjects: RequestObjects
    readonly refusedObjects: RefusalCounter
  },
): Promise<ResolvedJourney> => {
  if (outer === null || !journey.unresolved) return { journey, parameters: outer, refused: null }
  try {
    const text = await resolveRequest(outer, asker, parts)
    if (text === null) {
      return { journey: { ...journey, unresolved: false }, parameters: outer, refused: null }
    }
    const resolved = { ...journey, parameters: text, unresolved: false }
    return { journey: resolved, parameters: readParameters(resolved), refused: null }
  } catch (fault) {
    // A flood gets a page: no client is told of it.
    const isFlood = fault instanceof Refusal && fault.code === 'too_many_requests'
    if (fault instanceof Refusal && !isFlood) return { journey, parameters: outer, refused: fault }
    throw fault
  }
}
