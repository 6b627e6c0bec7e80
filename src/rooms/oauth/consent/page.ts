/** The consent page: which resources, read or write, for how long (RFC 6749 section 4.1.1). */
import type { Duration } from '../../../model/authorization.ts'
import type { Language } from '../../../model/language.ts'
import type { ConsoleRole } from '../../../model/owner.ts'
import { normalizeLine, normalizeName, shortenPlace, spellOut } from '../../../model/plain/line.ts'
import type { RequesterChange } from '../../../model/requester.ts'
import { detailWords, renderSlip } from '../../../paper/detail.ts'
import {
  hide,
  noEnter,
  type PageWithForm,
  renderForm,
  sayName,
  showAlert,
} from '../../../paper/fields.ts'
import { icons } from '../../../paper/icon.ts'
import { renderLayout } from '../../../paper/layout.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { renderDocumentHost, renderUnverified } from '../../../paper/provenance.ts'
import { renderRequesterChange } from '../../../paper/requester-change.ts'
import { renderBetween, renderHost, type Sides, sayAsking } from '../../../paper/tile.ts'
import { sayDate } from '../../../paper/time.ts'
import { pageUrl, type View } from '../../../paper/view.ts'
import { phrases } from '../../../paper/words/phrases.ts'
import { findWebUri, formatHost } from '../../../protocol/web-uri.ts'
import type { AskedPermissions } from './cells.ts'
import type { AskedDetail } from './details.ts'
import { isKept, isMoreAsked, listCells, renderConsentList, sayWishes } from './list.ts'
import { consentWords } from './words.ts'

export interface ConsentPage extends AskedPermissions, PageWithForm {
  readonly journey: string
  readonly client: {
    readonly name: string
    readonly uri?: string | null
    /** Where this service serves its picture; null = a tile with the first letter of its name. */
    readonly logoPath: string | null
    /** Why it cannot work without what is required, in its own words. */
    readonly reason: string | null
    readonly selfRegistered: boolean
    /** An application of the operator with a name that looks the same; null without one. */
    readonly looksLike?: string | null
    /** The host of its metadata document; null for any other client. */
    readonly documentHost?: string | null
    /** Whether all of its redirect URIs are on the owner's own computer. */
    readonly isLocal?: boolean
    /** Unix seconds. */
    readonly registeredAt: number
    /** Its own pages and addresses, as it gave them. */
    readonly policyUri?: string | null
    readonly termsUri?: string | null
    readonly contacts?: readonly string[]
  }
  /** For the command line: the role of its owner, which is all that it may do. */
  readonly actsAs?: ConsoleRole | null
  /** Names the client as it is shown here. */
  readonly requester: string
  /** Names all of the request, as it is shown here; null where it cannot change. */
  readonly asked?: string | null
  /** Its changes since an approval; null without any. */
  readonly change: RequesterChange | null
  /**
   * Where the answer goes: the host of the redirect URI, or its scheme for a native application. Null
   * where it goes to a device.
   */
  readonly redirectHost: string | null
  /** Whether `redirectHost` is a scheme, so that the answer opens an application of the device. */
  readonly opensApplication: boolean
  readonly owner: Sides['owner']
  /** What the request asks for in detail, in the order of the request. */
  readonly details?: readonly AskedDetail[]
  /** Names in the request without an effect, as one text; '' without any. */
  readonly leftOut: string
  readonly durations?: readonly Duration[]
  readonly duration?: Duration
  /** Why what was decided on the page before this one was not done. */
  readonly problem?: 'unsettled' | 'changed' | null
}

export const everyDuration: readonly Duration[] = ['session', 'day', 'month', 'forever']

type ConsentWords = ReturnType<typeof consentWords>

