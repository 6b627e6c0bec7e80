/**
 * Lists that find rows by words. A table of words has a row for each word of a row of another table, and
 * a row for each mark such as `=disabled`. So a search word and a filter are each one range of its key.
 * The rarest range leads, and each page examines a limited number of its rows.
 */
import { listWords } from '../contract/search-words.ts'
import type { FoundPage, Page, WordsDue } from '../contract/trace.ts'
import { defineTable, type RecordTable } from './columns.ts'
import { endOf, pageOf } from './page.ts'
import {
  all,
  ask,
  listOf,
  type Piece,
  type Read,
  type Row,
  type Rows,
  raw,
  type Step,
  sql,
  statement,
  type Value,
} from './statement.ts'

/** So many rows of the leading range are examined for one page. A range with fewer is rare. */
const rowsExamined = 500

/** Common ranges are told apart by so many rows. */
const rowsCounted = 20_000

/** More than other writes can bring between the two statements of a page. */
const rowsWalked = 5000

/** Rows of one step that are the exact text of a search. */
const exactRows = 10

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
const writeMark = (mark: string): string => `=${mark};`

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
  /** Conditions on rows that are the exact text of a search. Each has an index. */
  readonly exact: readonly Piece[]
}

/** The columns of a row that a range is in the order of. */
type IndexKey = readonly Value[]

/** A range of an index that holds all rows of a list. */
interface Lead {
  /** Begins the cursors of its pages. */
  readonly mark: string
  readonly table: string
  /** The columns that the range is in the order of. */
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
  order: ['word', 'place', 'id'],
  range: matchRange('word', word),
  // A row with several such words comes with the first of them.
  only: word.startsWith('=')
    ? null
    : sql`(select 1 from ${raw(table.name)} x where x.id = w.id and x.word >= ${word}
        and x.word < w.k0 limit 1) is null`,
  match: matchWord(table, word),
})

const matchTime = (time: string, { since, before }: TimeSpan): Piece =>
  all([
    since !== undefined && sql`${raw(time)} >= ${since}`,
    before !== undefined && sql`${raw(time)} < ${before}`,
  ])

/** Of one row `o`. With the sum, no engine looks for the row by its time. */
const matchTimeOf = (time: TimeSpan): Piece => matchTime(`o.${time.column} + 0`, time)

