/** `/account/events`: what happened to the owner's account, newest first. */

import type { EventId } from '../../../model/ids.ts'
import { html } from '../../../paper/markup.ts'
import { pageUrl } from '../../../paper/view.ts'
import { parameterLimits } from '../../../protocol/parameters.ts'
import { page } from '../../../route.ts'
import { parseCursor } from '../../owner-visit.ts'
import { showPage } from '../../visit.ts'
import { type AccountPageGiven, pickGiven, renderAccountPage } from '../frame.ts'
import type { OpenPage } from '../needs.ts'
import { describeEvents, renderEvent, type ShownEvent } from './event.ts'
import { eventWords } from './words.ts'

export interface EventsPage extends AccountPageGiven {
  readonly events: readonly ShownEvent[]
  readonly next: string | null
}

export const renderEvents = (page: EventsPage): string => {
  const { view, events, next } = page
  const words = eventWords(view.language)
  return renderAccountPage(page, {
    part: 'events',
    heading: words.heading,
    main: html`<p>${words.about}</p>
${events.length === 0 ? html`<p>${words.nothing}</p>` : html`<ol class="log">${events.map((event) => renderEvent(event, view))}</ol>`}
${next === null ? null : html`<p class="off-paper"><a href="${pageUrl(view, '/account/events', { before: next })}">${words.older}</a></p>`}`,
  })
}

export const openEvents: OpenPage = (needs, { forOwner }) => {
  const show = forOwner(async (visit) => {
    const of = { ownerId: visit.login.owner.id, ownChanges: true } as const
    const before = parseCursor<EventId>(visit, 'before')
    const { rows, next } = await needs.store.listEvents(of, before, parameterLimits.pageRowsDefault)
    const events = await describeEvents(rows, visit.view.language, needs)
    const html = renderEvents({ ...pickGiven(visit), events, next })
    return showPage(visit, html)
  })
  return [{ ...page, method: 'GET', path: '/account/events', handler: show }]
}
