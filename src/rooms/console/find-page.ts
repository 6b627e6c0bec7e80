/** What the search field found. */
import type { Client } from '../../model/client.ts'
import type { Owner } from '../../model/owner.ts'
import { named } from '../../paper/fields.ts'
import { html, type Markup } from '../../paper/markup.ts'
import { pageUrl } from '../../paper/view.ts'
import { consoleClientsWords } from './clients/words.ts'
import { type ConsolePageGiven, renderConsolePage } from './frame.ts'
import { renderOwnerTable } from './owners/owners-page.ts'
import { consoleOwnersWords } from './owners/words.ts'
import { clientPathOf } from './pieces.ts'

export interface FoundPage {
  readonly q: string
  readonly owners: readonly Owner[]
  readonly clients: readonly Client[]
}

export const renderFound = (given: ConsolePageGiven, { q, owners, clients }: FoundPage): string => {
  const { view } = given
  const words = consoleOwnersWords(view.language)
  const entry = ({ id, name }: Client): Markup =>
    html`<li><a href="${pageUrl(view, clientPathOf(id))}">${named(name)}</a> <code class="quiet small">${id}</code></li>`
  return renderConsolePage(given, {
    part: 'owners',
    heading: words.found({ q: named(q) }),
    main: html`<section class="card flush"><h2>${words.users}</h2>
${owners.length === 0 ? html`<p class="quiet">${words.none}</p>` : renderOwnerTable(owners, view, words.users)}</section>
<section class="card"><h2>${words.clients}</h2>
${clients.length === 0 ? html`<p class="quiet">${consoleClientsWords(view.language).none}</p>` : html`<ul>${clients.map(entry)}</ul>`}</section>`,
  })
}
