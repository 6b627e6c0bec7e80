/** The table of consent: one line per resource, one column for reading, one for writing. */
import type { Language } from '../model/language.ts'
import { html, type Markup } from './markup.ts'
import { phrases } from './words/phrases.ts'

/** One resource with its two cells; null where there is nothing to show. */
export interface ResourceRow<Cell> {
  /** The name in scopes, such as `photos`. */
  readonly resource: string
  /** What people call it, such as `Photos`. */
  readonly title: string
  /** Said below the title, such as how many items there are. */
  readonly note?: string | null
  readonly read: Cell | null
  readonly write: Cell | null
}

/**
 * The roles repeat the elements. On narrow screens the stylesheet shows the rows as blocks, and
 * some browsers then drop the table from the accessibility tree.
 */
export const renderPermissionTable = <Cell>(
  caption: Markup,
  rows: readonly ResourceRow<Cell>[],
  cell: (of: Cell) => Markup,
  absent: Markup,
  language: Language,
): Markup => {
  const { what, read, write } = phrases[language].table
  const column = (of: Cell | null, name: string): Markup =>
    html`<td role="cell" data-column="${name}">${of === null ? absent : cell(of)}</td>`
  return html`<table role="table" class="permissions">
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${what}</th><th role="columnheader" scope="col">${read}</th><th role="columnheader" scope="col">${write}</th></tr></thead>
<tbody role="rowgroup">
${rows.map(
  (
    row,
  ) => html`<tr role="row"><th role="rowheader" scope="row">${row.title}${row.note ? html` <span class="quiet">${row.note}</span>` : null}</th>
${column(row.read, read)}
${column(row.write, write)}</tr>
`,
)}</tbody>
</table>`
}
