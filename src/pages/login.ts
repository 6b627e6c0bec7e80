/** The login page (RFC 6749 section 3.1: the server authenticates the resource owner). */
import { alert, hidden, named } from './fields.ts'
import { renderLayout } from './layout.ts'
import { html, type Markup } from './markup.ts'

export interface LoginPage {
  readonly base?: string
  readonly csrf: string
  /** The sealed authorization request that waits; '' for someone who goes to the account. */
  readonly journey: string
  /** The application that asks, where one does. */
  readonly clientName?: string | null
  /** What was typed before; never the password. */
  readonly username?: string
  readonly problem?: string | null
  /** How long the next try has to wait; null = not at all. */
  readonly waitSeconds?: number | null
}

const waiting = (seconds: number): string =>
  seconds < 90
    ? `Try again in ${seconds} second${seconds === 1 ? '' : 's'}.`
    : `Try again in ${Math.ceil(seconds / 60)} minutes.`

const purpose = (clientName: string | null | undefined): Markup =>
  clientName
    ? html`<p>${named(clientName)} would like to reach some of your things. Log in to decide what it may do. It never sees your password.</p>`
    : html`<p>Log in to see which applications may reach your things, and to take that back.</p>`

export const renderLogin = (page: LoginPage): string => {
  const username = page.username ?? ''
  const wait = page.waitSeconds ? waiting(page.waitSeconds) : null
  const problem = [page.problem, wait].filter((sentence) => sentence).join(' ')
  const described = html`${problem ? html` aria-describedby="problem"` : null}`
  const focus = html` autofocus`
  return renderLayout({
    title: 'Log in',
    base: page.base,
    main: html`<h1>Log in</h1>
${purpose(page.clientName)}
${alert(problem)}
<form method="post" action="${page.base ?? ''}/login">
${hidden('csrf', page.csrf)}
${hidden('journey', page.journey)}
<label class="field"><span>Username</span>
<input type="text" name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" required${described}${username ? null : focus}></label>
<label class="field"><span>Password</span>
<input type="password" name="password" autocomplete="current-password" required${described}${username ? focus : null}></label>
<p class="actions"><button class="primary" type="submit">Log in</button></p>
</form>`,
  })
}
