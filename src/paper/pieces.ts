/** Pieces around the content of a page: receipts, ways back, filters, and the drawing of an empty list. */
import { icons } from './icon.ts'
import { type Content, html, type Markup } from './markup.ts'
import { pageUrl, type View } from './view.ts'

/** Tells what was just done, at the top of the page after it. @param undo a form to take it back */
export const renderReceipt = (said: Content, undo: Markup | null = null): Markup =>
  html`<div class="receipt">${icons.check}<p role="status">${said}</p>${undo}</div>`

/** Says "look twice". */
export const renderWarning = (said: Content): Markup =>
  html`<div class="notice warning">${icons.warning}${said}</div>`

type Path = `/${string}`

/** The way to the page above: `‹ Security`. */
export const renderBack = (view: View, path: Path, text: Content): Markup =>
  html`<a class="back" href="${pageUrl(view, path)}">${icons.back}${text}</a>`

/** The place of a page, from the first page on. @param label names the links for a screen reader */
export const renderCrumbs = (
  view: View,
  label: string,
  crumbs: readonly (readonly [Path, string])[],
): Markup =>
  html`<nav aria-label="${label}"><ol class="crumbs">${crumbs.map(([path, text], index) => html`<li>${index === 0 ? null : icons.on}<a href="${pageUrl(view, path)}">${text}</a></li>`)}</ol></nav>`

export interface Chip {
  readonly href: string
  readonly text: string
  /** How many the filter leaves; null where nobody counts. */
  readonly count: string | null
  readonly isCurrent: boolean
}

/** Filters as links. @param label names them for a screen reader */
export const renderChips = (label: string, chips: readonly Chip[]): Markup =>
  html`<nav aria-label="${label}"><ul class="chips">${chips.map(({ href, text, count, isCurrent }) => html`<li><a href="${href}"${isCurrent ? html` aria-current="page"` : null}>${text}${count && html` <span>${count}</span>`}</a></li>`)}</ul></nav>`

/** Two rows as they will look. */
const ghost = html`<svg class="ghost" viewBox="0 0 416 124" aria-hidden="true" focusable="false"><rect y="8" width="40" height="40" rx="10"/><rect x="56" y="14" width="120" height="12" rx="6"/><rect x="56" y="34" width="208" height="8" rx="4"/><rect x="352" y="22" width="64" height="10" rx="5"/><path d="M0 61.5h416"/><rect y="76" width="40" height="40" rx="10"/><rect x="56" y="82" width="84" height="12" rx="6"/><rect x="56" y="102" width="160" height="8" rx="4"/><rect x="368" y="90" width="48" height="10" rx="5"/></svg>`

interface Empty {
  readonly heading: Content
  /** What will stand here. */
  readonly says?: Content
  /** A drawing of its own. */
  readonly drawing?: Markup
  /** `h1` where nothing else heads the page. */
  readonly level?: 'h1' | 'h2'
}

/** In place of a list without rows. */
export const renderEmpty = ({
  heading,
  says = null,
  drawing = ghost,
  level = 'h2',
}: Empty): Markup => {
  const shown = level === 'h1' ? html`<h1>${heading}</h1>` : html`<h2>${heading}</h2>`
  return html`<div class="empty">${drawing}${shown}${says === null ? null : html`<p>${says}</p>`}</div>`
}

/** The head of a page about a mail under way: it repeats the address. */
export const renderMailed = (heading: Content): Markup =>
  html`<span class="tile big round good" aria-hidden="true">${icons.mail}</span>
<h1 class="after">${heading}</h1>`

/** A dot with a word: filled while something is on. */
export const renderStatus = (text: Content, isOn: boolean): Markup =>
  html`<span class="status${isOn ? '' : ' off'}">${text}</span>`
