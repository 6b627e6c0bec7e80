/** The account page: what the owner approved, and the way to take it back. */
import type { Duration } from '../model/authorization.ts'
import { alert, hidden, moment, named, ownerLine } from './fields.ts'
import { renderLayout } from './layout.ts'
import { html, type Markup } from './markup.ts'
import { type ResourceRow, renderPermissionTable } from './permission-table.ts'
import { webUri } from './plain-text.ts'

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
  readonly duration: Duration
  /** Unix seconds, like all that follow. */
  readonly createdAt: number
  /** Null = until taken back. */
  readonly expiresAt: number | null
  /** Null = never. */
  readonly lastUsedAt: number | null
}

export interface AccountPage {
  readonly base?: string
  readonly csrf: string
  readonly owner: { readonly username: string; readonly name: string }
  readonly authorizations: readonly AccountAuthorization[]
  /** Unix seconds. */
  readonly now: number
  /** What was just done, such as `Access has ended.` */
  readonly notice?: string | null
  readonly problem?: string | null
  /** The key of the next page of authorizations; null where there is none. */
  readonly next?: string | null
}

const ago = (seconds: number): string => {
  if (seconds < 60) return 'just now'
  const [count, unit] =
    seconds < 3600
      ? [Math.floor(seconds / 60), 'minute']
      : seconds < 86_400
        ? [Math.floor(seconds / 3600), 'hour']
        : [Math.floor(seconds / 86_400), 'day']
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`
}

const until = (of: AccountAuthorization): Markup => {
  if (of.duration === 'session') {
    return html`you log out${of.expiresAt === null ? null : html`, at the latest ${moment(of.expiresAt)}`}`
  }
  return of.expiresAt === null ? html`you take it back` : moment(of.expiresAt)
}

const facts = (of: AccountAuthorization, now: number): Markup =>
  html`<dl>
<div><dt>Last used</dt><dd>${of.lastUsedAt === null ? 'never' : html`${moment(of.lastUsedAt)} (${ago(now - of.lastUsedAt)})`}</dd></div>
<div><dt>Allowed since</dt><dd>${moment(of.createdAt)}</dd></div>
<div><dt>Until</dt><dd>${until(of)}</dd></div>
</dl>`

const cell = (of: AccountCell): Markup =>
  html`<label class="tick"><input type="checkbox" name="permission" value="${of.permission}" checked><span>${of.text}</span></label>`

const notAllowed = html`<span class="quiet">Not allowed</span>`

const authorization = (of: AccountAuthorization, page: AccountPage): Markup => {
  const client = named(of.clientName)
  const uri = webUri(of.clientUri)
  return html`<section class="card">
<h2>${client}</h2>
${uri ? html`<p class="quiet"><code>${uri}</code></p>` : null}
${facts(of, page.now)}
<form method="post" action="${page.base ?? ''}/account">
${hidden('csrf', page.csrf)}
${hidden('authorization', of.id)}
${renderPermissionTable(html`What ${client} may do`, of.rows, cell, notAllowed)}
<p class="actions"><button type="submit" name="action" value="narrow">Keep only what is ticked<span class="unseen"> for ${client}</span></button><button class="danger" type="submit" name="action" value="end">End all access<span class="unseen"> of ${client}</span></button></p>
</form>
</section>
`
}

const nothingYet = html`<p class="card">No application may reach your things. When you allow one, it will be listed here, and you can take that back at any time.</p>`

export const renderAccount = (page: AccountPage): string => {
  const base = page.base ?? ''
  const newestFirst = page.authorizations.toSorted((a, b) => b.createdAt - a.createdAt)
  return renderLayout({
    title: 'Your account',
    base,
    width: 'wide',
    main: html`<div class="head"><div><h1>Applications with access</h1>
<p>You are logged in as ${ownerLine(page.owner)}.</p></div>
<form method="post" action="${base}/logout">${hidden('csrf', page.csrf)}<button type="submit">Log out</button></form></div>
${page.notice ? html`<p class="notice" role="status">${page.notice}</p>` : null}
${alert(page.problem)}
${newestFirst.length === 0 ? nothingYet : newestFirst.map((of) => authorization(of, page))}
${page.next ? html`<p><a href="${base}/account?after=${encodeURIComponent(page.next)}">Show more applications</a></p>` : null}`,
  })
}
