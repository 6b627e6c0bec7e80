/** Ended accesses, one line each: what it could do, when it was used, when it ended. */
import type { Client } from '../../../model/client.ts'
import { named } from '../../../paper/fields.ts'
import { icon } from '../../../paper/icon.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { renderTile } from '../../../paper/tile.ts'
import { near, renderTimesScript } from '../../../paper/time.ts'
import { pageUrl } from '../../../paper/view.ts'
import { storeLimits } from '../../../store/limits.ts'
import { renderTabs } from '../applications/page.ts'
import { accountWords } from '../applications/words.ts'
import { type AccountPageGiven, renderAccountPage } from '../frame.ts'
import { endedWords } from './words.ts'

export interface EndedAccess {
  /** Of the authorization. */
  readonly id: string
  readonly clientName: string
  readonly clientRegisteredBy: Client['registeredBy']
  /** Where this service serves its picture; null without one. */
  readonly logoPath: string | null
  /** What it could do at its end, in a few words. */
  readonly could: readonly string[]
  /** Unix seconds, like all that follow. */
  readonly endedAt: number
  /** Null = never. */
  readonly lastUsedAt: number | null
}

export interface EndedPage extends AccountPageGiven {
  /** The latest end first. */
  readonly accesses: readonly EndedAccess[]
  readonly now: number
  /** The key of the next page; null where there is none. */
  readonly next: string | null
}

/** The whole line leads to what it did. */
const line = (of: EndedAccess, { now, view }: EndedPage): Markup => {
  const { used, neverUsed } = accountWords(view.language)
  const { ended } = endedWords(view.language)
  const href = pageUrl(view, '/account/ledger', { authorization: of.id })
  return html`<li>
${renderTile(of.clientName, of.logoPath, { registeredBy: of.clientRegisteredBy })}
<div class="app"><a href="${href}">${named(of.clientName)}</a><span class="what">${of.could.join(' · ')}</span></div>
<div class="times"><span class="used">${of.lastUsedAt === null ? neverUsed : used({ when: near(of.lastUsedAt, now, view) })}</span>
<span class="ends">${ended({ when: near(of.endedAt, now, view) })}</span></div>
${icon('on')}
</li>
`
}

export const renderEnded = (page: EndedPage): string => {
  const { view, accesses, next } = page
  const { language } = view
  const words = endedWords(language)
  const days = storeLimits.useDays
  return renderAccountPage(page, {
    part: 'applications',
    heading: accountWords(language).heading,
    title: words.heading,
    main: html`<p class="quiet">${accesses.length === 0 ? words.nothing({ days }) : words.about({ days })}</p>
${renderTabs('ended', view)}
${
  accesses.length === 0
    ? null
    : html`<ul class="card flush apps past">
${accesses.map((of) => line(of, page))}</ul>`
}
${next === null ? null : html`<p class="off-paper"><a class="button" href="${pageUrl(view, '/account/ended', { after: next })}">${words.more}</a></p>`}
${renderTimesScript(view)}`,
  })
}