/** The heading names all that is asked for: of a request for more, only the new things. */
const renderHeading = (page: ConsentPage, client: Markup, words: ConsentWords): Markup => {
  if (page.actsAs) return words.headingRole({ client })
  const isMore = isMoreAsked(page)
  const wishes = sayWishes(
    page,
    (of) => of.asked && !(isMore && of.allowedBefore),
    page.view.language,
  )
  if (wishes === '') {
    return isMore ? words.headingMoreAbout({ client }) : words.headingAbout({ client })
  }
  const told = { client, wishes: html`${wishes}` }
  return isMore ? words.headingMore(told) : words.heading(told)
}

/** The box of each detail has its place in the request as value. */
const renderAskedDetails = (details: readonly AskedDetail[], { language }: View): Markup =>
  html`<fieldset><legend class="unseen">${detailWords(language).heading}</legend>
${details.map((line) => renderSlip(line, String(line.place), language))}</fieldset>
<p class="kept">${icons.lock}<span>${consentWords(language).exact}</span></p>
`

/** Where it comes from. Of a client without any check, only the redirect URI is certain. */
const getPlace = (page: ConsentPage): string | null => {
  const { uri, selfRegistered } = page.client
  const place = page.opensApplication ? `${page.redirectHost}:` : page.redirectHost
  return selfRegistered || !uri ? place : (formatHost(uri) ?? place)
}

/** The one warning above the list: nobody has checked the application, or it has changed. */
const renderWarning = (page: ConsentPage, client: Markup): Markup => {
  const { view, change } = page
  const words = consentWords(view.language)
  const { documentHost, isLocal = false, looksLike, selfRegistered, registeredAt } = page.client
  const stranger = documentHost
    ? html`${renderDocumentHost(documentHost, view.language)}${isLocal ? html` ${words.anyProgram}` : null}`
    : renderUnverified(null, registeredAt, view)
  const changed =
    change &&
    html`<p><strong>${words.hasChanged({ client })}</strong></p>${renderRequesterChange(change, view.language)}`
  const alike = looksLike ? html`<p>${words.looksLike({ name: sayName(looksLike) })}</p>` : null
  return html`<div class="notice warning">${icons.warning}${changed}${alike}${selfRegistered ? html`<p>${stranger}</p>` : null}</div>`
}

const renderDurations = (
  offered: readonly Duration[],
  chosen: Duration,
  language: Language,
): Markup =>
  html`<fieldset class="howlong"><legend>${consentWords(language).howLong}</legend>
<div class="choices">
${offered.map(
  (duration) =>
    html`<label><input type="radio" name="duration" value="${duration}"${duration === chosen ? html` checked` : null}><span>${phrases(language).duration[duration]}</span></label>
`,
)}</div></fieldset>`

const renderWhereTo = (
  { redirectHost, opensApplication }: ConsentPage,
  words: ConsentWords,
): Markup => {
  if (redirectHost === null) return html`${words.toDevice}`
  const shown = spellOut(shortenPlace(redirectHost)) + (opensApplication ? ':' : '')
  const place = html`<strong><code>${shown}</code></strong>`
  return opensApplication ? words.toApplication({ scheme: place }) : words.whereTo({ host: place })
}

/** A line with nothing to say is left out. */
const renderLine = (term: string, told: Content): Markup | null =>
  told === null || told === ''
    ? null
    : html`<div><dt>${term}</dt><dd>${told}</dd></div>
`

/** Addresses of strangers are text: nobody here has checked where they lead. */
const renderWebsite = ({ client, view }: ConsentPage): Content => {
  const { uri, selfRegistered } = client
  const host = uri && formatHost(uri)
  if (!host) return null
  const shown = html`<code>${host}</code>`
  if (selfRegistered) return consentWords(view.language).claimed({ host: shown })
  return html`<a href="${findWebUri(uri)}" rel="noopener noreferrer nofollow">${shown}</a>`
}

