/** A form that the script of passkeys fills in. Without the script it stays away, and a sentence says why. */
import { defineWords } from './catalog.ts'
import { hidden } from './fields.ts'
import { html, type Markup } from './markup.ts'
import { pageUrl, type View } from './view.ts'

const passkeyWords = defineWords('passkeys', {
  needs: 'A passkey can be used where JavaScript is on and the browser knows passkeys.',
  failed: 'That did not work, or it was cancelled. You can try again.',
})

export interface PasskeyForm {
  readonly kind: 'create' | 'get'
  /** Below the base of the service. */
  readonly action: string
  /** Further fields, seen and unseen. */
  readonly fields: Markup
  readonly ceremony: string
  /** What the browser is asked for, bytes as base64url. */
  readonly options: object
  readonly button: string
  /** Whether the browser offers passkeys in the field for the username, too (conditional mediation). */
  readonly isOffered?: boolean
}

/** The URL for passkeys, if it is another one: the link shows its host alone. */
export const renderElsewhere = (
  url: string | null | undefined,
  said: (given: { link: Markup }) => Markup,
): Markup | null =>
  url
    ? html`<p class="quiet">${said({ link: html`<a href="${url}">${new URL(url).origin}</a>` })}</p>`
    : null

export const renderPasskeyForm = (view: View, form: PasskeyForm): Markup => {
  const words = passkeyWords(view.language)
  return html`<form method="post" action="${pageUrl(view, form.action)}" hidden data-passkey="${form.kind}" data-options="${JSON.stringify(form.options)}"${form.isOffered ? html` data-offered` : null}>
${form.fields}
${hidden('ceremony', form.ceremony)}
${hidden('credential', '')}
<p class="notice problem" role="alert" hidden>${words.failed}</p>
<p class="actions"><button type="submit">${form.button}</button></p>
</form>
<p class="quiet" data-passkey-needs>${words.needs}</p>
<script type="module" src="${view.base}/assets/passkeys.js"></script>`
}
