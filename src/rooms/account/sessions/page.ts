/** `/account/sessions`: one line for each browser, with a button to log it out, and one for all others. */

import type { Answer } from '../../../http/answer.ts'
import { parseAgent } from '../../../http/user-agent.ts'
import type { SessionHandle } from '../../../model/ids.ts'
import type { Session } from '../../../model/session.ts'
import { hide } from '../../../paper/fields.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { renderAct, renderAsked, renderEntry, renderRows } from '../../../paper/rows.ts'
import { sayAgo, sayMoment } from '../../../paper/time.ts'
import { pageUrl } from '../../../paper/view.ts'
import { formatBrowser, sessionWords } from '../../../paper/words/sessions.ts'
import { parameterLimits } from '../../../protocol/parameters.ts'
import { invalidRequest } from '../../../protocol/refusal.ts'
import { recordLimits } from '../../../store/limits.ts'
import { traceOf } from '../../../store/trace.ts'
import { answerDone, findNotice, type OwnerVisit, parseCursor } from '../../owner-visit.ts'
import type { TakeForm } from '../../pages.ts'
import { showPage } from '../../visit.ts'
import { type AccountPageGiven, pickGiven, renderAccountPage, renderWayBack } from '../frame.ts'
import type { OpenPage } from '../needs.ts'

/** `network` and `userAgent` are shortened; '' where not known. */
export interface ShownSession
  extends Pick<Session, 'handle' | 'network' | 'methods' | 'startedAt' | 'seenAt' | 'expiresAt'> {
  readonly program: string | null
  readonly system: string | null
  readonly isThis: boolean
  /** Whether it is in the same network as that one. */
  readonly isHere: boolean
}

export interface SessionsPage extends AccountPageGiven {
  readonly sessions: readonly ShownSession[]
  readonly now: number
  readonly notice?: string | null
  readonly next?: string | null
}

type SessionWords = ReturnType<typeof sessionWords>

const formatMethod = ({ methods }: ShownSession, words: SessionWords): string | null => {
  const hasKey = methods.includes('pop') || methods.includes('swk')
  if (methods.includes('pwd')) {
    if (hasKey) return words.methods.passwordAndPasskey
    return methods.includes('otp') ? words.methods.passwordAndCode : words.methods.password
  }
  return hasKey ? words.methods.passkey : null
}

const path = '/account/sessions'

const renderNetwork = (session: ShownSession, words: SessionWords): Markup => {
  const { network, isHere, isThis } = session
  if (network === '') return html`${words.unknownNetwork}`
  const shown = words.network({ network: html`<bdi dir="ltr">${network}</bdi>` })
  return isHere && !isThis ? words.sameNetwork({ network: shown }) : shown
}

const renderSession = (session: ShownSession, page: SessionsPage): Markup => {
  const { view, now } = page
  const { handle, isThis, seenAt } = session
  const words = sessionWords(view.language)
  const name = formatBrowser(session, words)
  const method = formatMethod(session, words)
  const since = sayMoment(session.startedAt, view)
  const passed = now - seenAt
  // The latest request is known to within an hour, so the page says no more than that.
  const isActive = isThis || passed < recordLimits.seenSeconds
  const active = isActive ? words.active : words.activeAgo({ ago: sayAgo(passed, view.language) })
  const tag = html` <span class="tag good this-one">${words.thisOne}</span>`
  const fields = html`${hide('session', handle)}${hide('action', 'end')}`
  const button = html`${words.end}<span class="unseen">${words.endOf({ name })}</span>`
  return renderEntry({
    title: html`<strong>${name}</strong>${isThis ? tag : null}`,
    state: [
      html`${method === null ? null : html`${method} · `}${renderNetwork(session, words)}`,
      html`${active} · ${words.since({ since })}`,
    ],
    actions: [isThis ? null : renderAct({ ...page, path, fields }, button)],
  })
}

export const renderSessions = (page: SessionsPage): string => {
  const words = sessionWords(page.view.language)
  const { endOthers: button, effect } = words
  const form = { ...page, path, fields: hide('action', 'end-others') } as const
  const endOthers = renderAsked(form, { button, effect, confirm: button })
  const hasOthers = page.sessions.some(({ isThis }) => !isThis)
  return renderAccountPage(page, {
    part: 'security',
    title: words.heading,
    head: html`${renderWayBack(page.view, 'security')}<h1>${words.heading}</h1>`,
    heading: words.heading,
    notice: page.notice ?? null,
    main: html`<p class="quiet">${words.about}</p>
${hasOthers ? html`<div class="off-paper head">${endOthers}</div>` : null}
${renderRows(page.sessions.map((session) => renderSession(session, page)))}
${page.next ? html`<p class="off-paper"><a href="${pageUrl(page.view, path, { before: page.next })}" class="button">${words.more}</a></p>` : null}`,
  })
}

export const openSessions: OpenPage = ({ store, ...given }, { ownerForm }) => {
  const show = async (visit: OwnerVisit): Promise<Answer> => {
    const { at } = visit
    const { owner, session: own } = visit.login
    const before = parseCursor<SessionHandle>(visit, 'before')
    const { rows, next } = await store.listSessions(
      owner.id,
      before,
      parameterLimits.pageRowsDefault,
      at,
    )
    const others = rows.filter(({ id }) => id !== own.id)
    const html = renderSessions({
      ...pickGiven(visit),
      sessions: [...(before === null ? [own] : []), ...others].map((session) => ({
        ...session,
        ...parseAgent(session.userAgent),
        isThis: session.id === own.id,
        isHere: session.network !== '' && session.network === own.network,
      })),
      now: at,
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
