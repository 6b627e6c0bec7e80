/** One member of a client or resource as a field of a form, with the words of the admin API. */

import { type Content, html, type Markup } from '../../paper/markup.ts'
import type { MemberKind } from '../../protocol/members.ts'

export interface MemberField {
  readonly name: string
  readonly kind: MemberKind
  readonly value: string
  /** English, as the admin API says it. */
  readonly problem: string | null
  readonly hint: Content
}

const rowsOf = (text: string): number => Math.min(8, Math.max(2, text.split('\n').length + 1))

export const renderMemberField = ({ name, kind, value, problem, hint }: MemberField): Markup => {
  const ids = `${name}-hint${problem === null ? '' : ` ${name}-problem`}`
  const about = html` aria-describedby="${ids}"${problem === null ? null : html` aria-invalid="true"`}`
  const wrong =
    problem === null
      ? null
      : html`<span class="hint bad" id="${name}-problem" lang="en" dir="ltr">${problem}</span>`
  const below = html`${wrong}<span class="hint" id="${name}-hint">${hint}</span>`
  const label = html`<span><code>${name}</code></span>`
  if (kind === 'flag') {
    return html`<div class="field"><label class="tick"><input type="checkbox" name="${name}" value="1"${value === '1' ? html` checked` : null}${about}>${label}</label>${below}</div>`
  }
  const input =
    kind === 'lines' || kind === 'json'
      ? html`<textarea name="${name}" rows="${rowsOf(value)}" spellcheck="false"${about}>${value}</textarea>`
      : html`<input type="text" name="${name}" value="${value}" autocomplete="off" autocapitalize="none" spellcheck="false"${about}>`
  return html`<label class="field">${label}${input}${below}</label>
`
}
