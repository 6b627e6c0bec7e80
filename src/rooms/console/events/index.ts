/** The pages of events, refused requests and authorizations. */
import type { RouteRow } from '../../../route.ts'
import type { Console, ConsoleNeeds } from '../visit.ts'
import { openAuthorizations } from './authorizations.ts'
import { openEvents } from './events.ts'
import { openRefusals } from './refusals.ts'

export const openHappened = (needs: ConsoleNeeds, entry: Console): readonly RouteRow[] => [
  ...openAuthorizations(needs, entry),
  openEvents(needs, entry),
  openRefusals(needs, entry),
]
