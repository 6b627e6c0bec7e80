/** The group "About you" of the consent page: claims with their values, as the application would read them. */
import type { Language } from '../../../model/language.ts'
import { normalizeLine } from '../../../model/plain/line.ts'
import { isStandardWord } from '../../../model/scope-word.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { formatList } from '../../../paper/time.ts'
import { aboutWords } from '../../../paper/words/about.ts'
import type { AboutCell, AskedPermissions } from './cells.ts'
import { consentWords } from './words.ts'

/** So many claims are seen at once, and of each word at least two. */
const seenClaims = 6
const seenOfWord = 2

type ShownClaims = NonNullable<AboutCell['values']>

const renderTold = (values: ShownClaims): Markup =>
  html`<span class="told">${values.map(({ label, value }) => html`<span>${label}</span> <bdi>${normalizeLine(value)}</bdi> `)}</span>`

/** How many claims of a word stand outside its fold. */
const countSeen = (values: ShownClaims, about: AskedPermissions['about']): number => {
  const all = about.reduce((sum, { cell }) => sum + Math.max(1, cell.values?.length ?? 1), 0)
  if (all <= seenClaims) return values.length
  return Math.max(seenOfWord, seenClaims - (all - values.length))
}

/**
 * What stands beside the box of a word, and the fold below the box.
 *
 * @param about all words of the group
 */
export const renderAbout = (
  { word, title, cell }: AskedPermissions['about'][number],
  about: AskedPermissions['about'],
  language: Language,
): { readonly told: Markup; readonly fold: Markup | null } => {
  const { values, text } = cell
  if (values === null) return { told: html`${text}`, fold: null }
  if (values.length === 0) {
    const { nothingStored } = aboutWords(language)
    return { told: renderTold([{ label: title, value: nothingStored }]), fold: null }
  }
  const seen = countSeen(values, about)
  const folded = values.slice(seen)
  // What a word of the operator's means, its claims alone may not say.
  const heading = values.length === 1 ? null : title
  const said = isStandardWord(word) ? heading : text
  const head = said && html`<b>${said}</b>`
  const told = html`${head}${renderTold(values.slice(0, seen))}`
  if (folded.length === 0) return { told, fold: null }
  const things = formatList(
    folded.map(({ label }) => label.toLocaleLowerCase(language.dates)),
    language,
  )
  const summary = consentWords(language).fold({ count: folded.length, things })
  return {
    told,
    fold: html`<details class="fold"><summary>${summary}</summary>${renderTold(folded)}</details>`,
  }
}
