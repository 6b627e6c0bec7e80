/** The table of consent: a line per resource, with columns for reading, writing and further actions. */
import type { Language } from '../model/language.ts'
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
  /** Further actions; absent where there are none. */
  readonly further?: readonly Cell[]
}

/** All cells of a row. */
export const cellsOf = <Cell>({ read, write, further = [] }: ResourceRow<Cell>): readonly Cell[] =>
  [read, write, ...further].filter((cell) => cell !== null)

/** Said beside an action that pages mark, since it cannot be undone or costs money. */
export const renderDestructive = (
  { isDestructive }: { readonly isDestructive?: boolean },
  language: Language,
): Markup | null =>
  isDestructive ? html` <strong class="tag">${phrases[language].destructive}</strong>` : null

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
  const { what, read, write, further } = phrases[language].table
  const hasFurther = rows.some((row) => (row.further ?? []).length > 0)
  const column = (of: Cell | null, name: string): Markup =>
    html`<td role="cell" data-column="${name}">${of === null ? absent : cell(of)}</td>`
  const furtherColumn = ({ further: cells = [] }: ResourceRow<Cell>): Markup | null =>
    hasFurther
      ? html`
<td role="cell" data-column="${further}">${cells.length === 0 ? html`<span class="quiet">${phrases[language].none}</span>` : cells.map(cell)}</td>`
      : null
  return html`<table role="table" class="permissions">
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${what}</th><th role="columnheader" scope="col">${read}</th><th role="columnheader" scope="col">${write}</th>${hasFurther ? html`<th role="columnheader" scope="col">${further}</th>` : null}</tr></thead>
<tbody role="rowgroup">
${rows.map(
  (
    row,
  ) => html`<tr role="row"><th role="rowheader" scope="row">${row.title}${row.note ? html` <span class="quiet">${row.note}</span>` : null}</th>
${column(row.read, read)}
${column(row.write, write)}${furtherColumn(row)}</tr>
`,
)}</tbody>
</table>`
}
