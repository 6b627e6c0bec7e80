/** `GET /admin/events`: what happened, with filters and a live view. */

import { actorTypes, parseActorFilter } from '../../../events/describe.ts'
import { livePolicy } from '../../../http/answer.ts'
import { queryOf } from '../../../http/request.ts'
import type { Actor } from '../../../model/actor.ts'
import { type Event, eventTypes } from '../../../model/event.ts'
import {
  type ClientId,
  isClientId,
  isId,
  isOwnerId,
  type OwnerId,
  timeOfId,
} from '../../../model/ids.ts'
import type { Owner } from '../../../model/owner.ts'
import { listEvents } from '../../../operations/events.ts'
import { pickPresent } from '../../../operations/lists.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { renderExactMoment } from '../../../paper/time.ts'
import { pageUrl, type View } from '../../../paper/view.ts'
import type { RouteRow } from '../../../route.ts'
import type { EventFilter } from '../../../store/contract/event.ts'
import { recordLimits } from '../../../store/limits.ts'
import type { Store } from '../../../store/store.ts'
import { parseCursor } from '../../owner-visit.ts'
import { getSubjectPath } from '../frame.ts'
import { consoleLimits } from '../limits.ts'
import {
  type ListColumn,
  type ListPage,
  type ListRow,
  listChoices,
  openList,
  parseTypedTime,
  renderTable,
  type TypedFilter,
} from '../list.ts'
import type { Console, ConsoleNeeds } from '../visit.ts'
import { consoleEventsWords } from './words.ts'

/** The usernames of owners, by their ids; those that are gone have none. */
export type OwnerNames = ReadonlyMap<string, string>

/** The owners of events, and the owners behind them. A page has few rows, so each is read by itself. */
export const findNames = async (
  events: readonly Event[],
  store: Pick<Store, 'findOwner'>,
): Promise<OwnerNames> => {
  const ids = events.flatMap(({ ownerId, actor }) => [
    ...(ownerId === null ? [] : [ownerId]),
    ...(actor !== null && 'ownerId' in actor ? [actor.ownerId] : []),
  ])
  const owners = await Promise.all([...new Set(ids)].map((id) => store.findOwner(id, 'disabled')))
  return new Map(owners.flatMap((owner) => (owner === null ? [] : [[owner.id, owner.username]])))
}

/** By the username or the id, as an operator types it. */
export const findTypedOwner = async (
  typed: string,
  store: Pick<Store, 'findOwner' | 'findOwnerByName'>,
): Promise<Owner | null> =>
  (await store.findOwnerByName(typed, 'disabled')) ??
  (isOwnerId(typed) ? store.findOwner(typed as OwnerId, 'disabled') : null)

const renderOwnerLink = (id: string, names: OwnerNames, view: View): Markup =>
  html`<a href="${pageUrl(view, getSubjectPath('owners', id))}"><bdi>${names.get(id) ?? id}</bdi></a>`

const renderClientLink = (id: string, view: View): Markup =>
  html`<a href="${pageUrl(view, getSubjectPath('clients', id))}"><code>${id}</code></a>`

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

const formatValue = (value: Event['details'][string] | undefined): string =>
  value === null || value === undefined || value === '' ? '–' : String(value)

/** A member with its former value is one line: old → new. */
const listLines = ({ details }: Event): readonly string[] =>
  Object.entries(details).flatMap(([name, value]) => {
    if (name.endsWith('Before') && name.slice(0, -'Before'.length) in details) return []
    const before = details[`${name}Before`]
    if (before !== undefined) return [`${name}: ${formatValue(before)} → ${formatValue(value)}`]
    return value === null || value === '' ? [] : [`${name}: ${value}`]
  })

const renderDetails = (event: Event): Markup | null => {
  const lines = listLines(event)
  return lines.length === 0
    ? null
    : html`<br><span class="quiet small">${lines.map((line) => html`<code>${line}</code> `)}</span>`
}

/** `reference`: of the request. */
type EventField = 'type' | 'owner' | 'client' | 'actor' | 'since' | 'until' | 'reference'
type EventsFilter = TypedFilter<EventField>

interface ConsoleEventsPage extends ListPage<Event, EventField> {
  readonly names: OwnerNames
  readonly isLive: boolean
  /** Seconds between two looks of the live view. */
  readonly liveSeconds: number
}

