/**
 * Changes of rows that all machines have, or the coordinator alone, under a condition about rows of owners. One
 * statement cannot do both. So the whole condition is asked first. The rows that meet the condition are locked one by
 * one, and asked about again. Each of them is then changed by its id, in the same transaction.
 */
import { type Row, type Rows, type Step, statement, type Value } from '../../sql/statement.ts'
import { places } from './place.ts'
import { countPlaces, findWord, hasOwned } from './words.ts'

export interface ConditionalChange {
  /** Asks for the ids of the rows. */
  readonly question: string
  /** Locks a row by its id. */
  readonly lock: string
  /** Changes a row by its id. */
  readonly change: string
  /** How many parameters stand before the condition, and in it. */
  readonly before: number
  readonly inside: number
}

/** @returns null for a statement that one machine can do as it is */
export const parseChange = (sql: string): ConditionalChange | null => {
  const [, table = ''] = /^\s*(?:update|delete from) (\w+)\b/i.exec(sql) ?? []
  const whereAt = findWord(sql, /where\b/iy)
  if (table === '' || places[table]?.with === 'owner' || whereAt === -1) return null
  const returningAt = findWord(sql, /returning\b/iy, whereAt)
  const end = returningAt === -1 ? sql.length : returningAt
  const begin = sql.slice(0, whereAt)
  const condition = sql.slice(whereAt + 'where'.length, end)
  if (!hasOwned(condition)) return null
  return {
    question: `select ${table}.id from ${table} where ${condition} order by ${table}.id`,
    lock: `select id from ${table} where id = ? for update`,
    change: `${begin} where id = ? ${sql.slice(end)}`,
    before: countPlaces(begin),
    inside: countPlaces(condition),
  }
}

export function* changeApart(
  { question, lock, change, before, inside }: ConditionalChange,
  params: readonly Value[],
): Step<Rows> {
  const end = before + inside
  const ask = statement(question, ...params.slice(before, end))
  const found = yield ask
  if (found.length === 0) return []
  for (const { id } of found) yield statement(lock, id ?? '')
  const locked = new Set(found.map(({ id }) => id))
  const changed: Row[] = []
  for (const { id } of (yield ask).filter((row) => locked.has(row.id))) {
    const rows = yield statement(change, ...params.slice(0, before), id ?? '', ...params.slice(end))
    changed.push(...rows)
  }
  return changed
}

/** Rows of several owners: each is locked where it lies, in their order. Then all are read as they are under the locks. */
interface Lock {
  readonly select: string
  readonly lock: string
}

/** @returns null for a statement that locks no rows of owners */
export const parseLock = (sql: string): Lock | null => {
  const [, table = ''] = /\bfrom (\w+)\b/i.exec(sql) ?? []
  if (!/ for update$/.test(sql) || places[table]?.with !== 'owner') return null
  return {
    select: sql.replace(/ for update$/, ''),
    lock: `select id from ${table} where id = ? for update`,
  }
}

export function* lockApart({ select, lock }: Lock, params: readonly Value[]): Step<Rows> {
  for (const { id } of yield statement(select, ...params)) yield statement(lock, id ?? '')
  return yield statement(select, ...params)
}
