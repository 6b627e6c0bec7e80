/**
 * Statements compiled once, by their text. The number of texts is bounded, since each is a constant
 * or one of a few forms.
 */
import type { DatabaseSync } from 'node:sqlite'
import { fillPlaces } from '../../records/event/places.ts'
import type { Values } from '../../schema/table.ts'
import { countOnly, type Rows, type Statement, type Step, type Value } from '../../sql/statement.ts'

/**
 * SQLite plans for the value of a bare `limit ?`, so it compiles such a statement anew each time that
 * one is bound. A cast hides the value. A small read takes an eighth of the time.
 */
const limit = /\blimit \?/g

export const translateSql = (sql: string): string =>
  fillPlaces(sql.replace(/ for update( skip locked)?$/, ''), 'sqlite').replace(
    limit,
    'limit cast(? as integer)',
  )

export interface Compiled {
  readonly columns: readonly string[]
  /** Runs it. The rows come as lists of values, which cost less to make and to send than objects. */
  readonly run: (params: readonly Value[]) => readonly Values[]
}

export type Compiler = (sql: string) => Compiled

const makeQuery = (database: DatabaseSync, sql: string): Compiled => {
  const prepared = database.prepare(translateSql(sql))
  prepared.setReturnArrays(true)
  return {
    columns: prepared.columns().map(({ name }) => name),
    run: (params) => prepared.all(...params) as unknown as Values[],
  }
}

/** One row for each change, without `returning`. */
const makeCount = (database: DatabaseSync, sql: string): Compiled => {
  const prepared = database.prepare(translateSql(sql.slice(0, -countOnly.length)))
  return {
    columns: ['changed'],
    run: (params) => Array.from({ length: Number(prepared.run(...params).changes) }, () => [1]),
  }
}

export const createCompiler = (database: DatabaseSync): Compiler => {
  const known = new Map<string, Compiled>()
  const compile = (sql: string): Compiled => {
    const compiled = sql.endsWith(countOnly) ? makeCount(database, sql) : makeQuery(database, sql)
    known.set(sql, compiled)
    return compiled
  }
  return (sql) => known.get(sql) ?? compile(sql)
}

export const makeRows = (columns: readonly string[], lists: readonly Values[]): Rows =>
  lists.map((values) => {
    const row: Record<string, Value> = {}
    for (const [i, column] of columns.entries()) row[column] = values[i] ?? null
    return row
  })

export const query = (compile: Compiler, { sql, params }: Statement): Rows => {
  const { columns, run } = compile(sql)
  return makeRows(columns, run(params))
}

export type Runner = (statement: Statement) => Rows

export const createRunner = (database: DatabaseSync): Runner => {
  const compile = createCompiler(database)
  return (statement) => query(compile, statement)
}

export const runStep = <Outcome>(step: Step<Outcome>, run: Runner): Outcome => {
  let next = step.next([])
  while (!next.done) next = step.next(run(next.value))
  return next.value
}
