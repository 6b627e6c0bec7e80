/** The list of flows: on the playground's own page, and on the first page of the demo. */
import { renderLayout } from '../../src/paper/layout.ts'
import { html, type Markup } from '../../src/paper/markup.ts'
import { renderCrumbs } from '../../src/paper/pieces.ts'
import { pageUrl, type View } from '../../src/paper/view.ts'
import { type FlowName, flowWords } from '../words/flows.ts'
import { playgroundWords } from '../words/words.ts'

export const renderFlows = (flows: readonly FlowName[], view: View): Markup =>
  html`<ul class="flows">
${flows.map((name) => {
  const { title, text } = flowWords(view.language)[name]
  return html`<li><a href="${pageUrl(view, `/playground/${name}`)}">${title}</a><p>${text}</p></li>
`
})}</ul>`

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
