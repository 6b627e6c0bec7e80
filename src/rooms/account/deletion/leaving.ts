/** `/account/deletion`: the only page for an owner who deleted the account, and can still keep it. */
import { csrfToken, endSession } from '../../../owners/session.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import type { Endpoint } from '../../../route.ts'
import { traceOf } from '../../../store/trace.ts'
import { readOwnForm } from '../../form.ts'
import { forVisitor, type PageEndpoint } from '../../former.ts'
import type { OwnerVisit } from '../../owner-visit.ts'
import { viewOf } from '../../view.ts'
import { answerSeeOther, showPage } from '../../visit.ts'
import { renderLeaving } from './page.ts'

/** Everybody else is led to the account, or to the login. The forms are bound to the session. */
const forLeaving = (endpoint: PageEndpoint<OwnerVisit>): Endpoint =>
  forVisitor((visit, parts) => {
    const { browser, leaving } = visit
    if (leaving == null) return answerSeeOther(visit, '/account')
    const csrf = csrfToken({ browser, login: leaving })
    const { zone, ...shown } = viewOf(visit, parts, null, leaving.owner.pages)
    const view = { ...shown, zone: zone ?? 'UTC' }
    return endpoint({ ...visit, login: leaving, view, csrf }, parts)
  })

/** `GET /account/deletion` */
export const showLeaving = forLeaving((visit) => {
  const { view, csrf, login, at } = visit
  const { owner } = login
  const html = renderLeaving({ view, csrf, owner, deletionAt: owner.deletionAt ?? at })
  return showPage(visit, html, { hasScript: true })
})

/** `POST /account/deletion`: whichever comes first, the undoing or the deletion, holds for good. */
export const decideDeletion = forLeaving(async (visit, parts) => {
  const form = await readOwnForm(visit, parts)
  const { owner, session } = visit.login
  const trace = traceOf(visit, parts)
  switch (form.find('action')) {
    case 'keep':
      await parts.store.undoDeletion({ ownerId: owner.id, session: session.id }, trace)
      return answerSeeOther(visit, '/account')
    case 'leave':
      return answerSeeOther(visit, '/login', {}, [await endSession(visit.login, trace, parts)])
  }
  throw new Refusal('invalid_request', 'bad_action', 'action has to be keep or leave')
})
