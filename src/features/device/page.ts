/** The pages for devices: typing the code, who asks, and the end (RFC 8628 section 3.3). */

import {
  hide,
  noEnter,
  type PageWithForm,
  renderField,
  renderForm,
  renderSubmit,
  sayName,
} from '../../paper/fields.ts'
import { icons } from '../../paper/icon.ts'
import { renderLayout } from '../../paper/layout.ts'
import { html } from '../../paper/markup.ts'
import { renderWarning } from '../../paper/pieces.ts'
import { type Provenance, renderProvenance } from '../../paper/provenance.ts'
import { renderGo } from '../../paper/rows.ts'
import { renderBetween, renderEvent, type Sides, sayAsking } from '../../paper/tile.ts'
import { sayWhen, stripUtc } from '../../paper/time.ts'
import type { View } from '../../paper/view.ts'
import { consentWords } from '../../rooms/oauth/consent/words.ts'
import { deviceWords } from './words.ts'

export interface EnterPage extends PageWithForm {
  /** As it was typed, or came with the link. */
  readonly typed: string
  readonly problem: 'empty' | 'wrong' | 'throttled' | null
  readonly waitSeconds: number | null
}

/** A screen that shows eight letters. */
const scene = html`<svg class="scene" viewBox="0 0 144 92" aria-hidden="true" focusable="false"><rect x="1" y="1" width="142" height="78" rx="8"/><path d="M48 91h48M72 79v12"/>${[18, 31, 44, 57, 76, 89, 102, 115].map((x) => html`<rect class="on" x="${x}" y="31" width="10" height="18" rx="2.5"/>`)}</svg>`

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
    input: html`class="digits" type="text" value="${typed}" maxlength="64" placeholder="XXXX-XXXX" autocomplete="off" autocapitalize="characters" spellcheck="false" required autofocus`,
    hint: words.hint,
    problem: said,
  })
  return renderLayout({
    view,
    title: words.title,
    main: html`${scene}
<h1>${words.heading}</h1>
<p class="quiet">${words.shows}</p>
${renderForm(page, '/device', html`${field}${renderSubmit(words.next)}`)}
<p class="quiet small after">${words.warning}</p>`,
  })
}

export interface AskingPage extends Provenance, PageWithForm {
  readonly journey: string
  readonly clientName: string
  readonly owner: Sides['owner']
  /** As it is shown. */
  readonly code: string
  /** When the device asked, in unix seconds. */
  readonly askedAt: number
  readonly network: string
  /** Whether the device and the person in front of this page are on one network. */
  readonly isSameNetwork: boolean
}

export const renderAsking = (page: AskingPage): string => {
  const view = stripUtc(page.view)
  const { language } = view
  const words = deviceWords(language)
  const { clientName, clientRegisteredBy: registeredBy, owner, journey } = page
  const client = sayAsking(clientName, registeredBy, view)
  const network = html`<bdi dir="ltr">${page.network}</bdi>`
  const where = page.isSameNetwork
    ? words.sameNetwork({ network })
    : words.otherNetwork({ network })
  const fields = html`${noEnter}${hide('journey', journey)}
<div class="decide"><p class="early" role="status" data-text="${consentWords(language).tooEarly}"></p><div><button class="solid" type="submit" name="decision" value="deny">${words.deny}</button><button class="primary" type="submit" name="decision" value="continue">${words.continue}</button></div>
<p>${words.afterwards}</p></div>`
  return renderLayout({
    view,
    title: words.title,
    width: 'middle',
    main: html`${renderBetween({ clientName, registeredBy, owner, journey: null }, view)}
<h1>${words.question}</h1>
<p class="host"><span>${words.asks({ client, when: sayWhen(page.askedAt, view.at, view) })}</span></p>
${renderProvenance(page, language)}
<p class="code"><bdi dir="ltr">${page.code}</bdi></p>
<p class="kept">${icons[page.isSameNetwork ? 'check' : 'globe']}<span>${where}</span></p>
${renderWarning(html`<p><strong>${words.sent}</strong> ${words.sentEffect}</p>`)}
<script src="${view.base}/assets/consent.js"></script>
${renderForm(page, '/device', fields)}`,
  })
}

/** The end of a request of a device, as its owner sees it. */
export type DeviceEnd = 'approved' | 'denied' | 'impossible' | 'over'

const ends = { approved: 'check', denied: 'cross', impossible: 'lock', over: 'clock' } as const

/** @param path of the page of its access, once there is one */
export const renderEnd = (
  view: View,
  clientName: string,
  end: DeviceEnd,
  path: `/account${string}` = '/account',
): string => {
  const words = deviceWords(view.language)
  const client = sayName(clientName)
  const said = end === 'over' ? words.over : words[end]({ client })
  const title = words[`${end}Title`]
  const onward = end === 'over' ? renderGo(view, '/device', words.another) : null
  return renderLayout({
    view,
    title,
    main: html`${renderEvent(ends[end], end === 'approved')}
<h1>${title}</h1>
<p class="quiet">${said}</p>
<p class="actions">${end === 'approved' ? renderGo(view, path, words.account) : onward}</p>`,
  })
}
