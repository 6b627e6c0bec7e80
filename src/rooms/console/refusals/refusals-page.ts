/** Why a request was refused: one explanation, and the list with its filters. Rules are told in English. */
import type { OperatorsExplanation } from '../../../events/explain-refusal.ts'
import type { ReceivedValue } from '../../../model/kept-refusal.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { exactMoment } from '../../../paper/time.ts'
import { pageUrl, type View } from '../../../paper/view.ts'
import { consoleEventsWords } from '../events/words.ts'
import { type ConsolePageGiven, renderConsolePage } from '../frame.ts'
import {
  type PagePlace,
  renderFilter,
  renderFilters,
  renderPages,
  renderTimeFilter,
} from '../pieces.ts'
import { consoleRefusalsWords } from './words.ts'

export interface RefusalsPage extends PagePlace {
  /** What was asked for; '' for nothing. */
  readonly asked: string
  readonly found: OperatorsExplanation | null
  /** One page of the list. */
  readonly refusals: readonly OperatorsExplanation[]
  readonly filter: ConsoleRefusalFilter
}

/** As the form has it; '' = not asked. */
export interface ConsoleRefusalFilter {
  readonly client: string
  readonly reason: string
  readonly error: string
  readonly network: string
  readonly route: string
  readonly status: string
  readonly since: string
  readonly until: string
}

const english = (text: string): Markup => html`<span lang="en">${text}</span>`

const row = (name: string, values: readonly Content[]): Markup | null =>
  values.length === 0
    ? null
    : html`<div><dt>${name}</dt><dd>${values.map((value, i) => html`${i === 0 ? null : html`<br>`}${value}`)}</dd></div>
`

const shownValue = ({ name, value }: ReceivedValue): Markup => html`${name} <code>${value}</code>`

const renderFound = (found: OperatorsExplanation, { view }: ConsolePageGiven): Markup => {
  const words = consoleRefusalsWords(view.language)
  const id = found.client_id === null ? null : html`<code>${found.client_id}</code>`
  const client = id === null || found.client_authenticated ? id : words.named({ id })
  const answer = `${found.status} ${found.error ?? ''} ${found.error_description}`
  return html`<section class="card"><h2><code>${found.reason}</code></h2><dl class="compared">
${row(words.answer, [english(answer)])}${row(words.received, found.received.map(shownValue))}${row(
  words.expected,
  found.expected.map((one) => html`<code>${one}</code>`),
)}${row(words.difference, found.difference === null ? [] : [english(found.difference)])}${row(words.fix, [english(found.fix)])}${row(words.rule, [english(found.rule)])}</dl></section>
<section class="card"><h2>${words.request}</h2><dl>
${row(words.reference, [html`<code>${found.reference}</code>`])}${row(words.time, [exactMoment(found.at, view.language)])}${row(words.request, [html`<code>${found.method} ${found.route}</code>`, ...found.request.map(shownValue)])}${row(words.application, client === null ? [] : [client])}${row(words.owner, found.owner_id === null ? [] : [html`<code>${found.owner_id}</code>`])}${row(words.network, found.network === '' ? [] : [html`<code>${found.network}</code>`])}${row(words.keptUntil, [exactMoment(found.kept_until, view.language)])}</dl></section>`
}

const path = '/admin/explain'

/** A value that leads to all refusals with it. */
const alike = (view: View, name: keyof ConsoleRefusalFilter, value: string): Markup | null =>
  value === ''
    ? null
    : html`<a href="${pageUrl(view, path, { [name]: value })}"><code>${value}</code></a>`

const renderRow = (one: OperatorsExplanation, view: View): Markup =>
  html`<tr><th scope="row"><a href="${pageUrl(view, path, { reference: one.reference })}">${exactMoment(one.at, view.language)}</a><br><code class="quiet small">${one.status} ${one.method} ${one.route}</code></th><td>${alike(view, 'reason', one.reason)}</td><td class="aside">${alike(view, 'client', one.client_id ?? '')}</td><td class="aside">${alike(view, 'network', one.network)}</td></tr>
`

const renderList = (
  { refusals, filter, next, isFirst }: RefusalsPage,
  { view }: ConsolePageGiven,
): Markup => {
  const words = consoleRefusalsWords(view.language)
  const pages = renderPages(view, path, { ...filter }, { next, isFirst })
  if (refusals.length === 0) {
    const isFiltered = Object.values(filter).some((value) => value !== '')
    const nothing = isFiltered ? consoleEventsWords(view.language).none : words.none
    return html`<p class="card">${nothing}</p>${pages}`
  }
  return html`<section class="card flush"><table><caption class="unseen">${words.latest}</caption>
<thead><tr><th scope="col">${words.time}</th><th scope="col">${words.rule}</th><th scope="col" class="aside">${words.application}</th><th scope="col" class="aside">${words.network}</th></tr></thead>
<tbody>${refusals.map((one) => renderRow(one, view))}</tbody></table></section>${pages}`
}

const renderRefusalFilters = (filter: ConsoleRefusalFilter, { view }: ConsolePageGiven): Markup => {
  const words = consoleRefusalsWords(view.language)
  const { clientHint, since, until, search } = consoleEventsWords(view.language)
  return renderFilters(view, path, { label: words.latest, submit: search }, [
    renderFilter('client', words.application, filter.client, clientHint),
    renderFilter('reason', words.rule, filter.reason, words.ruleHint),
    renderFilter('error', words.error, filter.error, 'invalid_grant'),
    renderFilter('network', words.network, filter.network, '192.0.2.*'),
    renderFilter('route', words.route, filter.route, '/token'),
    renderFilter('status', words.status, filter.status, '400'),
    renderTimeFilter('since', since, filter.since),
    renderTimeFilter('until', until, filter.until),
  ])
}

export const renderRefusals = (given: ConsolePageGiven, page: RefusalsPage): string => {
  const { asked, found } = page
  const { view } = given
  const words = consoleRefusalsWords(view.language)
  const reference = html`<label class="field"><span>${words.reference}</span><input name="reference" value="${asked}" maxlength="100" autocomplete="off" autocapitalize="none" spellcheck="false" required></label>`
  return renderConsolePage(given, {
    part: 'refusals',
    heading: words.heading,
    isInZone: false,
    main: html`${renderFilters(view, path, { label: words.reference, submit: words.explain }, [reference])}
<p class="quiet small">${words.hint}</p>
${asked !== '' && found === null ? html`<p class="alert" role="alert">${words.notKept({ reference: html`<code>${asked}</code>` })}</p>` : null}
${found === null ? null : renderFound(found, given)}
<h2>${words.latest}</h2>
${renderRefusalFilters(page.filter, given)}
<p class="quiet small">${consoleEventsWords(view.language).utc}</p>
${renderList(page, given)}`,
  })
}
