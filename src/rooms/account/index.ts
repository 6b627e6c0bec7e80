/** The account: its owner's own pages. */
import { openAccess } from './access/changes.ts'
import { openEnded } from './applications/ended.ts'
import { openApplications } from './applications/page.ts'
import { openConfirm } from './confirm/endpoint.ts'
import { openDelete, openLeaving } from './deletion/page.ts'
import { openDownload } from './download/page.ts'
import { openEmail } from './email/page.ts'
import { openEvents } from './events/page.ts'
import { openLedger } from './ledger/page.ts'
import { openLost } from './lost/endpoint.ts'
import type { OpenPage } from './needs.ts'
import { openPassword } from './password/page.ts'
import { openProfile } from './profile/page.ts'
import { openPicture } from './profile/picture.ts'
import { openSecurity, openUpstreams } from './security/endpoint.ts'
import { openOffer } from './security/offer.ts'
import { openCodes, openRecovery } from './security/setup.ts'
import { openSessions } from './sessions/page.ts'

const openers: readonly OpenPage[] = [
  openApplications,
  openEnded,
  openAccess,
  openSessions,
  openEmail,
  openProfile,
  openPicture,
  openDownload,
  openDelete,
  openLeaving,
  openPassword,
  openEvents,
  openLedger,
  openSecurity,
  openUpstreams,
  openCodes,
  openRecovery,
  openLost,
  openOffer,
]

export const openAccount: OpenPage = (needs, pages) => {
  const rows = openers.flatMap((open) => open(needs, pages))
  return [...rows, ...openConfirm(rows, needs, pages)]
}
