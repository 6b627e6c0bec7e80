/** `/account/events`: what happened to the owner's account, newest first. */
import { limits } from '../../../config/limits.ts'
import type { EventId } from '../../../model/ids.ts'
import { html } from '../../../paper/markup.ts'
import { renderTimesScript } from '../../../paper/time.ts'
import { pageUrl } from '../../../paper/view.ts'
import { page, type RouteRow } from '../../../route.ts'
import { parseCursor } from '../../owner-visit.ts'
import type { Pages } from '../../pages.ts'
import { showPage } from '../../visit.ts'
import { type AccountPageGiven, renderAccountPage } from '../frame.ts'
import type { AccountNeeds } from '../needs.ts'
import { renderEvent, type ShownEvent, shownEvents } from './event.ts'
import { eventWords } from './words.ts'

export interface EventsPage extends AccountPageGiven {
  /** The latest first. */
  readonly events: readonly ShownEvent[]
  /** The key of the next page; null where there is none. */
  readonly next: string | null
}

export const renderEvents = (page: EventsPage): string => {
  const { view, events, next } = page
  const words = eventWords(view.language)
  return renderAccountPage(page, {
    part: 'events',
    heading: words.heading,
    main: html`<p>${words.about}</p>
${events.length === 0 ? html`<p class="card">${words.nothing}</p>` : html`<ol class="card events">${events.map((event) => renderEvent(event, view))}</ol>`}
${next === null ? null : html`<p class="off-paper"><a href="${pageUrl(view, '/account/events', { before: next })}">${words.older}</a></p>`}
${renderTimesScript(view)}`,
  })
}

export const openEvents = (needs: AccountNeeds, { forOwner }: Pages): readonly RouteRow[] => {
  const show = forOwner(async (visit) => {
    const { view, csrf } = visit
    const { owner } = visit.login
    const { rows, next } = await needs.store.listEvents(
      { ownerId: owner.id, ownChanges: true },
      parseCursor<EventId>(visit, 'before'),
      limits.pageRowsDefault,
    )
    const events = await shownEvents(rows, view.language, needs)
    return showPage(visit, renderEvents({ view, csrf, owner, events, next }), { hasScript: true })
  })
  return [{ ...page, method: 'GET', path: '/account/events', handler: show }]
}
