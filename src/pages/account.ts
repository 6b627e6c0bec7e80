/** The account page: what the owner approved, and the way to take it back. */
import { type AccountPageGiven, renderAccountPage } from './account-frame.ts'
import { type AccountAuthorization, type CardGiven, tellBadEnd } from './application-card.ts'
import { named } from './fields.ts'
import { renderInstallations } from './installations.ts'
import { type Content, html } from './markup.ts'
import { pageUrl, type View } from './view.ts'
import { accountWords } from './words/account.ts'
import { endedWords } from './words/ended.ts'
import { eventWords } from './words/events.ts'

/** What can be done to an access, as the page says it afterwards. */
export type DoneToAccess = keyof (typeof accountWords)['en']['done'] | 'gone'

export interface AccountDone {
  readonly what: DoneToAccess
  /** Null where there is no such application any more. */
  readonly clientName: string | null
  /** Whether the application has another access beside the one that it was done to. */
  readonly hasOthers: boolean
}

export interface AccountPage extends AccountPageGiven, CardGiven {
  /** The newest first. */
  readonly authorizations: readonly AccountAuthorization[]
  /** What was just done. */
  readonly done?: AccountDone | null
  /** The key of the next page of authorizations; null where there is none. */
  readonly next?: string | null
}

const noticeOf = ({ what, clientName, hasOthers }: AccountDone, view: View): Content => {
  const { language } = view
  const { gone, done, doneToOne } = accountWords[language]
  if (what === 'gone') return gone
  const client = clientName === null ? html`${eventWords[language].goneClient}` : named(clientName)
  const said = (hasOthers ? doneToOne : done)[what]({ client })
  return what === 'ended'
    ? html`${said} <a class="off-paper" href="${pageUrl(view, '/account/ended')}">${endedWords[language].lookBack}</a>`
    : said
}

const applicationsOn = ({ authorizations }: AccountPage) => [
  ...Map.groupBy(authorizations, ({ id, installations }) => installations?.newest ?? id).values(),
]

export const renderAccount = (page: AccountPage): string => {
  const { language } = page.view
  const words = accountWords[language]
  const { authorizations, badEnd } = page
  const isOnCard = authorizations.some(({ id }) => id === badEnd?.id)
  return renderAccountPage(page, {
    part: 'applications',
    heading: words.heading,
    notice: page.done ? noticeOf(page.done, page.view) : null,
    problem: badEnd === null || isOnCard ? null : tellBadEnd(page.now, language),
    main: html`${authorizations.length === 0 ? html`<p class="card">${words.nothing}</p>` : applicationsOn(page).map((of) => renderInstallations(of, page))}
${page.next ? html`<p class="off-paper"><a href="${pageUrl(page.view, '/account', { after: page.next })}">${words.more}</a></p>` : null}
<p class="off-paper"><a href="${pageUrl(page.view, '/account/ended')}">${endedWords[language].toEnded}</a></p>`,
  })
}
