/** The pages of users. */
import type { RouteRow } from '../../../route.ts'
import type { Console, ConsoleNeeds } from '../visit.ts'
import { openOwner } from './owner.ts'
import { openOwnerList } from './owners.ts'

export const openOwners = (needs: ConsoleNeeds, entry: Console): readonly RouteRow[] => [
  ...openOwnerList(needs, entry),
  ...openOwner(needs, entry),
]
