/** The ledger of one application: actions, times, networks, and outcomes. */
import type { Use } from '../../../model/use.ts'
import { named } from '../../../paper/fields.ts'
import { icon } from '../../../paper/icon.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { plainName } from '../../../paper/plain-text.ts'
import { type Provenance, renderProvenance } from '../../../paper/provenance.ts'
import { moment, renderTimesScript } from '../../../paper/time.ts'
import { pageUrl, type View } from '../../../paper/view.ts'
import { endedWords } from '../ended/words.ts'
import { type AccountPageGiven, renderAccountPage } from '../frame.ts'
import { accountLimits } from '../limits.ts'
import { useWords } from './words.ts'

/** A use as it is shown. */
export interface LedgerLine extends Use {
  /** The title of the resource; of a check, the name of the asking API. */
  readonly title: string
}

export interface LedgerPage extends AccountPageGiven, Provenance {
  /** Of the authorization. */
  readonly id: string
  readonly clientName: string
  /** When the access ended, in unix seconds; null while it lives. */
  readonly endedAt: number | null
  /** For how many days lines are kept. */
  readonly days: number
  /** The latest first. */
  readonly lines: readonly LedgerLine[]
  /** Where this page begins; null = with the latest. */
  readonly before: string | null
  /** The cursor of the next page and file; null at the end. */
  readonly next: string | null
  readonly nextFile: string | null
}

const linkTo = (
  { view, id }: LedgerPage,
  file: '' | '.json',
  before: string | null,
  text: string,
): Markup => {
  const query = { authorization: id, before: before ?? '' }
  const path = pageUrl(view, `/account/ledger${file}`, query)
  return html`<p class="off-paper"><a href="${path}"${file === '' ? null : html` download`}>${text}</a></p>`
}

/** A file holds more than a page, but not all of a long ledger: the rest is behind one more link. */
const downloads = (page: LedgerPage): Markup => {
  const { language } = page.view
  const words = useWords(language)
  const file = linkTo(page, '.json', page.before, words.download)
  if (page.nextFile === null) return file
  const lines = accountLimits.ledgerRows
  return html`${file}
<p class="off-paper quiet">${words.inParts({ lines })}</p>
${linkTo(page, '', page.nextFile, words.nextPart)}`
}

/** The network; unknown for a check by another API. */
const fromWhere = ({ action, network }: LedgerLine, { language }: View): Content => {
  const words = useWords(language)
  if (action === 'check') return html`<span class="quiet">${words.fromElsewhere}</span>`
  return network === '' ? words.anyNetwork : html`<code>${network}</code>`
}

const what = ({ action, title, uses }: LedgerLine, { language }: View): Markup => {
  const words = useWords(language)
  const did =
    action === 'check' ? words.check({ api: named(title) }) : words[action]({ resource: title })
  const times = uses === 1 ? null : html` <span class="tag">${words.times({ count: uses })}</span>`
  return html`${did}${times}`
}

/** How long a line covers; of a minute nothing is said. */
const span = ({ minutes }: LedgerLine, { language }: View): Content => {
  if (minutes === 1) return null
  const { oneHour, oneDay } = useWords(language)
  return html` <span class="tag">${minutes === 60 ? oneHour : oneDay}</span>`
}

const lineOf = (of: LedgerLine, view: View): Markup => {
  const words = useWords(view.language)
  const outcome = of.allowed
    ? words.allowed
    : html`<strong class="danger">${words.notAllowed}</strong>`
  return html`<tr role="row"><td role="cell">${moment(of.minute * 60, view)}${span(of, view)}</td>
<td role="cell">${what(of, view)}</td>
<td role="cell">${fromWhere(of, view)}</td>
<td role="cell">${outcome}</td></tr>
`
}

/** The roles say again what the elements are, as in the table of consent. */
export const renderUseTable = (
  lines: readonly LedgerLine[],
  clientName: string,
  view: View,
): Markup => {
  const { heads, caption } = useWords(view.language)
  const head = (text: string): Markup => html`<th role="columnheader" scope="col">${text}</th>`
  return html`<table role="table" class="ledger">
<caption class="unseen">${caption({ client: named(clientName) })}</caption>
<thead role="rowgroup"><tr role="row">${[heads.when, heads.what, heads.network, heads.outcome].map(head)}</tr></thead>
<tbody role="rowgroup">
${lines.map((line) => lineOf(line, view))}</tbody>
</table>`
}

/** To the page of the application, or of all that have ended. */
const back = ({ view, id, clientName, endedAt }: LedgerPage): Markup =>
  endedAt === null
    ? html`<a class="back" href="${pageUrl(view, `/account/access/${id}`)}">${icon('back')}${named(clientName)}</a>`
    : html`<a class="back" href="${pageUrl(view, '/account/ended')}">${icon('back')}${endedWords(view.language).heading}</a>`

export const renderLedger = (page: LedgerPage): string => {
  const { view, lines, next, endedAt } = page
  const words = useWords(view.language)
  const { days } = page
  const found = html`<p>${words.about({ days })}</p>
${renderUseTable(lines, page.clientName, view)}
${next === null ? null : linkTo(page, '', next, words.older)}
${downloads(page)}`
  return renderAccountPage(page, {
    part: 'applications',
    heading: null,
    title: plainName(page.clientName),
    head: html`${back(page)}
<h1>${words.heading({ client: named(page.clientName) })}</h1>`,
    main: html`<section class="card">
${renderProvenance(page, view.language)}
${endedAt === null ? null : html`<p>${endedWords(view.language).endedAt} ${moment(endedAt, view)}</p>`}
${lines.length === 0 ? html`<p>${words.empty({ days })}</p>` : found}
</section>
${renderTimesScript(view)}`,
  })
}
