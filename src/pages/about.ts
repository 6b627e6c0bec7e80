/** The rows under "About you": what an application may know of its owner, by the words of a scope. */
import type { Language } from '../model/language.ts'
import type { ScopeWord } from '../model/scope-word.ts'
import { html, type Markup } from './markup.ts'
import { plainLine } from './plain-text.ts'
import { aboutWords } from './words/about.ts'

/** One word, shown as one row. */
export interface AboutRow<Cell> {
  readonly word: ScopeWord
  readonly cell: Cell
}

/** Nothing where there is no row. */
export const renderAbout = <Cell>(
  rows: readonly AboutRow<Cell>[],
  render: (cell: Cell) => Markup,
  language: Language,
): Markup | null =>
  rows.length === 0
    ? null
    : html`<fieldset class="about"><legend>${aboutWords[language].heading}</legend>
${rows.map(
  ({ cell }) => html`${render(cell)}
`,
)}</fieldset>`

/** The values that an application would see. */
export const renderValues = (values: readonly string[], language: Language): Markup => {
  const told = values.map(plainLine).join(', ')
  return html`<br><span class="quiet">${told === '' ? aboutWords[language].nothingStored : html`<bdi>${told}</bdi>`}</span>`
}
