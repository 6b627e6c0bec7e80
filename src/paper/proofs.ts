/** What people prove themselves with on a page: a field for a password, and a form for a passkey. */
import { defineWords } from './catalog.ts'
import { type FormField, hide, type PageWithForm, renderField } from './fields.ts'
import { type Content, html, type Markup } from './markup.ts'
import { pageUrl, type View } from './view.ts'

const passwordFieldWords = defineWords('password-field', {
  show: 'Show',
  hide: 'Hide',
  of: ' password',
})

interface PasswordField extends Pick<FormField, 'beside' | 'hint' | 'problem' | 'describedBy'> {
  readonly name: string
  readonly label: Content
  readonly kind: 'current-password' | 'new-password'
  readonly isFocused?: boolean
}

/** With a button to show what was typed. Without the script there is no button. */
export const renderPasswordField = (
  view: View,
  { kind, isFocused = false, ...field }: PasswordField,
): Markup => {
  const words = passwordFieldWords(view.language)
  return renderField({
    ...field,
    input: html`type="password" autocomplete="${kind}" required${isFocused ? html` autofocus` : null}`,
    button: html`<button class="plain" type="button" data-shows="${field.name}" hidden><span>${words.show}</span><span hidden>${words.hide}</span><span class="unseen">${words.of}</span></button>`,
  })
}

/** For pages without another script: theirs shows passwords, too. */
export const renderPasswordScript = ({ base }: View): Markup =>
  html`<script type="module" src="${base}/assets/passwords.js"></script>`

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
  readonly button: Content
  /** Whether it is the way forward of the page. */
  readonly isPrimary?: boolean
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

/** The script of passkeys fills it in. Without the script it stays away, and a sentence says why. */
export const renderPasskeyForm = ({ view, csrf }: PageWithForm, form: PasskeyForm): Markup => {
  const words = passkeyWords(view.language)
  return html`<form method="post" action="${pageUrl(view, form.action)}" hidden data-passkey="${form.kind}" data-options="${JSON.stringify(form.options)}"${form.isOffered ? html` data-offered` : null}>
${hide('csrf', csrf)}${form.fields}
${hide('ceremony', form.ceremony)}
${hide('credential', '')}
<p class="notice problem" role="alert" hidden>${words.failed}</p>
<p class="actions"><button${form.isPrimary ? html` class="primary"` : null} type="submit">${form.button}</button></p>
</form>
<p class="quiet" data-passkey-needs>${words.needs}</p>
<script type="module" src="${view.base}/assets/passkeys.js"></script>`
}
