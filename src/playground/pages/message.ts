/** HTTP messages on a page: text, command, and an explanation of each field. */
import type { Language } from '../../model/language.ts'
import { renderCommand } from '../../pages/command.ts'
import { html, type Markup } from '../../pages/markup.ts'
import { fieldWords } from '../words/fields.ts'
import { openidFieldWords } from '../words/openid-fields.ts'
import { ownFieldWords } from '../words/own-fields.ts'
import { playgroundWords } from '../words/words.ts'
import type { Exchanged, Field, WrittenMessage } from './exchanged.ts'
import { fieldSections, type Section } from './sections.ts'

type Side = 'sent' | 'received'

const shownCharacters = 120

const shortened = (value: string): string =>
  value.length <= shownCharacters ? value : `${value.slice(0, shownCharacters)}…`

/** Names of members, set apart from their values; the text itself stays as it came. */
const withNames = (body: string): readonly Markup[] =>
  body
    .split(/("(?:[^"\\]|\\.)*"(?=:)|(?<=^|&)[\w.-]+(?==))/)
    .map((piece, at) => (at % 2 === 1 ? html`<b>${piece}</b>` : html`${piece}`))

const textOf = ({ start, headers, body }: WrittenMessage): Markup =>
  html`<strong>${start}</strong>
${headers.map(
  ([name, value]) => html`<b>${name}:</b> ${value}
`,
)}${
  body === ''
    ? null
    : html`
${withNames(body)}`
}`

/** Specifications of the OpenID Foundation. */
const openidSpecs: Readonly<Record<string, string>> = {
  OIDC: 'openid-connect-core-1_0',
  'OIDC Registration': 'openid-connect-registration-1_0',
  'OIDC Discovery': 'openid-connect-discovery-1_0',
  'OIDC RP-Initiated Logout': 'openid-connect-rpinitiated-1_0',
  'OIDC Back-Channel Logout': 'openid-connect-backchannel-1_0',
  'OIDC Front-Channel Logout': 'openid-connect-frontchannel-1_0',
}

const sectionUrl = ([document, section]: Section): string => {
  const number = /^RFC (\d+)$/.exec(document)?.[1]
  if (number !== undefined) return `https://www.rfc-editor.org/rfc/rfc${number}#section-${section}`
  const spec = openidSpecs[document]
  if (spec !== undefined) return `https://openid.net/specs/${spec}.html`
  return `https://datatracker.ietf.org/doc/html/${document}#section-${section}`
}

const find = <Value>(known: Readonly<Record<string, Value>>, name: string): Value | null =>
  Object.hasOwn(known, name) ? (known[name] ?? null) : null

/** A header with two meanings. Its value tells which. */
const kindOf = ([name, value]: Field): string =>
  name === 'authorization' && value.startsWith('Bearer ') ? 'bearer' : name

const meaningOf = (
  name: string,
  side: Side,
  language: Language,
): { readonly text: string; readonly section: Section | null } | null => {
  const texts = [fieldWords, openidFieldWords, ownFieldWords].map((words) =>
    find<string>(words[language][side], name),
  )
  const text = texts.find((one) => one !== null)
  return text == null ? null : { text, section: find<Section>(fieldSections[side], name) }
}

const placeOf = (section: Section, language: Language): Markup => {
  const [document, part] = section
  const place = playgroundWords[language].section({ document, section: part })
  return html` <a class="place" href="${sectionUrl(section)}" rel="noopener noreferrer">${place}</a>`
}

const fieldOf = (field: Field, side: Side, language: Language): Markup => {
  const [name, value] = field
  const meaning = meaningOf(kindOf(field), side, language)
  if (meaning === null) {
    return html`<div><dt><code>${name}</code></dt><dd><code>${shortened(value)}</code></dd></div>`
  }
  const place = meaning.section === null ? null : placeOf(meaning.section, language)
  return html`<div><dt><code>${name}</code></dt><dd><code>${shortened(value)}</code><br>${meaning.text}${place}</dd></div>
`
}

const fieldsOf = (
  { fields }: WrittenMessage,
  side: Side,
  open: boolean,
  language: Language,
): Markup | null =>
  fields.length === 0
    ? null
    : html`<details class="fields"${open ? html` open` : null}><summary>${playgroundWords[language].fields}</summary>
<dl>${fields.map((one) => fieldOf(one, side, language))}</dl></details>`

const cutOf = ({ cut }: WrittenMessage, language: Language): Markup | null =>
  cut === 0
    ? null
    : html`<p class="quiet">${playgroundWords[language].cut({ characters: cut })}</p>`

const curlOf = (curl: string | null, title: string, language: Language): Markup | null => {
  const words = playgroundWords[language]
  return curl === null
    ? null
    : html`<details class="curl" data-copy="${words.copy}" data-copied="${words.copied}"><summary>${words.command}</summary>
${renderCommand(curl, `${title}: ${words.command}`)}</details>`
}

interface Titled {
  readonly message: WrittenMessage
  readonly side: Side
  readonly title: string
  readonly command: Markup | null
  /** Whether the fields are explained at once, or only to whoever asks. */
  readonly open: boolean
}

const sideOf = ({ message, side, title, command, open }: Titled, language: Language): Markup => {
  const refused = side === 'received' && /^HTTP\/1\.1 [45]/.test(message.start)
  return html`<section class="message ${side}${refused ? ' refused' : ''}">
<h3>${title}</h3>
<pre tabindex="0" role="region" aria-label="${title}">${textOf(message)}</pre>
${cutOf(message, language)}
${command}
${fieldsOf(message, side, open, language)}
</section>`
}

/** A request that is not sent yet. */
export const renderPreview = ({ request, curl }: Exchanged, language: Language): Markup => {
  const title = playgroundWords[language].willBeSent
  const command = curlOf(curl, title, language)
  return sideOf({ message: request, side: 'sent', title, command, open: true }, language)
}

/** @param number its place among several, from 1; null if it is the only one */
export const renderExchanged = (
  { request, response, curl }: Exchanged,
  number: number | null,
  language: Language,
): Markup => {
  const words = playgroundWords[language]
  const titled = (title: string): string => (number === null ? title : `${number}. ${title}`)
  const open = number === null
  const asked = {
    message: request,
    side: 'sent',
    title: titled(words.request),
    command: curlOf(curl, titled(words.request), language),
    open,
  } as const
  return html`${sideOf(asked, language)}
${
  response === null
    ? null
    : sideOf(
        { message: response, side: 'received', title: titled(words.answer), command: null, open },
        language,
      )
}
`
}

/**
 * The browser's request, and the answer that sent it. The fields of the answer are explained. Without
 * an answer, those of the request are.
 */
export const renderBrought = ({ request, sentBy }: Exchanged, language: Language): Markup => {
  const words = playgroundWords[language]
  const side = { side: 'received', command: null, open: true } as const
  if (sentBy === undefined) {
    return sideOf({ ...side, message: request, title: words.request }, language)
  }
  const brings = { ...side, message: request, title: words.thenRequest, open: false }
  return html`${sideOf({ ...side, message: sentBy, title: words.answer }, language)}
${sideOf(brings, language)}`
}
