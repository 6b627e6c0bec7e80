/** The first page of the demo: everything one needs to try the service. */
import { renderCommand } from '../../src/paper/fields.ts'
import { renderLayout } from '../../src/paper/layout.ts'
import { html, type Markup } from '../../src/paper/markup.ts'
import { pageUrl, type View } from '../../src/paper/view.ts'
import { metadataPath } from '../../src/rooms/site/home-page.ts'
import type { FlowName } from '../words/flows.ts'
import { tourWords } from '../words/tour.ts'
import { renderFlows } from './flows.ts'

export interface DemoClient {
  readonly id: string
  readonly name: string
  /** Null for a public client. */
  readonly secret: string | null
  readonly grantTypes: readonly string[]
  readonly redirectUris?: readonly string[]
}

export interface Tour {
  readonly view: View
  readonly issuer: string
  readonly owners: readonly { readonly username: string; readonly password: string }[]
  readonly clients: readonly DemoClient[]
  /** A command that works as pasted. */
  readonly curl: string
  readonly flows: readonly FlowName[]
}

type TourWords = ReturnType<typeof tourWords>

const client = (of: DemoClient, words: TourWords): Markup =>
  html`<tr><th scope="row">${of.name}</th><td><code>${of.id}</code></td><td>${of.secret === null ? words.publicClient : html`<code>${of.secret}</code>`}</td><td>${of.grantTypes.map((grant) => html`<code>${grant}</code> `)}${(of.redirectUris ?? []).map((uri) => html`<br>${words.backTo({ uri: html`<code>${uri}</code>` })}`)}</td></tr>
`

const owner = (of: Tour['owners'][number], words: TourWords): Markup =>
  html`<li><strong>${of.username}</strong><p>${words.password}: <code>${of.password}</code></p></li>
`

/** Files of the repository, which the service does not serve. */
const documents = [
  ['README.md', 'readme'],
  ['docs/guard.md', 'guard'],
  ['docs/registration.md', 'registration'],
  ['docs/admin-api.md', 'admin'],
  ['docs/extension-grants.md', 'extension'],
  ['docs/settings.md', 'settings'],
  ['docs/scale.md', 'scale'],
  ['docs/architecture.md', 'architecture'],
] as const

const docs = (words: TourWords): Markup =>
  html`<ul class="docs">
${documents.map(
  ([path, key]) => html`<li><code>${path}</code> <span class="quiet">${words.docs[key]}</span></li>
`,
)}</ul>`

/** The wide table scrolls by itself on a telephone, inside a region that the keyboard reaches. */
const tour = (demo: Tour, words: TourWords): Markup => {
  const { view, issuer } = demo
  return html`<div class="hero">
<div><h1>${words.heading}</h1>
<p class="lead">${words.purpose({ name: view.brand.name })}</p>
<p class="actions"><a class="button primary" href="${pageUrl(view, '/playground')}">${words.playground}</a> <a class="button" href="${pageUrl(view, '/account')}">${words.account}</a></p></div>
<div><p>${words.asPasted}</p>
${renderCommand(demo.curl, words.command)}</div>
</div>
<p class="notice warning"><strong>${words.isDemo}</strong> ${words.demoWarning}</p>
<h2>${words.flows}</h2>
<p class="lead">${words.flowsText}</p>
${renderFlows(demo.flows, view)}
<h2>${words.people}</h2>
<ul class="people">
${demo.owners.map((of) => owner(of, words))}</ul>
<h2>${words.applications}</h2>
<div class="scroll" role="region" aria-label="${words.applications}" tabindex="0"><table><thead><tr><th scope="col">${words.name}</th><th scope="col">${words.id}</th><th scope="col">${words.secret}</th><th scope="col">${words.grantTypes}</th></tr></thead><tbody>
${demo.clients.map((of) => client(of, words))}</tbody></table></div>
<h2>${words.reading}</h2>
${docs(words)}
<p class="quiet">${words.forApplications} <a href="${view.base}${metadataPath}">${issuer}${metadataPath}</a></p>`
}

export const renderTour = (demo: Tour): string => {
  const { view } = demo
  const words = tourWords(view.language)
  return renderLayout({ view, title: words.title, width: 'full', main: tour(demo, words) })
}
