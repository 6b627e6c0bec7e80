/** `/account/events`: what happened to the owner's account by days, newest first, of one kind or of all. */

import { queryOf } from '../../../http/request.ts'
import type { EventId } from '../../../model/ids.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { renderChips, renderEmpty } from '../../../paper/pieces.ts'
import { renderDays } from '../../../paper/rows.ts'
import { pageUrl } from '../../../paper/view.ts'
import { parameterLimits } from '../../../protocol/parameters.ts'
import { page } from '../../../route.ts'
import { parseCursor } from '../../owner-visit.ts'
import { showPage } from '../../visit.ts'
import { type AccountPageGiven, pickGiven, renderAccountPage } from '../frame.ts'
import type { OpenPage } from '../needs.ts'
import { describeEvents, type ShownEvent } from './event.ts'
import { type EventKind, eventKinds, filterByKind } from './kinds.ts'
import { renderEvent } from './line.ts'
import { eventWords } from './words.ts'

export interface EventsPage extends AccountPageGiven {
  /** The filter; null for everything. */
  readonly kind: EventKind | null
  readonly events: readonly ShownEvent[]
  /** For so long events are kept. */
  readonly days: number
  readonly next: string | null
}

const path = '/account/events'

const renderKinds = ({ view, kind }: EventsPage): Markup => {
  const { kinds, show } = eventWords(view.language)
  const chips = [null, ...eventKinds].map((one) => ({
    href: pageUrl(view, path, { kind: one ?? '' }),
    text: kinds[one ?? 'all'],
    count: null,
    isCurrent: one === kind,
  }))
  return renderChips(show, chips)
}

/** Wrong passwords and the waits that they begin. */
const isTry = ({ type }: ShownEvent): boolean =>
  type === 'login.failed' || type === 'login.throttled'

/** Tries from one place come in rows, and one line tells how many. */
const isSame = (one: ShownEvent, other: ShownEvent): boolean =>
  (['type', 'isOfNetwork', 'network', 'program', 'system'] as const).every(
    (of) => one[of] === other[of],
  )

/** The latest of each row, and how many it has. */
const countRuns = (events: readonly ShownEvent[]) => {
  const runs: { readonly event: ShownEvent; times: number }[] = []
  for (const event of events) {
    // Tries and waits take turns.
    const last = isTry(event) ? runs.slice(runs.findLastIndex((run) => !isTry(run.event)) + 1) : []
    const run = last.find((one) => isSame(one.event, event))
    if (run === undefined) runs.push({ event, times: 1 })
    else run.times++
  }
  return runs
}

export const renderEvents = (page: EventsPage): string => {
  const { view, kind, events, days, next } = page
  const words = eventWords(view.language)
  const query = { kind: kind ?? '', before: next ?? '' }
  const renderLines = (day: readonly ShownEvent[]): readonly Markup[] =>
    countRuns(day).map(({ event, times }) => renderEvent(event, view, times))
  const empty = renderEmpty({ heading: words.nothing, says: words.later })
  return renderAccountPage(page, {
    part: 'events',
    heading: words.heading,
    main: html`<p class="lead">${words.about({ days })}</p>
${renderKinds(page)}
${events.length === 0 && next === null ? empty : renderDays(events, view, renderLines)}
<p class="pages off-paper">${next === null ? null : html`<span><a href="${pageUrl(view, path, query)}">${words.older}</a></span>`}<a href="${pageUrl(view, '/account/download')}">${words.download}</a></p>`,
  })
}

export const openEvents: OpenPage = (needs, { forOwner }) => {
  const show = forOwner(async (visit) => {
    const asked = queryOf(visit.request).find('kind')
    const kind = eventKinds.find((one) => one === asked) ?? null
    const ownerId = visit.login.owner.id
    const of = { ownerId, ownChanges: true, ...filterByKind(kind) } as const
    const before = parseCursor<EventId>(visit, 'before')
    const { rows, next } = await needs.store.listEvents(of, before, parameterLimits.pageRowsDefault)
    const events = await describeEvents(rows, visit.view.language, needs)
    const days = Math.ceil(needs.settings.eventSeconds / 86_400)
    const html = renderEvents({ ...pickGiven(visit), kind, events, days, next })
    return showPage(visit, html)
  })
  return [{ ...page, method: 'GET', path: '/account/events', handler: show }]
}
