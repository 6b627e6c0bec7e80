/** The page of login sessions: one line for each browser, with a button to log it out. */
import { accountLimits } from '../config/account.ts'
import type { Session } from '../model/session.ts'
import { type AccountPageGiven, renderAccountPage } from './account-frame.ts'
import { hidden } from './fields.ts'
import { html, type Markup } from './markup.ts'
import { ago, moment } from './time.ts'
import { pageUrl } from './view.ts'
import { sessionWords } from './words/sessions.ts'

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

type SessionWords = (typeof sessionWords)['en']

const nameOf = ({ program, system }: ShownSession, words: SessionWords): string => {
  if (program !== null) return system === null ? program : words.programOn({ program, system })
  return system === null ? words.unknown : words.someOn({ system })
}

/** How the login was made. */
const methodOf = ({ methods }: ShownSession, words: SessionWords): string | null => {
  const hasKey = methods.includes('pop') || methods.includes('swk')
  if (methods.includes('pwd')) {
    if (hasKey) return words.methods.passwordAndPasskey
    return methods.includes('otp') ? words.methods.passwordAndCode : words.methods.password
  }
  return hasKey ? words.methods.passkey : null
}

const endButton = (session: ShownSession, name: string, page: SessionsPage): Markup => {
  const words = sessionWords[page.view.language]
  return html`<form method="post" action="${pageUrl(page.view, '/account/sessions')}">
${hidden('csrf', page.csrf)}
${hidden('session', session.handle)}
<button class="danger" type="submit" name="action" value="end">${words.end}<span class="unseen">${words.endOf({ name })}</span></button>
</form>`
}

const networkOf = (session: ShownSession, words: SessionWords): Markup => {
  const { network, isHere, isThis } = session
  if (network === '') return html`${words.unknownNetwork}`
  const shown = words.network({ network: html`<bdi>${network}</bdi>` })
  return isHere && !isThis ? words.sameNetwork({ network: shown }) : shown
}

/** The latest request is known to within an hour, so the page says no more than that. */
const activeOf = ({ seenAt, isThis }: ShownSession, page: SessionsPage): string => {
  const { language } = page.view
  const words = sessionWords[language]
  const passed = page.now - seenAt
  if (isThis || passed < accountLimits.seenSeconds) return words.active
  return words.activeAgo({ ago: ago(passed, language) })
}

const renderSession = (session: ShownSession, page: SessionsPage): Markup => {
  const { view } = page
  const words = sessionWords[view.language]
  const name = nameOf(session, words)
  const method = methodOf(session, words)
  const since = moment(session.startedAt, view)
  const until = moment(session.expiresAt, view)
  return html`<li><div><h2>${name}${session.isThis ? html` <span class="tag">${words.thisOne}</span>` : null}</h2>
<p class="quiet">${method === null ? null : html`${method} · `}${networkOf(session, words)}</p>
<p class="quiet">${activeOf(session, page)} · ${words.between({ since, until })}</p></div>
${session.isThis ? null : endButton(session, name, page)}</li>
`
}

const endOthers = (page: SessionsPage): Markup => {
  const { language } = page.view
  const words = sessionWords[language]
  return html`<form class="card" method="post" action="${pageUrl(page.view, '/account/sessions')}">
${hidden('csrf', page.csrf)}
<p>${words.effect}</p>
<p class="actions"><button class="danger" type="submit" name="action" value="end-others">${words.endOthers}</button></p>
</form>
`
}

export const renderSessions = (page: SessionsPage): string => {
  const { language } = page.view
  const words = sessionWords[language]
  const others = page.sessions.some(({ isThis }) => !isThis)
  return renderAccountPage(page, {
    part: 'sessions',
    heading: words.heading,
    notice: page.notice ?? null,
    main: html`<p>${words.about}</p>
${others ? endOthers(page) : null}
<ul class="card lines">
${page.sessions.map((session) => renderSession(session, page))}</ul>
${page.next ? html`<p class="off-paper"><a href="${pageUrl(page.view, '/account/sessions', { before: page.next })}">${words.more}</a></p>` : null}`,
  })
}
