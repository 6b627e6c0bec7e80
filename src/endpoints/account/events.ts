/** `/account/events`: what happened to the owner's account, newest first. */
import { limits } from '../../config/limits.ts'
import type { EventId } from '../../model/ids.ts'
import { renderEvents } from '../../pages/events.ts'
import { showPage } from '../door/page.ts'
import { forOwner, parseCursor } from '../door/signed-in.ts'
import { shownEvents } from './shown-events.ts'

/** `GET /account/events` */
export const showEvents = forOwner(async (visit, parts) => {
  const { view, csrf } = visit
  const { owner } = visit.login
  const page = await parts.store.listEvents(
    { ownerId: owner.id, ownChanges: true },
    parseCursor<EventId>(visit, 'before'),
    limits.pageRowsDefault,
  )
  const events = await shownEvents(page.rows, view.language, parts)
  const html = renderEvents({ view, csrf, owner, events, next: page.next })
  return showPage(visit, html, { hasScript: true })
})
