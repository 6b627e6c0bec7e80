/** The page of login sessions: one line for each browser, with a button to log it out. */
import type { Session } from '../../../model/session.ts'
import { renderAct, renderAsked, renderEntry } from '../../../paper/entries.ts'
import { hidden } from '../../../paper/fields.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { ago, moment, renderTimesScript } from '../../../paper/time.ts'
import { pageUrl } from '../../../paper/view.ts'
import { browserName, sessionWords } from '../../../paper/words/sessions.ts'
import { recordLimits } from '../../../store/limits.ts'
import { type AccountPageGiven, renderAccountPage } from '../frame.ts'

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
  if (isThis || passed < recordLimits.seenSeconds) return words.active
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
