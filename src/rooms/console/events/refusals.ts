/** `GET /admin/explain`: why a request was refused, and the refusals of the last seven days with filters. Rules are told in English. */

import { findClient } from '../../../clients/find.ts'
import {
  explainToOperator,
  findKept,
  getKeptSince,
  type OperatorsExplanation,
} from '../../../events/explain-refusal.ts'
import type { ClientId, OwnerId } from '../../../model/ids.ts'
import type { KeptRefusal, ReceivedValue } from '../../../model/kept-refusal.ts'
import type { Language } from '../../../model/language.ts'
import { pickPresent } from '../../../operations/lists.ts'
import { listRefusals } from '../../../operations/refusals.ts'
import { renderComparison, renderTerms } from '../../../paper/difference.ts'
import { showAlert } from '../../../paper/fields.ts'
import { type IconName, icons } from '../../../paper/icon.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { renderBack } from '../../../paper/pieces.ts'
import { renderRow, renderRows } from '../../../paper/rows.ts'
import { renderExactMoment } from '../../../paper/time.ts'
import { pageUrl, type View } from '../../../paper/view.ts'
import type { RouteRow } from '../../../route.ts'
import type { RefusalFilter } from '../../../store/contract/event.ts'
import { parseCursor } from '../../owner-visit.ts'
import type { TypedFilter } from '../filters.ts'
import { renderFact, renderFacts, renderLink } from '../frame.ts'
import { consoleLimits } from '../limits.ts'
import { type ListPage, type ListRow, openList, parseTypedTime } from '../list.ts'
import type { Console, ConsoleNeeds } from '../visit.ts'
import { consoleRefusalsWords } from '../words.ts'
import { findFilteredOwner } from './events.ts'
import { consoleEventsWords } from './words.ts'

type RefusalField =
  | 'reference'
  | 'owner'
  | 'client'
  | 'reason'
  | 'error'
  | 'network'
  | 'route'
  | 'status'
  | 'since'
  | 'until'

/** What a refusal names and this service knows, so that it has a page. */
interface KnownSubjects {
  readonly client: boolean
  readonly owner: boolean
}

export interface RefusalsPage extends ListPage<OperatorsExplanation, RefusalField> {
  /** The refusal of the reference that was asked for; null for none. */
  readonly found: (OperatorsExplanation & { readonly known: KnownSubjects }) | null
}

const renderEnglish = (text: string): Markup => html`<span lang="en">${text}</span>`

const renderValue = ({ name, value }: ReceivedValue): Markup => html`${name} <code>${value}</code>`

const path = '/admin/explain'

/** A value that leads to all refusals with it. */
const renderAlike = (view: View, name: RefusalField, value: string, before = ''): Markup | null =>
  value === ''
    ? null
    : html`${before}<a href="${pageUrl(view, path, { [name]: value })}"><code>${value}</code></a>`

type RefusalWords = ReturnType<typeof readWords>

type Found = NonNullable<RefusalsPage['found']>

/** Received above registered, where a single value came and others were expected. */
const renderWhy = (found: Found, view: View, words: RefusalWords): Markup => {
  const [value, ...further] = found.received
  const isOne = value !== undefined && further.length === 0 && found.expected.length > 0
  const compared = isOne
    ? renderComparison(value.value, found.expected, {
        ...words,
        received: `${words.received}: ${value.name}`,
        or: '',
      })
    : html`${renderTerms(words.received, found.received.map(renderValue), '')}${renderTerms(
        words.expected,
        found.expected.map((one) => html`<code>${one}</code>`),
        '',
      )}`
  const row = (mark: IconName, title: string, text: string, end: Content = null): Markup =>
    renderRow({ mark: icons[mark], title, more: renderEnglish(text), end })
  return html`<dl class="compared">${compared}</dl>
${renderRows([
  ...(found.difference === null ? [] : [row('warning', words.difference, found.difference)]),
  row('code', words.fix, found.fix),
  row('info', words.rule, found.rule, renderAlike(view, 'reason', found.reason)),
])}`
}

const renderRequest = (found: Found, view: View, words: RefusalWords): Markup => {
  const { client_id: clientId, owner_id: ownerId, known, at, kept_until: until } = found
  const link = (part: 'clients' | 'owners', id: string | null, isKnown: boolean) =>
    id === null ? null : isKnown ? renderLink(view, part, id) : html`<code>${id}</code>`
  const id = link('clients', clientId, known.client)
  const client = id === null || found.client_authenticated ? id : words.named({ id })
  const events = pageUrl(view, '/admin/events', { reference: found.reference })
  const request = [
    html`<code>${found.method} ${found.route}</code>`,
    ...found.request.map(renderValue),
  ]
  return renderFacts(
    words.request,
    html`${renderFact(words.reference, html`<a href="${events}"><code>${found.reference}</code></a>`)}
${renderFact(words.time, renderExactMoment(at, view.language))}
${renderFact(
  words.request,
  request.map((one, i) => html`${i === 0 ? null : html`<br>`}${one}`),
)}
${renderFact(words.application, client)}
${renderFact(words.owner, link('owners', ownerId, known.owner))}
${renderFact(words.network, renderAlike(view, 'network', found.network))}
${renderFact(words.keptUntil, renderExactMoment(until, view.language))}`,
  )
}

