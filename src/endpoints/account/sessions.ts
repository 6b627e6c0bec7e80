/** `/account/sessions`: the owner's logins, to be ended one by one or all but this one. */
import { limits } from '../../config/limits.ts'
import { agentOf } from '../../http/user-agent.ts'
import type { SessionHandle } from '../../model/ids.ts'
import { csrfToken } from '../../owners/session.ts'
import { renderSessions } from '../../pages/sessions.ts'
import { sessionWords } from '../../pages/words/sessions.ts'
import { traceOf } from '../../parts.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { readOwnForm } from '../door/forms.ts'
import { answerDone, forOwner, noticeOf, parseCursor } from '../door/signed-in.ts'
import { showPage, viewOf } from '../door/view.ts'

/** `GET /account/sessions` */
export const showSessions = forOwner(async (visitor, exchange, parts) => {
  const { owner, session: own } = visitor.login
  const before = parseCursor<SessionHandle>(exchange, 'before')
  const { at } = exchange
  const page = await parts.store.listSessions(owner.id, before, limits.pageRowsDefault, at)
  const view = viewOf(exchange, parts)
  const html = renderSessions({
    view,
    csrf: csrfToken(visitor),
    owner,
    sessions: page.rows.map((session) => ({
      ...session,
      ...agentOf(session.userAgent),
      isThis: session.id === own.id,
    })),
    now: at,
    notice: noticeOf(exchange, visitor, sessionWords[view.language].done),
    next: page.next,
  })
  return showPage(view, html)
})

/** `POST /account/sessions`: whoever has the cookie of what is ended is logged out with the next request. */
export const changeSessions = forOwner(async (visitor, exchange, parts) => {
  const form = await readOwnForm(exchange.request, visitor, parts)
  const { owner, session } = visitor.login
  const trace = traceOf(exchange, parts)
  switch (form.find('action')) {
    case 'end': {
      const handle = form.require('session') as SessionHandle
      const ended = await parts.store.endSessionOf(owner.id, handle, trace)
      return answerDone('/account/sessions', ended ? 'ended' : 'gone', visitor, exchange, parts)
    }
    case 'end-others':
      await parts.store.endOtherSessions(owner.id, session.id, trace)
      return answerDone('/account/sessions', 'others', visitor, exchange, parts)
  }
  throw new Refusal('invalid_request', 'bad_action', 'action has to be end or end-others')
})
