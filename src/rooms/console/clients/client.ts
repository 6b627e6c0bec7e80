/** `/admin/clients/{client_id}`: one application with its registration, and what its buttons do. */

import { readActs } from '../../../clients/acts.ts'
import { listStricter } from '../../../clients/stricter.ts'
import { readFunnel } from '../../../events/series.ts'
import type { Answer } from '../../../http/answer.ts'
import { findNamedClient, readClient } from '../../../operations/clients.ts'
import { renderComparison } from '../../../paper/difference.ts'
import { hide, sayName } from '../../../paper/fields.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { renderStatus } from '../../../paper/pieces.ts'
import { renderGo, renderRow, renderRows } from '../../../paper/rows.ts'
import { renderTile } from '../../../paper/tile.ts'
import { sayMoment, sayWhen } from '../../../paper/time.ts'
import { pageUrl } from '../../../paper/view.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import { getProfile } from '../../../protocol/profile.ts'
import { requestLimits } from '../../../requests/limits.ts'
import { type RedirectTest, testRedirect } from '../../../requests/redirect-difference.ts'
import { isLoopbackUri, redirectUriFaults } from '../../../requests/redirect-uri.ts'
import type { RouteRow } from '../../../route.ts'
import { getBringer, getClientKind } from '../../../store/contract/client.ts'
import { readDone } from '../../owner-visit.ts'
import { showPage } from '../../visit.ts'
import { openActions, renderUndo } from '../actions.ts'
import {
  type ConsolePageGiven,
  getSubjectPath,
  renderFact,
  renderFacts,
  renderPermissions,
  renderSubject,
} from '../frame.ts'
import {
  readRange,
  renderFunnel,
  renderPair,
  renderRanges,
  renderReasons,
} from '../overview/charts.ts'
import { chartWords } from '../overview/words.ts'
import { type Console, type ConsoleNeeds, type ConsoleVisit, findConsoleNotice } from '../visit.ts'
import {
  type ClientWords,
  clientActions,
  refuseCalmRotation,
  renderClientActions,
} from './client-actions.ts'
import { showNewSecret } from './new-secret.ts'
import { consoleClientsWords } from './words.ts'

/** @param text what is tested, such as a redirect URI; null for nothing */
const readPage = async (visit: ConsoleVisit, text: string | null, needs: ConsoleNeeds) => {
  const client = await findNamedClient(visit, needs)
  const range = readRange(visit, 'day')
  return {
    client,
    test: text === null ? null : { text, result: testRedirect(text, client) },
    notice: findConsoleNotice(visit, consoleClientsWords(visit.view.language).done),
    isUndoable: client.disabled && readDone(visit)?.what === 'disabled',
    funnel: await readFunnel(client.id, range, visit.at, needs.store),
    range,
    profile: getProfile(client, needs.settings),
    stricter: await listStricter(client.id, visit.at, needs),
    acts: await readActs(client, visit.at, needs),
  }
}

type ClientPage = Awaited<ReturnType<typeof readPage>>

const renderNames = (list: readonly string[]): Content =>
  list.length === 0 ? null : list.map((name) => html`<code class="tag">${name}</code> `)

const renderDifference = (
  { received, nearest, alike, fault }: Extract<RedirectTest, { is: 'differs' }>,
  words: ClientWords,
): Markup =>
  html`<div class="notice problem" role="status">${
    nearest === null
      ? html`<p>${words.noUris}</p>`
      : html`<p>${words.differs({ at: alike + 1 })}</p>
<dl class="compared">${renderComparison(received, [nearest], { ...words, or: '' })}</dl>`
  }${fault === null ? null : html`<p>${words.cannotRegister({ fault: redirectUriFaults[fault] })}</p>`}</div>`

const renderResult = (result: RedirectTest, words: ClientWords): Markup => {
  const say = (text: Markup | string, look = ''): Markup =>
    html`<p class="notice${look}" role="status">${text}</p>`
  switch (result.is) {
    case 'match': {
      const uri = html`<code>${result.registered}</code>`
      return say(result.rule === 'exact' ? words.match({ uri }) : words.loopback({ uri }))
    }
    case 'only one':
      return say(words.onlyOne({ uri: html`<code>${result.registered}</code>` }))
    case 'missing':
      return say(words.missing, ' problem')
    case 'other client':
      return say(words.otherClient({ id: html`<code>${result.clientId}</code>` }), ' problem')
    case 'differs':
      return renderDifference(result, words)
  }
}

