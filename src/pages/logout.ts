/** The two logout pages: the question (a GET changes nothing) and the answer. */
import { hidden } from './fields.ts'
import { renderLayout } from './layout.ts'
import { html } from './markup.ts'

export interface LogoutPage {
  readonly base?: string
  readonly csrf: string
}

export const renderLogout = ({ base = '', csrf }: LogoutPage): string =>
  renderLayout({
    title: 'Log out',
    base,
    main: html`<h1>Log out?</h1>
<p>Applications that you allowed until you log out lose their access now. All others keep it.</p>
<form method="post" action="${base}/logout">
${hidden('csrf', csrf)}
<p class="actions"><button class="primary" type="submit">Log out</button></p>
</form>
<p><a href="${base}/account">Stay logged in</a></p>`,
  })

export const renderLoggedOut = ({ base = '' }: { readonly base?: string } = {}): string =>
  renderLayout({
    title: 'Logged out',
    base,
    main: html`<h1>You are logged out</h1>
<p>Nobody can use your account in this browser without logging in again.</p>
<p><a href="${base}/login">Log in again</a></p>`,
  })
