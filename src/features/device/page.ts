/** The pages for devices: typing the code, who asks, and the end (RFC 8628 section 3.3). */
import {
  hide,
  noEnter,
  type PageWithForm,
  renderField,
  renderForm,
  renderSubmit,
  sayName,
  showOwner,
} from '../../paper/fields.ts'
import { drawIcon } from '../../paper/icon.ts'
import { renderLayout, renderTitled } from '../../paper/layout.ts'
import { html, type Markup } from '../../paper/markup.ts'
import { type Provenance, renderProvenance } from '../../paper/provenance.ts'
import { renderTile } from '../../paper/tile.ts'
import { sayMoment, stripUtc } from '../../paper/time.ts'
import { pageUrl, type View } from '../../paper/view.ts'
import { consentWords } from '../../rooms/oauth/consent/words.ts'
import { deviceWords } from './words.ts'

export interface EnterPage extends PageWithForm {
  /** As it was typed, or came with the link. */
  readonly typed: string
  readonly problem: 'empty' | 'wrong' | 'throttled' | null
  readonly waitSeconds: number | null
}

export const renderEnter = (page: EnterPage): string => {
  const { view, typed, problem, waitSeconds } = page
  const words = deviceWords(view.language)
  const said =
    problem === 'throttled'
      ? words.problems.throttled({ seconds: waitSeconds ?? 1 })
      : problem && words.problems[problem]
  const field = renderField({
    name: 'user_code',
    label: words.label,
    input: html`type="text" value="${typed}" maxlength="64" autocomplete="off" autocapitalize="characters" spellcheck="false" required autofocus`,
    hint: words.hint,
    problem: said,
  })
  return renderLayout({
    view,
    title: words.title,
    main: html`<h1>${words.heading}</h1>
<div class="notice warning">${drawIcon('warning')}<p>${words.warning}</p></div>
${renderForm(page, '/device', html`${field}${renderSubmit(words.next)}`)}`,
  })
}

export interface AskingPage extends Provenance, PageWithForm {
  readonly journey: string
  readonly clientName: string
  readonly owner: { readonly username: string; readonly name: string }
  /** As it is shown. */
  readonly code: string
  /** When the device asked, in unix seconds. */
  readonly askedAt: number
  readonly network: string
}

const renderFact = (term: string, value: Markup | string): Markup =>
  html`<div><dt>${term}</dt><dd>${value}</dd></div>
`

export const renderAsking = (page: AskingPage): string => {
  const view = stripUtc(page.view)
  const { language } = view
  const words = deviceWords(language)
  const client = sayName(page.clientName)
  const code = html`<code>${page.code}</code>`
  const fields = html`${noEnter}${hide('journey', page.journey)}
<div class="decide"><p class="early" role="status" data-text="${consentWords(language).tooEarly}"></p><div><button class="solid" type="submit" name="decision" value="deny">${words.deny}</button><button class="primary" type="submit" name="decision" value="continue">${words.continue}</button></div></div>`
  return renderLayout({
    view,
    title: words.title,
    main: html`<div class="asks">${renderTile(page.clientName, null, { size: 'big', registeredBy: page.clientRegisteredBy })}<h1>${words.question({ code })}</h1></div>
<p class="as"><span>${consentWords(language).loggedInAs({ owner: showOwner(page.owner) })}</span></p>
<p>${words.asks({ client })}</p>
${renderProvenance(page, language)}
<dl class="facts">
${renderFact(words.code, code)}${renderFact(words.asked, sayMoment(page.askedAt, view))}${renderFact(words.network, html`<code>${page.network}</code>`)}</dl>
<div class="notice warning">${drawIcon('warning')}<p>${words.sent}</p></div>
<p>${words.afterwards({ client })}</p>
<script src="${view.base}/assets/consent.js"></script>
${renderForm(page, '/device', fields)}`,
  })
}

/** The end of a request of a device, as its owner sees it. */
export type DeviceEnd = 'approved' | 'denied' | 'impossible' | 'over'

export const renderEnd = (view: View, clientName: string, end: DeviceEnd): string => {
  const words = deviceWords(view.language)
  const client = sayName(clientName)
  const said = end === 'over' ? words.over : words[end]({ client })
  const onward =
    end === 'over'
      ? html`<a href="${pageUrl(view, '/device')}">${words.another}</a>`
      : html`<a href="${pageUrl(view, '/account')}">${words.account}</a>`
  return renderTitled(view, words[`${end}Title`], html`<p>${said}</p>\n<p>${onward}</p>`)
}
