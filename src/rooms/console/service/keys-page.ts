/** The keys of the service, without anything secret of them. */
import type { KeyUse } from '../../../model/key.ts'
import { type EntryForm, renderAsked } from '../../../paper/entries.ts'
import { hidden } from '../../../paper/fields.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { moment, near } from '../../../paper/time.ts'
import { type ConsolePageGiven, renderConsolePage } from '../frame.ts'
import { consoleServiceWords } from './words.ts'

export interface ShownKey {
  readonly id: string
  readonly use: KeyUse
  readonly algorithm: string
  /** Unix seconds. */
  readonly createdAt: number
  readonly usableFrom: number
  readonly state: 'next' | 'current' | 'old'
}

const renderRow = (key: ShownKey, { view }: ConsolePageGiven): Markup => {
  const words = consoleServiceWords(view.language).keys
  const { state } = key
  const shown = state === 'next' ? words.next({ when: moment(key.usableFrom, view) }) : words[state]
  return html`<tr><th scope="row"><code>${key.id}</code></th><td>${words[key.use]}</td><td class="aside"><code>${key.algorithm}</code></td><td class="aside quiet">${near(key.createdAt, view.at, view)}</td><td>${state === 'current' ? html`<span class="status">${shown}</span>` : shown}</td></tr>
`
}

const formOf = ({ view, csrf }: ConsolePageGiven, fields: Markup): EntryForm => ({
  view,
  csrf,
  path: '/admin/keys',
  fields,
})

const renderRotate = (given: ConsolePageGiven): Markup => {
  const words = consoleServiceWords(given.view.language).keys
  const asked = (action: string, button: string, effect: string): Markup =>
    renderAsked(formOf(given, hidden('action', action)), { button, effect, confirm: words.now })
  return html`<section class="card"><h2>${words.rotate}</h2><div class="stack">
${asked('sealing', words.rotateSealing, words.rotateSealingEffect)}
${asked('signing', words.rotateSigning, words.rotateSigningEffect)}
${asked('end', words.end, words.endEffect)}</div></section>`
}

const renderWithdraw = (given: ConsolePageGiven, keys: readonly ShownKey[]): Markup | null => {
  const words = consoleServiceWords(given.view.language).keys
  const signing = keys.filter(({ use }) => use === 'signing')
  if (signing.length === 0) return null
  const asked = ({ id }: ShownKey): Markup =>
    renderAsked(formOf(given, html`${hidden('action', 'withdraw')}${hidden('key', id)}`), {
      button: words.withdrawKey({ key: id }),
      effect: words.withdrawEffect,
      confirm: words.now,
    })
  return html`<section class="card"><h2>${words.withdraw}</h2><div class="stack">
${signing.map(asked)}</div></section>`
}

export const renderKeys = (
  given: ConsolePageGiven,
  keys: readonly ShownKey[],
  notice: string | null,
): string => {
  const words = consoleServiceWords(given.view.language).keys
  return renderConsolePage(given, {
    part: 'keys',
    heading: words.heading,
    notice,
    main: html`<section class="card flush"><table><caption class="unseen">${words.heading}</caption>
<thead><tr><th scope="col">${words.key}</th><th scope="col">${words.use}</th><th scope="col" class="aside">${words.algorithm}</th><th scope="col" class="aside">${words.created}</th><th scope="col">${words.state}</th></tr></thead>
<tbody>${keys.map((key) => renderRow(key, given))}</tbody></table></section>
<p class="quiet small">${words.published}</p>
${
  given.role === 'operator'
    ? html`${renderRotate(given)}
${renderWithdraw(given, keys)}`
    : null
}`,
  })
}
