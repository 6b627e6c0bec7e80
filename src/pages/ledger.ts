/** The ledger of one application: what it did, when, from where, and whether it was let. */
import { limits } from '../config/limits.ts'
import type { Use } from '../model/use.ts'
import { type AccountPageGiven, renderAccountPage } from './account-frame.ts'
import { named } from './fields.ts'
import { html, type Markup } from './markup.ts'
import { moment, number } from './time.ts'
import type { View } from './view.ts'
import { useWords } from './words/uses.ts'

/** A use as it is shown. */
export interface LedgerLine extends Use {
  /** What people call the resource; of a check, the name of the API that asked. */
  readonly title: string
}

export interface LedgerPage extends AccountPageGiven {
  /** Of the authorization. */
  readonly id: string
  readonly clientName: string
  /** The latest first. */
  readonly lines: readonly LedgerLine[]
  /** Where the next page begins; null where there is none. */
  readonly next: string | null
}

const pathOf = (page: Pick<LedgerPage, 'view' | 'id'>, ending = ''): string =>
  `${page.view.base}/account/ledger${ending}?authorization=${encodeURIComponent(page.id)}`

const what = ({ action, title, uses }: LedgerLine, { language }: View): Markup => {
  const words = useWords[language]
  const did =
    action === 'check' ? words.check({ api: named(title) }) : words[action]({ resource: title })
  const times =
    uses === 1
      ? null
      : html` <span class="tag">${words.times({ count: number(uses, language) })}</span>`
  return html`${did}${times}`
}

const lineOf = (of: LedgerLine, view: View): Markup => {
  const words = useWords[view.language]
  const outcome = of.allowed
    ? words.allowed
    : html`<strong class="danger">${words.notAllowed}</strong>`
  return html`<tr role="row"><td role="cell">${moment(of.minute * 60, view.language)}</td>
<td role="cell">${what(of, view)}</td>
<td role="cell">${of.network === '' ? words.anyNetwork : html`<code>${of.network}</code>`}</td>
<td role="cell">${outcome}</td></tr>
`
}

/** The roles say again what the elements are, as in the table of consent. */
const table = ({ clientName, lines, view }: LedgerPage): Markup => {
  const { heads, caption } = useWords[view.language]
  const head = (text: string): Markup => html`<th role="columnheader" scope="col">${text}</th>`
  return html`<table role="table" class="ledger">
<caption class="unseen">${caption({ client: named(clientName) })}</caption>
<thead role="rowgroup"><tr role="row">${[heads.when, heads.what, heads.network, heads.outcome].map(head)}</tr></thead>
<tbody role="rowgroup">
${lines.map((line) => lineOf(line, view))}</tbody>
</table>`
}

export const renderLedger = (page: LedgerPage): string => {
  const { view, lines, next } = page
  const words = useWords[view.language]
  const days = number(limits.useDays, view.language)
  const found = html`<p>${words.about({ days })}</p>
${table(page)}
${next === null ? null : html`<p class="off-paper"><a href="${pathOf(page)}&amp;before=${encodeURIComponent(next)}">${words.older}</a></p>`}
<p class="off-paper"><a href="${pathOf(page, '.json')}" download>${words.download}</a></p>`
  return renderAccountPage(page, {
    part: 'applications',
    heading: words.heading({ client: named(page.clientName) }),
    main: html`<section class="card">
${lines.length === 0 ? html`<p>${words.empty({ days })}</p>` : found}
<p class="off-paper"><a href="${view.base}/account">${words.back}</a></p>
</section>`,
  })
}
