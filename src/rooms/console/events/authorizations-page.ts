/** What users allowed applications, by user or by application. */

import { hidden, named } from '../../../paper/fields.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { near } from '../../../paper/time.ts'
import { pageUrl } from '../../../paper/view.ts'
import type { ListedAuthorization } from '../../../store/contract/authorization.ts'
import { type ConsolePageGiven, renderConsolePage } from '../frame.ts'
import {
  clientPathOf,
  ownerPath,
  type PagePlace,
  renderChoice,
  renderFilter,
  renderFilters,
  renderPages,
} from '../pieces.ts'
import { consoleEventsWords } from './words.ts'

export interface AccessFilter {
  readonly owner: string
  readonly client: string
  readonly state: 'live' | 'paused' | 'ended'
}

export interface AuthorizationsPage extends PagePlace {
  readonly authorizations: readonly ListedAuthorization[]
  readonly filter: AccessFilter
  readonly notice: string | null
  readonly problem: string | null
}

const path = '/admin/authorizations'

const renderEnd = (
  one: ListedAuthorization,
  { view, csrf }: ConsolePageGiven,
  filter: AccessFilter,
): Markup => {
  const words = consoleEventsWords(view.language)
  const of = words.endOf({ client: one.clientName, owner: one.username })
  return html`<form method="post" action="${pageUrl(view, path, { ...filter })}">${hidden('csrf', csrf)}${hidden('authorization', one.id)}<button type="submit">${words.end}<span class="unseen">${of}</span></button></form>`
}

const renderRow = (
  one: ListedAuthorization,
  given: ConsolePageGiven,
  filter: AccessFilter,
): Markup => {
  const { view, role } = given
  const words = consoleEventsWords(view.language)
  const { expiresAt, lastUsedAt } = one
  const canEnd = role === 'operator' && filter.state !== 'ended'
  return html`<tr><th scope="row"><a href="${pageUrl(view, ownerPath(one.ownerId))}">${named(one.username)}</a></th>
<td><a href="${pageUrl(view, clientPathOf(one.clientId))}">${named(one.clientName)}</a></td>
<td class="aside"><code class="small">${one.permissions.join(' ')}</code></td>
<td class="aside quiet">${lastUsedAt === null ? words.never : near(lastUsedAt, view.at, view)}</td>
<td class="aside quiet">${expiresAt === null ? words.endless : near(expiresAt, view.at, view)}</td>
<td>${canEnd ? renderEnd(one, given, filter) : null}</td></tr>
`
}

export const renderAuthorizations = (given: ConsolePageGiven, page: AuthorizationsPage): string => {
  const { view } = given
  const { authorizations, filter, notice, problem } = page
  const words = consoleEventsWords(view.language)
  const labels = { label: words.access, submit: words.search }
  const states = (['live', 'paused', 'ended'] as const).map(
    (state) => [state, words.states[state]] as const,
  )
  return renderConsolePage(given, {
    part: 'authorizations',
    heading: words.access,
    notice,
    problem,
    main: html`${renderFilters(view, path, labels, [
      renderFilter('owner', words.owner, filter.owner, words.ownerHint),
      renderFilter('client', words.client, filter.client, words.clientHint),
      renderChoice('state', words.state, filter.state, states),
    ])}
${
  authorizations.length === 0
    ? html`<p class="card">${page.next === null ? words.none : words.goOn}</p>`
    : html`<section class="card flush"><table><caption class="unseen">${words.access}</caption>
<thead><tr><th scope="col">${words.owner}</th><th scope="col">${words.client}</th><th scope="col" class="aside">${words.may}</th><th scope="col" class="aside">${words.lastUsed}</th><th scope="col" class="aside">${words.ends}</th><td></td></tr></thead>
<tbody>${authorizations.map((one) => renderRow(one, given, filter))}</tbody></table></section>`
}
${renderPages(view, path, { ...filter }, page)}`,
  })
}
