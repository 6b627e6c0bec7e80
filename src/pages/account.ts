/** The account page: what the owner approved, and the way to take it back. */
import { type AccountPageGiven, renderAccountPage } from './account-frame.ts'
import {
  type AccountAuthorization,
  type CardGiven,
  renderApplicationCard,
} from './application-card.ts'
import { html } from './markup.ts'
import { accountWords } from './words/account.ts'

export interface AccountPage extends AccountPageGiven, CardGiven {
  readonly authorizations: readonly AccountAuthorization[]
  /** What was just done, such as `Access has ended.` */
  readonly notice?: string | null
  readonly problem?: 'badEnd' | null
  /** The key of the next page of authorizations; null where there is none. */
  readonly next?: string | null
}

export const renderAccount = (page: AccountPage): string => {
  const { base, language } = page.view
  const words = accountWords[language]
  const newestFirst = page.authorizations.toSorted((a, b) => b.createdAt - a.createdAt)
  return renderAccountPage(page, {
    part: 'applications',
    heading: words.heading,
    notice: page.notice ?? null,
    problem: page.problem ? words[page.problem] : null,
    main: html`${newestFirst.length === 0 ? html`<p class="card">${words.nothing}</p>` : newestFirst.map((of) => renderApplicationCard(of, page))}
${page.next ? html`<p class="off-paper"><a href="${base}/account?after=${encodeURIComponent(page.next)}">${words.more}</a></p>` : null}`,
  })
}
