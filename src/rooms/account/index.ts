/** The account: its owner's own pages. */
import type { RouteRow } from '../../route.ts'
import type { Pages } from '../pages.ts'
import { openAccess } from './access/changes.ts'
import { openApplications } from './applications/page.ts'
import { openConfirm } from './confirm/endpoint.ts'
import { openDeletion } from './deletion/page.ts'
import { openDownload } from './download/page.ts'
import { openEmail } from './email/page.ts'
import { openEnded } from './ended/page.ts'
import { openEvents } from './events/page.ts'
import { openLedger } from './ledger/page.ts'
import type { AccountNeeds } from './needs.ts'
import { openPassword } from './password/page.ts'
import { openProfile } from './profile/page.ts'
import { openSecurity } from './security/endpoint.ts'
import { openSetup } from './security/setup.ts'
import { openSessions } from './sessions/page.ts'
import { openUpstreams } from './upstreams/endpoint.ts'

export const openAccount = (needs: AccountNeeds, pages: Pages): readonly RouteRow[] => {
  const rows = [
    ...openApplications(needs, pages),
    ...openAccess(needs, pages),
    ...openSessions(needs, pages),
    ...openEmail(needs, pages),
    ...openProfile(needs, pages),
    ...openDownload(needs, pages),
    ...openDeletion(needs, pages),
    ...openPassword(needs, pages),
    ...openEvents(needs, pages),
    ...openEnded(needs, pages),
    ...openLedger(needs, pages),
    ...openSecurity(needs, pages),
    ...openUpstreams(needs, pages),
    ...openSetup(needs, pages),
  ]
  return [...rows, ...openConfirm(rows, needs, pages)]
}
