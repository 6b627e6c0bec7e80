/** The details of the consent page, one line each: limits of the access, origin and pages of the client. */

import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { hostOf, plainName, webUri } from '../../../paper/plain-text.ts'
import { cellsOf } from '../../../paper/resource-row.ts'
import { moment, offsetOf } from '../../../paper/time.ts'
import { pageUrl } from '../../../paper/view.ts'
import { consentWords } from '../../../paper/words/consent.ts'
import { phrases } from '../../../paper/words/phrases.ts'
import { asksForMore } from './list.ts'
import type { ConsentPage } from './page.ts'

/** A line with nothing to say is left out. */
const line = (term: string, told: Content): Markup | null =>
  told === null || told === ''
    ? null
    : html`<div><dt>${term}</dt><dd>${told}</dd></div>
`

/** Addresses of strangers are text: nobody here has checked where they lead. */
const website = ({ client, view }: ConsentPage): Content => {
  const { uri = null, selfRegistered } = client
  const host = hostOf(uri)
  if (host === null) return null
  const shown = html`<code>${host}</code>`
  if (selfRegistered) return consentWords(view.language).claimed({ host: shown })
  return html`<a href="${webUri(uri)}" rel="noopener noreferrer nofollow">${shown}</a>`
}

const documents = ({ client, view }: ConsentPage): Content => {
  if (client.selfRegistered) return null
  const { policy, terms } = consentWords(view.language)
  const pages = [
    [policy, webUri(client.policyUri)],
    [terms, webUri(client.termsUri)],
  ] as const
  const links = pages.flatMap(([text, uri]) =>
    uri === null ? [] : [html`<a href="${uri}" rel="noopener noreferrer nofollow">${text}</a> `],
  )
  return links.length === 0 ? null : links
}

/** When it came here, and by whom. */
const origin = ({ client, view }: ConsentPage): Markup => {
  const words = consentWords(view.language)
  const when = moment(client.registeredAt, view)
  if (client.documentHost) return html`${line(words.firstSeen, when)}`
  const by = client.selfRegistered ? words.byItself({ when }) : words.byOperator({ when })
  return html`${line(words.registeredBy, by)}`
}

/** What it will not get. */
const limits = ({ beyond, leftOut, view }: ConsentPage): Markup => {
  const words = consentWords(view.language)
  const things = (of: readonly string[]): string => of.join(words.comma)
  return html`${line(words.cannotSee, things([words.password, ...beyond.see]))}${line(words.cannotChange, things(beyond.change))}${line(words.cannotKnow, things(beyond.know))}${line(words.cannotReach, things(beyond.reach))}${line(words.notGiven, leftOut === '' ? null : html`<code>${leftOut}</code>`)}`
}

export const renderConsentDetails = (page: ConsentPage): Markup => {
  const { view, client, rows } = page
  const words = consentWords(view.language)
  const { zone } = view
  // A stranger could name the address of a bank.
  const contacts = client.selfRegistered
    ? null
    : (client.contacts ?? []).slice(0, 2).map(plainName).join(', ')
  const before = rows.flatMap(cellsOf).some((of) => of.allowedBefore) || asksForMore(page)
  const account = html`<a href="${pageUrl(view, '/account')}">${words.accountPage}</a>`
  const at = zone === null ? null : { zone, offset: offsetOf(view.at, zone) }
  return html`<details><summary>${words.details}</summary>
<dl class="facts">
${limits(page)}${origin(page)}${line(words.website, website(page))}${line(words.documents, documents(page))}${line(words.contact, contacts)}${line(words.toEnd, account)}${line(words.ifDenied, before ? words.staysAllowed : null)}${line(words.times, at && phrases(view.language).zone(at))}</dl>
</details>`
}
