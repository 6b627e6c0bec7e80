/** Rows: the one form of a list. A row says what it is, in two lines, and ends with one state or action. */
import { hide, type PageWithForm } from './fields.ts'
import { type Content, html, type Markup } from './markup.ts'
import { pageUrl, type View } from './view.ts'

interface SheetRow {
  /** An icon or a tile. */
  readonly mark?: Markup | null
  /** A link makes the whole row one. */
  readonly title: Content
  /** One sentence. Its end is cut off where a line is too short for it. */
  readonly says?: Content
  /** One state or one action. */
  readonly end?: Content
  /** Below all that. */
  readonly more?: Content
}

export const renderRow = ({ mark = null, title, says = null, end = null, more = null }: SheetRow) =>
  html`<li${mark && html` class="marked"`}>${mark}<div><p><b>${title}</b></p>${says === null ? null : html`<p class="says line">${says}</p>`}</div>${end === null ? null : html`<div class="end">${end}</div>`}${more === null ? null : html`<div class="more">${more}</div>`}</li>
`

export const renderRows = (rows: readonly Markup[]): Markup => html`<ul class="rows">
${rows}</ul>`

/** The heading over a group of rows. @param beside a link, such as to all of them */
export const renderOver = (heading: Content, beside: Markup | null = null): Markup =>
  html`<div class="over"><h2 class="little">${heading}</h2>${beside}</div>`

interface Entry {
  readonly title: Content
  /** Below the title: each a line in small type. */
  readonly state: readonly Content[]
  readonly actions?: readonly (Markup | null)[]
}

export const renderEntry = ({ title, state, actions = [] }: Entry): Markup => {
  const lines = state.filter((line) => line !== null && line !== '')
  const shown = actions.filter((action) => action !== null)
  return html`<li><div><p>${title}</p>
${lines.map((line) => html`<p class="says">${line}</p>`)}</div>
${shown.length === 0 ? null : html`<div class="end">${shown}</div>`}</li>
`
}

/** @param id the fragment that leads to it */
export const renderSection = (
  id: string,
  heading: Content,
  entries: Content,
  more: Content = null,
): Markup =>
  html`<section class="card" aria-labelledby="${id}"><div class="over"><h2 id="${id}">${heading}</h2></div>
<ul class="rows">${entries}</ul>${more}
</section>`

export interface EntryForm extends PageWithForm {
  readonly path: `/account${string}` | `/admin${string}`
  readonly fields: Markup
}

/** A button that acts at once. */
export const renderAct = ({ view, csrf, path, fields }: EntryForm, button: Content): Markup =>
  html`<form method="post" action="${pageUrl(view, path)}">${hide('csrf', csrf)}${fields}<button type="submit">${button}</button></form>`

interface AskedFirst {
  /** What opens the question. */
  readonly button: Content
  readonly effect: Content
  readonly confirm: Content
  /** In a list, what opens the question is not red. */
  readonly isInList?: boolean
}

/** A button that opens a question in its place, without JavaScript. */
export const renderAsked = (
  form: EntryForm,
  { button, effect, confirm, isInList = false }: AskedFirst,
): Markup =>
  html`<details class="confirm"><summary${isInList ? null : html` class="danger"`}>${button}</summary><form method="post" action="${pageUrl(form.view, form.path)}">${hide('csrf', form.csrf)}${form.fields}<p>${effect}</p>
<button class="danger primary" type="submit">${confirm}</button></form></details>`

/** The same inside a form: the button says which of its actions. */
export const renderAskedAct = (
  button: Content,
  { effect, action, confirm }: Pick<AskedFirst, 'effect' | 'confirm'> & { readonly action: string },
): Markup =>
  html`<details class="confirm"><summary class="danger">${button}</summary>
<div><p>${effect}</p><p><button class="danger primary" type="submit" name="action" value="${action}">${confirm}</button></p></div></details>`

export const renderGo = (
  view: View,
  path: string,
  text: Content,
  query: Readonly<Record<string, string>> = {},
): Markup => html`<a class="button" href="${pageUrl(view, path, query)}">${text}</a>`
