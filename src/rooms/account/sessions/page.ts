/** `/account/sessions`: one line for each browser, with a button to log it out, and one for all others. */
import { accountLimits } from '../../../config/account.ts'
import { limits } from '../../../config/limits.ts'
import { agentOf } from '../../../http/user-agent.ts'
import type { SessionHandle } from '../../../model/ids.ts'
import type { Session } from '../../../model/session.ts'
import { browserName } from '../../../paper/browser-name.ts'
import { renderAct, renderAsked, renderEntry } from '../../../paper/entries.ts'
import { hidden } from '../../../paper/fields.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { ago, moment, renderTimesScript } from '../../../paper/time.ts'
import { pageUrl } from '../../../paper/view.ts'
import { sessionWords } from '../../../paper/words/sessions.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import { page, type RouteRow } from '../../../route.ts'
import { traceOf } from '../../../store/trace.ts'
import { answerDone, noticeOf, parseCursor } from '../../owner-visit.ts'
import type { Pages } from '../../pages.ts'
import { showPage } from '../../visit.ts'
import { type AccountPageGiven, renderAccountPage } from '../frame.ts'
import type { AccountNeeds } from '../needs.ts'

/** `network` and `userAgent` are shortened; '' where not known. */
export interface ShownSession
  extends Pick<Session, 'handle' | 'network' | 'methods' | 'startedAt' | 'seenAt' | 'expiresAt'> {
  /** Names of the browser and its system; null if not known. */
  readonly program: string | null
  readonly system: string | null
  /** Whether it is the one that looks at the page. */
  readonly isThis: boolean
  /** Whether it is in the same network as that one. */
  readonly isHere: boolean
}

export interface SessionsPage extends AccountPageGiven {
  readonly sessions: readonly ShownSession[]
  /** Unix seconds. */
  readonly now: number
  readonly notice?: string | null
  /** The key of the next page; null where there is none. */
  readonly next?: string | null
}

type SessionWords = ReturnType<typeof sessionWords>

/** How the login was made. */
const methodOf = ({ methods }: ShownSession, words: SessionWords): string | null => {
  const hasKey = methods.includes('pop') || methods.includes('swk')
  if (methods.includes('pwd')) {
    if (hasKey) return words.methods.passwordAndPasskey
    return methods.includes('otp') ? words.methods.passwordAndCode : words.methods.password
  }
  return hasKey ? words.methods.passkey : null
}

const formOf = ({ view, csrf }: SessionsPage, fields: Markup) => ({
  view,
  csrf,
  path: '/account/sessions' as const,
  fields,
})

const endButton = (session: ShownSession, name: string, page: SessionsPage): Markup => {
  const words = sessionWords(page.view.language)
  const fields = html`${hidden('session', session.handle)}${hidden('action', 'end')}`
  const button = html`${words.end}<span class="unseen">${words.endOf({ name })}</span>`
  return renderAct(formOf(page, fields), button)
}

const networkOf = (session: ShownSession, words: SessionWords): Markup => {
  const { network, isHere, isThis } = session
  if (network === '') return html`${words.unknownNetwork}`
  const shown = words.network({ network: html`<bdi dir="ltr">${network}</bdi>` })
  return isHere && !isThis ? words.sameNetwork({ network: shown }) : shown
}

/** The latest request is known to within an hour, so the page says no more than that. */
const activeOf = ({ seenAt, isThis }: ShownSession, page: SessionsPage): string => {
  const { language } = page.view
  const words = sessionWords(language)
  const passed = page.now - seenAt
  if (isThis || passed < accountLimits.seenSeconds) return words.active
  return words.activeAgo({ ago: ago(passed, language) })
}

const renderSession = (session: ShownSession, page: SessionsPage): Markup => {
  const { view } = page
  const words = sessionWords(view.language)
  const name = browserName(session, words)
  const method = methodOf(session, words)
  const since = moment(session.startedAt, view)
  const tag = html` <span class="tag good this-one">${words.thisOne}</span>`
  return renderEntry({
    title: html`<strong>${name}</strong>${session.isThis ? tag : null}`,
    state: [
      html`${method === null ? null : html`${method} · `}${networkOf(session, words)}`,
      html`${activeOf(session, page)} · ${words.since({ since })}`,
    ],
    actions: [session.isThis ? null : endButton(session, name, page)],
  })
}

const endOthers = (page: SessionsPage): Markup => {
  const words = sessionWords(page.view.language)
  return renderAsked(formOf(page, hidden('action', 'end-others')), {
    button: words.endOthers,
    effect: words.effect,
    confirm: words.endOthers,
  })
}

export const renderSessions = (page: SessionsPage): string => {
  const words = sessionWords(page.view.language)
  const others = page.sessions.some(({ isThis }) => !isThis)
  return renderAccountPage(page, {
    part: 'sessions',
    heading: words.heading,
    notice: page.notice ?? null,
    main: html`<p class="quiet">${words.about}</p>
${others ? html`<div class="off-paper head">${endOthers(page)}</div>` : null}
<div class="card entries"><ul>
${page.sessions.map((session) => renderSession(session, page))}</ul></div>
${page.next ? html`<p class="off-paper"><a href="${pageUrl(page.view, '/account/sessions', { before: page.next })}" class="button">${words.more}</a></p>` : null}
${renderTimesScript(page.view)}`,
  })
}

export const openSessions = (
  { store, ...given }: AccountNeeds,
  { forOwner, readForm }: Pages,
): readonly RouteRow[] => {
  const show = forOwner(async (visit) => {
    const { at, view, csrf } = visit
    const { owner, session: own } = visit.login
    const before = parseCursor<SessionHandle>(visit, 'before')
    const { rows, next } = await store.listSessions(owner.id, before, limits.pageRowsDefault, at)
    const others = rows.filter(({ id }) => id !== own.id)
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
      next,
    })
    return showPage(visit, html, { hasScript: true })
  })

  /** The browser of an ended session is logged out with its next request. */
  const change = forOwner(async (visit) => {
    const form = await readForm(visit)
    const { owner, session } = visit.login
    const trace = traceOf(visit, given)
    switch (form.find('action')) {
      case 'end': {
        const handle = form.require('session') as SessionHandle
        const ended = await store.endSessionOf(owner.id, handle, trace)
        return answerDone(visit, '/account/sessions', ended ? 'ended' : 'gone')
      }
      case 'end-others':
        await store.endOtherSessions(owner.id, session.id, trace)
        return answerDone(visit, '/account/sessions', 'others')
    }
    throw new Refusal('invalid_request', 'bad_action', 'action has to be end or end-others')
  })

  return [
    { ...page, method: 'GET', path: '/account/sessions', handler: show },
    { ...page, method: 'POST', path: '/account/sessions', handler: change },
  ]
}
