/** The first page of the demo: a service in small, three doors into it, and the way to every flow. */
import { renderCommand } from '../../src/paper/fields.ts'
import { type IconName, icons } from '../../src/paper/icon.ts'
import { renderLayout } from '../../src/paper/layout.ts'
import { type Content, html, type Markup } from '../../src/paper/markup.ts'
import { pageUrl, type View } from '../../src/paper/view.ts'
import { metadataPath } from '../../src/rooms/site/home-page.ts'
import type { FlowName } from '../words/flows.ts'
import { tourWords } from '../words/tour.ts'
import { renderFlows } from './flows.ts'
import { renderLive } from './live.ts'

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
  /** How many ways there are to break them. */
  readonly attacks: number
}

type TourWords = ReturnType<typeof tourWords>

const client = (of: DemoClient, words: TourWords): Markup =>
  html`<tr><th scope="row">${of.name}</th><td><code>${of.id}</code></td><td>${of.secret === null ? words.publicClient : html`<code>${of.secret}</code>`}</td><td>${of.grantTypes.map((grant) => html`<code>${grant}</code> `)}${(of.redirectUris ?? []).map((uri) => html`<br>${words.backTo({ uri: html`<code>${uri}</code>` })}`)}</td></tr>
`

const owner = (of: Tour['owners'][number], words: TourWords): Markup =>
  html`<li><strong>${of.username}</strong> ${words.password}: <code>${of.password}</code></li>
`

interface Door {
  readonly icon: IconName
  readonly color: 'good' | 'rose' | 'blue'
  readonly title: string
  readonly text: Content
  readonly href: string
  readonly leads: string
}

const renderDoor = ({ icon, color, title, text, href, leads }: Door): Markup =>
  html`<li><span class="tile round ${color}" aria-hidden="true">${icons[icon]}</span><h2>${title}</h2><p>${text}</p><a class="button" href="${href}">${leads}</a></li>
`

const doors = ({ view, owners, attacks }: Tour, { doors: words }: TourWords): Markup => {
  const password = html`<code>${owners[0]?.password ?? ''}</code>`
  const line = html`<code>guard('photos:read')</code>`
  const all: readonly Door[] = [
    {
      ...{ icon: 'person', color: 'good', title: words.try.title, leads: words.try.leads },
      text: words.try.text({ password }),
      href: pageUrl(view, '/account'),
    },
    {
      ...{ icon: 'bolt', color: 'rose', title: words.break.title, leads: words.break.leads },
      text: words.break.text({ attacks }),
      href: pageUrl(view, '/playground/code', { step: 'changed-redirect' }),
    },
    {
      ...{ icon: 'code', color: 'blue', title: words.protect.title, leads: words.protect.leads },
      text: words.protect.text({ line }),
      href: `${view.base}/docs/guard.md`,
    },
  ]
  return html`<ul class="doors">
${all.map(renderDoor)}</ul>`
}

/** The wide table scrolls by itself on a telephone, inside a region that the keyboard reaches. */
const secrets = ({ view, issuer, owners, clients }: Tour, words: TourWords): Markup =>
  html`<details><summary>${words.secrets}</summary>
<ul class="people">
${owners.map((of) => owner(of, words))}</ul>
<div class="scroll" role="region" aria-label="${words.applications}" tabindex="0"><table><thead><tr><th scope="col">${words.name}</th><th scope="col">${words.id}</th><th scope="col">${words.secret}</th><th scope="col">${words.grantTypes}</th></tr></thead><tbody>
${clients.map((of) => client(of, words))}</tbody></table></div>
<p class="quiet">${words.forApplications} <a href="${view.base}${metadataPath}">${issuer}${metadataPath}</a></p>
</details>`

const tour = (demo: Tour, words: TourWords): Markup => {
  const { view, flows } = demo
  return html`<div class="poster double">
<div><h1>${words.heading.give}<br>${words.heading.keep}</h1>
<p class="lead">${words.purpose}</p>
<p class="actions"><a class="button primary" href="${pageUrl(view, '/account')}">${words.tryIt}</a><a class="button" href="${pageUrl(view, '/playground')}">${words.playground}</a></p></div>
${renderLive(words.live)}
</div>
${doors(demo, words)}
<section class="part"><h2>${words.flows({ flows: flows.length })}</h2>
${renderFlows(flows, view, { isShort: true })}</section>
<section class="part">${secrets(demo, words)}
<p class="quiet small">${words.asPasted}</p>
${renderCommand(demo.curl, words.command)}</section>`
}

/** Served by the demo from beside the program: `src/demo/documents.ts`. */
const documents = ['guard', 'registration', 'settings', 'architecture'] as const

export const renderTour = (demo: Tour): string => {
  const { view } = demo
  const words = tourWords(view.language)
  return renderLayout({
    view,
    title: words.title,
    width: 'front',
    beside: html`<nav aria-label="${words.ways}"><a href="${pageUrl(view, '/playground')}">${words.playgroundShort}</a><a href="${view.base}/docs/README.md">${words.documents}</a><a href="${pageUrl(view, '/account')}">${words.logIn}</a></nav>`,
    main: tour(demo, words),
    foot: html`<li>${words.isDemo}</li>
${documents.map(
  (name) => html`<li><a href="${view.base}/docs/${name}.md">${words.docs[name]}</a></li>
`,
)}`,
  })
}
