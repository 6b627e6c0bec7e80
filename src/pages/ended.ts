/** Ended accesses: each with its times, and a link to its ledger. */
import { limits } from '../config/limits.ts'
import { type AccountPageGiven, renderAccountPage } from './account-frame.ts'
import { named } from './fields.ts'
import { html, type Markup } from './markup.ts'
import { type Provenance, renderProvenance } from './provenance.ts'
import { moment, number } from './time.ts'
import { ledgerLink } from './uses.ts'
import { pageUrl, type View } from './view.ts'
import { accountWords } from './words/account.ts'
import { endedWords } from './words/ended.ts'

export interface EndedAccess extends Provenance {
  /** Of the authorization. */
  readonly id: string
  readonly clientName: string
  /** What it could do at its end, in plain words. */
  readonly could: readonly string[]
  /** Unix seconds, like all that follow. */
  readonly createdAt: number
  readonly endedAt: number
  /** Null = never. */
  readonly lastUsedAt: number | null
}

export interface EndedPage extends AccountPageGiven {
  /** The latest end first. */
  readonly accesses: readonly EndedAccess[]
  /** The key of the next page; null where there is none. */
  readonly next: string | null
}

const card = (of: EndedAccess, view: View): Markup => {
  const { language } = view
  const words = endedWords[language]
  const { lastUsed, never, since } = accountWords[language]
  return html`<section class="card">
<h2>${named(of.clientName)}</h2>
${renderProvenance(of, language)}
<dl>
${of.could.length === 0 ? null : html`<div><dt>${words.could}</dt><dd>${of.could.join(words.between)}</dd></div>`}
<div><dt>${words.ended}</dt><dd>${moment(of.endedAt, view)}</dd></div>
<div><dt>${lastUsed}</dt><dd>${of.lastUsedAt === null ? never : moment(of.lastUsedAt, view)}</dd></div>
<div><dt>${since}</dt><dd>${moment(of.createdAt, view)}</dd></div>
</dl>
${ledgerLink(of, view)}
</section>
`
}

export const renderEnded = (page: EndedPage): string => {
  const { view, accesses, next } = page
  const { language } = view
  const words = endedWords[language]
  const days = number(limits.useDays, language)
  return renderAccountPage(page, {
    part: 'applications',
    heading: words.heading,
    main: html`<p>${accesses.length === 0 ? words.nothing({ days }) : words.about({ days })}</p>
${accesses.map((of) => card(of, view))}
${next === null ? null : html`<p class="off-paper"><a href="${pageUrl(view, '/account/ended', { after: next })}">${words.more}</a></p>`}
<p class="off-paper"><a href="${pageUrl(view, '/account')}">${words.back}</a></p>`,
  })
}
