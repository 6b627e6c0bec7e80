/** `GET /admin/events`: what happened, with filters and a live view. */

import { actorTypes, parseActorFilter } from '../../../events/describe.ts'
import { findKept } from '../../../events/explain-refusal.ts'
import { livePolicy } from '../../../http/answer.ts'
import { queryOf } from '../../../http/request.ts'
import { type Actor, findDoor } from '../../../model/actor.ts'
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
import { icons, pickEventIcon } from '../../../paper/icon.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { renderGo, type SheetRow } from '../../../paper/rows.ts'
import { pageUrl, type View } from '../../../paper/view.ts'
import type { RouteRow } from '../../../route.ts'
import type { EventFilter } from '../../../store/contract/event.ts'
import { recordLimits } from '../../../store/limits.ts'
import type { Store } from '../../../store/store.ts'
import { parseCursor } from '../../owner-visit.ts'
import type { TypedFilter } from '../filters.ts'
import { type ConsolePart, getPlace, renderLink } from '../frame.ts'
import { consoleLimits } from '../limits.ts'
import { type ListPage, type ListRow, listChoices, openList, parseTypedTime } from '../list.ts'
import type { Console, ConsoleNeeds } from '../visit.ts'
import { consoleWords } from '../words.ts'
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

const linkOwner = (id: string, names: OwnerNames, view: View): Markup =>
  renderLink(view, 'owners', id, html`<bdi>${names.get(id) ?? id}</bdi>`)

const renderActor = (actor: Actor | null, names: OwnerNames, view: View): Markup | null => {
  if (actor === null) return null
  const { actors, doors } = consoleEventsWords(view.language)
  // Of the command line, the actor is the door.
  const door = actor.type === 'operator' ? findDoor(actor) : null
  const who =
    'ownerId' in actor
      ? linkOwner(actor.ownerId, names, view)
      : 'clientId' in actor
        ? renderLink(view, 'clients', actor.clientId)
        : actor.type === 'cli'
          ? html`<code>${actor.user}</code>`
          : null
  const network = 'network' in actor ? html` · <bdi dir="ltr">${actor.network}</bdi>` : null
  return html`${actors[actor.type]}${who === null ? null : html` ${who}`}${door === null ? null : html` · ${doors[door]}`}${network}`
}

const formatValue = (value: Event['details'][string] | undefined): string =>
  value === null || value === undefined || value === '' ? '–' : String(value)

/**
 * Members of the details that name a thing with a page. Nobody looks whether the thing is still there. Once it
 * is deleted, such a link leads to a page (404) that says so.
 */
const namedIn: Readonly<Record<string, ConsolePart>> = {
  resource: 'resources',
  groupId: 'groups',
  issuerId: 'issuers',
  stream: 'streams',
  parentClientId: 'clients',
}

/** A member with its former value is one line: old → new. The event of a deletion has no link. */
const listLines = ({ type, details }: Event, view: View): readonly Markup[] =>
  Object.entries(details).flatMap(([name, value]) => {
    if (name.endsWith('Before') && name.slice(0, -'Before'.length) in details) return []
    const before = details[`${name}Before`]
    const from = before === undefined ? '' : `${formatValue(before)} → `
    if (from === '' && (value === null || value === '')) return []
    const line = html`<code>${name}: ${from}${formatValue(value)}</code>`
    const part = type.endsWith('.deleted') ? undefined : namedIn[name]
    return [part === undefined ? line : renderLink(view, part, String(value), line)]
  })

