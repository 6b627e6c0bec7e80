/** `GET /admin/find`: users and applications by the search field of every page. */

import { findClient } from '../../clients/find.ts'
import { findKept } from '../../events/explain-refusal.ts'
import { queryOf } from '../../http/request.ts'
import type { Client } from '../../model/client.ts'
import { isId } from '../../model/ids.ts'
import type { Owner } from '../../model/owner.ts'
import { ownerLimits } from '../../owners/limits.ts'
import { sayName } from '../../paper/fields.ts'
import { html, type Markup } from '../../paper/markup.ts'
import { pageUrl } from '../../paper/view.ts'
import type { RouteRow } from '../../route.ts'
import { answerSeeOther, showPage } from '../visit.ts'
import { consoleClientsWords } from './clients/words.ts'
import { findTypedOwner, makeRequestFilter } from './events/events.ts'
import { type ConsolePageGiven, getSubjectPath, renderConsolePage } from './frame.ts'
import { consoleLimits } from './limits.ts'
import { renderTable } from './list.ts'
import { listOwnerColumns } from './owners/owners.ts'
import { consoleOwnersWords } from './owners/words.ts'
import type { Console, ConsoleNeeds } from './visit.ts'

interface FoundPage {
  readonly q: string
  readonly owners: readonly Owner[]
  readonly clients: readonly Client[]
}

export const renderFound = (given: ConsolePageGiven, { q, owners, clients }: FoundPage): string => {
  const { view } = given
  const words = consoleOwnersWords(view.language)
  const entry = ({ id, name }: Client): Markup =>
    html`<li><a href="${pageUrl(view, getSubjectPath('clients', id))}">${sayName(name)}</a> <code class="quiet small">${id}</code></li>`
  return renderConsolePage(given, {
    part: 'owners',
    heading: words.found({ q: sayName(q) }),
    main: html`<section class="card"><h2>${words.users}</h2>
${owners.length === 0 ? html`<p class="quiet">${words.none}</p>` : renderTable(listOwnerColumns(view), owners, words.users)}</section>
<section class="card"><h2>${words.clients}</h2>
${clients.length === 0 ? html`<p class="quiet">${consoleClientsWords(view.language).none}</p>` : html`<ul>${clients.map(entry)}</ul>`}</section>`,
  })
}

export const openFind = (needs: ConsoleNeeds, entry: Console): RouteRow => {
  const { store } = needs

  const hasEvents = async (reference: string): Promise<boolean> => {
    if (!isId(reference)) return false
    const of = makeRequestFilter(reference)
    return (await store.listEvents(of, null, 1, 'oldest first')).rows.length > 0
  }

  /** A whole id leads to its page at once, and so does the reference of a refusal or an event. */
  return entry.page('/admin/find', async (visit) => {
    const typed = (queryOf(visit.request).find('q') ?? '').trim()
    const q = typed.slice(0, ownerLimits.usernameCharacters)
    if (q === '') return answerSeeOther(visit, '/admin/owners')
    const [owner, client] = await Promise.all([
      findTypedOwner(q, store),
      findClient(q, needs, 'disabled'),
    ])
    if (owner !== null && client === null)
      return answerSeeOther(visit, getSubjectPath('owners', owner.id))
    if (client !== null && owner === null)
      return answerSeeOther(visit, getSubjectPath('clients', client.id))
    const reference = q.toLowerCase()
    if (client === null && (await findKept(reference, visit.at, needs)) !== null) {
      return answerSeeOther(visit, `/admin/explain?reference=${encodeURIComponent(q)}`)
    }
    if (client === null && (await hasEvents(reference))) {
      return answerSeeOther(visit, `/admin/events?reference=${encodeURIComponent(reference)}`)
    }
    const few = consoleLimits.fewRows
    const texts = ['username', 'name', 'email'] as const
    const [clients, ...byText] = await Promise.all([
      store.listClientsBy({ by: 'name', prefix: q }, null, few),
      ...texts.map((by) => store.listOwnersBy({ by, prefix: q }, null, few)),
    ])
    const all = byText.flatMap(({ rows }) => rows)
    const owners = [...new Map(all.map((one) => [one.id, one])).values()]
    const found = client === null ? clients.rows : [client, ...clients.rows]
    const html = renderFound(visit.given, { q, owners, clients: found })
    return showPage(visit, html)
  })
}
