/** The page of one application: its registration, and the actions on it. */

import type { ChartRange, Funnel } from '../../../events/series.ts'
import type { Client } from '../../../model/client.ts'
import {
  endClientTokens,
  revokeRegistration,
  rotateSecret,
} from '../../../operations/client-credentials.ts'
import { changeClient, deleteClient } from '../../../operations/clients.ts'
import { hidden, named } from '../../../paper/fields.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { renderTile } from '../../../paper/tile.ts'
import { moment, near } from '../../../paper/time.ts'
import { pageUrl } from '../../../paper/view.ts'
import type { RedirectTest } from '../../../requests/redirect-difference.ts'
import { isLoopbackUri, redirectUriFaults } from '../../../requests/redirect-uri.ts'
import { type ActionRows, button, renderAction } from '../actions.ts'
import { type ConsolePageGiven, clientPath, renderConsolePage, renderFact } from '../frame.ts'
import { renderFunnel, renderRanges } from '../overview/charts.ts'
import { chartWords } from '../overview/words.ts'
import { broughtBy, clientKind } from './clients.ts'
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

type ClientWords = ReturnType<typeof consoleClientsWords>

const renderNames = (list: readonly string[]): Content =>
  list.length === 0 ? null : list.map((name) => html`<code class="tag">${name}</code> `)

const renderLink = (uri: string | undefined): Content =>
  uri === undefined ? null : html`<code>${uri}</code>`

/** The text, with a mark from the first character that differs. */
const renderMarked = (text: string, alike: number): Markup =>
  html`<code>${text.slice(0, alike)}<mark>${text.slice(alike)}</mark></code>`

const renderDifference = (
  { received, nearest, alike, fault }: Extract<RedirectTest, { is: 'differs' }>,
  words: ClientWords,
): Markup =>
  html`<div class="notice problem" role="status"><div>${
    nearest === null
      ? html`<p>${words.noUris}</p>`
      : html`<p>${words.differs({ at: alike + 1 })}</p>
<dl class="facts"><div><dt>${words.expected}</dt><dd>${renderMarked(nearest, alike)}</dd></div>
<div><dt>${words.received}</dt><dd>${renderMarked(received, alike)}</dd></div></dl>`
  }${fault === null ? null : html`<p>${words.cannotRegister({ fault: redirectUriFaults[fault] })}</p>`}</div></div>`

const renderResult = (result: RedirectTest, words: ClientWords): Markup => {
  const say = (text: Markup | string): Markup => html`<p class="notice" role="status">${text}</p>`
  switch (result.is) {
    case 'match': {
      const uri = html`<code>${result.registered}</code>`
      return say(result.rule === 'exact' ? words.match({ uri }) : words.loopback({ uri }))
    }
    case 'only one':
      return say(words.onlyOne({ uri: html`<code>${result.registered}</code>` }))
    case 'missing':
      return html`<p class="notice problem" role="status">${words.missing}</p>`
    case 'other client':
      return html`<p class="notice problem" role="status">${words.otherClient({ id: html`<code>${result.clientId}</code>` })}</p>`
    case 'differs':
      return renderDifference(result, words)
  }
}

const renderRedirectTest = (
  { view, csrf }: ConsolePageGiven,
  { client: { id }, test }: ClientPage,
): Markup => {
  const words = consoleClientsWords(view.language)
  return html`<form method="post" action="${pageUrl(view, clientPath(id, '/test'))}">${hidden('csrf', csrf)}
<label class="field"><span>${words.testUri}</span><input type="text" name="uri" value="${test?.text ?? ''}" maxlength="16384" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="uri-hint">
<span class="hint" id="uri-hint">${words.testHint}</span></label>
${test === null ? null : renderResult(test.result, words)}
<p><button type="submit">${words.test}</button></p></form>`
}

const renderUris = (given: ConsolePageGiven, page: ClientPage): Markup => {
  const { client } = page
  const words = consoleClientsWords(given.view.language)
  const port = html` <span class="quiet small">${words.anyPort}</span>`
  const uris = client.redirectUris.map(
    (uri) => html`<li><code>${uri}</code>${isLoopbackUri(uri) ? port : null}</li>`,
  )
  return html`<section class="card"><h2>${words.uris}</h2>
${uris.length === 0 ? html`<p class="quiet">${words.noUris}</p>` : html`<ul>${uris}</ul>`}
${given.role === 'operator' ? renderRedirectTest(given, page) : null}</section>`
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

export const clientActions = {
  rotate: button(rotateSecret, 'rotate', 'changed', (form) => ({
    keep_old_seconds: Number(form.find('keep_old_seconds') ?? '0'),
  })),
  enable: button(changeClient, 'enable', 'enabled', { disabled: false }),
  disable: button(changeClient, 'disable', 'disabled', { disabled: true }),
  end: button(endClientTokens, 'end', 'ended'),
  revoke: button(revokeRegistration, 'revoke', 'revoked'),
  delete: button(deleteClient, 'delete', 'deleted'),
} satisfies ActionRows<ClientWords, Client>

/** How long an old secret may go on, in seconds. */
const keptTimes = { none: 0, hour: 3600, day: 86_400, week: 604_800, month: 2_592_000 } as const

const renderActions = (given: ConsolePageGiven, { client }: ClientPage): Markup => {
  const words = consoleClientsWords(given.view.language)
  const path = clientPath(client.id)
  const button = (name: keyof typeof clientActions, fields: Content = null): Markup =>
    renderAction(given, path, name, clientActions[name].says(words), fields)
  const options = (Object.keys(keptTimes) as (keyof typeof keptTimes)[]).map(
    (name) => html`<option value="${keptTimes[name]}">${words.keep[name]}</option>`,
  )
  const keep = html`<label class="field"><span>${words.keepOld}</span><select name="keep_old_seconds">${options}</select></label>`
  const secret = html`<section class="card"><h2>${words.secretHeading}</h2><p class="quiet small">${words.secretOnce}</p>
${button('rotate', keep)}</section>`
  return html`${client.secretDigest === null ? null : secret}<section class="card"><h2>${words.stop}</h2><div class="stack">
${button(client.disabled ? 'enable' : 'disable')}
${button('end')}
${client.registrationDigest === null ? null : button('revoke')}
${button('delete')}
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
${role === 'operator' ? renderActions(given, page) : null}</div></div>`,
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
