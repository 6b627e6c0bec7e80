/** The resources of the service: all of them, one, and the form of one. */
import { describeResource } from '../../../config/resources.ts'
import { textIn } from '../../../model/language.ts'
import type { Resource } from '../../../model/resource.ts'
import { renderAsked } from '../../../paper/entries.ts'
import { hidden, named } from '../../../paper/fields.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { pageUrl } from '../../../paper/view.ts'
import { type ConsolePageGiven, renderConsolePage } from '../frame.ts'
import { consoleServiceWords } from './words.ts'

export const resourcePath = (name: string, rest = ''): `/admin/resources/${string}` =>
  `/admin/resources/${encodeURIComponent(name)}${rest}`

const renderRow = (resource: Resource, { view }: ConsolePageGiven): Markup => {
  const words = consoleServiceWords(view.language).resources
  const { name, title, uri } = resource
  return html`<tr><th scope="row"><a href="${pageUrl(view, resourcePath(name))}"><code>${name}</code></a></th><td>${named(textIn(title, view.language))}</td><td class="aside">${uri === null ? html`<span class="quiet">${words.builtIn}</span>` : html`<code>${uri}</code>`}</td></tr>
`
}

export const renderResources = (
  given: ConsolePageGiven,
  resources: readonly Resource[],
  notice: string | null,
): string => {
  const { view, role } = given
  const words = consoleServiceWords(view.language).resources
  const create = html`<a class="button primary" href="${pageUrl(view, '/admin/new-resource')}">${words.create}</a>`
  return renderConsolePage(given, {
    part: 'resources',
    heading: words.heading,
    head: html`<div class="head"><h1>${words.heading}</h1>${role === 'operator' ? create : null}</div>`,
    notice,
    main: html`<section class="card flush"><table><caption class="unseen">${words.heading}</caption>
<thead><tr><th scope="col">${words.name}</th><th scope="col">${words.title}</th><th scope="col" class="aside">${words.address}</th></tr></thead>
<tbody>${resources.map((resource) => renderRow(resource, given))}</tbody></table></section>`,
  })
}

const renderFact = (name: string, value: Content): Markup =>
  html`<div><dt>${name}</dt><dd>${value}</dd></div>`

export const renderResource = (
  given: ConsolePageGiven,
  resource: Resource,
  notice: string | null,
): string => {
  const { view, csrf, role } = given
  const words = consoleServiceWords(view.language).resources
  const { name, uri } = resource
  const text = (of: Resource['title']): Markup => named(textIn(of, view.language))
  const actions = [
    ['read', resource.read] as const,
    ['write', resource.write] as const,
    ...Object.entries(resource.actions),
  ]
  const permissions = actions.map(
    ([action, meaning]) => html`<code>${name}:${action}</code> ${text(meaning)}<br>`,
  )
  const form = { view, csrf, path: resourcePath(name), fields: hidden('action', 'delete') }
  return renderConsolePage(given, {
    part: 'resources',
    heading: name,
    title: name,
    head: html`<p class="back"><a href="${pageUrl(view, '/admin/resources')}">${words.heading}</a></p>
<div class="head"><h1>${text(resource.title)}</h1>${role === 'operator' ? html`<a class="button" href="${pageUrl(view, resourcePath(name, '/edit'))}">${words.edit}</a>` : null}</div>`,
    notice,
    main: html`<section class="card"><dl class="facts">
${renderFact(words.name, html`<code>${name}</code>`)}
${renderFact(words.address, uri === null ? words.builtIn : html`<code>${uri}</code>`)}
${renderFact(words.permissions, permissions)}
${renderFact(words.destructive, html`<code>${resource.destructive.join(' ')}</code>`)}
${renderFact(words.format, html`<code>${describeResource(resource).access_token_format}</code>`)}
${renderFact(words.clients, html`<code>${resource.introspectionClients.join(' ')}</code>`)}</dl></section>
${role === 'operator' ? html`<section class="card">${renderAsked(form, { button: words.delete, effect: words.deleteEffect, confirm: words.deleteNow })}</section>` : null}`,
  })
}
