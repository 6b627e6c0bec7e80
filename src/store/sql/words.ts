/**
 * Lists that find rows by words. A table of words has a row for each word of a row of another table, and
 * a row for each mark such as `=disabled`. So a search word and a filter are each one range of its key.
 * The rarest range leads, and each page examines a limited number of its rows.
 */
import { listWords } from '../contract/search-words.ts'
import type { Page } from '../contract/trace.ts'
import { defineTable, type RecordTable } from './columns.ts'
import { endOf, pageOf } from './page.ts'
import {
  all,
  ask,
  type Piece,
  type Read,
  type Row,
  raw,
  type Step,
  sql,
  statement,
} from './statement.ts'

/** So many rows of the leading range are examined for one page. A range with fewer is rare. */
const rowsExamined = 500

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
    key: 'word place',
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
const writeMark = (mark: string): string => `=${mark};`

interface KeptWords extends Omit<FoundWord, 'word'> {
  readonly texts: readonly string[]
  /** What filters look for. */
  readonly marks: readonly string[]
}

/** The words of a row take the place of its former ones. Comes behind a write of the row itself. */
export function* keepWords(
  { name }: WordTable,
  { id, place, texts, marks }: KeptWords,
): Step<void> {
  yield sql`delete from ${raw(name)} where id = ${id}`
  const words = [...new Set([...texts.flatMap(listWords), ...marks.map(writeMark)])]
  if (words.length === 0) return
  const rows = words.map(() => '(?, ?, ?)').join(', ')
  const values = words.flatMap((word) => [word, place, id])
  yield statement(`insert into ${name} (word, place, id) values ${rows}`, ...values)
}

/**
 * Keeps the words of rows that an older version wrote, so many at most. Each row is claimed first.
 *
 * @param also what else the older version did not write
 * @returns how many rows
 */
export function* noteWords(
  { of }: WordTable,
  most: number,
  keep: (row: Row) => Step<void>,
  also = '',
): Step<number> {
  const rows = yield sql`update ${raw(of)} set words_kept = 1${raw(also)}
    where words_kept = 0 and id in
      (select id from ${raw(of)} where words_kept = 0 order by id limit ${most}) returning *`
  for (const row of rows) {
    if (row.deleted_at === null) yield* keep(row)
  }
  return rows.length
}

/** A time of the row. Its index has the place behind it. */
interface TimeSpan {
  readonly column: string
  /** Not before this time. */
  readonly since?: number
  /** Before this time. */
  readonly before?: number
}

/** @returns null where neither end was asked for */
export const makeSpan = (
  column: string,
  since: number | undefined,
  before: number | undefined,
): TimeSpan | null =>
  since === undefined && before === undefined
    ? null
    : { column, ...(since !== undefined && { since }), ...(before !== undefined && { before }) }

/** What a list asks for. */
interface WordsAsked {
  /** Of a search, by `listWords`; null: all rows. */
  readonly words: readonly string[] | null
  readonly marks: readonly string[]
  readonly time: TimeSpan | null
  /** Conditions on a row `o`, examined row by row. */
  readonly examined: readonly Piece[]
  /** No place of a row is before it. */
  readonly from: string
}

/** A range of an index that holds all rows of a list. */
interface Lead {
  /** Begins the cursors of its pages. */
  readonly mark: string
  readonly table: string
  /** The columns that the range is in the order of. The last is the place. */
  readonly order: readonly string[]
  readonly range: Piece
  /** The condition on a row `w` of the range, such as the first of its words. */
  readonly only: Piece | null
  /** The condition on any other row `w`; null: the others need none. */
  readonly match: Piece | null
}

const matchRange = (column: string, from: string): Piece =>
  sql`${raw(column)} >= ${from} and ${raw(column)} < ${endOf(from)}`

/** One look-up for each row: engines make no join of a subquery with a limit. */
const matchWord = ({ name }: WordTable, word: string): Piece =>
  sql`(select 1 from ${raw(name)} x where x.id = w.id and ${matchRange('x.word', word)} limit 1) = 1`

const leadByWord = (table: WordTable, word: string): Lead => ({
  mark: word,
  table: table.name,
  order: ['word', 'place'],
  range: matchRange('word', word),
  // A row with several such words comes with the first of them.
  only: word.startsWith('=')
    ? null
    : sql`(select 1 from ${raw(table.name)} x where x.id = w.id and x.word >= ${word}
        and x.word < w.k0 limit 1) is null`,
  match: matchWord(table, word),
})

const matchTime = (name: string, { column, since, before }: TimeSpan): Piece =>
  all([
    since !== undefined && sql`${raw(name + column)} >= ${since}`,
    before !== undefined && sql`${raw(name + column)} < ${before}`,
  ])

const leadByTime = (table: WordTable, time: TimeSpan): Lead => ({
  mark: '@',
  table: table.of,
  order: [time.column, table.by],
  range: sql`deleted_at is null and ${matchTime('', time)}`,
  only: null,
  match: null,
})

const leadByPlace = (table: WordTable, from: string): Lead => ({
  mark: '',
  table: table.of,
  order: [table.by],
  range: sql`${raw(table.by)} > ${from}`,
  only: null,
  match: null,
})

