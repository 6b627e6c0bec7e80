/** The people behind an application, for the consent page and the account page. */
import type { Authorization } from '../model/authorization.ts'
import { type Client, findDocumentHost } from '../model/client.ts'
import type { Language } from '../model/language.ts'
import { normalizeName, shortenPlace, spellOut } from '../model/plain/line.ts'
import { formatHost } from '../protocol/web-uri.ts'
import { html, type Markup } from './markup.ts'
import { sayDate, type TimeView } from './time.ts'
import { phrases } from './words/phrases.ts'

/** Of whom an access is. */
export interface Provenance {
  readonly clientRegisteredBy: Client['registeredBy']
  readonly clientId?: string
  /** The page that it names as its own. */
  readonly clientUri: string | null
}

/**
 * Nobody has checked an application that registered itself.
 *
 * @param uri the page that it names as its own
 * @param registeredAt unix seconds; null if irrelevant
 */
export const renderUnverified = (
  uri: string | null,
  registeredAt: number | null,
  view: TimeView,
): Markup => {
  const { unverified, registeredItself, registeredItselfOn, claimedPage } = phrases(view.language)
  const registered =
    registeredAt === null
      ? registeredItself
      : registeredItselfOn({ when: sayDate(registeredAt, view) })
  const host = formatHost(uri)
  return html`<strong>${unverified}</strong> ${registered}${host && html` ${claimedPage({ host: html`<code>${host}</code>` })}`}`
}

/** A metadata document: its host vouches for the rest. */
export const renderDocumentHost = (host: string, language: Language): Markup => {
  const { unverified, comesFrom } = phrases(language)
  const shown = html`<strong><code>${spellOut(shortenPlace(host))}</code></strong>`
  return html`<strong>${unverified}</strong> ${comesFrom({ host: shown })}`
}

export type AllowedAccess = Partial<Pick<Authorization, 'allowedBy'>>

/** The issuer that opened the access in place of its owner; null for none. */
export const sayAllowedBy = (
  { allowedBy = null }: AllowedAccess,
  language: Language,
): string | null =>
  allowedBy && phrases(language).allowedBy({ title: normalizeName(allowedBy.title) })

/** Below the name of an application, as far as anybody here knows. */
export const renderProvenance = (of: Provenance, language: Language): Markup | null => {
  const vouching = findDocumentHost({ id: of.clientId ?? '', registeredBy: of.clientRegisteredBy })
  if (vouching !== null) {
    return html`<p class="quiet">${renderDocumentHost(vouching, language)}</p>`
  }
  if (of.clientRegisteredBy === 'itself') {
    return html`<p class="quiet">${renderUnverified(of.clientUri, null, { language, zone: null })}</p>`
  }
  const host = formatHost(of.clientUri)
  return host === null
    ? null
    : html`<p class="quiet">${phrases(language).itsPage} <code>${host}</code></p>`
}
