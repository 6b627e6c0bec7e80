/** `GET /admin/explain`: why a request was refused, and the refusals of the last seven days with filters. Rules are told in English. */

import {
  explainToOperator,
  findKept,
  getKeptSince,
  type OperatorsExplanation,
} from '../../../events/explain-refusal.ts'
import { queryOf } from '../../../http/request.ts'
import type { ClientId } from '../../../model/ids.ts'
import type { ReceivedValue } from '../../../model/kept-refusal.ts'
import type { Language } from '../../../model/language.ts'
import { pickPresent } from '../../../operations/lists.ts'
import { listRefusals } from '../../../operations/refusals.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { renderExactMoment } from '../../../paper/time.ts'
import { pageUrl, type View } from '../../../paper/view.ts'
import type { RouteRow } from '../../../route.ts'
import type { RefusalFilter } from '../../../store/contract/event.ts'
import { parseCursor } from '../../owner-visit.ts'
import type { ConsolePageGiven } from '../frame.ts'
import { consoleLimits } from '../limits.ts'
import {
  type ListPage,
  type ListRow,
  openList,
  parseTypedTime,
  renderFilters,
  type TypedFilter,
} from '../list.ts'
import type { Console, ConsoleNeeds } from '../visit.ts'
import { consoleRefusalsWords } from '../words.ts'
import { consoleEventsWords } from './words.ts'

type RefusalField =
  | 'client'
  | 'reason'
  | 'error'
  | 'network'
  | 'route'
  | 'status'
  | 'since'
  | 'until'

export interface RefusalsPage extends ListPage<OperatorsExplanation, RefusalField> {
  /** What was asked for; '' for nothing. */
  readonly asked: string
  readonly found: OperatorsExplanation | null
}

const renderEnglish = (text: string): Markup => html`<span lang="en">${text}</span>`

const renderRow = (name: string, values: readonly Content[]): Markup | null =>
  values.length === 0
    ? null
    : html`<div><dt>${name}</dt><dd>${values.map((value, i) => html`${i === 0 ? null : html`<br>`}${value}`)}</dd></div>
`

const renderValue = ({ name, value }: ReceivedValue): Markup => html`${name} <code>${value}</code>`

const renderFound = (found: OperatorsExplanation, { view }: ConsolePageGiven): Markup => {
  const words = consoleRefusalsWords(view.language)
  const id = found.client_id === null ? null : html`<code>${found.client_id}</code>`
  const client = id === null || found.client_authenticated ? id : words.named({ id })
  const answer = `${found.status} ${found.error ?? ''} ${found.error_description}`
  return html`<section class="card"><h2><code>${found.reason}</code></h2><dl class="compared">
${renderRow(words.answer, [renderEnglish(answer)])}${renderRow(words.received, found.received.map(renderValue))}${renderRow(
  words.expected,
  found.expected.map((one) => html`<code>${one}</code>`),
)}${renderRow(words.difference, found.difference === null ? [] : [renderEnglish(found.difference)])}${renderRow(words.fix, [renderEnglish(found.fix)])}${renderRow(words.rule, [renderEnglish(found.rule)])}</dl></section>
<section class="card"><h2>${words.request}</h2><dl>
${renderRow(words.reference, [html`<code>${found.reference}</code>`])}${renderRow(words.time, [renderExactMoment(found.at, view.language)])}${renderRow(words.request, [html`<code>${found.method} ${found.route}</code>`, ...found.request.map(renderValue)])}${renderRow(words.application, client === null ? [] : [client])}${renderRow(words.owner, found.owner_id === null ? [] : [html`<code>${found.owner_id}</code>`])}${renderRow(words.network, found.network === '' ? [] : [html`<code>${found.network}</code>`])}${renderRow(words.keptUntil, [renderExactMoment(found.kept_until, view.language)])}</dl></section>`
}

const path = '/admin/explain'

/** A value that leads to all refusals with it. */
const renderAlike = (view: View, name: RefusalField, value: string): Markup | null =>
  value === ''
    ? null
    : html`<a href="${pageUrl(view, path, { [name]: value })}"><code>${value}</code></a>`

