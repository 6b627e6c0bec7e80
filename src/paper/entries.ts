/** Sections of the account whose lines have a name, a state and actions. */
import { hide, type PageWithForm } from './fields.ts'
import { type Content, html, type Markup } from './markup.ts'
import { pageUrl, type View } from './view.ts'

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
${lines.map((line) => html`<p class="quiet small">${line}</p>`)}</div>
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
  html`<section class="card entries" aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
<ul>${entries}</ul>${more}
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
}

/** A button that opens a question in its place, without JavaScript. */
export const renderAsked = (form: EntryForm, { button, effect, confirm }: AskedFirst): Markup =>
  html`<details class="confirm"><summary class="danger">${button}</summary><form method="post" action="${pageUrl(form.view, form.path)}">${hide('csrf', form.csrf)}${form.fields}<p>${effect}</p>
<button class="danger primary" type="submit">${confirm}</button></form></details>`

/** The same inside a form: the button says which of its actions. */
export const renderAskedAct = (
  button: Content,
  { effect, action, confirm }: Omit<AskedFirst, 'button'> & { readonly action: string },
): Markup =>
  html`<details class="confirm"><summary class="danger">${button}</summary>
<div><p>${effect}</p><p><button class="danger primary" type="submit" name="action" value="${action}">${confirm}</button></p></div></details>`

export const renderGo = (view: View, path: string, text: Content): Markup =>
  html`<a class="button" href="${pageUrl(view, path)}">${text}</a>`
