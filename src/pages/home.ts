/** The page at the root; in the demo it tells everything one needs to try the service. */
import { renderLayout } from './layout.ts'
import { html, type Markup } from './markup.ts'

export interface DemoClient {
  readonly id: string
  readonly name: string
  /** Null for a public client. */
  readonly secret: string | null
  readonly grantTypes: readonly string[]
  readonly redirectUris?: readonly string[]
}

export interface Demo {
  readonly owners: readonly { readonly username: string; readonly password: string }[]
  readonly clients: readonly DemoClient[]
  /** A command that works as pasted. */
  readonly curl: string
}

export interface HomePage {
  readonly base?: string
  readonly issuer: string
  readonly demo: Demo | null
}

const client = (of: DemoClient): Markup =>
  html`<tr><th scope="row">${of.name}</th><td><code>${of.id}</code></td><td>${of.secret === null ? 'none (public)' : html`<code>${of.secret}</code>`}</td><td>${of.grantTypes.map((grant) => html`<code>${grant}</code> `)}${(of.redirectUris ?? []).map((uri) => html`<br>back to <code>${uri}</code>`)}</td></tr>
`

const owner = (of: Demo['owners'][number]): Markup =>
  html`<tr><td><code>${of.username}</code></td><td><code>${of.password}</code></td></tr>
`

/** The wide table scrolls by itself on a telephone, inside a region that the keyboard reaches. */
const tour = (demo: Demo): Markup =>
  html`<p class="notice warning"><strong>This is the demo.</strong> Its passwords and secrets are public. Keep nothing of value in it.</p>
<h2>Try it</h2>
<p>This works as pasted:</p>
<pre tabindex="0" role="region" aria-label="Command">${demo.curl}</pre>
<h2>People</h2>
<table><thead><tr><th scope="col">Username</th><th scope="col">Password</th></tr></thead><tbody>
${demo.owners.map(owner)}</tbody></table>
<h2>Applications</h2>
<div class="scroll" role="region" aria-label="Applications" tabindex="0"><table><thead><tr><th scope="col">Name</th><th scope="col">client_id</th><th scope="col">client_secret</th><th scope="col">Grant types</th></tr></thead><tbody>
${demo.clients.map(client)}</tbody></table></div>`

export const renderHome = ({ base = '', issuer, demo }: HomePage): string =>
  renderLayout({
    title: 'Welcome',
    base,
    width: demo ? 'wide' : 'narrow',
    main: html`<h1>Keys to some of your things, never your password</h1>
<p>Latchkey lets you allow an application to reach some of what is yours, and take that back. <a href="${base}/account">See your account</a></p>
${demo ? tour(demo) : null}
<p class="quiet">For applications: <code>${issuer}/.well-known/oauth-authorization-server</code></p>`,
  })
