/** The account page: what the owner approved, and the way to take it back. */
import type { Authorization } from '../model/authorization.ts'
import type { Language } from '../model/language.ts'
import type { UseDay } from '../model/use.ts'
import { type AccountPageGiven, renderAccountPage } from './account-frame.ts'
import { hidden, named } from './fields.ts'
import { type Content, html, type Markup } from './markup.ts'
import { type ResourceRow, renderPermissionTable } from './permission-table.ts'
import { webUri } from './plain-text.ts'
import { ago, moment } from './time.ts'
import { renderUnused, renderUses } from './uses.ts'
import { accountWords } from './words/account.ts'

/** A permission that the application has. */
export interface AccountCell {
  readonly permission: string
  readonly text: string
}

export interface AccountAuthorization {
  readonly id: string
  readonly clientName: string
  readonly clientUri?: string | null
  /** What it may do; null cells for what it may not. */
  readonly rows: readonly ResourceRow<AccountCell>[]
  readonly duration: Authorization['duration']
  /** Unix seconds, like all that follow. */
  readonly createdAt: number
  /** Null = until taken back. */
  readonly expiresAt: number | null
  /** Null = never. */
  readonly lastUsedAt: number | null
  /** Of the last days; those without any use may be left out. */
  readonly counted: readonly UseDay[]
}

export interface AccountPage extends AccountPageGiven {
  readonly authorizations: readonly AccountAuthorization[]
  /** Unix seconds. */
  readonly now: number
  /** What was just done, such as `Access has ended.` */
  readonly notice?: string | null
  readonly problem?: string | null
  /** The key of the next page of authorizations; null where there is none. */
  readonly next?: string | null
}

const until = ({ duration, expiresAt }: AccountAuthorization, language: Language): Content => {
  const words = accountWords[language]
  const when = expiresAt === null ? null : moment(expiresAt, language)
  if (duration !== 'session') return when ?? words.untilTakenBack
  return when === null ? words.untilLogout : words.untilLogoutOr({ when })
}

const lastUsed = (at: number, now: number, language: Language): Markup =>
  accountWords[language].used({ when: moment(at, language), ago: ago(now - at, language) })

const facts = (of: AccountAuthorization, now: number, language: Language): Markup => {
  const words = accountWords[language]
  return html`<dl>
<div><dt>${words.lastUsed}</dt><dd>${of.lastUsedAt === null ? words.never : lastUsed(of.lastUsedAt, now, language)}</dd></div>
<div><dt>${words.since}</dt><dd>${moment(of.createdAt, language)}</dd></div>
<div><dt>${words.until}</dt><dd>${until(of, language)}</dd></div>
</dl>`
}

const cell = (of: AccountCell): Markup =>
  html`<label class="tick"><input type="checkbox" name="permission" value="${of.permission}" checked><span>${of.text}</span></label>`

const authorization = (of: AccountAuthorization, page: AccountPage): Markup => {
  const { base, language } = page.view
  const words = accountWords[language]
  const client = named(of.clientName)
  const notAllowed = html`<span class="quiet">${words.notAllowed}</span>`
  const uri = webUri(of.clientUri)
  return html`<section class="card">
<h2>${client}</h2>
${uri ? html`<p class="quiet"><code>${uri}</code></p>` : null}
${renderUnused(of, page.now, page.view)}
${facts(of, page.now, language)}
${renderUses(of, page.now, page.view)}
<form method="post" action="${base}/account">
${hidden('csrf', page.csrf)}
${hidden('authorization', of.id)}
${renderPermissionTable(words.may({ client }), of.rows, cell, notAllowed, language)}
<p class="actions"><button type="submit" name="action" value="narrow">${words.narrow}<span class="unseen">${words.narrowOf({ client })}</span></button><button class="danger" type="submit" name="action" value="end">${words.end}<span class="unseen">${words.endOf({ client })}</span></button></p>
</form>
</section>
`
}

export const renderAccount = (page: AccountPage): string => {
  const { base, language } = page.view
  const words = accountWords[language]
  const newestFirst = page.authorizations.toSorted((a, b) => b.createdAt - a.createdAt)
  return renderAccountPage(page, {
    part: 'applications',
    heading: words.heading,
    notice: page.notice ?? null,
    problem: page.problem ?? null,
    main: html`${newestFirst.length === 0 ? html`<p class="card">${words.nothing}</p>` : newestFirst.map((of) => authorization(of, page))}
${page.next ? html`<p><a href="${base}/account?after=${encodeURIComponent(page.next)}">${words.more}</a></p>` : null}`,
  })
}
