/** The list of flows: on the playground's own page, and on the first page of the demo. */
import { renderLayout } from '../layout.ts'
import { html, type Markup } from '../markup.ts'
import type { View } from '../view.ts'
import { playgroundWords } from '../words/playground.ts'
import { type FlowName, flowWords } from '../words/playground-flows.ts'

export const renderFlows = (flows: readonly FlowName[], { base, language }: View): Markup =>
  html`<ul class="flows">
${flows.map((name) => {
  const { title, text } = flowWords[language][name]
  return html`<li><a href="${base}/playground/${name}">${title}</a><p>${text}</p></li>
`
})}</ul>`

export interface PlaygroundPage {
  readonly view: View
  readonly flows: readonly FlowName[]
}

export const renderPlayground = ({ view, flows }: PlaygroundPage): string => {
  const words = playgroundWords[view.language]
  return renderLayout({
    view,
    title: words.title,
    width: 'full',
    main: html`<nav class="crumbs" aria-label="${words.crumbs}"><a href="${view.base}/">${words.start}</a></nav>
<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
${renderFlows(flows, view)}`,
  })
}
