/**
 * Lists that find rows by words. A table of words has a row for each word of a row of another table, and
 * a row for each mark such as `=disabled`. So a search word and a filter are each one range of its key.
 * The rarest range leads, and each page examines a limited number of its rows.
 */
import type { FoundPage, Page } from '../contract/trace.ts'
import { pageOf } from './page.ts'
import {
  all,
  ask,
  listOf,
  type Piece,
  type Read,
  type Row,
  type Rows,
  raw,
  sql,
  type Value,
} from './statement.ts'
import {
  findLead,
  type IndexKey,
  type Lead,
  listLeads,
  matchTimeOf,
  readKey,
  rowsExamined,
  type WordsAsked,
  walk,
  writeCursor,
} from './word-leads.ts'
import type { WordTable } from './word-table.ts'

/** More than other writes can bring between the two statements of a page. */
const rowsWalked = 5000

/** Rows of one step that are the exact text of a search. */
const exactRows = 10

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