const renderFound = (found: Found, view: View, words: RefusalWords): Markup =>
  html`<div class="two"><div>${renderWhy(found, view, words)}</div>
<div>${renderRequest(found, view, words)}</div></div>`

const readWords = (language: Language) => {
  const { ownerHint, clientHint, since, until, search, utc, none } = consoleEventsWords(language)
  const words = consoleRefusalsWords(language)
  return { ...words, ownerHint, clientHint, since, until, search, utc, unfit: none }
}

export const refusalList: ListRow<OperatorsExplanation, RefusalsPage, RefusalWords> = {
  operation: listRefusals,
  words: readWords,
  fields: (words) => [
    { name: 'reference', label: words.reference, kind: 'search', most: 100 },
    { name: 'owner', label: words.owner, hint: words.ownerHint },
    { name: 'client', label: words.application, hint: words.clientHint },
    { name: 'reason', label: words.rule },
    { name: 'error', label: words.error, hint: 'invalid_grant', isRare: true },
    { name: 'network', label: words.network, hint: '192.0.2.*', isRare: true },
    { name: 'route', label: words.route, hint: '/token', isRare: true },
    { name: 'status', label: words.status, hint: '400', isRare: true },
    { name: 'since', label: words.since, kind: 'time', isRare: true },
    { name: 'until', label: words.until, kind: 'time', isRare: true },
  ],
  says({ view }, { filter, found }, words) {
    const isFiltered = Object.values(filter).some((value) => value !== '')
    const row = ({ reference, status, method, route, reason, ...one }: OperatorsExplanation) => ({
      title: html`<a href="${pageUrl(view, path, { reference })}"><code>${reason}</code></a>`,
      says: html`<code>${status} ${method} ${route}</code>${renderAlike(view, 'client', one.client_id ?? '', ' · ')}${renderAlike(view, 'owner', one.owner_id ?? '', ' · ')}${renderAlike(view, 'network', one.network, ' · ')}`,
    })
    const list = { row, log: {}, nothing: isFiltered ? words.unfit : words.none }
    if (found !== null) {
      const head = html`${renderBack(view, path, words.heading)}
<h1 lang="en">${found.error_description || found.reason}</h1><p class="lead"><code>${found.status} ${found.error ?? ''}</code></p>`
      return { ...list, head, only: renderFound(found, view, words) }
    }
    const isUnknown = filter.reference !== ''
    return {
      ...list,
      head: html`<h1>${words.heading}</h1><p class="lead">${words.hint}</p>`,
      note: isUnknown
        ? showAlert(words.notKept({ reference: html`<code>${filter.reference}</code>` }))
        : null,
    }
  },
}

/** A status that is no number finds nothing: no answer has the status 0. */
const searchOf = (
  filter: TypedFilter<RefusalField>,
  ownerId: OwnerId | undefined,
): RefusalFilter => {
  const { client, reason, error, network, route, status, since, until } = filter
  const typed = (text: string): string | undefined => (text === '' ? undefined : text)
  return pickPresent({
    ownerId,
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

export const openRefusals = (needs: ConsoleNeeds, entry: Console): RouteRow => {
  const { store } = needs

  const explain = async (kept: KeptRefusal): Promise<Found> => {
    const found = explainToOperator(kept)
    const { client_id: client, owner_id: owner } = found
    return {
      ...found,
      known: {
        client: client !== null && (await findClient(client, needs, 'disabled')) !== null,
        owner: owner !== null && (await store.findOwner(owner as OwnerId, 'disabled')) !== null,
      },
    }
  }

  return openList(refusalList, entry, async (visit, filter) => {
    const after = parseCursor<string>(visit, 'after')
    const kept = await findKept(filter.reference.toLowerCase(), visit.at, needs)
    if (kept !== null) return { found: await explain(kept), items: [], next: null }
    await needs.refusals.flush().catch(() => {})
    const ownerId = await findFilteredOwner(filter.owner, store)
    if (ownerId === null) {
      const problem = consoleEventsWords(visit.view.language).unknownOwner
      return { found: null, items: [], next: null, problem }
    }
    const { rows, next } = await store.listRefusals(
      searchOf(filter, ownerId),
      after,
      consoleLimits.refusalRows,
      getKeptSince(visit.at),
    )
    return { found: null, items: rows.map(explainToOperator), next }
  })
}
