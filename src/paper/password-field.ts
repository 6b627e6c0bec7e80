/** A password field with a button to show what was typed. Without the script there is no button. */
import { defineWords } from './catalog.ts'
import { type FormField, renderField } from './fields.ts'
import { type Content, html, type Markup } from './markup.ts'
import type { View } from './view.ts'

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
export const passwordScript = ({ base }: View): Markup =>
  html`<script type="module" src="${base}/assets/passwords.js"></script>`
