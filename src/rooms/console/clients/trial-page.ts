/** The trial of a log-in: what it does, and how it went. */
import type { Client } from '../../../model/client.ts'
import type { JsonObject } from '../../../model/json.ts'
import { hidden, named } from '../../../paper/fields.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { pageUrl } from '../../../paper/view.ts'
import { type ConsolePageGiven, renderConsolePage } from '../frame.ts'
import { clientPath } from './clients-page.ts'
import { consoleClientsWords } from './words.ts'

export const renderTrial = (given: ConsolePageGiven, client: Client, callback: string): string => {
  const { view, csrf } = given
  const words = consoleClientsWords(view.language).trial
  const heading = words.heading({ client: named(client.name) })
  const uri = html`<code>${callback}</code>`
  return renderConsolePage(given, {
    part: 'clients',
    heading,
    title: words.open,
    head: html`<p class="back"><a href="${pageUrl(view, clientPath(client.id))}">${named(client.name)}</a></p><h1>${heading}</h1>`,
    main: html`<section class="card"><h2>${words.steps}</h2><ol>
<li>${words.copy}</li><li>${words.address({ uri })}</li><li>${words.you}</li><li>${words.gone}</li></ol>
<p class="quiet">${words.limits}</p>
<form method="post" action="${pageUrl(view, clientPath(client.id, '/try'))}">${hidden('csrf', csrf)}<p class="actions"><button class="primary" type="submit">${words.start}</button></p></form></section>`,
  })
}

/** How a trial went. */
export type TrialResult =
  | { readonly is: 'worked'; readonly answer: JsonObject; readonly claims: JsonObject | null }
  | { readonly is: 'failed'; readonly error: string; readonly description: string }

const renderJson = (heading: string, value: JsonObject): Markup =>
  html`<section class="card"><h2>${heading}</h2><pre class="command" tabindex="0" role="region" aria-label="${heading}">${JSON.stringify(value, null, 2)}</pre></section>`

export const renderTrialResult = (given: ConsolePageGiven, result: TrialResult): string => {
  const { view } = given
  const words = consoleClientsWords(view.language).trial
  const heading = result.is === 'worked' ? words.worked : words.failed
  const list = html`<p class="actions"><a class="button" href="${pageUrl(view, '/admin/clients')}">${consoleClientsWords(view.language).heading}</a></p>`
  return renderConsolePage(given, {
    part: 'clients',
    heading,
    title: heading,
    problem: result.is === 'failed' ? result.error : null,
    main:
      result.is === 'worked'
        ? html`<p>${words.cut}</p>${renderJson(words.answer, result.answer)}${result.claims === null ? null : renderJson(words.idToken, result.claims)}${list}`
        : html`<p class="card" lang="en" dir="ltr">${result.description}</p>${list}`,
  })
}
