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
import { renderGo, renderRow, renderRows, type SheetRow } from '../../paper/rows.ts'
import type { RouteRow } from '../../route.ts'
import type { FoundPage } from '../../store/contract/trace.ts'
import { answerSeeOther, showPage } from '../visit.ts'
import { describeClientRow } from './clients/clients.ts'
import { consoleClientsWords } from './clients/words.ts'
import { findTypedOwner, makeRequestFilter } from './events/events.ts'
import {
  type ConsolePageGiven,
  type ConsolePath,
  getSubjectPath,
  renderConsolePage,
} from './frame.ts'
import { consoleLimits } from './limits.ts'
import { describeOwnerRow } from './owners/owners.ts'
import { consoleOwnersWords } from './owners/words.ts'
import type { Console, ConsoleNeeds } from './visit.ts'
import { consoleWords } from './words.ts'

interface FoundThings {
  readonly q: string
  readonly owners: FoundPage<Owner>
  readonly clients: FoundPage<Client>
}

export const renderFound = (
  given: ConsolePageGiven,
  { q, owners, clients }: FoundThings,
): string => {
  const { view } = given
  const words = consoleOwnersWords(view.language)
  const { more, partial } = consoleWords(view.language)
  const ofClients = consoleClientsWords(view.language)
  const section = (
    heading: string,
    rows: readonly SheetRow[],
    { next, isPartial }: FoundPage<unknown>,
    { none, goOn }: { readonly none: string; readonly goOn: string },
    path: ConsolePath,
  ): Markup =>
    html`<section class="card"><h2>${heading}</h2>${isPartial ? html`<p class="quiet">${partial}</p>` : null}
${rows.length === 0 ? html`<p class="quiet">${next === null ? none : goOn}</p>` : renderRows(rows.map(renderRow))}${next === null ? null : html`<p class="pages">${renderGo(view, path, more, { q, after: next })}</p>`}</section>
`
  const users = owners.rows.map((owner) => describeOwnerRow(owner, view))
  const applications = clients.rows.map((client) => describeClientRow(client, view))
  return renderConsolePage(given, {
    part: 'owners',
    heading: words.found({ q: sayName(q) }),
    main: html`${section(words.users, users, owners, words, '/admin/owners')}${section(words.clients, applications, clients, ofClients, '/admin/clients')}`,
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
    const [clients, owners] = await Promise.all([
      store.listClientsBy({ search: q }, null, few),
      store.listOwnersBy({ search: q }, null, few),
    ])
    const others = clients.rows.filter(({ id }) => id !== client?.id)
    const found = { ...clients, rows: client === null ? others : [client, ...others] }
    const html = renderFound(visit.given, { q, owners, clients: found })
    return showPage(visit, html)
  })
}
