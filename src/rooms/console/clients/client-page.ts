/** The page of one application: its registration, and the actions on it. */
import type { ChartRange, Funnel } from '../../../events/series.ts'
import type { Client } from '../../../model/client.ts'
import { type EntryForm, renderAct, renderAsked } from '../../../paper/entries.ts'
import { hidden, named } from '../../../paper/fields.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { renderTile } from '../../../paper/tile.ts'
import { moment, near } from '../../../paper/time.ts'
import { pageUrl } from '../../../paper/view.ts'
import type { RedirectTest } from '../../../requests/redirect-difference.ts'
import { isLoopbackUri } from '../../../requests/redirect-uri.ts'
import { type ConsolePageGiven, renderConsolePage } from '../frame.ts'
import { renderFunnel, renderRanges } from '../overview/charts.ts'
import { chartWords } from '../overview/words.ts'
import { broughtBy, clientKind, clientPath } from './clients-page.ts'
import { renderRedirectTest } from './redirect-test.ts'
import { consoleClientsWords } from './words.ts'

export interface ClientPage {
  readonly client: Client
  /** Live authorizations; `isMore` where there are further ones. */
  readonly users: { readonly count: number; readonly isMore: boolean }
  readonly lastUsedAt: number | null
  /** What was tested, and how it went. */
  readonly test: { readonly text: string; readonly result: RedirectTest } | null
  readonly notice: string | null
  readonly funnel: Funnel
  readonly range: ChartRange
}

const renderFact = (name: Content, value: Content): Markup | null =>
  value === null || value === '' ? null : html`<div><dt>${name}</dt><dd>${value}</dd></div>`

const renderNames = (list: readonly string[]): Content =>
  list.length === 0 ? null : list.map((name) => html`<code class="tag">${name}</code> `)

const renderLink = (uri: string | undefined): Content =>
  uri === undefined ? null : html`<code>${uri}</code>`

const renderUris = (given: ConsolePageGiven, { client, test }: ClientPage): Markup => {
  const words = consoleClientsWords(given.view.language)
  const port = html` <span class="quiet small">${words.anyPort}</span>`
  const uris = client.redirectUris.map(
    (uri) => html`<li><code>${uri}</code>${isLoopbackUri(uri) ? port : null}</li>`,
  )
  return html`<section class="card"><h2>${words.uris}</h2>
${uris.length === 0 ? html`<p class="quiet">${words.noUris}</p>` : html`<ul>${uris}</ul>`}
${given.role === 'operator' ? renderRedirectTest(given, client, test) : null}</section>`
}

const renderAsks = ({ view }: ConsolePageGiven, { client }: ClientPage): Markup => {
  const words = consoleClientsWords(view.language)
  const { accessTokenSeconds, refreshTokenSeconds, grantTypes } = client
  const lasts = (seconds: number | null): string =>
    seconds === null ? words.unlimited : words.seconds({ seconds })
  const rights = [
    client.trusted ? words.trusted : '',
    client.mayIntrospect ? words.introspects : '',
  ]
  return html`<section class="card"><h2>${words.asks}</h2><dl class="facts">
${renderFact(words.permissions, html`${client.scopeLimits ? null : `${words.ownersDecide} `}${renderNames(client.scope)}`)}
${renderFact(words.required, renderNames(client.requiredScope))}
${renderFact(words.grants, renderNames(grantTypes))}
${renderFact(words.responses, renderNames(client.responseTypes))}
${renderFact(words.method, html`<code>${client.authenticationMethod}</code>`)}
${renderFact(words.lifetime, lasts(accessTokenSeconds))}
${grantTypes.includes('refresh_token') ? renderFact(words.refresh, lasts(refreshTokenSeconds)) : null}
${renderFact(words.rights, rights.filter((right) => right !== '').join(', '))}
</dl></section>`
}

/** Only for the code flow: other grants have no steps in a browser. */
const renderFunnelCard = ({ view }: ConsolePageGiven, page: ClientPage): Markup | null => {
  const { client, funnel, range } = page
  if (!client.grantTypes.includes('authorization_code')) return null
  return html`<section class="card"><h2>${chartWords(view.language).funnel}</h2>${renderRanges(range, clientPath(client.id), view)}
${renderFunnel(funnel, view.language)}</section>`
}

