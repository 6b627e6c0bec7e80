/** The words for a permission, with the verb in bold: people compare verbs first. */
import type { Language } from '../model/language.ts'
import { defineWords } from './catalog.ts'
import { html, type Markup } from './markup.ts'

/** The verbs of each language, with a line between them. Words without any of them stay plain. */
const verbWords = defineWords('verbs', {
  see: 'See',
  others:
    'Add, change and delete|Change and delete|Add and change|See and change|Place and cancel|Add|Cancel|Change|Create|Delete|Export|Keep|Know|Pay|Place|Print|Read|Refund|Send|Share|Write',
})

interface SplitWords {
  /** What stands before the verb, and what stands behind it. */
  readonly before: string
  readonly verb: string
  readonly behind: string
}

const isWordEnd = (text: string): boolean => !/^[\p{L}\p{N}]/u.test(text)

/** Some languages write no blanks, so there the verb ends anywhere. */
const startsWith = (text: string, verb: string): boolean =>
  text.startsWith(verb) && (!/[a-z]$/i.test(verb) || isWordEnd(text.slice(verb.length)))

const splitAt = (text: string, verbs: string): SplitWords | null => {
  for (const verb of verbs.split('|')) {
    if (startsWith(text, verb)) return { before: '', verb, behind: text.slice(verb.length) }
    if (text.endsWith(` ${verb}`)) return { before: text.slice(0, -verb.length), verb, behind: '' }
  }
  return null
}

export const boldVerb = (text: string, language: Language): Markup => {
  const { see, others } = verbWords(language)
  const found = splitAt(text, others) ?? splitAt(text, see)
  return found === null ? html`${text}` : html`${found.before}<b>${found.verb}</b>${found.behind}`
}

/** Below a heading that says what is seen: the verb is left to a screen reader. */
export const hideSeeing = (text: string, language: Language): Markup => {
  const found = splitAt(text, verbWords(language).see)
  if (found === null) return html`${text}`
  const { before, verb, behind } = found
  const hidden = html`<span class="unseen">${verb} </span>`
  return html`${before === '' ? hidden : null}<span class="object">${before.trim()}${behind.trim()}</span>${before === '' ? null : hidden}`
}
