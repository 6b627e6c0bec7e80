/** Ranges that a list of found rows may be led by: a word, a mark, a time or the place of a row. */
import { endOf } from './page.ts'
import {
  all,
  ask,
  listOf,
  type Piece,
  type Read,
  type Row,
  raw,
  sql,
  type Value,
} from './statement.ts'
import { type WordTable, writeMark } from './word-table.ts'

/** So many rows of the leading range are examined for one page. A range with fewer is rare. */
export const rowsExamined = 500

/** Common ranges are told apart by so many rows. */
const rowsCounted = 20_000

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
export interface WordsAsked {
  /** Of a search, by `listWords`; null: all rows. */
  readonly words: readonly string[] | null
  readonly marks: readonly string[]
  readonly time: TimeSpan | null
  /** Conditions on a row `o`, examined row by row. */
  readonly examined: readonly Piece[]
  /** No place of a row is before it. */
  readonly from: string
  /** Conditions on rows that are the exact text of a search. Each has an index. */
  readonly exact: readonly Piece[]
}

/** The columns of a row that a range is in the order of. */
export type IndexKey = readonly Value[]

/** A range of an index that holds all rows of a list. */
export interface Lead {
  /** Begins the cursors of its pages. */
  readonly mark: string
  readonly table: string
  /** The columns that the range is in the order of. */
  readonly order: readonly string[]
  readonly range: Piece
  /** The first word of a row `o` in the range; null where each row is there once. */
  readonly first: Piece | null
  /** The condition on a row `o`; null: it needs none. */
  readonly match: Piece | null
}

const matchRange = (column: string, from: string): Piece =>
  sql`${raw(column)} >= ${from} and ${raw(column)} < ${endOf(from)}`

/** One look-up for each row `o`: engines make no join of an aggregate. */
const findFirstWord = ({ name }: WordTable, word: string): Piece =>
  sql`(select min(x.word) from ${raw(name)} x where x.id = o.id and ${matchRange('x.word', word)})`

const leadByWord = (table: WordTable, word: string): Lead => ({
  mark: word,
  table: table.name,
  order: ['word', 'place', 'id'],
  range: matchRange('word', word),
  first: word.startsWith('=') ? null : findFirstWord(table, word),
  match: sql`${findFirstWord(table, word)} is not null`,
})

const matchTime = (time: string, { since, before }: TimeSpan): Piece =>
  all([
    since !== undefined && sql`${raw(time)} >= ${since}`,
    before !== undefined && sql`${raw(time)} < ${before}`,
  ])

/** Of a row `o`. With the sum, no engine looks for the row by its time. */
export const matchTimeOf = (time: TimeSpan): Piece => matchTime(`o.${time.column} + 0`, time)

const leadByTime = (table: WordTable, time: TimeSpan): Lead => ({
  mark: '@',
  table: table.of,
  order: [time.column, table.by],
  range: sql`deleted_at is null and ${matchTime(time.column, time)}`,
  first: null,
  match: null,
})

const leadByPlace = (table: WordTable, from: string): Lead => ({
  mark: '',
  table: table.of,
  order: [table.by],
  range: sql`${raw(table.by)} > ${from}`,
  first: null,
  match: null,
})

const writeKey = ({ order }: Lead): Piece => raw(`(${order.join(', ')})`)

/** The rows of a lead behind a cursor. */
export const walk = (lead: Lead, after: IndexKey | null): Piece => {
  const { order, table, range } = lead
  const columns = order.map((column, i) => `${column} as k${i}`).join(', ')
  const behind = after !== null && sql`${writeKey(lead)} > ${listOf(after)}`
  return sql`select ${raw(columns)}, id from ${raw(table)} where ${all([range, behind])}
    order by ${raw(order.join(', '))}`
}

export const readKey = ({ order }: Lead, row: Row): IndexKey =>
  order.map((_, i) => row[`k${i}`] ?? null)

export const writeCursor = (lead: Lead, keys: IndexKey): string =>
  (lead.mark === '@' ? '@' : '') + keys.map(String).join('\n')

/** @returns null where the cursor is of another list */
const readCursor = ({ mark, order }: Lead, after: string): IndexKey | null => {
  const keys = after.split('\n')
  if (keys.length !== order.length || !after.startsWith(mark)) return null
  if (mark !== '@') return keys
  const at = Number(keys[0]?.slice(1))
  return Number.isSafeInteger(at) ? [at, ...keys.slice(1)] : null
}

/** How many rows a lead has; a little more than the most at most. */
const countRows = async (read: Read, lead: Lead, most: number): Promise<number> => {
  const rows = sql`${walk(lead, null)} limit ${raw(String(most + 1))}`
  const [row] = await ask(read, sql`select count(*) as rows_found from (${rows}) f`)
  return Number(row?.rows_found ?? 0)
}

/** The rarest. Among those that are too common to count, the first. */
const findRarest = async (read: Read, leads: readonly Lead[]): Promise<Lead | undefined> => {
  for (const most of [rowsExamined, rowsCounted]) {
    if (leads.length < 2) return leads[0]
    const counts = await Promise.all(leads.map((lead) => countRows(read, lead, most)))
    const fewest = Math.min(...counts)
    if (fewest <= most) return leads[counts.indexOf(fewest)]
  }
  return leads[0]
}

/** A further page reads the range of the page before, however common it is by now. */
export const findLead = async (
  read: Read,
  leads: readonly Lead[],
  after: string | null,
): Promise<{ lead: Lead; from: IndexKey | null } | null> => {
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

export const listLeads = (table: WordTable, { words, marks, time, from }: WordsAsked) => {
  const longestFirst = [...(words ?? [])].sort((a, b) => b.length - a.length)
  // The beginning of another word asks for nothing more.
  const needed = longestFirst.filter(
    (word, i) => !longestFirst.some((other, j) => j < i && other.startsWith(word)),
  )
  const ofMarks = marks.map((mark) => leadByWord(table, writeMark(mark)))
  const byWord = [...ofMarks, ...needed.map((word) => leadByWord(table, word))]
  const leads = [...byWord, ...(time === null ? [] : [leadByTime(table, time)])]
  return { ofMarks, byWord, leads: leads.length > 0 ? leads : [leadByPlace(table, from)] }
}