const renderAbout = ({ view }: ConsolePageGiven, page: ClientPage): Markup => {
  const { client, users, lastUsedAt } = page
  const words = consoleClientsWords(view.language)
  const { client_uri, contacts = [], software_id, software_version } = client.display
  const software = [software_id, software_version].filter((part) => part !== undefined).join(' ')
  const { count } = users
  return html`<section class="card"><h2>${words.about}</h2><dl class="facts">
${renderFact(words.state, html`<span class="status${client.disabled ? ' off' : ''}">${client.disabled ? words.disabled : words.active}</span>`)}
${renderFact(words.by, words[broughtBy(client)])}
${renderFact(words.registered, moment(client.createdAt, view))}
${renderFact(words.users, html`<a href="${pageUrl(view, '/admin/authorizations', { client: client.id })}">${users.isMore ? words.atLeast({ count }) : words.usersOf({ count })}</a>`)}
${renderFact(words.lastUsed, lastUsedAt === null ? words.never : near(lastUsedAt, view.at, view))}
${renderFact(words.website, renderLink(client_uri))}
${renderFact(words.contacts, contacts.join(', '))}
${renderFact(words.software, software)}
${client.registeredBy === 'itself' ? renderFact(words.manages, client.registrationDigest === null ? words.no : words.yes) : null}
${renderFact(words.setByOperator, renderNames(client.setByOperator))}
${client.oldSecret === null ? null : renderFact(words.oldSecret, moment(client.oldSecret.expiresAt, view))}
${client.document === undefined ? null : renderFact(words.pinned, client.pinned === true ? words.yes : words.no)}
</dl></section>`
}

const formOf = (
  { view, csrf }: ConsolePageGiven,
  { id }: Client,
  action: string,
  more: Content = null,
): EntryForm => ({
  view,
  csrf,
  path: clientPath(id),
  fields: html`${hidden('action', action)}${more}`,
})

const renderSecret = (given: ConsolePageGiven, { client }: ClientPage): Markup | null => {
  if (client.secretDigest === null) return null
  const words = consoleClientsWords(given.view.language)
  const times = { none: 0, hour: 3600, day: 86_400, week: 604_800, month: 2_592_000 }
  const options = Object.entries(times).map(
    ([name, seconds]) =>
      html`<option value="${seconds}">${words.keep[name as keyof typeof times]}</option>`,
  )
  const keep = html`<label class="field"><span>${words.keepOld}</span><select name="keep_old_seconds">${options}</select></label>`
  return html`<section class="card"><h2>${words.secretHeading}</h2><p class="quiet small">${words.secretOnce}</p>
${renderAsked(formOf(given, client, 'rotate', keep), {
  button: words.rotate,
  effect: words.rotateEffect,
  confirm: words.rotateNow,
})}</section>`
}

const renderStop = (given: ConsolePageGiven, { client }: ClientPage): Markup => {
  const words = consoleClientsWords(given.view.language)
  const asked = (action: string, button: string, effect: string, confirm: string): Markup =>
    renderAsked(formOf(given, client, action), { button, effect, confirm })
  return html`<section class="card"><h2>${words.stop}</h2><div class="stack">
${
  client.disabled
    ? renderAct(formOf(given, client, 'enable'), words.enable)
    : asked('disable', words.disable, words.disableEffect, words.disableNow)
}
${asked('end', words.end, words.endEffect, words.endNow)}
${client.registrationDigest === null ? null : asked('revoke', words.revoke, words.revokeEffect, words.revokeNow)}
${asked('delete', words.delete, words.deleteEffect, words.deleteNow)}
</div></section>`
}

export const renderClient = (given: ConsolePageGiven, page: ClientPage): string => {
  const { view, role } = given
  const { client, notice } = page
  const words = consoleClientsWords(view.language)
  const go = (rest: string, text: string): Markup =>
    html`<a class="button" href="${pageUrl(view, clientPath(client.id, rest))}">${text}</a>`
  const mayTry = client.grantTypes.includes('authorization_code') && !client.disabled
  return renderConsolePage(given, {
    part: 'clients',
    heading: words.heading,
    title: client.name,
    head: html`<p class="back"><a href="${pageUrl(view, '/admin/clients')}">${words.heading}</a></p>
<div class="head"><div class="who">${renderTile(client.name, null, { size: 'big', registeredBy: client.registeredBy })}<div><h1>${named(client.name)}</h1><p class="quiet small"><code>${client.id}</code> · ${clientKind(client, words)}</p></div></div>
${role === 'operator' ? html`<p class="pages">${mayTry ? go('/try', words.trial.open) : null}${go('/edit', words.edit)}</p>` : null}</div>`,
    notice,
    main: html`<div class="sides"><div>${renderUris(given, page)}
${renderFunnelCard(given, page)}
${renderAsks(given, page)}</div>
<div>${renderAbout(given, page)}
${role === 'operator' ? html`${renderSecret(given, page)}${renderStop(given, page)}` : null}</div></div>`,
  })
}

/** The secret that was just made. */
export const renderNewSecret = (
  given: ConsolePageGiven,
  { id, name }: { readonly id: string; readonly name: string },
  secret: string,
): string => {
  const { view } = given
  const words = consoleClientsWords(view.language)
  const heading = words.newSecret({ client: named(name) })
  return renderConsolePage(given, {
    part: 'clients',
    heading,
    title: words.secretHeading,
    main: html`<section class="card"><dl class="facts">
${renderFact(words.id, html`<code>${id}</code>`)}
${renderFact(words.secretHeading, html`<code>${secret}</code>`)}</dl>
<p class="notice warning">${words.copy}</p>
<p class="actions"><a class="button primary" href="${pageUrl(view, clientPath(id))}">${words.back}</a></p></section>`,
  })
}