const renderDocuments = ({ client, view }: ConsentPage): Content => {
  if (client.selfRegistered) return null
  const { policy, terms } = consentWords(view.language)
  const pages = [
    [policy, client.policyUri],
    [terms, client.termsUri],
  ] as const
  const links = pages.flatMap(([text, uri]) => {
    const href = uri && findWebUri(uri)
    return href ? [html`<a href="${href}" rel="noopener noreferrer nofollow">${text}</a> `] : []
  })
  return links.length === 0 ? null : links
}

const renderDetails = (page: ConsentPage): Markup => {
  const { view, client, leftOut } = page
  const words = consentWords(view.language)
  const when = sayDate(client.registeredAt, view)
  const by = client.selfRegistered ? words.byItself({ when }) : words.byOperator({ when })
  // A stranger could name the address of a bank.
  const contacts = client.selfRegistered
    ? null
    : (client.contacts ?? []).slice(0, 2).map(normalizeName).join(', ')
  const cells = listCells(page)
  // Above it is said of what is kept.
  const isUnsaid = cells.some((of) => of.allowedBefore) && !cells.some(isKept)
  const account = html`<a href="${pageUrl(view, '/account')}">${words.accountPage}</a>`
  return html`<details class="about"><summary>${words.details}</summary>
<dl class="facts">
${renderLine(words.cannot, words.nothingElse)}${renderLine(words.notGiven, leftOut === '' ? null : html`<code>${leftOut}</code>`)}${client.documentHost ? renderLine(words.firstSeen, when) : renderLine(words.registeredBy, by)}${renderLine(words.website, renderWebsite(page))}${renderLine(words.documents, renderDocuments(page))}${renderLine(words.contact, contacts)}${renderLine(words.toEnd, account)}${renderLine(words.ifDenied, isUnsaid ? words.staysAllowed : null)}</dl>
</details>`
}

/** What the rights of a role are, since no list says it. */
const renderRole = (role: ConsoleRole, words: ConsentWords): Markup =>
  html`<div class="notice warning">${icons.warning}<p><strong>${words.actsAs[role]}</strong></p><p>${words.onlyTyped}</p></div>`

export const renderConsent = (page: ConsentPage): string => {
  const { view, client: asking } = page
  const { language } = view
  const words = consentWords(language)
  const client = sayName(asking.name)
  const reason =
    asking.reason && words.reason({ client, reason: html`<q>${normalizeLine(asking.reason)}</q>` })
  const fields = html`${noEnter}${hide('journey', page.journey)}${hide('requester', page.requester)}${page.asked ? hide('asked', page.asked) : null}
${renderConsentList(page, words.question({ client }), reason, view)}${page.details?.length ? renderAskedDetails(page.details, view) : null}
${page.actsAs ? null : renderDurations(page.durations ?? everyDuration, page.duration ?? 'forever', language)}
${renderDetails(page)}
<div class="decide"><p class="early" role="status" data-text="${words.tooEarly}"></p><div><button class="solid" type="submit" name="decision" value="deny">${words.deny}</button><button class="primary" type="submit" name="decision" value="allow">${words.allow}</button></div>
<p>${renderWhereTo(page, words)}</p></div>`
  const { name: clientName, logoPath } = asking
  const registeredBy = asking.selfRegistered ? 'itself' : null
  const { owner, journey } = page
  return renderLayout({
    view,
    title: words.title,
    width: 'middle',
    isReceipt: true,
    tellsZone: false,
    main: html`${renderBetween({ clientName, logoPath, registeredBy, owner, journey }, view)}
<h1>${renderHeading(page, sayAsking(clientName, registeredBy, view), words)}</h1>
${renderHost(getPlace(page), registeredBy, view)}
${page.problem ? showAlert(words[page.problem]({ client })) : null}
${page.actsAs ? renderRole(page.actsAs, words) : null}
${page.change === null && !asking.selfRegistered ? null : renderWarning(page, client)}
<script src="${view.base}/assets/consent.js"></script>
${renderForm(page, '/consent', fields)}`,
  })
}
