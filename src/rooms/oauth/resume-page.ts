/** The page that offers to resume an application. */
import type { Pause } from '../../model/authorization.ts'
import {
  hidden,
  named,
  noEnter,
  ownerLine,
  type PageWithForm,
  renderForm,
} from '../../paper/fields.ts'
import { renderLayout } from '../../paper/layout.ts'
import { html } from '../../paper/markup.ts'
import { pauseWords, tellPause } from '../../paper/pause.ts'
import { shortPlace, spelledOut } from '../../paper/plain-text.ts'
import { type Provenance, renderProvenance } from '../../paper/provenance.ts'
import { renderTile } from '../../paper/tile.ts'
import { consentWords } from './consent/words.ts'

export interface ResumePage extends Provenance, PageWithForm {
  /** The request that waits, sealed. */
  readonly journey: string
  readonly clientName: string
  readonly owner: { readonly username: string; readonly name: string }
  readonly pause: Pause
  /** Where the owner goes without resuming. */
  readonly redirectHost: string
}

export const renderResume = (page: ResumePage): string => {
  const { view } = page
  const { language } = view
  const words = pauseWords(language)
  const client = named(page.clientName)
  const host = html`<strong><code>${spelledOut(shortPlace(page.redirectHost))}</code></strong>`
  const fields = html`${noEnter}${hidden('journey', page.journey)}
<div class="decide"><p class="early" role="status" data-text="${consentWords(language).tooEarly}"></p><div><button class="solid" type="submit" name="decision" value="deny">${words.notNow}</button><button class="primary" type="submit" name="decision" value="resume">${words.resume}</button></div></div>`
  return renderLayout({
    view,
    title: words.title,
    tellsZone: false,
    main: html`<div class="asks">${renderTile(page.clientName, null, { size: 'big', registeredBy: page.clientRegisteredBy })}<h1>${words.heading({ client })}</h1></div>
<p class="as"><span>${consentWords(language).loggedInAs({ owner: ownerLine(page.owner) })}</span></p>
${renderProvenance(page, language)}
<p>${tellPause(page.pause, client, language)}</p>
<p>${words.ifResumed({ client })} ${words.otherwise({ host })}</p>
<script src="${view.base}/assets/consent.js"></script>
${renderForm(page, '/resume', fields)}`,
  })
}
