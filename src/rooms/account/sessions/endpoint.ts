/** `/account/sessions`: the owner's logins, to be ended one by one or all but this one. */
import { agentOf } from '../../../http/user-agent.ts'
import type { SessionHandle } from '../../../model/ids.ts'
import { sessionWords } from '../../../paper/words/sessions.ts'
import { parameterLimits } from '../../../protocol/parameters.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import { traceOf } from '../../../store/trace.ts'
import { readOwnForm } from '../../form.ts'
import { forOwner } from '../../former.ts'
import { answerDone, noticeOf, parseCursor } from '../../owner-visit.ts'
import { showPage } from '../../visit.ts'
import { renderSessions } from './page.ts'

/** `GET /account/sessions` */
export const showSessions = forOwner(async (visit, { store }) => {
  const { at, view, csrf } = visit
  const { owner, session: own } = visit.login
  const before = parseCursor<SessionHandle>(visit, 'before')
  const page = await store.listSessions(owner.id, before, parameterLimits.pageRowsDefault, at)
  const others = page.rows.filter(({ id }) => id !== own.id)
  const html = renderSessions({
    view,
    csrf,
    owner,
    sessions: [...(before === null ? [own] : []), ...others].map((session) => ({
      ...session,
      ...agentOf(session.userAgent),
      isThis: session.id === own.id,
      isHere: session.network !== '' && session.network === own.network,
    })),
    now: at,
    notice: noticeOf(visit, sessionWords(view.language).done),
    next: page.next,
  })
  return showPage(visit, html, { hasScript: true })
})

/** `POST /account/sessions`: the browser of an ended session is logged out with its next request. */
export const changeSessions = forOwner(async (visit, parts) => {
  const form = await readOwnForm(visit, parts)
  const { owner, session } = visit.login
  const trace = traceOf(visit, parts)
  switch (form.find('action')) {
    case 'end': {
      const handle = form.require('session') as SessionHandle
      const ended = await parts.store.endSessionOf(owner.id, handle, trace)
      return answerDone(visit, '/account/sessions', ended ? 'ended' : 'gone')
    }
    case 'end-others':
      await parts.store.endOtherSessions(owner.id, session.id, trace)
      return answerDone(visit, '/account/sessions', 'others')
  }
  throw new Refusal('invalid_request', 'bad_action', 'action has to be end or end-others')
})
