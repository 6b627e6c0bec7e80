/** The applications of the service, with search and filters. */
import { type Client, publicMethod } from '../../../model/client.ts'
import { hidden, named } from '../../../paper/fields.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { renderTile } from '../../../paper/tile.ts'
import { near } from '../../../paper/time.ts'
import { pageUrl } from '../../../paper/view.ts'
import { type ConsolePageGiven, renderConsolePage } from '../frame.ts'
import { consoleWords } from '../words.ts'
import { consoleClientsWords } from './words.ts'

/** Who brought a client. */
export const broughtBy = ({
  document,
  registeredBy,
}: Client): 'document' | 'itself' | 'operator' =>
  document === undefined ? registeredBy : 'document'

export interface ClientFilter {
  /** The beginning of a name, or a whole client ID; '' for all. */
  readonly q: string
  readonly by: '' | 'operator' | 'itself' | 'document'
  readonly state: '' | 'active' | 'disabled'
}

export interface ClientsPage {
  readonly clients: readonly Client[]
  readonly filter: ClientFilter
  /** Null where it is the last page. */
  readonly next: string | null
  readonly isFirst: boolean
  readonly notice: string | null
}

export const clientPath = (id: string, rest = ''): `/admin/clients/${string}` =>
  `/admin/clients/${encodeURIComponent(id)}${rest}`

/** How a client proves itself, in a word. */
export const clientKind = (
  { authenticationMethod, secretDigest }: Client,
  words: ReturnType<typeof consoleClientsWords>,
): string => {
  if (authenticationMethod === publicMethod) return words.public
  return secretDigest === null ? words.keys : words.secret
}

const renderRow = (client: Client, { view }: ConsolePageGiven): Markup => {
  const words = consoleClientsWords(view.language)
  const by = broughtBy(client)
  return html`<tr><th scope="row"><span class="who">${renderTile(client.name, null, { registeredBy: client.registeredBy })}<span><a href="${pageUrl(view, clientPath(client.id))}">${named(client.name)}</a>${client.disabled ? html` <span class="tag bad">${words.disabled}</span>` : null}<br><code class="quiet small">${client.id}</code></span></span></th>
<td class="aside">${clientKind(client, words)}</td>
<td class="aside"><span class="tag${by === 'operator' ? '' : ' warn'}">${words[by]}</span></td>
<td class="aside quiet">${near(client.createdAt, view.at, view)}</td></tr>
`
}

const renderChoice = (
  name: string,
  label: string,
  chosen: string,
  choices: readonly (readonly [string, string])[],
): Markup =>
  html`<label class="field"><span>${label}</span><select name="${name}">${choices.map(
    ([value, text]) =>
      html`<option value="${value}"${value === chosen ? html` selected` : null}>${text}</option>`,
  )}</select></label>`

const renderFilters = ({ view }: ConsolePageGiven, { q, by, state }: ClientFilter): Markup => {
  const words = consoleClientsWords(view.language)
  const carried = [...new URLSearchParams(view.carried)].map(([name, value]) => hidden(name, value))
  return html`<form class="filters" method="get" role="search" aria-label="${words.heading}" action="${pageUrl(view, '/admin/clients')}">${carried}
<label class="field"><span>${words.find}</span><input type="search" name="q" value="${q}" maxlength="2048" autocomplete="off" autocapitalize="none" spellcheck="false"></label>
${renderChoice('by', words.by, by, [
  ['', words.anyone],
  ['operator', words.operator],
  ['itself', words.itself],
  ['document', words.document],
])}
${renderChoice('state', words.state, state, [
  ['', words.any],
  ['active', words.active],
  ['disabled', words.disabled],
])}
<button type="submit">${words.search}</button></form>`
}

export const renderClients = (given: ConsolePageGiven, page: ClientsPage): string => {
  const { view, role } = given
  const { clients, filter, next, isFirst, notice } = page
  const words = consoleClientsWords(view.language)
  const { more, first } = consoleWords(view.language)
  const at = (after: string) => pageUrl(view, '/admin/clients', { ...filter, after })
  const create = html`<a class="button primary" href="${pageUrl(view, '/admin/new-client')}">${words.create}</a>`
  return renderConsolePage(given, {
    part: 'clients',
    heading: words.heading,
    head: html`<div class="head"><h1>${words.heading}</h1>${role === 'operator' ? create : null}</div>`,
    notice,
    main: html`${renderFilters(given, filter)}
${
  clients.length === 0
    ? html`<p class="card">${next === null ? words.none : words.goOn}</p>`
    : html`<section class="card flush"><table><caption class="unseen">${words.heading}</caption>
<thead><tr><th scope="col">${words.name}</th><th scope="col" class="aside">${words.kind}</th><th scope="col" class="aside">${words.by}</th><th scope="col" class="aside">${words.registered}</th></tr></thead>
<tbody>${clients.map((client) => renderRow(client, given))}</tbody></table></section>`
}
<p class="pages">${isFirst ? null : html`<a class="button" href="${at('')}">${first}</a>`}${next === null ? null : html`<a class="button" href="${at(next)}">${more}</a>`}</p>`,
  })
}
