/** Small pieces that several pages share: hidden fields, names, notices. */
import { normalizeName } from '../model/plain/line.ts'
import { icons } from './icon.ts'
import { type Content, html, type Markup } from './markup.ts'
import { pageUrl, type View } from './view.ts'

export const hide = (name: string, value: string): Markup =>
  html`<input type="hidden" name="${name}" value="${value}">`

/** A form of our own is accepted with the token of its page alone. */
export interface PageWithForm {
  readonly view: View
  readonly csrf: string
}

/** @param path below the base of the service @param look its class */
export const renderForm = (
  { view, csrf }: PageWithForm,
  path: string,
  content: Content,
  look = '',
): Markup =>
  html`<form${look && html` class="${look}"`} method="post" action="${pageUrl(view, path)}">
${hide('csrf', csrf)}
${content}
</form>`

export const renderSubmit = (text: Content): Markup =>
  html`<p class="actions"><button class="primary" type="submit">${text}</button></p>`

/** What waits for a login goes along with each of its forms: a sealed request, or the name of a page. */
export const renderWaitingFields = (journey: string, next: string): Markup =>
  html`${hide('journey', journey)}${next === '' ? null : hide('next', next)}`

/**
 * Enter in a field presses the first button of its form. This button comes first and closes a dialog
 * that does not exist, so a decision needs its own button. (A disabled one does not help: from a
 * checkbox, Chromium skips it.)
 */
export const noEnter: Markup = html`<button type="submit" formmethod="dialog" hidden></button>`

/** A name that a stranger chose; `bdi` keeps its direction from reaching the text around it. */
export const sayName = (name: string): Markup =>
  html`<bdi class="name">${normalizeName(name)}</bdi>`

/** The problem of the form, read at once by a screen reader; nothing without one. */
export const showAlert = (problem: Content | undefined): Markup | null =>
  problem
    ? html`<p class="notice problem" role="alert" id="problem">${problem}${icons.warning}</p>`
    : null

export interface FormField {
  /** The name of the field, and its id unless that is given. */
  readonly name: string
  readonly id?: string
  readonly label: Content
  /** Further attributes of the input: its type, what browsers fill in. */
  readonly input: Markup
  /** A button at the end of the input. */
  readonly button?: Markup
  /** A short link in the line of the label. */
  readonly beside?: Content
  readonly hint?: Content
  readonly problem?: Content
  /** Ids of further texts about it. */
  readonly describedBy?: readonly string[]
}

/** A field with its label above, and below it the hint and the problem that describe it. */
export const renderField = (field: FormField): Markup => {
  const { name, id = name, label, input, beside, button, hint, problem } = field
  const { describedBy = [] } = field
  const ids = [hint ? `${id}-hint` : '', problem ? `${id}-problem` : '', ...describedBy]
  const description = ids.filter((of) => of !== '').join(' ')
  const about = description === '' ? null : html` aria-describedby="${description}"`
  const shown = html`<input id="${id}" name="${name}" ${input}${about}${problem ? html` aria-invalid="true"` : null}>`
  return html`<div class="field"><label for="${id}">${label}</label>
${beside ? html`<p class="beside">${beside}</p>` : null}
${button ? html`<span class="with">${shown}${button}</span>` : shown}
${problem ? html`<p class="hint bad" role="alert" id="${id}-problem">${problem}</p>` : null}
${hint ? html`<p class="hint" id="${id}-hint">${hint}</p>` : null}</div>`
}

export const showOwner = (owner: { readonly username: string; readonly name: string }): Markup => {
  const username = normalizeName(owner.username)
  return owner.name === '' || normalizeName(owner.name) === username
    ? html`<strong>${sayName(username)}</strong>`
    : html`<strong>${sayName(owner.name)}</strong> (${sayName(username)})`
}

/** A command to be copied: marked by hand, or by a button where scripts run. */
export const renderCommand = (command: string, label: string): Markup =>
  html`<pre class="command" tabindex="0" role="region" aria-label="${label}">${command}</pre>`
