/** `/account/delete`: the owner deletes the account, after a recent proof and with the username typed. */
import type { Answer } from '../../../http/answer.ts'
import { usernameKey } from '../../../model/owner.ts'
import type { ServiceParts } from '../../../registries.ts'
import { traceOf } from '../../../store/trace.ts'
import { readOwnForm } from '../../form.ts'
import { forOwner } from '../../former.ts'
import { answerLogInNow, type OwnerVisit } from '../../owner-visit.ts'
import { showPage } from '../../visit.ts'
import { answerUnconfirmed, byOwner, isConfirmed } from '../confirmed.ts'
import { renderDelete } from './page.ts'

const deletionAtOf = ({ at }: OwnerVisit, { settings }: Pick<ServiceParts, 'settings'>): number =>
  at + settings.deletionDays * 86_400

const show = (
  visit: OwnerVisit,
  differs: boolean,
  parts: Pick<ServiceParts, 'settings'>,
): Answer => {
  const { view, csrf, login } = visit
  const deletionAt = deletionAtOf(visit, parts)
  const eventDays = Math.ceil(parts.settings.eventSeconds / 86_400)
  const html = renderDelete({ view, csrf, owner: login.owner, deletionAt, eventDays, differs })
  const refused = differs ? { status: 400, reason: 'deletion_not_typed' } : {}
  return showPage(visit, html, { ...refused, hasScript: true })
}

/** `GET /account/delete` */
export const showDelete = forOwner((visit, parts) =>
  isConfirmed(visit) ? show(visit, false, parts) : answerUnconfirmed(visit, parts),
)

/** `POST /account/delete`: ends the login that asks for it, too. The login page says the rest. */
export const deleteAccount = forOwner(async (visit, parts) => {
  const form = await readOwnForm(visit, parts)
  if (!isConfirmed(visit)) return answerUnconfirmed(visit, parts)
  const typed = usernameKey((form.find('username') ?? '').trim())
  if (typed !== usernameKey(visit.login.owner.username)) return show(visit, true, parts)
  const deletionAt = deletionAtOf(visit, parts)
  await parts.store.requestDeletion(byOwner(visit), deletionAt, traceOf(visit, parts))
  return answerLogInNow(visit, 'deleted')
})
