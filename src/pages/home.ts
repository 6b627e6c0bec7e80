/** The page at the root; in the demo it tells everything one needs to try the service. */
import type { Language } from '../model/language.ts'
import { renderLayout } from './layout.ts'
import { html, type Markup } from './markup.ts'
import type { View } from './view.ts'
import { homeWords } from './words/home.ts'

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
  readonly view: View
  readonly issuer: string
  readonly demo: Demo | null
}

type Words = (typeof homeWords)[Language]

const client = (of: DemoClient, words: Words): Markup =>
  html`<tr><th scope="row">${of.name}</th><td><code>${of.id}</code></td><td>${of.secret === null ? words.publicClient : html`<code>${of.secret}</code>`}</td><td>${of.grantTypes.map((grant) => html`<code>${grant}</code> `)}${(of.redirectUris ?? []).map((uri) => html`<br>${words.backTo({ uri: html`<code>${uri}</code>` })}`)}</td></tr>
`

const owner = (of: Demo['owners'][number]): Markup =>
  html`<tr><td><code>${of.username}</code></td><td><code>${of.password}</code></td></tr>
`

/** The wide table scrolls by itself on a telephone, inside a region that the keyboard reaches. */
const tour = (demo: Demo, words: Words): Markup =>
  html`<p class="notice warning"><strong>${words.isDemo}</strong> ${words.demoWarning}</p>
<h2>${words.tryIt}</h2>
<p>${words.asPasted}</p>
<pre tabindex="0" role="region" aria-label="${words.command}">${demo.curl}</pre>
<h2>${words.people}</h2>
<table><thead><tr><th scope="col">${words.username}</th><th scope="col">${words.password}</th></tr></thead><tbody>
${demo.owners.map(owner)}</tbody></table>
<h2>${words.applications}</h2>
<div class="scroll" role="region" aria-label="${words.applications}" tabindex="0"><table><thead><tr><th scope="col">${words.name}</th><th scope="col">${words.id}</th><th scope="col">${words.secret}</th><th scope="col">${words.grantTypes}</th></tr></thead><tbody>
${demo.clients.map((of) => client(of, words))}</tbody></table></div>`

export const renderHome = ({ view, issuer, demo }: HomePage): string => {
  const words = homeWords[view.language]
  return renderLayout({
    view,
    title: words.title,
    width: demo ? 'wide' : 'narrow',
    main: html`<h1>${words.heading}</h1>
<p>${words.purpose({ name: view.brand.name })} <a href="${view.base}/account">${words.account}</a></p>
${demo ? tour(demo, words) : null}
<p class="quiet">${words.forApplications} <code>${issuer}/.well-known/oauth-authorization-server</code></p>`,
  })
}
