/**
 * The request object of a journey, resolved into parameters (RFC 9101 section 6). From then on the journey
 * carries these, so nothing is fetched or verified again on the way back from a page.
 */
import type { FetchAsker, Parts } from '../parts.ts'
import { type Parameters, parseParameters } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import { resolveRequest } from '../requests/resolve-request.ts'
import type { Journey } from './journey.ts'

export interface ResolvedJourney {
  readonly journey: Journey
  /** Why its request object is refused. The journey is then as it came. */
  readonly refused: Refusal | null
}

/** Null where they cannot be read: the refusal of that comes later. */
const outerOf = ({ parameters }: Journey): Parameters | null => {
  try {
    return parseParameters(parameters)
  } catch (fault) {
    if (fault instanceof Refusal) return null
    throw fault
  }
}

export const resolveJourney = async (
  journey: Journey,
  asker: FetchAsker,
  parts: Pick<Parts, 'store' | 'settings' | 'clientKeys' | 'requestObjects' | 'refusedObjects'>,
): Promise<ResolvedJourney> => {
  const outer = journey.unresolved ? outerOf(journey) : null
  if (outer === null) return { journey, refused: null }
  try {
    const parameters = await resolveRequest(outer, asker, parts)
    const read = parameters === null ? {} : { parameters }
    return { journey: { ...journey, ...read, unresolved: false }, refused: null }
  } catch (fault) {
    // A flood gets a page: no client is told of it.
    const isFlood = fault instanceof Refusal && fault.code === 'too_many_requests'
    if (fault instanceof Refusal && !isFlood) return { journey, refused: fault }
    throw fault
  }
}
