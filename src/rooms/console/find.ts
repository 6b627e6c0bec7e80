/** `GET /admin/find`: users and applications by the search field of every page. */
import { findClient } from '../../clients/find.ts'
import { findKept } from '../../events/explain-refusal.ts'
import { queryOf } from '../../http/exchange.ts'
import { isId } from '../../model/ids.ts'
import { ownerLimits } from '../../owners/limits.ts'
import type { ServiceParts } from '../../registries.ts'
import { answerSeeOther, showPage } from '../visit.ts'
import { eventsOfRequest } from './events/events.ts'
import { renderFound } from './find-page.ts'
import { consoleLimits } from './limits.ts'
import { findTypedOwner } from './owners/named-owners.ts'
import { clientPathOf, ownerPath } from './pieces.ts'
import { consolePage } from './visit.ts'

const hasEvents = async (reference: string, { store }: Pick<ServiceParts, 'store'>) =>
  isId(reference) &&
  (await store.listEvents(eventsOfRequest(reference), null, 1, 'oldest first')).rows.length > 0

/** A whole id leads to its page at once, and so does the reference of a refusal or an event. */
export const showFound = consolePage(async (visit, parts) => {
  const { store } = parts
  const q = (queryOf(visit.request).find('q') ?? '').trim().slice(0, ownerLimits.usernameCharacters)
  if (q === '') return answerSeeOther(visit, '/admin/owners')
  const [owner, client] = await Promise.all([
    findTypedOwner(q, parts),
    findClient(q, parts, 'disabled'),
  ])
  if (owner !== null && client === null) return answerSeeOther(visit, ownerPath(owner.id))
  if (client !== null && owner === null) return answerSeeOther(visit, clientPathOf(client.id))
  if (client === null && (await findKept(q.toLowerCase(), visit.at, parts)) !== null) {
    return answerSeeOther(visit, `/admin/explain?reference=${encodeURIComponent(q)}`)
  }
  if (client === null && (await hasEvents(q.toLowerCase(), parts))) {
    return answerSeeOther(visit, `/admin/events?reference=${encodeURIComponent(q.toLowerCase())}`)
  }
  const few = consoleLimits.fewRows
  const [byName, named, byEmail, clients] = await Promise.all([
    store.listOwnersBy({ by: 'username', prefix: q }, null, few),
    store.listOwnersBy({ by: 'name', prefix: q }, null, few),
    store.listOwnersBy({ by: 'email', prefix: q }, null, few),
    store.listClientsBy({ by: 'name', prefix: q }, null, few),
  ])
  const all = [...byName.rows, ...named.rows, ...byEmail.rows]
  const owners = [...new Map(all.map((one) => [one.id, one])).values()]
  const found = client === null ? clients.rows : [client, ...clients.rows]
  const html = renderFound(visit.given, { q, owners, clients: found })
  return showPage(visit, html, { hasScript: true })
})
