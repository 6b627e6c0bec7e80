/** Words of the rows of another table: what they are, and how they are kept. */
import { listWords } from '../contract/search-words.ts'
import type { WordsDue } from '../contract/trace.ts'
import { defineTable, type RecordTable } from './columns.ts'
import { listOf, type Row, raw, type Step, sql, statement } from './statement.ts'

/** Rows of words in one insert. */
const rowsInserted = 256

interface FoundWord {
  readonly word: string
  readonly place: string
  readonly id: string
}

/** The words of rows of another table, with their places. */
export interface WordTable extends RecordTable<FoundWord> {
  readonly of: string
  /** The unique column that lists are in the order of. */
  readonly by: string
}

/** @param name of the table, which has the words of `of` */
export const defineWordTable = (name: string, of: string, by: string): WordTable => {
  const id = `text references ${of} (id) on delete cascade` as const
  const options = {
    key: 'word place id',
    restored: 'all' as const,
    indexes: [`${name}_of_row (id, word)`],
  }
  return {
    ...defineTable<FoundWord>(name, { word: 'text', place: 'text', id }, options),
    of,
    by,
  }
}

/** No word of a text is like it: a word has only letters and digits (`listWords`). */
export const writeMark = (mark: string): string => `=${mark};`

export interface KeptWords extends Omit<FoundWord, 'word'> {
  readonly texts: readonly string[]
  /** What filters look for. */
  readonly marks: readonly string[]
}

const listRows = ({ id, place, texts, marks }: KeptWords): readonly (readonly string[])[] =>
  [...new Set([...texts.flatMap(listWords), ...marks.map(writeMark)])].map((word) => [
    word,
    place,
    id,
  ])

/** The words of rows take the place of their former ones. Comes behind a write of the rows themselves. */
export function* keepWords(
  { name }: WordTable,
  kept: readonly [KeptWords, ...KeptWords[]],
): Step<void> {
  yield sql`delete from ${raw(name)} where id in ${listOf(kept.map(({ id }) => id))}`
  const rows = kept.flatMap(listRows)
  for (let from = 0; from < rows.length; from += rowsInserted) {
    const some = rows.slice(from, from + rowsInserted)
    const last = some.at(-1) ?? []
    // The last row is repeated up to a power of two, so that there are only a few texts of statements.
    while (!Number.isInteger(Math.log2(some.length))) some.push(last)
    const places = some.map(() => '(?, ?, ?)').join(', ')
    const insert = `insert into ${name} (word, place, id) values ${places} on conflict do nothing`
    yield statement(insert, ...some.flat())
  }
}

/**
 * Keeps the words of rows that an older version wrote. Each row is claimed first.
 *
 * @param most so many rows at most
 * @param skip so many rows first, which fail
 * @param also what else the older version did not write
 * @returns how many rows
 */
export function* noteWords(
  table: WordTable,
  { most, skip }: WordsDue,
  describe: (row: Row) => KeptWords,
  also = '',
): Step<number> {
  const of = raw(table.of)
  // Rows that another node has are its own.
  const due = yield sql`select id from ${of} where words_kept = 0 order by id
    limit ${most} offset ${skip} for update skip locked`
  if (due.length === 0) return 0
  const rows = yield sql`update ${of} set words_kept = 1${raw(also)}
    where id in ${listOf(due.map((row) => row.id ?? ''))} and words_kept = 0 returning *`
  const [first, ...others] = rows.filter((row) => row.deleted_at === null).map(describe)
  if (first !== undefined) yield* keepWords(table, [first, ...others])
  return due.length
}
