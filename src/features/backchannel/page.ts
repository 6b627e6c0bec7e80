/** `/account/requests`: a form for each request, with its client, its permissions and its effect. */
import { type DetailLine, detailWords, renderDetail } from '../../paper/detail.ts'
import { hide, noEnter, renderForm, sayName } from '../../paper/fields.ts'
import { drawIcon } from '../../paper/icon.ts'
import { type Content, html, type Markup } from '../../paper/markup.ts'
import { normalizeLine, spellOut } from '../../paper/plain-text.ts'
import { type Provenance, renderProvenance } from '../../paper/provenance.ts'
import { renderTile } from '../../paper/tile.ts'
import { sayMoment, stripUtc } from '../../paper/time.ts'
import type { View } from '../../paper/view.ts'
import { type AccountPageGiven, renderAccountPage } from '../../rooms/account/frame.ts'
import { type AskedPermissions, renderConsentList } from '../../rooms/oauth/consent/list.ts'
import { consentWords } from '../../rooms/oauth/consent/words.ts'
import { backchannelWords } from './words.ts'

export interface ShownRequest extends AskedPermissions, Provenance {
  readonly id: string
  readonly clientName: string
  /** The application of the operator that its name looks like. */
  readonly looksLike: string | null
  /** Names the client as it is shown here. */
  readonly requester: string
  /** Why it cannot work without what is required, in its own words. */
  readonly reason: string | null
  readonly message: string | null
  readonly details: readonly DetailLine[]
  /** Unix seconds. */
  readonly askedAt: number
  readonly expiresAt: number
  readonly network: string
  /** How long one token lives; null = without end. */
  readonly tokenSeconds: number | null
  /** Until when it keeps access, in unix seconds; null = until taken back, undefined = for one token. */
  readonly keptUntil?: number | null
}

export type RequestsProblem = keyof typeof backchannelWords.english.problems

export interface RequestsPage extends AccountPageGiven {
  readonly requests: readonly ShownRequest[]
  readonly done: { readonly what: 'allowed' | 'denied'; readonly clientName: string } | null
  readonly problem: RequestsProblem | null
}

type RequestWords = ReturnType<typeof backchannelWords>

const units = [
  ['days', 86_400],
  ['hours', 3600],
  ['minutes', 60],
  ['seconds', 1],
] as const

/** In the largest unit that it is whole in. */
const sayTime = (seconds: number, words: RequestWords): string => {
  const [unit, of] = units.find(([, one]) => seconds % one === 0) ?? ['seconds', 1]
  return words[unit]({ count: seconds / of })
}

const sayEffect = (request: ShownRequest, client: Markup, words: RequestWords, view: View) => {
  const { tokenSeconds, keptUntil } = request
  if (keptUntil === null) return words.untilTakenBack({ client })
  if (keptUntil !== undefined) return words.until({ client, when: sayMoment(keptUntil, view) })
  if (tokenSeconds === null) return words.onceForever({ client })
  return words.once({ client, time: html`${sayTime(tokenSeconds, words)}` })
}

const renderFact = (term: string, value: Content): Markup =>
  html`<div><dt>${term}</dt><dd>${value}</dd></div>
`

/** The client chose the words, so each of their characters is seen. */
const renderMessage = (message: string, client: Markup, words: RequestWords): Markup =>
  html`<p class="binding">${words.says({ client })} <strong><q><bdi>${spellOut(message)}</bdi></q></strong></p>`

const renderRequest = (request: ShownRequest, page: RequestsPage): Markup => {
  const { view } = page
  const { language } = view
  const words = backchannelWords(language)
  const shared = consentWords(language)
  const { id, clientName, message, details, reason } = request
  const client = sayName(clientName)
  const told = reason && shared.reason({ client, reason: html`<q>${normalizeLine(reason)}</q>` })
  const list = renderConsentList(request, words.what({ client }), told, view)
  const detailed =
    details.length === 0
      ? null
      : html`<fieldset><legend class="group">${detailWords(language).heading}</legend>
<ul class="may">
${details.map((line, place) => renderDetail(line, String(place), language))}</ul></fieldset>
`
  const { looksLike } = request
  const alike = looksLike && html`<p>${shared.looksLike({ name: sayName(looksLike) })}</p>`
  const facts = html`<dl class="facts">
${renderFact(words.asked, sayMoment(request.askedAt, view))}${renderFact(words.ends, sayMoment(request.expiresAt, view))}${renderFact(words.network, html`<code>${request.network}</code>`)}${renderFact(words.effect, sayEffect(request, client, words, view))}</dl>`
  const fields = html`${noEnter}${hide('request', id)}${hide('requester', request.requester)}
${list}${detailed}${facts}
<div class="decide"><p class="early" role="status" data-text="${shared.tooEarly}"></p><div><button class="solid" type="submit" name="decision" value="deny">${words.deny}<span class="unseen"> ${client}</span></button><button class="primary" type="submit" name="decision" value="allow">${words.allow}<span class="unseen"> ${client}</span></button></div></div>`
  return html`<article class="card request" aria-labelledby="r-${id}">
<div class="asks">${renderTile(clientName, null, { registeredBy: request.clientRegisteredBy })}<h2 id="r-${id}">${words.asks({ client })}</h2></div>
${renderProvenance(request, language)}
${message === null ? null : renderMessage(message, client, words)}
<div class="notice warning">${drawIcon('warning')}${alike}<p>${message === null ? words.unasked : words.compare}</p></div>
${renderForm(page, '/account/requests', fields)}
</article>
`
}

export const renderRequests = (given: RequestsPage): string => {
  const page = { ...given, view: stripUtc(given.view) }
  const { view, requests, done, problem } = page
  const words = backchannelWords(view.language)
  return renderAccountPage(page, {
    part: 'applications',
    heading: words.heading,
    title: words.heading,
    notice: done && words.done[done.what]({ client: sayName(done.clientName) }),
    problem: problem && words.problems[problem],
    main: html`<script src="${view.base}/assets/consent.js"></script>
${requests.length === 0 ? html`<p class="card">${words.nothing}</p>` : requests.map((one) => renderRequest(one, page))}`,
  })
}
