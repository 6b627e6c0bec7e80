/** The page of login sessions: one row for each browser, with a button to end it. */
import { type AccountPageGiven, renderAccountPage } from './account-frame.ts'
import { hidden } from './fields.ts'
import { html, type Markup } from './markup.ts'
import { ago, moment } from './time.ts'
import { pageUrl } from './view.ts'
import { sessionWords } from './words/sessions.ts'

export interface ShownSession {
  readonly handle: string
  /** Names of the browser and its system; null if not known. */
  readonly program: string | null
  readonly system: string | null
  /** Shortened; '' where it is not known. */
  readonly network: string
  /** Unix seconds. */
  readonly startedAt: number
  readonly expiresAt: number
  /** Whether it is the one that looks at the page. */
  readonly isThis: boolean
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

const endButton = (session: ShownSession, name: string, page: SessionsPage): Markup => {
  const { language } = page.view
  const words = sessionWords[language]
  return html`<form method="post" action="${pageUrl(page.view, '/account/sessions')}">
${hidden('csrf', page.csrf)}
${hidden('session', session.handle)}
<p class="actions"><button class="danger" type="submit" name="action" value="end">${words.end}<span class="unseen">${words.endOf({ name })}</span></button></p>
</form>`
}

const renderSession = (session: ShownSession, page: SessionsPage): Markup => {
  const { language } = page.view
  const words = sessionWords[language]
  const name = nameOf(session, words)
  const when = moment(session.startedAt, language)
  return html`<section class="card">
<h2>${name}${session.isThis ? html` <span class="tag">${words.thisOne}</span>` : null}</h2>
<dl>
<div><dt>${words.since}</dt><dd>${words.sinceAgo({ when, ago: ago(page.now - session.startedAt, language) })}</dd></div>
<div><dt>${words.network}</dt><dd>${session.network === '' ? words.unknownNetwork : html`<bdi>${session.network}</bdi>`}</dd></div>
<div><dt>${words.until}</dt><dd>${moment(session.expiresAt, language)}</dd></div>
</dl>
${session.isThis ? null : endButton(session, name, page)}
</section>
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
${page.sessions.map((session) => renderSession(session, page))}
${others ? endOthers(page) : null}
${page.next ? html`<p class="off-paper"><a href="${pageUrl(page.view, '/account/sessions', { before: page.next })}">${words.more}</a></p>` : null}`,
  })
}
