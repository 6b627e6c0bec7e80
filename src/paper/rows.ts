/** Rows: the one form of a list. A row says what it is, in two lines, and ends with one state or action. */
import { hide, type PageWithForm } from './fields.ts'
import { type Content, html, type Markup } from './markup.ts'
import { formatDayKey, sayDay } from './time.ts'
import { pageUrl, type View } from './view.ts'

export interface SheetRow {
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

/** What happened: a heading for each day, and the lines of that day below. @param id of the whole */
export const renderDays = <Item extends { readonly at: number }>(
  items: readonly Item[],
  view: View,
  renderLines: (day: readonly Item[]) => Content,
  id?: string,
): Markup => {
  const days = [...Map.groupBy(items, ({ at }) => formatDayKey(at, view)).values()]
  return html`<div class="days"${id === undefined ? null : html` id="${id}"`}>
${days.map(
  (day) => html`<h2>${sayDay(day[0]?.at ?? view.at, view.at, view)}</h2>
<ol class="log">
${renderLines(day)}</ol>
`,
)}</div>`
}

/** The heading over a group of rows. @param beside a link, such as to all of them */
export const renderOver = (heading: Content, beside: Markup | null = null): Markup =>
  html`<div class="over"><h2 class="little">${heading}</h2>${beside}</div>`

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
  readonly query?: Readonly<Record<string, string>>
  readonly fields: Markup
}

/** A button that acts at once. */
export const renderAct = (
  { view, csrf, path, query, fields }: EntryForm,
  button: Content,
): Markup =>
  html`<form method="post" action="${pageUrl(view, path, query)}">${hide('csrf', csrf)}${fields}<button type="submit">${button}</button></form>`

/** In a list, what opens the question is not red. `calm`: neither is the rest, since nothing is lost. */
export type QuestionLook = 'in list' | 'calm' | null

interface AskedFirst {
  /** What opens the question. */
  readonly button: Content
  readonly effect: Content
  readonly confirm: Content
  readonly look?: QuestionLook
}

/** A button that opens a question in its place, without JavaScript. */
export const renderAsked = (
  form: EntryForm,
  { button, effect, confirm, look = null }: AskedFirst,
): Markup =>
  html`<details class="confirm${look === 'calm' ? ' calm' : ''}"><summary${look === null ? html` class="danger"` : null}>${button}</summary><form method="post" action="${pageUrl(form.view, form.path)}">${hide('csrf', form.csrf)}${form.fields}<p>${effect}</p>
<button class="${look === 'calm' ? '' : 'danger '}primary" type="submit">${confirm}</button></form></details>`

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
