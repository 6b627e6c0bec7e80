/** The error page, for what must not be told to a client by redirect (RFC 6749 section 4.1.2.1). */
import type { Explanation } from '../protocol/refusal.ts'
import { differenceOf, marked, nearest } from './difference.ts'
import { renderLayout } from './layout.ts'
import { html, type Markup } from './markup.ts'

/** Who has to act. */
export type Actor = 'owner' | 'developer' | 'operator'

export interface ErrorPage {
  readonly base?: string
  readonly title: string
  /** One plain sentence that holds nothing of what was sent. */
  readonly message: string
  readonly who: Actor
  /** The request id, as in the log. */
  readonly reference: string
  /** Only for developers on their own machine: it tells what is registered. */
  readonly details?: Explanation | null
}

const whoActs: Readonly<Record<Actor, string>> = {
  owner: 'You can put this right yourself.',
  developer:
    'You have done nothing wrong. The people who make the application that sent you here have to put this right.',
  operator: 'You have done nothing wrong. Whoever runs this service has to put this right.',
}

/** Text only, nothing to click: what came in may be an attacker's address. */
const explained = ({ received, expected, remedy }: Explanation): Markup => {
  const closest = nearest(received, expected)
  const [ours, theirs] = differenceOf(received, closest)
  return html`<h2>For the developer</h2>
<dl class="compared">
<div><dt>Received</dt><dd>${marked(ours)}</dd></div>
<div><dt>Expected</dt><dd>${marked(theirs)}</dd></div>
${expected
  .filter((candidate) => candidate !== closest)
  .map((candidate) => html`<div><dt>or</dt><dd><code>${candidate}</code></dd></div>`)}
</dl>
<p>${remedy}</p>`
}

export const renderError = (page: ErrorPage): string =>
  renderLayout({
    title: page.title,
    base: page.base,
    width: page.details ? 'wide' : 'narrow',
    main: html`<h1>${page.title}</h1>
<p>${page.message}</p>
<p>${whoActs[page.who]}</p>
${page.details ? explained(page.details) : null}
<p class="quiet">Reference: <code>${page.reference}</code></p>`,
  })