const renderAsked = (given: ConsolePageGiven, { asked, found }: RefusalsPage): Markup => {
  const { view } = given
  const words = consoleRefusalsWords(view.language)
  const labels = { label: words.reference, submit: words.explain }
  const field = html`<label class="field"><span>${words.reference}</span><input name="reference" value="${asked}" maxlength="100" autocomplete="off" autocapitalize="none" spellcheck="false" required></label>`
  return html`${renderFilters(view, path, labels, [field])}
<p class="quiet small">${words.hint}</p>
${asked !== '' && found === null ? html`<p class="alert" role="alert">${words.notKept({ reference: html`<code>${asked}</code>` })}</p>` : null}
${found === null ? null : renderFound(found, given)}
<h2>${words.latest}</h2>
`
}

const readWords = (language: Language) => {
  const { clientHint, since, until, search, utc, none } = consoleEventsWords(language)
  const words = consoleRefusalsWords(language)
  return { ...words, clientHint, since, until, search, utc, unfit: none }
}

export const refusalList: ListRow<
  OperatorsExplanation,
  RefusalsPage,
  ReturnType<typeof readWords>
> = {
  operation: listRefusals,
  words: readWords,
  fields: (words) => [
    { name: 'client', label: words.application, hint: words.clientHint },
    { name: 'reason', label: words.rule, hint: words.ruleHint },
    { name: 'error', label: words.error, hint: 'invalid_grant' },
    { name: 'network', label: words.network, hint: '192.0.2.*' },
    { name: 'route', label: words.route, hint: '/token' },
    { name: 'status', label: words.status, hint: '400' },
    { name: 'since', label: words.since, kind: 'time' },
    { name: 'until', label: words.until, kind: 'time' },
  ],
  says(given, page, words) {
    const { view } = given
    const isFiltered = Object.values(page.filter).some((value) => value !== '')
    return {
      caption: words.latest,
      nothing: isFiltered ? words.unfit : words.none,
      above: renderAsked(given, page),
      columns: [
        [
          words.time,
          ({ reference, at, status, method, route }) =>
            html`<a href="${pageUrl(view, path, { reference })}">${renderExactMoment(at, view.language)}</a><br><code class="quiet small">${status} ${method} ${route}</code>`,
        ],
        [words.rule, ({ reason }) => renderAlike(view, 'reason', reason)],
        [words.application, ({ client_id: id }) => renderAlike(view, 'client', id ?? ''), 'aside'],
        [words.network, ({ network }) => renderAlike(view, 'network', network), 'aside'],
      ],
    }
  },
}

/** A status that is no number finds nothing: no answer has the status 0. */
const searchOf = (filter: TypedFilter<RefusalField>): RefusalFilter => {
  const { client, reason, error, network, route, status, since, until } = filter
  const typed = (text: string): string | undefined => (text === '' ? undefined : text)
  return pickPresent({
    clientId: typed(client) as ClientId | undefined,
    reason: typed(reason),
    code: typed(error),
    network: typed(network),
    route: typed(route),
    status: status === '' ? undefined : /^\d{3}$/.test(status) ? Number(status) : 0,
    since: parseTypedTime(since),
    until: parseTypedTime(until),
  })
}

export const openRefusals = (needs: ConsoleNeeds, entry: Console): RouteRow =>
  openList(refusalList, entry, async (visit, filter) => {
    const query = queryOf(visit.request)
    const asked = (query.find('reference') ?? '').slice(0, 100).trim().toLowerCase()
    const after = parseCursor<string>(visit, 'after')
    const kept = await findKept(asked, visit.at, needs)
    await needs.refusals.flush().catch(() => {})
    const { rows, next } = await needs.store.listRefusals(
      searchOf(filter),
      after,
      consoleLimits.refusalRows,
      getKeptSince(visit.at),
    )
    return {
      asked,
      found: kept === null ? null : explainToOperator(kept),
      items: rows.map(explainToOperator),
      next,
    }
  })
