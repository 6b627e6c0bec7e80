/** The test of a redirect URI: its form, and its result. */
import type { Client } from '../../../model/client.ts'
import { hidden } from '../../../paper/fields.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { pageUrl } from '../../../paper/view.ts'
import type { RedirectTest } from '../../../requests/redirect-difference.ts'
import { redirectUriFaults } from '../../../requests/redirect-uri.ts'
import type { ConsolePageGiven } from '../frame.ts'
import { clientPath } from './clients-page.ts'
import { consoleClientsWords } from './words.ts'

/** The text, with a mark from the first character that differs. */
const renderMarked = (text: string, alike: number): Markup =>
  html`<code>${text.slice(0, alike)}<mark>${text.slice(alike)}</mark></code>`

const renderDifference = (
  { received, nearest, alike, fault }: Extract<RedirectTest, { is: 'differs' }>,
  words: ReturnType<typeof consoleClientsWords>,
): Markup =>
  html`<div class="notice problem" role="status"><div>${
    nearest === null
      ? html`<p>${words.noUris}</p>`
      : html`<p>${words.differs({ at: alike + 1 })}</p>
<dl class="facts"><div><dt>${words.expected}</dt><dd>${renderMarked(nearest, alike)}</dd></div>
<div><dt>${words.received}</dt><dd>${renderMarked(received, alike)}</dd></div></dl>`
  }${fault === null ? null : html`<p>${words.cannotRegister({ fault: redirectUriFaults[fault] })}</p>`}</div></div>`

const renderResult = (
  result: RedirectTest,
  words: ReturnType<typeof consoleClientsWords>,
): Markup => {
  const say = (text: Markup | string): Markup => html`<p class="notice" role="status">${text}</p>`
  switch (result.is) {
    case 'match': {
      const uri = html`<code>${result.registered}</code>`
      return say(result.rule === 'exact' ? words.match({ uri }) : words.loopback({ uri }))
    }
    case 'only one':
      return say(words.onlyOne({ uri: html`<code>${result.registered}</code>` }))
    case 'missing':
      return html`<p class="notice problem" role="status">${words.missing}</p>`
    case 'other client':
      return html`<p class="notice problem" role="status">${words.otherClient({ id: html`<code>${result.clientId}</code>` })}</p>`
    case 'differs':
      return renderDifference(result, words)
  }
}

export const renderRedirectTest = (
  { view, csrf }: ConsolePageGiven,
  { id }: Client,
  test: { readonly text: string; readonly result: RedirectTest } | null,
): Markup => {
  const words = consoleClientsWords(view.language)
  return html`<form method="post" action="${pageUrl(view, clientPath(id, '/test'))}">${hidden('csrf', csrf)}
<label class="field"><span>${words.testUri}</span><input type="text" name="uri" value="${test?.text ?? ''}" maxlength="16384" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="uri-hint">
<span class="hint" id="uri-hint">${words.testHint}</span></label>
${test === null ? null : renderResult(test.result, words)}
<p><button type="submit">${words.test}</button></p></form>`
}
