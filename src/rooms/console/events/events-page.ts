/** Events with filters, and the live view of them. */
import type { Actor } from '../../../model/actor.ts'
import { type Event, eventTypes } from '../../../model/event.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { exactMoment } from '../../../paper/time.ts'
import { pageUrl, type View } from '../../../paper/view.ts'
import { type ConsolePageGiven, renderConsolePage } from '../frame.ts'
import {
  clientPathOf,
  ownerPath,
  type PagePlace,
  renderChoice,
  renderFilter,
  renderFilters,
  renderPages,
  renderTimeFilter,
} from '../pieces.ts'
import { consoleEventsWords } from './words.ts'

/** The usernames of owners, by their ids; those that are gone have none. */
export type OwnerNames = ReadonlyMap<string, string>

/** As the form has it; '' = not asked. */
export interface EventsFilter {
  readonly type: string
  readonly owner: string
  readonly client: string
  readonly actor: string
  readonly since: string
  readonly until: string
  /** Of the request. */
  readonly reference: string
}

export interface ConsoleEventsPage extends PagePlace {
  readonly events: readonly Event[]
  readonly names: OwnerNames
  readonly filter: EventsFilter
  readonly isLive: boolean
  /** Seconds between two looks of the live view. */
  readonly liveSeconds: number
  readonly problem: string | null
}

const actorTypes = ['operator', 'cli', 'owner', 'client', 'anyone', 'service'] as const

const renderOwnerLink = (id: string, names: OwnerNames, view: View): Markup =>
  html`<a href="${pageUrl(view, ownerPath(id))}"><bdi>${names.get(id) ?? id}</bdi></a>`

const renderClientLink = (id: string, view: View): Markup =>
  html`<a href="${pageUrl(view, clientPathOf(id))}"><code>${id}</code></a>`

const renderActor = (actor: Actor | null, names: OwnerNames, view: View): Markup | null => {
  if (actor === null) return null
  const words = consoleEventsWords(view.language).actors
  const kind = html`<span class="quiet small">${words[actor.type]}</span>`
  const who =
    'ownerId' in actor
      ? renderOwnerLink(actor.ownerId, names, view)
      : 'clientId' in actor
        ? renderClientLink(actor.clientId, view)
        : actor.type === 'cli'
          ? html`<code>${actor.user}</code>`
          : null
  const network =
    'network' in actor ? html` <bdi class="quiet small" dir="ltr">${actor.network}</bdi>` : null
  return html`${who === null ? null : html`${who} `}${kind}${network}`
}

const shownValue = (value: Event['details'][string] | undefined): string =>
  value === null || value === undefined || value === '' ? '–' : String(value)

/** A member with its former value is one line: old → new. */
const linesOf = ({ details }: Event): readonly string[] =>
  Object.entries(details).flatMap(([name, value]) => {
    if (name.endsWith('Before') && name.slice(0, -'Before'.length) in details) return []
    const before = details[`${name}Before`]
    if (before !== undefined) return [`${name}: ${shownValue(before)} → ${shownValue(value)}`]
    return value === null || value === '' ? [] : [`${name}: ${value}`]
  })

const renderDetails = (event: Event): Markup | null => {
  const lines = linesOf(event)
  return lines.length === 0
    ? null
    : html`<br><span class="quiet small">${lines.map((line) => html`<code>${line}</code> `)}</span>`
}

const renderRow = (event: Event, names: OwnerNames, view: View): Markup => {
  const { ownerId, clientId, actor, requestId } = event
  return html`<tr><td>${exactMoment(event.at, view.language)}</td>
<th scope="row"><code>${event.type}</code>${renderDetails(event)}</th>
<td>${ownerId === null ? null : renderOwnerLink(ownerId, names, view)}${ownerId !== null && clientId !== null ? html`<br>` : null}${clientId === null ? null : renderClientLink(clientId, view)}</td>
<td>${renderActor(actor, names, view)}</td>
<td class="aside">${requestId === null ? null : html`<a href="${pageUrl(view, '/admin/events', { reference: requestId })}"><code class="quiet small">${requestId}</code></a>`}</td></tr>
`
}

/** @param caption names the table for screen readers */
export const renderEventTable = (
  events: readonly Event[],
  names: OwnerNames,
  view: View,
  caption: string,
): Markup => {
  const words = consoleEventsWords(view.language)
  return html`<table class="happened"><caption class="unseen">${caption}</caption>
<thead><tr><th scope="col">${words.when}</th><th scope="col">${words.what}</th><th scope="col">${words.owner}, ${words.client}</th><th scope="col">${words.actor}</th><th scope="col" class="aside">${words.reference}</th></tr></thead>
<tbody id="events">${events.map((event) => renderRow(event, names, view))}</tbody></table>`
}

/** One actor that a link chose stands among the types. */
const actorChoices = ({ actor }: EventsFilter, view: View) => {
  const words = consoleEventsWords(view.language)
  const types = actorTypes.map((type) => [type, words.actors[type]] as const)
  const isType = actor === '' || actorTypes.some((type) => type === actor)
  return [['', words.all] as const, ...types, ...(isType ? [] : [[actor, actor] as const])]
}

const renderEventFilters = ({ view }: ConsolePageGiven, filter: EventsFilter): Markup => {
  const words = consoleEventsWords(view.language)
  const types = eventTypes.map((type) => [type, type] as const)
  return renderFilters(view, '/admin/events', { label: words.heading, submit: words.search }, [
    renderChoice('type', words.type, filter.type, [['', words.all], ...types]),
    renderFilter('owner', words.owner, filter.owner, words.ownerHint),
    renderFilter('client', words.client, filter.client, words.clientHint),
    renderChoice('actor', words.actor, filter.actor, actorChoices(filter, view)),
    renderTimeFilter('since', words.since, filter.since),
    renderTimeFilter('until', words.until, filter.until),
    renderFilter('reference', words.reference, filter.reference),
  ])
}

const renderLive = ({ view }: ConsolePageGiven, page: ConsoleEventsPage): Markup => {
  const words = consoleEventsWords(view.language)
  const go = (live: string, text: string): Markup =>
    html`<a class="button" href="${pageUrl(view, '/admin/events', { ...page.filter, live })}">${text}</a>`
  return page.isLive
    ? html`<div class="pages" data-live="${page.liveSeconds}">${go('1', words.refresh)}${go('', words.still)}</div>`
    : go('1', words.live)
}

export const renderConsoleEvents = (given: ConsolePageGiven, page: ConsoleEventsPage): string => {
  const { view } = given
  const { events, names, next, problem, isLive } = page
  const words = consoleEventsWords(view.language)
  const nothing = html`<p class="card">${next === null ? words.none : words.goOn}</p>`
  return renderConsolePage(given, {
    part: 'events',
    heading: words.heading,
    head: html`<div class="head"><h1>${words.heading}</h1>${renderLive(given, page)}</div>`,
    problem,
    isInZone: false,
    main: html`${renderEventFilters(given, page.filter)}
<p class="quiet small">${words.utc}</p>
${isLive ? html`<p class="alert" role="alert" id="stale" hidden>${words.stale}</p>` : null}
${events.length === 0 && !isLive ? nothing : html`<section class="card flush">${renderEventTable(events, names, view, words.heading)}</section>`}
${isLive ? html`<script type="module" src="${view.base}/assets/live.js"></script>` : renderPages(view, '/admin/events', { ...page.filter }, page)}`,
  })
}