const writeKey = ({ order }: Lead): Piece => raw(`(${order.join(', ')})`)

/** The rows of a lead behind a cursor. */
const walk = (lead: Lead, after: readonly Piece[] | null): Piece => {
  const { order, table, range } = lead
  const columns = order.map((column, i) => `${column} as k${i}`).join(', ')
  const behind =
    after !== null &&
    sql`${writeKey(lead)} > (${statement(after.map(({ sql: one }) => one).join(', '), ...after.flatMap(({ params }) => params))})`
  return sql`select ${raw(columns)}, id from ${raw(table)} where ${all([range, behind])}
    order by ${raw(order.join(', '))}`
}

const writeCursor = ({ mark, order }: Lead, row: Row): string =>
  (mark === '@' ? '@' : '') + order.map((_, i) => String(row[`k${i}`])).join('\n')

/** @returns null where the cursor is of another list */
const readCursor = ({ mark, order }: Lead, after: string): readonly Piece[] | null => {
  const keys = after.split('\n')
  if (keys.length !== order.length || !after.startsWith(mark)) return null
  if (mark !== '@') return keys.map((key) => sql`${key}`)
  const at = Number(keys[0]?.slice(1))
  return Number.isSafeInteger(at) ? [sql`${at}`, sql`${keys[1] ?? ''}`] : null
}

/** How many rows a lead has; a little more than may be examined at most. */
const countRows = async (read: Read, lead: Lead): Promise<number> => {
  const rows = sql`${walk(lead, null)} limit ${raw(String(rowsExamined + 1))}`
  const [row] = await ask(read, sql`select count(*) as rows_found from (${rows}) f`)
  return Number(row?.rows_found ?? 0)
}

/** The rarest. Among common ones, the first. */
const findRarest = async (read: Read, leads: readonly Lead[]): Promise<Lead | undefined> => {
  if (leads.length < 2) return leads[0]
  const counts = await Promise.all(leads.map((lead) => countRows(read, lead)))
  return leads[counts.indexOf(Math.min(...counts))]
}

/** A further page reads the range of the page before, however common it is by now. */
const findLead = async (
  read: Read,
  leads: readonly Lead[],
  after: string | null,
): Promise<{ lead: Lead; from: readonly Piece[] | null } | null> => {
  if (after === null) {
    const lead = await findRarest(read, leads)
    return lead === undefined ? null : { lead, from: null }
  }
  for (const lead of leads) {
    const from = readCursor(lead, after)
    if (from !== null) return { lead, from }
  }
  return null
}

/**
 * A page of a list. A page examines a limited number of rows, so it may be short or empty and have a next
 * one. The order is that of the range that leads, and of the places.
 */
export const listFound = async <Entry>(
  read: Read,
  table: WordTable,
  { words, marks, time, examined, from: first }: WordsAsked,
  decode: (row: Row) => Entry,
  after: string | null,
  limit: number,
): Promise<Page<Entry>> => {
  if (words?.length === 0) return { rows: [], next: null }
  const longestFirst = [...(words ?? [])].sort((a, b) => b.length - a.length)
  // The beginning of another word asks for nothing more.
  const needed = longestFirst.filter(
    (word, i) => !longestFirst.some((other, j) => j < i && other.startsWith(word)),
  )
  const byWord = [...marks.map(writeMark), ...needed].map((word) => leadByWord(table, word))
  const leads = [...byWord, ...(time === null ? [] : [leadByTime(table, time)])]
  const found = await findLead(read, leads.length > 0 ? leads : [leadByPlace(table, first)], after)
  if (found === null) return { rows: [], next: null }
  const { lead, from } = found
  const range = walk(lead, from)
  const others = byWord.filter((one) => one.mark !== lead.mark)
  const onRow = all([
    raw('o.id = w.id and o.deleted_at is null'),
    time !== null && lead.mark !== '@' && matchTime('o.', time),
    ...examined,
  ])
  const filter = all([
    ...others.map(({ match }) => match ?? false),
    // A look-up as well, so that no condition on the rows may lead.
    sql`(select 1 from ${raw(table.of)} o where ${onRow} limit 1) = 1`,
    lead.only ?? false,
  ])
  const order = (name: string) => raw(lead.order.map((_, i) => `${name}.k${i}`).join(', '))
  // With its limit as a number, PostgreSQL walks along the index and sorts nothing.
  const rows = await ask(
    read,
    sql`select o.*, ${order('f')} from (select w.* from (${range} limit ${raw(String(rowsExamined))}) w
        where ${filter} order by ${order('w')} limit ${raw(String(limit + 1))}) f
      cross join ${raw(table.of)} o where o.id = f.id order by ${order('f')}`,
  )
  const [end] =
    rows.length > limit
      ? []
      : await ask(read, sql`${range} limit 1 offset ${raw(String(rowsExamined - 1))}`)
  const next = end === undefined ? null : writeCursor(lead, end)
  return pageOf(rows, limit, decode, (_, row) => writeCursor(lead, row), next)
}