/** Without the time, which is the end of the line. */
export const describeEventRow = (event: Event, names: OwnerNames, view: View): SheetRow => {
  const { type, ownerId, clientId, requestId } = event
  const lines = listLines(event, view)
  const about = [
    ...(ownerId === null ? [] : [linkOwner(ownerId, names, view)]),
    ...(clientId === null ? [] : [renderLink(view, 'clients', clientId)]),
  ]
  const actor = renderActor(event.actor, names, view)
  const reference =
    requestId === null
      ? null
      : html`<a href="${pageUrl(view, '/admin/events', { reference: requestId })}"><code>${requestId}</code></a>`
  const says = [actor, reference].filter((one) => one !== null)
  return {
    mark: html`<span class="tile round">${icons[pickEventIcon(type)]}</span>`,
    title: html`<code>${type}</code>${about.map((one) => html` <span class="small">${one}</span>`)}`,
    says:
      says.length === 0
        ? null
        : html`${says.map((one, i) => html`${i === 0 ? null : ' · '}${one}`)}`,
    more: lines.length === 0 ? null : html`${lines.map((line) => html`${line} `)}`,
  }
}

/** `reference`: of the request. */
type EventField = 'type' | 'owner' | 'client' | 'actor' | 'since' | 'until' | 'reference'
type EventsFilter = TypedFilter<EventField>

interface ConsoleEventsPage extends ListPage<Event, EventField> {
  readonly names: OwnerNames
  readonly isLive: boolean
  /** Whether the request of the filter was refused, and the refusal is kept. */
  readonly isRefused: boolean
  /** Seconds between two looks of the live view. */
  readonly liveSeconds: number
}

const renderLive = (view: View, { filter, isLive, liveSeconds }: ConsoleEventsPage): Markup => {
  const words = consoleEventsWords(view.language)
  const go = (live: string, text: string): Markup =>
    renderGo(view, '/admin/events', text, { ...filter, live })
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
    { name: 'since', label: words.since, kind: 'time', isRare: true },
    { name: 'until', label: words.until, kind: 'time', isRare: true },
    { name: 'reference', label: words.reference, isRare: true },
  ],
  says({ view }, page, words) {
    const { names, isLive, isRefused, filter } = page
    const { refusals } = consoleWords(view.language).parts
    const refusal = { reference: filter.reference }
    const stale = html`<p class="alert" role="alert" id="stale" hidden>${words.stale}</p>`
    const script = html`<script type="module" src="${view.base}/assets/live.js"></script>`
    return {
      beside: html`${isRefused ? renderGo(view, getPlace('refusals'), refusals, refusal) : null}${renderLive(view, page)}`,
      note: isLive ? stale : null,
      row: (event) => describeEventRow(event, names, view),
      log: { id: 'events' },
      // The script of the live view fills the log, which may be empty at first.
      ...(isLive ? { paging: script, nothing: null } : {}),
    }
  },
  headers: ({ isLive }) => (isLive ? livePolicy : {}),
}

/** The owner of a filter. Undefined: none is typed. Null: no owner has this name. */
export const findFilteredOwner = async (
  typed: string,
  store: Parameters<typeof findTypedOwner>[1],
): Promise<OwnerId | null | undefined> => {
  if (typed === '') return undefined
  const owner = await findTypedOwner(typed, store)
  // The events of a deleted owner are found by the id.
  return owner?.id ?? (isId(typed) ? (typed as string as OwnerId) : null)
}

/** The events of a request. The time in its reference tells where they are. */
export const makeRequestFilter = (requestId: string): EventFilter => {
  const since = Math.floor(timeOfId(requestId) / 1000)
  return { requestId, since, until: since + recordLimits.eventDelaySeconds }
}

export const openEvents = (needs: ConsoleNeeds, entry: Console): RouteRow => {
  const { store } = needs
  /** Null: the filter names an unknown owner. */
  const searchOf = async (filter: EventsFilter): Promise<EventFilter | null> => {
    const ownerId = await findFilteredOwner(filter.owner, store)
    if (ownerId === null) return null
    const asked = {
      ownerId,
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
      isRefused:
        of?.requestId !== undefined && (await findKept(of.requestId, visit.at, needs)) !== null,
      liveSeconds: consoleLimits.liveSeconds,
      problem: of === null ? consoleEventsWords(visit.view.language).unknownOwner : null,
    }
  })
}
