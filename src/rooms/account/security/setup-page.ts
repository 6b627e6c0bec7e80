/** The pages that show a secret once: of one-time codes, and recovery codes. */

import { encode } from 'uqr'
import { alert, hidden } from '../../../paper/fields.ts'
import { renderLayout, renderTitled } from '../../../paper/layout.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { pageUrl, type View } from '../../../paper/view.ts'
import { securityWords } from './words.ts'

/**
 * A QR code, drawn dark on light in either colour scheme: cameras take no other.
 *
 * @param title its text alternative
 */
const renderQr = (text: string, title: string): Markup => {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" width="208" height="208" role="img" aria-label="${title}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${squares.join('')}"/></svg>`
}

interface Setup {
  readonly view: View
  readonly csrf: string
  /** The sealed content of the page; it is stored nowhere until it is confirmed. */
  readonly ceremony: string
}

export interface CodesPage extends Setup {
  /** As people type it. */
  readonly secret: string
  /** As applications take it: `otpauth://...`. */
  readonly uri: string
  readonly problem: 'setupWrong' | 'setupLate' | null
}

export interface RecoveryCodesPage extends Setup {
  readonly codes: readonly string[]
  /** Whether there are codes that end with these. */
  readonly replaces: boolean
  readonly problem: 'recoveryLate' | null
}

const cancel = (view: View): Markup =>
  html`<p><a href="${pageUrl(view, '/account/security')}">${securityWords(view.language).cancel}</a></p>`

export const renderCodesSetup = (page: CodesPage): string => {
  const { view } = page
  const words = securityWords(view.language)
  const secret = html`<code>${page.secret}</code>`
  const link = html`<a href="${page.uri}">${words.setupOpen}</a>`
  return renderTitled(
    view,
    words.setupHeading,
    html`${alert(page.problem && words[page.problem])}
<p>${words.setupScan}</p>
<p>${renderQr(page.uri, words.setupPicture)}</p>
<p>${words.setupType({ secret })}</p>
<p>${words.setupLink({ link })}</p>
<form method="post" action="${pageUrl(view, '/account/security/codes')}">
${hidden('csrf', page.csrf)}
${hidden('ceremony', page.ceremony)}
<label class="field"><span>${words.setupCode}</span>
<input type="text" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="20" required></label>
<p class="actions"><button class="primary" type="submit">${words.setupSubmit}</button></p>
</form>
${cancel(view)}`,
  )
}

/** Ways to keep the codes. They need the script. */
const acts = ['copy', 'print', 'save'] as const

export const renderRecoveryCodes = (page: RecoveryCodesPage): string => {
  const { view } = page
  const words = securityWords(view.language)
  return renderLayout({
    view,
    title: words.recoveryHeading,
    isReceipt: true,
    main: html`<h1>${words.recoveryHeading}</h1>
${alert(page.problem && words[page.problem])}
<p>${words.recoveryShown}</p>
<ol class="codes" data-recovery="${words.recoveryFile}.txt">${page.codes.map((code) => html`<li><code>${code}</code></li>`)}</ol>
<p class="actions off-paper">${acts.map((act) => html`<button type="button" data-act="${act}" hidden>${words.recoveryActs[act]}</button>`)}<span class="quiet" role="status" data-said hidden>${words.recoveryCopied}</span></p>
${page.replaces ? html`<p>${words.recoveryOld}</p>` : null}
<form method="post" action="${pageUrl(view, '/account/security/recovery')}">
${hidden('csrf', page.csrf)}
${hidden('ceremony', page.ceremony)}
<p class="actions"><button class="primary" type="submit">${words.recoveryKeep}</button></p>
</form>
${cancel(view)}
<script type="module" src="${view.base}/assets/recovery.js"></script>`,
  })
}
