/** Small pieces that several pages share: hidden fields, names, notices. */
import { type Content, html, type Markup } from './markup.ts'
import { plainName } from './plain-text.ts'

export const hidden = (name: string, value: string): Markup =>
  html`<input type="hidden" name="${name}" value="${value}">`

/** What waits for a login goes along with each of its forms: a sealed request, or the name of a page. */
export const waitingFields = (journey: string, next: string): Markup =>
  html`${hidden('journey', journey)}${next === '' ? null : hidden('next', next)}`

/**
 * Enter in a field presses the first button of its form. This one comes first and closes a dialog
 * that does not exist, so a decision needs its own button. (A disabled one does not help: from a
 * checkbox, Chromium skips it.)
 */
export const noEnter: Markup = html`<button type="submit" formmethod="dialog" hidden></button>`

/** A name that a stranger chose; `bdi` keeps its direction from reaching the text around it. */
export const named = (name: string): Markup => html`<bdi class="name">${plainName(name)}</bdi>`

/** The problem of the form, read at once by a screen reader; nothing without one. */
export const alert = (problem: Content | undefined): Markup | null =>
  problem ? html`<p class="notice problem" role="alert" id="problem">${problem}</p>` : null

/** The logged-in owner. */
export const ownerLine = (owner: { readonly username: string; readonly name: string }): Markup => {
  const username = plainName(owner.username)
  return owner.name === '' || plainName(owner.name) === username
    ? html`<strong>${named(username)}</strong>`
    : html`<strong>${named(owner.name)}</strong> (${named(username)})`
}
