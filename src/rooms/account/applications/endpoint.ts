/** `GET /account`: the list of applications with access, and a notice of what was done. */
import { findClient } from '../../../clients/find.ts'
import type { ServiceParts } from '../../../registries.ts'
import { forOwner } from '../../former.ts'
import { doneOf, type OwnerVisit } from '../../owner-visit.ts'
import { showPage } from '../../visit.ts'
import { listApplications } from './list.ts'
import { type AccountDone, type DoneInList, renderAccount } from './page.ts'
import { accountWords } from './words.ts'

const accountDone = async (
  visit: OwnerVisit,
  parts: Pick<ServiceParts, 'store'>,
): Promise<AccountDone | null> => {
  const done = doneOf(visit)
  if (done === null || !Object.hasOwn(accountWords.english.done, done.what)) return null
  const client = done.clientId && (await findClient(done.clientId, parts, 'disabled'))
  return {
    what: done.what as DoneInList,
    clientName: client ? client.name : null,
    count: Number(done.detail) || 0,
  }
}

export const showAccountPage = forOwner(async (visit, parts) => {
  await parts.uses.catchUp()
  const { view, csrf, login, at } = visit
  const list = await listApplications(visit, parts)
  const done = await accountDone(visit, parts)
  const html = renderAccount({ view, csrf, owner: login.owner, now: at, done, ...list })
  return showPage(visit, html, { hasScript: true })
})
