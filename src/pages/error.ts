/** The error page, for what must not be told to a client by redirect (RFC 6749 section 4.1.2.1). */
import type { Language } from '../model/language.ts'
import type { Explanation } from '../protocol/refusal.ts'
import { differenceOf, marked, nearest } from './difference.ts'
import { renderLayout } from './layout.ts'
import { html, type Markup } from './markup.ts'
import type { View } from './view.ts'
import { errorWords } from './words/error.ts'

/** Who has to act. */
type Actor = 'owner' | 'developer' | 'operator'

export interface ErrorPage {
  readonly view: View
  readonly title: keyof (typeof errorWords)[Language]['titles']
  /** One plain sentence, in English, that holds nothing of what was sent. */
  readonly message: string
  readonly who: Actor
  /** What to do about it. */
  readonly advice: keyof (typeof errorWords)[Language]['advice']
  /** The request id, as in the log. */
  readonly reference: string
  /** Only for developers on their own machine: it tells what is registered. */
  readonly details?: Explanation | null
}

/** What the protocol says is in English on every page (RFC 6749 section 5.2: ASCII). */
const inEnglish = (sentence: string, language: Language): Markup =>
  language === 'en' ? html`<p>${sentence}</p>` : html`<p lang="en">${sentence}</p>`

/** Text only, nothing to click: what came in may be an attacker's address. */
const explained = ({ received, expected, remedy }: Explanation, language: Language): Markup => {
  const words = errorWords[language]
  const closest = nearest(received, expected)
  const [ours, theirs] = differenceOf(received, closest)
  return html`<h2>${words.forDeveloper}</h2>
<dl class="compared">
<div><dt>${words.received}</dt><dd>${marked(ours)}</dd></div>
<div><dt>${words.expected}</dt><dd>${marked(theirs)}</dd></div>
${expected
  .filter((candidate) => candidate !== closest)
  .map((candidate) => html`<div><dt>${words.or}</dt><dd><code>${candidate}</code></dd></div>`)}
</dl>
${inEnglish(remedy, language)}`
}

export const renderError = (page: ErrorPage): string => {
  const { view } = page
  const words = errorWords[view.language]
  const title = words.titles[page.title]
  return renderLayout({
    view,
    title,
    width: page.details ? 'wide' : 'narrow',
    main: html`<h1>${title}</h1>
${inEnglish(page.message, view.language)}
<p>${words.whoActs[page.who]}</p>
<p>${words.advice[page.advice]}</p>
${page.details ? explained(page.details, view.language) : null}
<p class="quiet">${words.reference} <code>${page.reference}</code></p>`,
  })
}
