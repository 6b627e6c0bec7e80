/** The people behind an application, for the consent page and the account page. */
import type { Client } from '../model/client.ts'
import { documentHost } from '../model/client-document.ts'
import type { Language } from '../model/language.ts'
import { html, type Markup } from './markup.ts'
import { hostOf, shortPlace, spelledOut } from './plain-text.ts'
import { moment } from './time.ts'
import { phrases } from './words/phrases.ts'

/** Of whom an access is. */
export interface Provenance {
  readonly clientRegisteredBy: Client['registeredBy']
  /** The `client_id`. */
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
  language: Language,
): Markup => {
  const { unverified, registeredItself, claimedPage } = phrases[language]
  const when = registeredAt === null ? null : moment(registeredAt, language)
  const host = hostOf(uri)
  return html`<strong>${unverified}</strong> ${registeredItself({ when })}${host && html` ${claimedPage({ host: html`<code>${host}</code>` })}`}`
}

/**
 * A metadata document: its host vouches for the rest.
 *
 * @param seenAt unix seconds; null if irrelevant
 */
export const renderDocumentHost = (
  host: string,
  seenAt: number | null,
  language: Language,
): Markup => {
  const { comesFrom, firstSeen } = phrases[language]
  const shown = html`<strong><code>${spelledOut(shortPlace(host))}</code></strong>`
  return html`${comesFrom({ host: shown })}${seenAt === null ? null : html` ${firstSeen({ when: moment(seenAt, language) })}`}`
}

/** Below the name of an application, as far as anybody here knows. */
export const renderProvenance = (of: Provenance, language: Language): Markup | null => {
  const vouching = documentHost({ id: of.clientId ?? '', registeredBy: of.clientRegisteredBy })
  if (vouching !== null) {
    return html`<p class="quiet">${renderDocumentHost(vouching, null, language)}</p>`
  }
  if (of.clientRegisteredBy === 'itself') {
    return html`<p class="quiet">${renderUnverified(of.clientUri, null, language)}</p>`
  }
  const host = hostOf(of.clientUri)
  return host === null
    ? null
    : html`<p class="quiet">${phrases[language].itsPage} <code>${host}</code></p>`
}
