/** The rows under "About you": what an application may know of its owner, by the words of a scope. */
import type { ScopeWord } from '../../../model/scope-word.ts'

/** One word, shown as one row. */
export interface AboutRow<Cell> {
  readonly word: ScopeWord
  readonly cell: Cell
}