const renderRedirectTest = (
  { view, csrf }: ConsolePageGiven,
  { client: { id }, test }: ClientPage,
): Markup => {
  const words = consoleClientsWords(view.language)
  return html`<form method="post" action="${pageUrl(view, getSubjectPath('clients', id, '/test'))}">${hide('csrf', csrf)}
<label class="field"><span>${words.testUri}</span><input type="text" name="uri" value="${test?.text ?? ''}" maxlength="16384" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="uri-hint">
<span class="hint" id="uri-hint">${words.testHint}</span></label>
${test === null ? null : renderResult(test.result, words)}
<p><button type="submit">${words.test}</button></p></form>`
}

const renderUris = (given: ConsolePageGiven, page: ClientPage): Markup => {
  const { client } = page
  const words = consoleClientsWords(given.view.language)
  const rows = client.redirectUris.map((uri) => {
    const end = isLoopbackUri(uri) ? words.anyPort : null
    return renderRow({ title: html`<code>${uri}</code>`, end })
  })
  return html`<section class="card"><h2>${words.uris}</h2>
${rows.length === 0 ? html`<p class="quiet">${words.noUris}</p>` : renderRows(rows)}
${given.role === 'operator' ? renderRedirectTest(given, page) : null}</section>`
}

/** The rules of stricter profiles that the application broke lately. */
const renderStricter = ({ stricter }: ClientPage, words: ClientWords): Content =>
  stricter.flatMap(({ profile, clients }) =>
    clients.map(
      ({ rules }) =>
        html`${renderFact(words.refusedBy({ profile }), renderNames(rules.map(({ rule }) => rule)))}`,
    ),
  )

const renderAsks = ({ view }: ConsolePageGiven, page: ClientPage): Markup => {
  const { client, profile } = page
  const words = consoleClientsWords(view.language)
  const { accessTokenSeconds, refreshTokenSeconds, grantTypes } = client
  const lasts = (seconds: number | null): string =>
    seconds === null ? words.unlimited : words.seconds({ seconds })
  const rights = [
    client.trusted ? words.trusted : '',
    client.mayIntrospect ? words.introspects : '',
  ]
  return renderFacts(
    words.asks,
    html`${renderFact(words.permissions, html`${client.scopeLimits ? null : `${words.ownersDecide} `}${renderPermissions(view, client.scope)}`)}
${renderFact(words.required, renderPermissions(view, client.requiredScope))}
${renderFact(words.grants, renderNames(grantTypes))}
${renderFact(words.responses, renderNames(client.responseTypes))}
${renderFact(words.method, html`<code>${client.authenticationMethod}</code>`)}
${renderFact(words.profile, html`<code>${profile}</code>`)}
${renderStricter(page, words)}
${renderFact(words.lifetime, lasts(accessTokenSeconds))}
${grantTypes.includes('refresh_token') ? renderFact(words.refresh, lasts(refreshTokenSeconds)) : null}
${renderFact(words.rights, rights.filter((right) => right !== '').join(', '))}`,
  )
}

/** Only for the code flow: other grants have no steps in a browser. */
const renderFunnelCard = ({ view }: ConsolePageGiven, page: ClientPage): Markup | null => {
  const { client, funnel, range } = page
  if (!client.grantTypes.includes('authorization_code')) return null
  return html`<section class="card"><div class="over"><h2>${chartWords(view.language).funnel}</h2>${renderRanges(range, getSubjectPath('clients', client.id), view)}</div>
${renderFunnel(funnel, view.language)}</section>`
}

/** Token responses and refused requests by day, refusals by reason, and the way to each of them. */
const renderActs = ({ view }: ConsolePageGiven, { client, acts }: ClientPage): Markup => {
  const words = consoleClientsWords(view.language)
  const { issued, refused } = chartWords(view.language)
  const starts = acts.days.map(({ at }) => at)
  const values = [
    acts.days.map(({ tokens }) => tokens),
    acts.days.map((day) => day.refused),
  ] as const
  const reasons = acts.refusals.map(({ reason, count }) => ({ name: reason, values: [count] }))
  const of = { client: client.id }
  return html`${renderPair({ starts, range: 'month' }, words.acts, [issued, refused], values, view.language)}
${renderReasons(reasons, view, { client: client.id })}
<p class="actions">${renderGo(view, '/admin/events', words.events, of)}${renderGo(view, '/admin/explain', words.refusals, of)}${renderGo(view, '/admin/authorizations', words.owners, of)}</p>`
}

