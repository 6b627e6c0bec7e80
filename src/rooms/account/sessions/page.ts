/** `/account/sessions`: one row for each browser, with a button to log it out, and one for all others. */

import type { Answer } from '../../../http/answer.ts'
import type { SessionHandle } from '../../../model/ids.ts'
import { hide } from '../../../paper/fields.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { renderStatus } from '../../../paper/pieces.ts'
import { renderAct, renderAsked, renderRows } from '../../../paper/rows.ts'
import { pageUrl } from '../../../paper/view.ts'
import { formatBrowser, sessionWords } from '../../../paper/words/sessions.ts'
import { parameterLimits } from '../../../protocol/parameters.ts'
import { invalidRequest } from '../../../protocol/refusal.ts'
import { traceOf } from '../../../store/trace.ts'
import { answerDone, findNotice, type OwnerVisit, parseCursor } from '../../owner-visit.ts'
import type { TakeForm } from '../../pages.ts'
import { showPage } from '../../visit.ts'
import { type AccountPageGiven, pickGiven, renderAccountPage, renderWayBack } from '../frame.ts'
import type { OpenPage } from '../needs.ts'
import { describeSession, renderSessionRow, type ShownSession } from './shown.ts'

export interface SessionsPage extends AccountPageGiven {
  readonly sessions: readonly ShownSession[]
  readonly notice?: string | null
  /** Whether this is the first part of the list, which begins with this browser. */
  readonly isFirst?: boolean
  readonly next?: string | null
}

const path = '/account/sessions'

const renderSession = (session: ShownSession, page: SessionsPage): Markup => {
  const { view } = page
  const { handle, isThis } = session
  const words = sessionWords(view.language)
  const name = formatBrowser(session, words)
  if (isThis) return renderSessionRow(session, view, renderStatus(words.thisOne, true))
  const fields = html`${hide('session', handle)}${hide('action', 'end')}`
  const named = html`<span class="unseen">${words.endOf({ name })}</span>`
  const lost = pageUrl(view, '/account/lost', { why: 'not-me', session: handle })
  const notMe = html`<a class="button plain" href="${lost}">${words.notMe}${named}</a>`
  const button = html`${words.end}${named}`
  return renderSessionRow(
    session,
    view,
    html`${notMe}${renderAct({ ...page, path, fields }, button)}`,
  )
}

const renderEndOthers = (page: SessionsPage): Markup => {
  const words = sessionWords(page.view.language)
  const count = page.sessions.length - 1
  const isAll = Boolean(page.next) || page.isFirst === false
  const button = isAll ? words.endAll : words.endOthers({ count })
  const confirm = isAll ? words.endAll : words.confirm({ count })
  const form = { ...page, path, fields: hide('action', 'end-others') } as const
  return renderAsked(form, { button, effect: words.effect, confirm })
}

export const renderSessions = (page: SessionsPage): string => {
  const { view, sessions, next, isFirst = true } = page
  const words = sessionWords(view.language)
  const count = sessions.length
  const hasOthers = sessions.some(({ isThis }) => !isThis)
  const known = next ? words.many({ count: count - 1 }) : words.heading({ count })
  const heading = isFirst ? known : words.title
  return renderAccountPage(page, {
    part: 'security',
    title: words.title,
    head: html`${renderWayBack(view, 'security')}<div class="head"><h1>${heading}</h1>${hasOthers ? html`<div class="off-paper">${renderEndOthers(page)}</div>` : null}</div>`,
    heading,
    notice: page.notice ?? null,
    main: html`${renderRows(sessions.map((session) => renderSession(session, page)))}
${next ? html`<p class="off-paper"><a href="${pageUrl(view, path, { before: next })}" class="button">${words.more}</a></p>` : null}`,
  })
}

export const openSessions: OpenPage = ({ store, ...given }, { ownerForm }) => {
  const show = async (visit: OwnerVisit): Promise<Answer> => {
    const { owner, session: own } = visit.login
    const before = parseCursor<SessionHandle>(visit, 'before')
    const { rows, next } = await store.listSessions(
      owner.id,
      before,
      parameterLimits.pageRowsDefault,
      visit.at,
    )
    const isFirst = before === null
    const others = rows.filter(({ id }) => id !== own.id)
    const html = renderSessions({
      ...pickGiven(visit),
      sessions: [...(isFirst ? [own] : []), ...others].map((one) => describeSession(one, visit)),
      isFirst,
      notice: findNotice(visit, sessionWords(visit.view.language).done),
      next,
    })
    return showPage(visit, html)
  }

  /** The browser of an ended session is logged out with its next request. */
  const change: TakeForm = async (visit, form) => {
    const { owner, session } = visit.login
    const trace = traceOf(visit, given)
    switch (form.find('action')) {
      case 'end': {
        const handle = form.require('session') as SessionHandle
        const ended = await store.endSessionOf(owner.id, handle, trace)
        return answerDone(visit, path, ended ? 'ended' : 'gone')
      }
      case 'end-others':
        await store.endOtherSessions(owner.id, session.id, trace)
        return answerDone(visit, path, 'others')
    }
    throw invalidRequest('bad_action', 'action has to be end or end-others')
  }

  return ownerForm('/account/sessions', show, change)
}
