/** A JWT on a page: its members, and the checks of the client. */
import type { Language } from '../../src/model/language.ts'
import { html, type Markup } from '../../src/paper/markup.ts'
import { checkWords } from '../words/checks.ts'
import { playgroundWords } from '../words/words.ts'
import type { Check, Field, Inspected } from './exchanged.ts'
import { renderField } from './field.ts'

const checkOf = ({ name, holds }: Check, language: Language): Markup => {
  const words = playgroundWords(language)
  return html`<li class="${holds ? 'holds' : 'fails'}"><strong>${holds ? words.holds : words.fails}</strong> <code>${name.replace('no_', '')}</code> ${checkWords(language)[name]}</li>
`
}

const members = (title: string, fields: readonly Field[], language: Language): Markup | null =>
  fields.length === 0
    ? null
    : html`<section class="message fields"><h3>${title}</h3>
<dl>${fields.map((field) => renderField(field, 'claims', language))}</dl></section>`

export const renderInspected = (
  { header, claims, checks }: Inspected,
  language: Language,
): Markup => {
  const words = playgroundWords(language)
  return html`<section class="message checks"><h3>${words.checks}</h3>
<ul>
${checks.map((check) => checkOf(check, language))}</ul></section>
${members(words.header, header, language)}
${members(words.claims, claims, language)}`
}
