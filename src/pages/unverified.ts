/** What is said of an application that registered itself, wherever it is named: nobody has checked it. */
import type { Language } from '../model/language.ts'
import { html, type Markup } from './markup.ts'
import { hostOf } from './plain-text.ts'
import { phrases } from './words/phrases.ts'

/** @param uri the page that it names as its own */
export const renderUnverified = (uri: string | null, language: Language): Markup => {
  const { unverified, registeredItself, claimedPage } = phrases[language]
  const host = hostOf(uri)
  return html`<strong>${unverified}</strong> ${registeredItself}${host && html` ${claimedPage({ host: html`<code>${host}</code>` })}`}`
}
