/** The words that every SQL engine is spoken to in: statements, rows, and steps made of them. */

export type Value = string | number | null
export type Row = Readonly<Record<string, Value>>
export type Rows = readonly Row[]

/**
 * SQL in the subset that SQLite and PostgreSQL share, with `?` for each
 * parameter. Times are whole seconds, booleans 0 or 1, lists and objects text. SQLite, which has one
 * writer, is given no `for update`.
 */
export interface Statement {
  readonly sql: string
  readonly params: readonly Value[]
  /** What it changes, if anything, is all that its step does; an engine may commit it at once. */
  readonly whole?: true
}

/**
 * A protocol step: a generator that yields statements, is given their rows and returns its outcome,
 * all inside one transaction. It knows nothing of the engine that runs it, at once or by and by.
 * Every step must be right under READ COMMITTED beside others: what may happen only once is one
 * conditional INSERT or UPDATE, and what is read, merged and written is compared and set.
 */
export type Step<Outcome> = Generator<Statement, Outcome, Rows>

/** Reads the latest committed state. */
export type Read = (sql: string, params: readonly Value[]) => Promise<Rows>

export const statement = (sql: string, ...params: readonly Value[]): Statement => ({ sql, params })

/** The statement that is the whole step, unless it changes nothing. */
export const wholeStatement = (sql: string, ...params: readonly Value[]): Statement => ({
  sql,
  params,
  whole: true,
})
