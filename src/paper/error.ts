/** The error page, for what must not be told to a client by redirect (RFC 6749 section 4.1.2.1). */
import type { Language } from '../model/language.ts'
import { spellOut } from '../model/plain/line.ts'
import { getRedirectHost } from '../model/requester.ts'
import type { Command, Expected, Explanation, Remedy } from '../protocol/explanation.ts'
import { renderComparison, renderTerms } from './difference.ts'
import { hide, renderCommand } from './fields.ts'
import type { IconName } from './icon.ts'
import { renderLayout } from './layout.ts'
import { html, type Markup } from './markup.ts'
import { renderEvent } from './tile.ts'
import { pageUrl, type View } from './view.ts'
import { errorWords, mistakeWords } from './words/error.ts'

type ErrorWords = ReturnType<typeof errorWords>

type Responsible = 'owner' | 'developer' | 'operator'

export interface ErrorPage {
  readonly view: View
  readonly title: keyof ErrorWords['titles']
  /** What happened, on our own pages or to a request of an application. */
  readonly happened: keyof ErrorWords['happened'] | keyof ErrorWords['asked']
  readonly who: Responsible
  readonly advice: keyof ErrorWords['advice']
  /** The answer to the application: it goes there if the owner wants that. */
  readonly onward?: Onward | null
  /** In how many seconds to try again; null where nobody knows. */
  readonly waitSeconds?: number | null
  /** Only in the demo and for the operator: it tells what is registered. */
  readonly details?: ErrorDetails | null
}

/** A form with fields is posted. */
export interface Onward {
  readonly to: string
  readonly fields: Readonly<Record<string, string>> | null
}

interface ErrorDetails extends Explanation {
  /** Gets the access token that a command of the operator's needs. */
  readonly tokenCommand: string
}

const quote = (text: string): Markup => html`<code>${spellOut(text)}</code>`

/** What cannot be listed, in words. */
const sayKind = (expected: Exclude<Expected, { is: 'oneOf' }>, language: Language): string => {
  const words = mistakeWords(language).expected
  return expected.is === 'once' ? words.once(expected) : words[expected.is]
}

const renderFacts = ({ received, expected, fault }: Explanation, language: Language): Markup => {
  const words = errorWords(language)
  const [first, ...more] = received
  if (expected.is === 'oneOf' && first !== undefined && more.length === 0) {
    return renderComparison(first, expected.values, words)
  }
  const came = first === undefined ? [html`${words.nothing}`] : received.map(quote)
  const wanted =
    expected.is === 'oneOf' ? expected.values.map(quote) : [html`${sayKind(expected, language)}`]
  return html`${renderTerms(words.received, came, words.and)}${renderTerms(words.fault, fault === undefined ? [] : [quote(fault)], words.or)}${renderTerms(words.expected, wanted, words.or)}`
}

const sayRemedy = (remedy: Remedy, language: Language): string => {
  const { remedies, faults } = mistakeWords(language)
  switch (remedy.say) {
    case 'sendOnce':
      return remedies.sendOnce(remedy)
    case 'cannotRegister':
      return remedies.cannotRegister({ fault: faults[remedy.fault] })
    default:
      return remedies[remedy.say]
  }
}

const renderPasted = (command: Command, tokenCommand: string, words: ErrorWords): Markup =>
  html`${renderCommand(command.text, words.command)}
${
  command.asOperator
    ? html`<p>${words.asOperator({ variable: html`<code>ADMIN_TOKEN</code>` })}</p>
${renderCommand(tokenCommand, words.tokenCommand)}`
    : null
}`

/** Text only, nothing to click: what came in may be an attacker's address. */
const renderDetails = (details: ErrorDetails, language: Language): Markup => {
  const words = errorWords(language)
  return html`<details class="about after"><summary>${words.details}</summary>
<dl class="compared">
${renderFacts(details, language)}</dl>
${details.remedies.map(
  (remedy) => html`<p>${sayRemedy(remedy, language)}</p>
`,
)}${details.command === null ? null : renderPasted(details.command, details.tokenCommand, words)}
</details>`
}

/** The link names the host, so people know where it leads. */
const renderOnward = ({ to, fields }: Onward, words: ErrorWords): Markup => {
  const label = words.goOn({ host: html`<bdi>${getRedirectHost(to)}</bdi>` })
  if (fields === null)
    return html`<p class="actions"><a class="button" href="${to}">${label}</a></p>`
  return html`<form method="post" action="${to}">
${Object.entries(fields).map(([name, value]) => hide(name, value))}
<p class="actions"><button type="submit">${label}</button></p>
</form>`
}

/** The heading. The heading names whose mistake a bad request is. */
const getTitle = ({ view, title, who }: ErrorPage): string => {
  const words = errorWords(view.language)
  return title === 'cannotFollow' ? words.mistakeOf[who] : words.titles[title]
}

const getAdvice = ({ view, advice, waitSeconds = null }: ErrorPage): string => {
  const words = errorWords(view.language)
  return advice === 'wait' && waitSeconds !== null
    ? words.waitFor({ minutes: Math.ceil(waitSeconds / 60) })
    : words.advice[advice]
}

const icons: Readonly<Record<Responsible, IconName>> = {
  owner: 'question',
  developer: 'link',
  operator: 'warning',
}

const pickIcon = ({ title, who }: ErrorPage): IconName => {
  if (title === 'foreign_journey' || title === 'journey_too_old') return 'clock'
  return title === 'access_denied' || title === 'operator_role_needed' ? 'lock' : icons[who]
}

export const renderError = (page: ErrorPage): string => {
  const { view, who, onward = null } = page
  const words = errorWords(view.language)
  const title = getTitle(page)
  const happened = { ...words.happened, ...words.asked }[page.happened]
  const account = html`<p class="actions"><a class="button" href="${pageUrl(view, '/account')}">${words.accountPage}</a></p>`
  return renderLayout({
    view,
    title,
    width: page.details ? 'middle' : 'narrow',
    main: html`${renderEvent(pickIcon(page))}
<h1>${title}</h1>
<p class="cause">${happened}</p>
<p class="quiet">${who === 'owner' ? null : html`${words.whoActs[who]} `}${getAdvice(page)}</p>
${who === 'owner' ? account : null}
${onward === null ? null : renderOnward(onward, words)}
${page.details ? renderDetails(page.details, view.language) : null}
<p class="quiet small">${words.reference} <code>${view.requestId}</code></p>`,
  })
}

/** A page has it once: text from elsewhere is escaped. */
const mainEnd = '</main>'

/**
 * A page that shows a form again because of a refusal, with the reference at its end. The error page has
 * a line of its own.
 */
export const addReference = (page: string, { requestId, language }: View): string => {
  const { reference } = errorWords(language)
  const line = html`<p class="quiet small reference">${reference} <code>${requestId}</code></p>`
  return page.replace(mainEnd, () => `${line}\n${mainEnd}`)
}
