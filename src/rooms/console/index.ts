/** Every URL of the console. */
import type { RouteRow } from '../../route.ts'
import type { Pages } from '../pages.ts'
import { openClients } from './clients/index.ts'
import { openHappened } from './events/index.ts'
import { openFind } from './find.ts'
import { openGroups } from './groups/groups.ts'
import { openOverview } from './overview/overview.ts'
import { openOwners } from './owners/index.ts'
import { openService } from './service/index.ts'
import { openToken } from './token.ts'
import { type ConsoleNeeds, openEntry } from './visit.ts'

export const openConsole = (needs: ConsoleNeeds, pages: Pages): readonly RouteRow[] => {
  const entry = openEntry(needs, pages)
  return [
    openOverview(needs, entry),
    openFind(needs, entry),
    ...openToken(needs, entry),
    ...openClients(needs, entry),
    ...openService(needs, entry),
    ...openOwners(needs, entry),
    ...openGroups(needs, entry),
    ...openHappened(needs, entry),
  ]
}
