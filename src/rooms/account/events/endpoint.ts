/** `/account/events`: what happened to the owner's account, newest first. */
import type { EventId } from '../../../model/ids.ts'
import { parameterLimits } from '../../../protocol/parameters.ts'
import { forOwner } from '../../former.ts'
import { parseCursor } from '../../owner-visit.ts'
import { showPage } from '../../visit.ts'
import { renderEvents } from './page.ts'
import { shownEvents } from './shown.ts'

/** `GET /account/events` */
export const showEvents = forOwner(async (visit, parts) => {
  const { view, csrf } = visit
  const { owner } = visit.login
  const page = await parts.store.listEvents(
    { ownerId: owner.id, ownChanges: true },
    parseCursor<EventId>(visit, 'before'),
    parameterLimits.pageRowsDefault,
  )
  const events = await shownEvents(page.rows, view.language, parts)
  const html = renderEvents({ view, csrf, owner, events, next: page.next })
  return showPage(visit, html, { hasScript: true })
})