const leadByTime = (table: WordTable, time: TimeSpan): Lead => ({
  mark: '@',
  table: table.of,
  order: [time.column, table.by],
  range: sql`deleted_at is null and ${matchTime(time.column, time)}`,
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

/** The rows of a lead behind a cursor, up to another one. */
const walk = (lead: Lead, after: IndexKey | null, end: IndexKey | null = null): Piece => {
  const { order, table, range } = lead
  const columns = order.map((column, i) => `${column} as k${i}`).join(', ')
  const behind = after !== null && sql`${writeKey(lead)} > ${listOf(after)}`
  const before = end !== null && sql`${writeKey(lead)} <= ${listOf(end)}`
  return sql`select ${raw(columns)}, id from ${raw(table)} where ${all([range, behind, before])}
    order by ${raw(order.join(', '))}`
}

const readKey = ({ order }: Lead, row: Row): IndexKey => order.map((_, i) => row[`k${i}`] ?? null)

const writeCursor = (lead: Lead, keys: IndexKey): string =>
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
const findLead = async (
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

const listLeads = (table: WordTable, { words, marks, time, from }: WordsAsked) => {
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

/** A look-up for a row `w`, so that no condition on the rows may lead. */
const matchRow = ({ of }: WordTable, conditions: readonly (Piece | false)[]): Piece =>
  sql`(select 1 from ${raw(of)} o where ${all([raw('o.id = w.id and o.deleted_at is null'), ...conditions])} limit 1) = 1`

/** Rows whose key is the text of the search. Words that are not written yet do not hide them. */
const findExact = async (read: Read, table: WordTable, asked: WordsAsked): Promise<Rows> => {
  const { time, examined, exact } = asked
  if (asked.words === null) return []
  const others = listLeads(table, asked).ofMarks.map(({ match }) => match ?? false)
  const filter = all([
    ...others,
    matchRow(table, [time !== null && matchTimeOf(time), ...examined]),
  ])
  const found = new Map<Value | undefined, Row>()
  for (const one of exact) {
    const rows = sql`select id from ${raw(table.of)} where ${one} order by id
      limit ${raw(String(exactRows))}`
    const page = sql`select o.* from (${rows}) w cross join ${raw(table.of)} o
      where o.id = w.id and ${filter} order by o.id`
    for (const row of await ask(read, page)) found.set(row.id, row)
  }
  return [...found.values()]
}

/** Whether rows are there whose words an older version did not write. */
const isPartial = async (read: Read, { of }: WordTable): Promise<boolean> =>
  (await ask(read, sql`select 1 as found from ${raw(of)} where words_kept = 0 limit 1`)).length > 0

/** The rows of one page of a range, and where it ends. */
const readPage = async <Entry>(
  read: Read,
  table: WordTable,
  { time, examined }: WordsAsked,
  { lead, from, others }: { lead: Lead; from: IndexKey | null; others: readonly Lead[] },
  decode: (row: Row) => Entry,
  limit: number,
): Promise<Page<Entry>> => {
  const [last] = await ask(
    read,
    sql`${walk(lead, from)} limit 1 offset ${raw(String(rowsExamined - 1))}`,
  )
  // Bound by this row, a page skips nothing, whatever others write in between.
  const end = last === undefined ? null : readKey(lead, last)
  const filter = all([
    ...others.map(({ match }) => match ?? false),
    matchRow(table, [time !== null && lead.mark !== '@' && matchTimeOf(time), ...examined]),
    lead.only ?? false,
  ])
  const order = (name: string) => raw(lead.order.map((_, i) => `${name}.k${i}`).join(', '))
  const range = sql`${walk(lead, from, end)} limit ${raw(String(rowsWalked))}`
  // With its limit as a number, PostgreSQL walks along the index and sorts nothing.
  const rows = await ask(
    read,
    sql`select o.*, ${order('f')} from (select w.* from (${range}) w
        where ${filter} order by ${order('w')} limit ${raw(String(limit + 1))}) f
      cross join ${raw(table.of)} o where o.id = f.id order by ${order('f')}`,
  )
  const next = end === null ? null : writeCursor(lead, end)
  return pageOf(rows, limit, decode, (_, row) => writeCursor(lead, readKey(lead, row)), next)
}

/** Begins the cursor of a page behind some exact rows. No word and no mark begins so. */
const exactMark = '!'

/** How many exact rows came before; null: the cursor is behind them. */
const readExactCursor = (after: string | null): number | null => {
  if (after === null) return 0
  return /^![0-9]{1,2}$/.test(after) ? Number(after.slice(1)) : null
}

/**
 * A page of a list. Rows that are the exact text of a search come first. A page examines a limited number
 * of rows, so it may be short or empty and have a next one. The order is that of the range that leads, and
 * of the places.
 */
export const listFound = async <Entry>(
  read: Read,
  table: WordTable,
  asked: WordsAsked,
  decode: (row: Row) => Entry,
  after: string | null,
  limit: number,
): Promise<FoundPage<Entry>> => {
  const { words, marks, time } = asked
  if (words?.length === 0) return { rows: [], next: null }
  const { byWord, leads } = listLeads(table, asked)
  const exact = await findExact(read, table, asked)
  const shown = words === null && after !== null ? null : readExactCursor(after)
  const first = shown === null ? [] : exact.slice(shown, shown + limit)
  const isNarrowed = words !== null || marks.length > 0 || time !== null
  const partial = isNarrowed && (await isPartial(read, table)) ? ({ isPartial: true } as const) : {}
  if (shown !== null && first.length === limit) {
    return { rows: first.map(decode), next: `${exactMark}${shown + limit}`, ...partial }
  }
  const found = await findLead(read, leads, shown === null ? after : null)
  if (found === null) return { rows: [], next: null, isForeign: true }
  const others = byWord.filter((one) => one.mark !== found.lead.mark)
  const known = exact.map(({ id }) => id ?? '')
  const further =
    known.length === 0
      ? asked
      : { ...asked, examined: [...asked.examined, sql`o.id not in ${listOf(known)}`] }
  const range = { ...found, others }
  const page = await readPage(read, table, further, range, decode, limit - first.length)
  return { rows: [...first.map(decode), ...page.rows], next: page.next, ...partial }
}