const listColumns = (names: OwnerNames, view: View): readonly ListColumn<Event>[] => {
  const words = consoleEventsWords(view.language)
  return [
    [words.when, ({ at }) => renderExactMoment(at, view.language)],
    [words.what, (event) => html`<code>${event.type}</code>${renderDetails(event)}`, 'name'],
    [
      `${words.owner}, ${words.client}`,
      ({ ownerId, clientId }) =>
        html`${ownerId === null ? null : renderOwnerLink(ownerId, names, view)}${ownerId !== null && clientId !== null ? html`<br>` : null}${clientId === null ? null : renderClientLink(clientId, view)}`,
    ],
    [words.actor, ({ actor }) => renderActor(actor, names, view)],
    [
      words.reference,
      ({ requestId }) =>
        requestId === null
          ? null
          : html`<a href="${pageUrl(view, '/admin/events', { reference: requestId })}"><code class="quiet small">${requestId}</code></a>`,
      'aside',
    ],
  ]
}

const table = { look: 'happened', id: 'events' }

export const renderEventTable = (
  events: readonly Event[],
  names: OwnerNames,
  view: View,
  caption: string,
): Markup => renderTable(listColumns(names, view), events, caption, table)

const renderLive = (view: View, { filter, isLive, liveSeconds }: ConsoleEventsPage): Markup => {
  const words = consoleEventsWords(view.language)
  const go = (live: string, text: string): Markup =>
    html`<a class="button" href="${pageUrl(view, '/admin/events', { ...filter, live })}">${text}</a>`
  return isLive
    ? html`<div class="pages" data-live="${liveSeconds}">${go('1', words.refresh)}${go('', words.still)}</div>`
    : go('1', words.live)
}

export const eventList: ListRow<Event, ConsoleEventsPage, ReturnType<typeof consoleEventsWords>> = {
  operation: listEvents,
  words: consoleEventsWords,
  fields: (words) => [
    {
      name: 'type',
      label: words.type,
      choices: [['', words.all], ...eventTypes.map((type) => [type, type] as const)],
    },
    { name: 'owner', label: words.owner, hint: words.ownerHint },
    { name: 'client', label: words.client, hint: words.clientHint },
    {
      name: 'actor',
      label: words.actor,
      choices: [['', words.all], ...listChoices(words.actors, actorTypes)],
      // One actor that a link chose stands among the types.
      also: (actor) => parseActorFilter(actor) !== null,
    },
    { name: 'since', label: words.since, kind: 'time' },
    { name: 'until', label: words.until, kind: 'time' },
    { name: 'reference', label: words.reference },
  ],
  says({ view }, page, words) {
    const { names, isLive } = page
    const stale = html`<p class="alert" role="alert" id="stale" hidden>${words.stale}</p>`
    const script = html`<script type="module" src="${view.base}/assets/live.js"></script>`
    return {
      beside: renderLive(view, page),
      note: isLive ? stale : null,
      columns: listColumns(names, view),
      table,
      // The script of the live view fills the table, which may be empty at first.
      ...(isLive ? { paging: script, nothing: null } : {}),
    }
  },
  headers: ({ isLive }) => (isLive ? livePolicy : {}),
}

/** The events of a request. The time in its reference tells where they are. */
export const makeRequestFilter = (requestId: string): EventFilter => {
  const since = Math.floor(timeOfId(requestId) / 1000)
  return { requestId, since, until: since + recordLimits.eventDelaySeconds }
}

export const openEvents = ({ store }: ConsoleNeeds, entry: Console): RouteRow => {
  /** Null: the filter names an unknown owner. */
  const searchOf = async (filter: EventsFilter): Promise<EventFilter | null> => {
    const owner = filter.owner === '' ? null : await findTypedOwner(filter.owner, store)
    // The events of a deleted owner are found by the id.
    const ownerId = owner?.id ?? (isId(filter.owner) ? (filter.owner as string as OwnerId) : null)
    if (filter.owner !== '' && ownerId === null) return null
    const asked = {
      ownerId: ownerId ?? undefined,
      clientId: isClientId(filter.client) ? (filter.client as ClientId) : undefined,
      type: eventTypes.find((one) => one === filter.type),
      actor: parseActorFilter(filter.actor) ?? undefined,
      since: parseTypedTime(filter.since),
      until: parseTypedTime(filter.until),
    }
    const reference = filter.reference.toLowerCase()
    return { ...(isId(reference) ? makeRequestFilter(reference) : {}), ...pickPresent(asked) }
  }

  return openList(eventList, entry, async (visit, typed) => {
    const isLive = queryOf(visit.request).find('live') !== null
    const after = isLive ? null : parseCursor<string>(visit, 'after')
    const of = await searchOf(typed)
    const order = of?.requestId === undefined ? 'newest first' : 'oldest first'
    const { rows, next } =
      of === null
        ? { rows: [], next: null }
        : await store.listEvents(of, after, consoleLimits.rows, order)
    return {
      items: rows,
      names: await findNames(rows, store),
      next,
      isLive,
      liveSeconds: consoleLimits.liveSeconds,
      problem: of === null ? consoleEventsWords(visit.view.language).unknownOwner : null,
    }
  })
}
