/** What pages show of one resource: its actions as cells. */

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
