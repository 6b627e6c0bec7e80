/** A consent page, an account and an API in small. What is ticked decides the answers, by styles alone. */
import { type Content, html, type Markup } from '../../src/paper/markup.ts'
import { renderTile } from '../../src/paper/tile.ts'
import type { tourWords } from '../words/tour.ts'

type LiveWords = ReturnType<typeof tourWords>['live']

const application = 'Photo Printer'

/** Each tick, and the request that it decides about. The styles know the names of the ticks. */
const ticks = [
  { tick: 'a', says: ['see', 'photos'], does: 'seesPhotos', request: 'GET /api/photos' },
  { tick: 'b', says: ['change', 'photos'], does: 'changesPhotos', request: 'POST /api/photos' },
  { tick: 'c', says: ['see', 'contacts'], does: 'seesContacts', request: 'GET /api/contacts' },
] as const

const who = (text: string): Markup =>
  html`<p class="who">${renderTile(application, null, { size: 'little' })}<span>${text}</span></p>`

/** Nobody sends these boxes anywhere, and a reload begins anew. */
const box = (tick: string, isOn: boolean, text: Content): Markup =>
  html`<label class="tick"><input type="checkbox" class="${tick}" autocomplete="off"${isOn ? html` checked` : null}><span>${text}</span></label>
`

export const renderLive = (words: LiveWords): Markup =>
  html`<section class="live" aria-label="${words.label}">
<div class="ask">${who(words.asks({ client: application }))}
${ticks.map(({ tick, says: [verb, object] }) => box(tick, verb === 'see', html`<b>${words[verb]}</b> ${words[object]}`))}</div>
<div class="has">${who(application)}
<p class="says"><span class="on">${ticks.map(({ tick, does }) => html`<span class="if-${tick}">${words[does]} </span>`)}<span class="none">${words.nothing}</span></span><span class="halt">${words.paused}</span></p>
${box('p', false, words.pause)}</div>
<ul class="wire" aria-label="${words.answers}" aria-live="polite">
${ticks.map(
  ({ tick, request }) =>
    html`<li><code>${request}</code> <span><b class="ok if-${tick}">200 OK</b><b class="no no-${tick}">${words.refused}</b><b class="halt">${words.halted}</b></span></li>
`,
)}</ul>
<p class="note">${words.hint}</p>
</section>`
