/** `/verify`: the holder of a link confirms the email address that it was sent to. */
import type { Answer } from '../../http/answer.ts'
import { rememberBrowser } from '../../owners/known-browser.ts'
import { type OpenedOwnerLink, openOwnerLink } from '../../owners/links.ts'
import type { ServiceParts } from '../../registries.ts'
import { traceOf } from '../../store/trace.ts'
import { answerLogInNow } from '../owner-visit.ts'
import { showPage } from '../visit.ts'
import { renderVerify } from './link.ts'
import { forLink, showDeadLink, showTaken } from './visit.ts'

const open = (link: string, at: number, parts: ServiceParts): Promise<OpenedOwnerLink | null> =>
  openOwnerLink('verify', link, at, parts)

/** `GET /verify` */
export const showVerifyPage = forLink(open, null, (visit): Answer => {
  const { view, csrf, link, opened } = visit
  const { expiresAt } = opened.link
  const { username } = opened.owner
  return showPage(
    visit,
    renderVerify({ view, csrf, link, expiresAt, username, email: opened.email }),
  )
})

/** `POST /verify` */
export const verifyEmail = forLink(open, null, async (visit, parts) => {
  const { owner, email, link } = visit.opened
  const { passwordHash, roles } = owner
  const by = { link, email: owner.email, passwordHash, roles, proves: email }
  const confirmed = await parts.store.confirmEmail(owner.id, email, by, traceOf(visit, parts))
  if (confirmed === 'address_taken') return showTaken(visit, email)
  if (confirmed === null) return showDeadLink(visit, null, parts)
  const known = rememberBrowser(confirmed, [], visit.request, visit.at, parts)
  return answerLogInNow(visit, 'emailConfirmed', {}, [known])
})
