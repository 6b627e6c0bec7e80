/** `/account/requests`: a form for each request, with its client, its permissions and its effect. */

import { normalizeLine, spellOut } from '../../model/plain/line.ts'
import { detailWords, renderSlip } from '../../paper/detail.ts'
import { hide, noEnter, renderForm, sayName } from '../../paper/fields.ts'
import { icons } from '../../paper/icon.ts'
import { type Content, html, type Markup } from '../../paper/markup.ts'
import { renderEmpty, renderWarning } from '../../paper/pieces.ts'
import { type Provenance, renderProvenance } from '../../paper/provenance.ts'
import { renderEvent, sayAsking } from '../../paper/tile.ts'
import { sayWhen, stripUtc } from '../../paper/time.ts'
import type { View } from '../../paper/view.ts'
import { formatHost } from '../../protocol/web-uri.ts'
import { type AccountPageGiven, renderAccountPage } from '../../rooms/account/frame.ts'
import type { AskedPermissions } from '../../rooms/oauth/consent/cells.ts'
import type { AskedDetail } from '../../rooms/oauth/consent/details.ts'
import { renderConsentList } from '../../rooms/oauth/consent/list.ts'
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
  readonly details: readonly AskedDetail[]
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
  if (keptUntil !== undefined)
    return words.until({ client, when: sayWhen(keptUntil, view.at, view) })
  if (tokenSeconds === null) return words.onceForever({ client })
  return words.once({ client, time: html`${sayTime(tokenSeconds, words)}` })
}

const renderFact = (term: string, value: Content): Markup =>
  html`<div><dt>${term}</dt><dd>${value}</dd></div>
`

/** The client chose the words, so each of their characters is seen. */
const renderMessage = (message: string, words: RequestWords): Markup =>
  renderFact(words.message, html`<b><q><bdi>${spellOut(message)}</bdi></q></b><br>${words.compare}`)

const renderFacts = (request: ShownRequest, client: Markup, words: RequestWords, view: View) => {
  const { message, clientName, clientRegisteredBy, clientUri, askedAt, network } = request
  const host = clientRegisteredBy === 'itself' ? null : formatHost(clientUri)
  const by = html`${sayAsking(clientName, clientRegisteredBy, view)}${host && html`, <bdi>${host}</bdi>`}`
  return html`${message === null ? null : renderMessage(message, words)}${renderFact(words.asked, sayWhen(askedAt, view.at, view))}${renderFact(words.by, by)}${renderFact(words.network, html`<bdi dir="ltr">${network}</bdi>`)}${renderFact(words.effect, sayEffect(request, client, words, view))}`
}

/** A single detail is a slip from a till, with all that is known of the request. */
const renderAsked = (request: ShownRequest, client: Markup, words: RequestWords, view: View) => {
  const { details, reason, rows, about } = request
  const { language } = view
  const facts = renderFacts(request, client, words, view)
  const [first, ...others] = details
  if (first !== undefined && others.length === 0 && rows.length + about.length === 0) {
    return renderSlip(first, '0', language, facts)
  }
  const said = { client, reason: html`<q>${normalizeLine(reason ?? '')}</q>` }
  const told = reason && consentWords(language).reason(said)
  const slips = details.map((line) => renderSlip(line, String(line.place), language))
  return html`${renderConsentList(request, words.what({ client }), told, view)}${details.length === 0 ? null : html`<fieldset><legend class="unseen">${detailWords(language).heading}</legend>${slips}</fieldset>`}
<dl class="facts">
${facts}</dl>`
}

const renderRequest = (request: ShownRequest, page: RequestsPage): Markup => {
  const { view } = page
  const words = backchannelWords(view.language)
  const { id, clientName, clientRegisteredBy: by, keptUntil, looksLike } = request
  const client = sayName(clientName)
  const allow = keptUntil === undefined ? words.allowOnce : words.allow
  const early = consentWords(view.language).tooEarly
  const fields = html`${noEnter}${hide('request', id)}${hide('requester', request.requester)}
${renderAsked(request, client, words, view)}
<p class="kept">${icons.clock}<span>${words.ends({ when: sayWhen(request.expiresAt, view.at, view) })}</span></p>
<div class="decide"><p class="early" role="status" data-text="${early}"></p><div><button class="solid" type="submit" name="decision" value="deny">${words.deny}<span class="unseen"> ${client}</span></button><button class="primary" type="submit" name="decision" value="allow">${allow}<span class="unseen"> ${client}</span></button></div></div>`
  return html`<article class="request" aria-labelledby="r-${id}">
<h2 id="r-${id}"${page.requests.length === 1 ? html` class="unseen"` : null}>${words.asks({ client: sayAsking(clientName, by, view) })}</h2>
${by === 'itself' ? renderProvenance(request, view.language) : null}
${looksLike && renderWarning(consentWords(view.language).looksLike({ name: sayName(looksLike) }))}
${renderForm(page, '/account/requests', fields)}
</article>
`
}

const sayHeading = ({ requests, view }: RequestsPage, words: RequestWords): Content => {
  const [first, ...others] = requests
  if (first === undefined) return words.heading
  if (others.length > 0) return words.several({ count: requests.length })
  return words.one({ client: sayAsking(first.clientName, first.clientRegisteredBy, view) })
}

export const renderRequests = (given: RequestsPage): string => {
  const page = { ...given, view: stripUtc(given.view) }
  const { view, requests, done, problem } = page
  const words = backchannelWords(view.language)
  const drawing = renderEvent('check', true)
  const main =
    requests.length === 0
      ? renderEmpty({ heading: words.nothing, says: words.whatComes, drawing })
      : html`<p class="lead">${words.lead}</p>
${requests.map((one) => renderRequest(one, page))}`
  return renderAccountPage(page, {
    part: 'applications',
    heading: sayHeading(page, words),
    title: words.heading,
    notice: done && words.done[done.what]({ client: sayName(done.clientName) }),
    problem: problem && words.problems[problem],
    main: html`<script src="${view.base}/assets/consent.js"></script>
${main}`,
  })
}
