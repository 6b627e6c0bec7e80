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

/** Rows of one step that are the exact text of a search. */
const exactRows = 10

/** Most pages are full with the first of the examined rows. Lists of two lengths make two texts of a statement. */
const [fewRows, manyRows] = [64, 512] as const

/** The rows of some ids that match. Each condition is looked up for a row `o`, so that none may lead. */
const readRows = async (
  read: Read,
  { of }: WordTable,
  ids: readonly Value[],
  conditions: readonly (Piece | false)[],
  first: Piece | null = null,
): Promise<ReadonlyMap<Value | undefined, Row>> => {
  if (ids.length === 0) return new Map()
  const length = ids.length > fewRows ? manyRows : fewRows
  const listed = Array.from({ length }, (_, i) => ids[i] ?? ids[0] ?? '')
  const filter = all([raw('o.deleted_at is null'), ...conditions])
  const columns = first === null ? raw('o.*') : sql`o.*, ${first} as first_word`
  const rows = await ask(
    read,
    sql`select ${columns} from ${raw(of)} o where o.id in ${listOf(listed)} and ${filter}`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Rows whose key is the text of the search. Words that are not written yet do not hide them. */
const findExact = async (read: Read, table: WordTable, asked: WordsAsked): Promise<Rows> => {
  const { time, examined, exact } = asked
  if (asked.words === null) return []
  const others = listLeads(table, asked).ofMarks.map(({ match }) => match ?? false)
  const conditions = [...others, time !== null && matchTimeOf(time), ...examined]
  const found = new Map<Value | undefined, Row>()
  for (const one of exact) {
    const rows = sql`select id from ${raw(table.of)} where ${one} order by id
      limit ${raw(String(exactRows))}`
    const ids = (await ask(read, rows)).map((row) => row.id ?? '')
    const matching = await readRows(read, table, ids, conditions)
    for (const id of ids) found.set(id, matching.get(id) ?? found.get(id) ?? {})
  }
  return [...found.values()].filter((row) => 'id' in row)
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
  const keys = await ask(read, sql`${walk(lead, from)} limit ${raw(String(rowsExamined))}`)
  const conditions = [
    ...others.map(({ match }) => match ?? false),
    time !== null && lead.mark !== '@' && matchTimeOf(time),
    ...examined,
  ]
  const rows: Row[] = []
  for (const some of [keys.slice(0, fewRows), keys.slice(fewRows)]) {
    if (rows.length > limit) break
    const ids = some.map(({ id }) => id ?? '')
    const found = await readRows(read, table, ids, conditions, lead.first)
    for (const key of some) {
      const row = found.get(key.id)
      // A row with several such words comes with the first of them.
      if (row && (lead.first === null || row.first_word === key.k0)) rows.push({ ...row, ...key })
    }
  }
  const last = keys[rowsExamined - 1]
  const next = last === undefined ? null : writeCursor(lead, readKey(lead, last))
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
