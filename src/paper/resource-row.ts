/** One resource on a page: its actions as cells, with bold verbs, and with marks. */
import type { Language } from '../model/language.ts'
import { type Harm, harmKinds, type Resource } from '../model/resource.ts'
import { defineWords } from './catalog.ts'
import { icons } from './icon.ts'
import { html, type Markup } from './markup.ts'
import { phrases } from './words/phrases.ts'

/** One resource with its cells; null where there is nothing to show. */
export interface ResourceRow<Cell> {
  /** The name in scopes, such as `photos`. */
  readonly resource: string
  /** What people call it, such as `Photos`. */
  readonly title: string
  /** Said below the title, such as how many items there are. */
  readonly note?: string | null
  readonly read: Cell | null
  readonly write: Cell | null
  readonly further?: readonly Cell[]
}

export const getCells = <Cell>({ read, write, further = [] }: ResourceRow<Cell>): readonly Cell[] =>
  [read, write, ...further].filter((cell) => cell !== null)

/** Null for an action without a mark. */
export const findHarm = (
  { destructive }: Pick<Resource, 'destructive'>,
  action: string,
): Harm | null =>
  harmKinds.find((kind) => destructive.includes(`${action}:${kind}`)) ??
  (destructive.includes(action) ? 'other' : null)

const harmIcons = { delete: 'trash', spend: 'coin', other: 'warning' } as const

/** Where somebody decides about it. */
export const renderHarm = (harm: Harm, language: Language): Markup =>
  html`<strong class="tag bad">${icons[harmIcons[harm]]}${phrases(language).harm[harm]}</strong>`

/** The verbs of each language, with a line between them. Words without any of them stay plain. */
const verbWords = defineWords('verbs', {
  see: 'See',
  others:
    'Add, change and delete|Change and delete|Add and change|See and change|Place and cancel|Add|Cancel|Change|Create|Delete|Export|Keep|Know|Pay|Place|Print|Read|Refund|Send|Share|Write',
})

/** The words for a permission, with their verb in bold: people compare verbs first. */
export const renderVerb = (text: string, language: Language): Markup => {
  const { see, others } = verbWords(language)
  const verbs = [...others.split('|'), see]
  // Some languages write no blanks, so there a verb ends anywhere.
  const first = verbs.find(
    (verb) =>
      text.startsWith(verb) && !(/[a-z]$/i.test(verb) && /^\p{L}/u.test(text.slice(verb.length))),
  )
  if (first !== undefined) return html`<b>${first}</b>${text.slice(first.length)}`
  const last = verbs.find((verb) => text.endsWith(` ${verb}`))
  return last === undefined ? html`${text}` : html`${text.slice(0, -last.length)}<b>${last}</b>`
}

/** Below a heading with the verb, the verb is left to screen readers. */
export const hideSeeing = (text: string, language: Language): Markup => {
  const { see } = verbWords(language)
  const hidden = html`<span class="unseen">${see}</span>`
  if (text.startsWith(see)) {
    return html`${hidden} <span class="object">${text.slice(see.length).trim()}</span>`
  }
  return text.endsWith(` ${see}`)
    ? html`<span class="object">${text.slice(0, -see.length).trim()}</span> ${hidden}`
    : html`${text}`
}
