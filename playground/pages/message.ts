/** HTTP messages on a page: text, command, and an explanation of each field. */
import type { Language } from '../../src/model/language.ts'
import { renderCommand } from '../../src/paper/fields.ts'
import { html, type Markup } from '../../src/paper/markup.ts'
import { playgroundWords } from '../words/words.ts'
import type { Exchanged, PageBlock, WrittenMessage } from './exchanged.ts'
import { type FieldKind, renderField } from './field.ts'

type Side = 'sent' | 'received'

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

const fieldsOf = (
  { fields }: WrittenMessage,
  kind: FieldKind,
  open: boolean,
  language: Language,
): Markup | null =>
  fields.length === 0
    ? null
    : html`<details class="fields"${open ? html` open` : null}><summary>${playgroundWords(language).fields}</summary>
<dl>${fields.map((one) => renderField(one, kind, language))}</dl></details>`

const cutOf = ({ cut }: WrittenMessage, language: Language): Markup | null =>
  cut === 0
    ? null
    : html`<p class="quiet">${playgroundWords(language).cut({ characters: cut })}</p>`

const curlOf = (curl: string | null, title: string, language: Language): Markup | null => {
  const words = playgroundWords(language)
  return curl === null
    ? null
    : html`<details class="curl" data-copy="${words.copy}" data-copied="${words.copied}"><summary>${words.command}</summary>
${renderCommand(curl, `${title}: ${words.command}`)}</details>`
}

interface Titled {
  readonly message: WrittenMessage
  readonly side: Side
  /** The kind of its fields, if its side does not say it. */
  readonly kind?: FieldKind
  readonly title: string
  readonly command: Markup | null
  /** Whether the fields are explained at once, or only to whoever asks. */
  readonly open: boolean
  /** Shown in place of its source, which is folded. */
  readonly page?: readonly PageBlock[] | null
}

/** Text only, so nothing in it can be pressed. Its headings are none of this page. */
const renderPage = (blocks: readonly PageBlock[], title: string): Markup =>
  html`<figure class="shown"><figcaption>${title}</figcaption><div>${blocks.map(
    ({ kind, pieces }) =>
      html`<p class="is-${kind}">${pieces.map((piece, at) => (at % 2 === 1 ? html`<mark>${piece}</mark>` : html`${piece}`))}</p>
`,
  )}</div></figure>`

const sideOf = (titled: Titled, language: Language): Markup => {
  const { message, side, title, command, open, page = null } = titled
  const words = playgroundWords(language)
  const source = html`<pre tabindex="0" role="region" aria-label="${title}">${textOf(message)}</pre>`
  const refused = side === 'received' && /^HTTP\/1\.1 [45]/.test(message.start)
  return html`<section class="message ${side}${refused ? ' refused' : ''}">
<h3>${title}</h3>
${page === null ? source : html`${renderPage(page, words.shown)}<details><summary>${words.source}</summary>${source}</details>`}
${cutOf(message, language)}
${command}
${fieldsOf(message, titled.kind ?? side, open, language)}
</section>`
}

/** Its answer tells claims about an owner. */
const isUserinfo = ({ start }: WrittenMessage): boolean => /\/userinfo /.test(start)

/** A request that is not sent yet. */
export const renderPreview = ({ request, curl }: Exchanged, language: Language): Markup => {
  const title = playgroundWords(language).willBeSent
  const command = curlOf(curl, title, language)
  return sideOf({ message: request, side: 'sent', title, command, open: true }, language)
}

/** @param number its place among several, from 1; null if it is the only one */
export const renderExchanged = (
  { request, response, curl, page = null }: Exchanged,
  number: number | null,
  language: Language,
): Markup => {
  const words = playgroundWords(language)
  const titled = (title: string): string => (number === null ? title : `${number}. ${title}`)
  const open = number === null
  const asked = {
    message: request,
    side: 'sent',
    title: titled(words.request),
    command: curlOf(curl, titled(words.request), language),
    open,
  } as const
  const answered = {
    side: 'received',
    kind: isUserinfo(request) ? 'claims' : 'received',
    title: titled(words.answer),
    command: null,
    open,
    page,
  } as const
  return html`${sideOf(asked, language)}
${response === null ? null : sideOf({ ...answered, message: response }, language)}
`
}

/**
 * The browser's request, and the answer that sent it. The fields of the answer are explained. Without
 * an answer, those of the request are.
 */
export const renderBrought = ({ request, sentBy }: Exchanged, language: Language): Markup => {
  const words = playgroundWords(language)
  const side = { side: 'received', command: null, open: true } as const
  if (sentBy === undefined) {
    return sideOf({ ...side, message: request, title: words.request }, language)
  }
  const brings = { ...side, message: request, title: words.thenRequest, open: false }
  return html`${sideOf({ ...side, message: sentBy, title: words.answer }, language)}
${sideOf(brings, language)}`
}
