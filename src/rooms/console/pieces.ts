/** Pieces that several pages of the console share. */
import { hidden } from '../../paper/fields.ts'
import { type Content, html, type Markup } from '../../paper/markup.ts'
import { pageUrl, type View } from '../../paper/view.ts'
import { consoleWords } from './words.ts'

export const ownerPath = (id: string): `/admin/owners/${string}` =>
  `/admin/owners/${encodeURIComponent(id)}`

export const clientPathOf = (id: string): `/admin/clients/${string}` =>
  `/admin/clients/${encodeURIComponent(id)}`

/** Nothing where there is no value. */
export const renderFact = (name: Content, value: Content): Markup | null =>
  value === null || value === '' ? null : html`<div><dt>${name}</dt><dd>${value}</dd></div>`

export const renderChoice = (
  name: string,
  label: string,
  chosen: string,
  choices: readonly (readonly [value: string, text: string])[],
): Markup =>
  html`<label class="field"><span>${label}</span><select name="${name}">${choices.map(
    ([value, text]) =>
      html`<option value="${value}"${value === chosen ? html` selected` : null}>${text}</option>`,
  )}</select></label>`

export const renderFilter = (
  name: string,
  label: string,
  value: string,
  hint: string | null = null,
): Markup =>
  html`<label class="field"><span>${label}</span><input name="${name}" value="${value}" maxlength="2048" autocomplete="off" autocapitalize="none" spellcheck="false"${hint === null ? null : html` placeholder="${hint}"`}></label>`

/** A time in UTC. */
export const renderTimeFilter = (name: string, label: string, value: string): Markup =>
  html`<label class="field"><span>${label}</span><input type="datetime-local" name="${name}" value="${value}"></label>`

/** A form that changes nothing: its fields become the query of the page. */
export const renderFilters = (
  view: View,
  path: string,
  { label, submit }: { readonly label: string; readonly submit: string },
  fields: readonly (Markup | string)[],
): Markup => {
  const carried = [...new URLSearchParams(view.carried)].map(([name, value]) => hidden(name, value))
  return html`<form class="filters" method="get" role="search" aria-label="${label}" action="${pageUrl(view, path)}">${carried}
${fields}
<button type="submit">${submit}</button></form>`
}

/** Where a list stands, and how it goes on. */
export interface PagePlace {
  readonly next: string | null
  readonly isFirst: boolean
}

export const renderPages = (
  view: View,
  path: string,
  query: Readonly<Record<string, string>>,
  { next, isFirst }: PagePlace,
): Markup | null => {
  if (isFirst && next === null) return null
  const { more, first } = consoleWords(view.language)
  const link = (after: string, text: string): Markup =>
    html`<a class="button" href="${pageUrl(view, path, { ...query, after })}">${text}</a>`
  return html`<p class="pages">${isFirst ? null : link('', first)}${next === null ? null : link(next, more)}</p>`
}
