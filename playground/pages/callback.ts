/** The page at a redirect URI of the demo: the answer of a flow, and the command that goes on from there. */
import { renderCommand } from '../../src/paper/fields.ts'
import { renderLayout } from '../../src/paper/layout.ts'
import { html, type Markup } from '../../src/paper/markup.ts'
import { pageUrl, type View } from '../../src/paper/view.ts'
import { callbackWords } from '../words/callback.ts'
import { playgroundWords } from '../words/words.ts'
import type { Field } from './exchanged.ts'

/** What the query of the address holds. A fragment is seen by the script alone. */
export type Brought =
  /** `exchange` is a command; null where the code is none of this service. */
  | { readonly kind: 'code'; readonly exchange: string | null }
  | { readonly kind: 'error'; readonly error: string; readonly description: string | null }
  | { readonly kind: 'fragment' }

export interface CallbackPage {
  readonly view: View
  readonly issuer: string
  readonly clientName: string
  readonly isPublic: boolean
  readonly fields: readonly Field[]
  readonly brought: Brought
  /** A command that uses `ACCESS_TOKEN`. */
  readonly read: string
}

type CallbackWords = ReturnType<typeof callbackWords>

/** A stranger can write any answer into a link, so a page shows only so much of it. */
const shown = { fields: 20, characters: 300 }

const shortened = (value: string): string =>
  value.length <= shown.characters ? value : `${value.slice(0, shown.characters)}…`

const fieldOf = ([name, value]: Field): Markup =>
  html`<div><dt><code>${shortened(name)}</code></dt><dd><code>${shortened(value)}</code></dd></div>
`

const command = (text: string, label: string, { view }: CallbackPage): Markup => {
  const { copy, copied } = playgroundWords(view.language)
  return html`<div class="curl" data-copy="${copy}" data-copied="${copied}">${renderCommand(text, label)}</div>`
}

const codeText = (page: CallbackPage, exchange: string | null, words: CallbackWords): Markup =>
  exchange === null
    ? html`<h1>${words.otherCode}</h1>
<p>${words.otherCodeText}</p>`
    : html`<h1>${words.code({ name: page.clientName })}</h1>
<p>${words.codeText}</p>
${command(exchange, words.exchange, page)}
${page.isPublic ? html`<p class="quiet">${words.verifier}</p>` : null}
<p>${words.afterwards}</p>
${command(page.read, words.read, page)}`

const errorText = (heading: string, description: string | null, words: CallbackWords): Markup =>
  html`<h1>${heading}</h1>
<p data-description>${description === null ? words.noDescription : shortened(description)}</p>`

/** All that a fragment may turn out to be; the script shows one of them. */
const fragmentText = (page: CallbackPage, words: CallbackWords): Markup =>
  html`<section data-answer="none"><h1>${words.none({ name: page.clientName })}</h1>
<p>${words.noneText}</p>
<noscript><p class="notice warning">${words.noScript} <a href="${pageUrl(page.view, '/playground/implicit', { step: 'arrive-fragment' })}">${words.paste}</a> <a href="${pageUrl(page.view, '/playground/hybrid', { step: 'arrive-hybrid' })}">${words.hybrid}</a></p></noscript></section>
<section data-answer="token" hidden><h1>${words.token({ name: page.clientName })}</h1>
<p>${words.tokenText}</p>
${command(page.read, words.read, page)}</section>
<section data-answer="error" hidden>${errorText(words.error, null, words)}</section>
<section data-answer="other" hidden><h1>${words.other}</h1></section>`

const textOf = (page: CallbackPage, words: CallbackWords): Markup => {
  const { brought } = page
  switch (brought.kind) {
    case 'code':
      return codeText(page, brought.exchange, words)
    case 'error':
      return errorText(words.error, brought.description, words)
    case 'fragment':
      return html`<div data-fragment-answer="${page.issuer}/playground" data-flows="implicit hybrid">${fragmentText(page, words)}</div>`
  }
}

export const renderCallback = (page: CallbackPage): string => {
  const { view, fields } = page
  const words = callbackWords(view.language)
  const list = fields.slice(0, shown.fields).map(fieldOf)
  return renderLayout({
    view,
    title: words.title,
    width: 'wide',
    main: html`${textOf(page, words)}
<section class="fields" data-answer-fields${fields.length === 0 ? html` hidden` : null}><h2>${words.fields}</h2>
<dl>${list}</dl></section>
<p class="quiet">${words.demo} <a href="${pageUrl(view, '/account')}">${words.account}</a> · <a href="${pageUrl(view, '/playground')}">${words.playground}</a></p>
<script type="module" src="${view.base}/assets/playground.js"></script>`,
  })
}