const renderAbout = ({ view }: ConsolePageGiven, page: ClientPage): Markup => {
  const { client, acts } = page
  const { lastTokenAt, lastUsedAt, owners } = acts
  const words = consoleClientsWords(view.language)
  const { client_uri, contacts = [], software_id, software_version } = client.display
  const software = [software_id, software_version].filter((part) => part !== undefined).join(' ')
  const { count } = owners
  const when = (at: number | null): Content =>
    at === null ? words.never : sayWhen(at, view.at, view)
  const uri = client_uri === undefined ? null : html`<code>${client_uri}</code>`
  return renderFacts(
    words.about,
    html`${renderFact(words.state, renderStatus(client.disabled ? words.disabled : words.active, !client.disabled))}
${renderFact(words.registered, html`${words.by[getBringer(client)]}, ${sayWhen(client.createdAt, view.at, view)}`)}
${renderFact(words.users, html`<a href="${pageUrl(view, '/admin/authorizations', { client: client.id })}">${owners.isMore ? words.atLeast({ count }) : words.usersOf({ count })}</a>`)}
${renderFact(words.lastToken, when(lastTokenAt))}
${renderFact(words.lastUsed, when(lastUsedAt))}
${renderFact(words.website, uri)}
${renderFact(words.contacts, contacts.join(', '))}
${renderFact(words.software, software)}
${client.registeredBy === 'itself' ? renderFact(words.manages, client.registrationDigest === null ? words.no : words.yes) : null}
${renderFact(words.setByOperator, renderNames(client.setByOperator))}
${client.oldSecret === null ? null : renderFact(words.oldSecret, sayMoment(client.oldSecret.expiresAt, view))}
${client.document === undefined ? null : renderFact(words.pinned, client.pinned === true ? words.yes : words.no)}`,
  )
}

export const renderClient = (given: ConsolePageGiven, page: ClientPage): string => {
  const { view, role } = given
  const { client, notice, isUndoable } = page
  const words = consoleClientsWords(view.language)
  const path = getSubjectPath('clients', client.id)
  const mayTry = client.grantTypes.includes('authorization_code') && !client.disabled
  return renderSubject(given, {
    part: 'clients',
    heading: words.heading,
    title: client.name,
    name: sayName(client.name),
    tile: renderTile(client.name, null, { size: 'big', registeredBy: client.registeredBy }),
    about: html`<code>${client.id}</code> · ${words[getClientKind(client)]}`,
    beside: html`${mayTry ? renderGo(view, `${path}/try`, words.trial.open) : null}${renderGo(view, `${path}/edit`, words.edit)}`,
    notice,
    undo: isUndoable ? renderUndo(given, path, 'enable') : null,
    left: html`${renderUris(given, page)}
${renderFunnelCard(given, page)}
${renderActs(given, page)}
${renderAsks(given, page)}`,
    right: html`${renderAbout(given, page)}
${role === 'operator' ? renderClientActions(given, client) : null}`,
  })
}

const of = '/admin/clients/:client_id'

export const openClient = (needs: ConsoleNeeds, entry: Console): readonly RouteRow[] => {
  const show = async (visit: ConsoleVisit, text: string | null): Promise<Answer> => {
    const html = renderClient(visit.given, await readPage(visit, text, needs))
    return showPage(visit, html)
  }

  const test = (visit: ConsoleVisit, form: Parameters): Promise<Answer> => {
    const text = (form.find('uri') ?? '').trim()
    return show(visit, text.slice(0, requestLimits.authorizationRequestCharacters))
  }

  return [
    entry.page(of, (visit) => show(visit, null), { offers: [readClient] }),
    openActions(
      {
        of: readClient,
        actions: clientActions,
        forbids: (action, client, { at }) => refuseCalmRotation(action, client, at),
        answer: showNewSecret,
      },
      entry,
    ),
    entry.page(`${of}/test`, (visit) => show(visit, null)),
    entry.look(`${of}/test`, test, { least: 'operator' }),
  ]
}
