/** The list of flows: with a sentence on the playground's own page, by title on the first page of the demo. */
import { renderLayout } from '../../src/paper/layout.ts'
import { html, type Markup } from '../../src/paper/markup.ts'
import { renderCrumbs } from '../../src/paper/pieces.ts'
import { pageUrl, type View } from '../../src/paper/view.ts'
import { type FlowName, flowWords } from '../words/flows.ts'
import { playgroundWords } from '../words/words.ts'

type Group = keyof ReturnType<typeof playgroundWords>['groups']

/** Where a reader looks for it. A new flow does not compile without its group. */
const groupOf: Readonly<Record<FlowName, Group>> = {
  code: 'browser',
  pkce: 'browser',
  implicit: 'browser',
  password: 'programs',
  'client-credentials': 'programs',
  refresh: 'tokens',
  device: 'programs',
  extension: 'programs',
  api: 'tokens',
  introspection: 'tokens',
  revocation: 'tokens',
  signals: 'tokens',
  expiry: 'tokens',
  pause: 'browser',
  audience: 'tokens',
  details: 'browser',
  grants: 'browser',
  'forward-auth': 'tokens',
  dpop: 'tokens',
  assertion: 'clients',
  'secret-assertion': 'clients',
  platform: 'clients',
  certificate: 'clients',
  exchange: 'programs',
  registration: 'clients',
  'open-registration': 'clients',
  document: 'clients',
  metadata: 'clients',
  login: 'login',
  hybrid: 'login',
  claims: 'login',
  'step-up': 'login',
  logout: 'login',
  jwt: 'tokens',
  pairwise: 'login',
  'signed-request': 'browser',
  'pushed-request': 'browser',
  'trusted-issuer': 'programs',
  backchannel: 'programs',
}

export const renderFlows = (
  flows: readonly FlowName[],
  view: View,
  { isShort = false }: { readonly isShort?: boolean } = {},
): Markup => {
  const { groups } = playgroundWords(view.language)
  const item = (name: FlowName): Markup => {
    const { title, text } = flowWords(view.language)[name]
    return html`<li><a href="${pageUrl(view, `/playground/${name}`)}">${title}</a>${isShort ? null : html`<p>${text}</p>`}</li>
`
  }
  const group = ([key, title]: readonly [string, string]): Markup =>
    html`<section>${isShort ? html`<h3>${title}</h3>` : html`<h2>${title}</h2>`}
<ul class="flows">
${flows.filter((name) => groupOf[name] === key).map(item)}</ul></section>
`
  return html`<div class="${isShort ? 'groups short' : 'groups'}">
${Object.entries(groups).map(group)}</div>`
}

export interface PlaygroundPage {
  readonly view: View
  readonly flows: readonly FlowName[]
}

export const renderPlayground = ({ view, flows }: PlaygroundPage): string => {
  const words = playgroundWords(view.language)
  return renderLayout({
    view,
    title: words.title,
    width: 'full',
    main: html`${renderCrumbs(view, words.crumbs, [['/', words.start]])}
<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
${renderFlows(flows, view)}`,
  })
}
