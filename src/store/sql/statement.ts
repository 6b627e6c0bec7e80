/** The words that every SQL engine is spoken to in: statements, rows, and steps made of them. */

export type Value = string | number | null
export type Row = Readonly<Record<string, Value>>
export type Rows = readonly Row[]

/**
 * SQL in the subset that SQLite and PostgreSQL share, with `?` for each
 * parameter. Times are whole seconds, booleans 0 or 1, lists and objects text. SQLite, which has one
 * writer, is given no `for update` and no `skip locked`.
 */
export interface Statement {
  readonly sql: string
  readonly params: readonly Value[]
  /** This statement is all that its step changes, so an engine may commit it at once. */
  readonly whole?: true
  /** The step does not look at the rows, so an engine may send what follows without waiting for them. */
  readonly sendOnly?: true
  /**
   * The column that the first parameter is the key of, written `column = ?` there. An engine may then
   * answer several such look-ups with one statement.
   */
  readonly by?: string
}

/**
 * A protocol step: a generator that yields statements, gets their rows and returns its outcome, all
 * inside one transaction. A step does not know its engine. Every step must be right under READ
 * COMMITTED beside others. An exactly-once change is one conditional INSERT or UPDATE. A read that
 * is merged and written back is compared and set.
 */
export type Step<Outcome> = Generator<Statement, Outcome, Rows>

/**
 * Reads the latest committed state.
 *
 * @param by of a look-up, see `Statement`
 */
export type Read = (sql: string, params: readonly Value[], by?: string) => Promise<Rows>

/**
 * Ends a changing statement whose rows are only counted. A driver for SQLite counts the changes
 * instead: there, `returning` takes 2 us for a table of its own.
 */
export const countOnly = 'returning 1 as changed'

export const statement = (sql: string, ...params: readonly Value[]): Statement => ({ sql, params })

/** A part of a statement, with the values of its places. */
export type Piece = Pick<Statement, 'sql' | 'params'>

const isPiece = (one: Value | Piece): one is Piece => typeof one === 'object' && one !== null

/** Words that are made of no input. */
export const raw = (words: string): Piece => ({ sql: words, params: [] })

/** Texts with no more than values in their places are joined once. */
const joined = new WeakMap<TemplateStringsArray, string>()

/** A statement with its values in their places. A value becomes a `?` of the text, and a piece its text. */
export const sql = (
  texts: TemplateStringsArray,
  ...given: readonly (Value | Piece)[]
): Statement => {
  if (given.some(isPiece)) {
    const words = given.map((one) => (isPiece(one) ? one.sql : '?'))
    const params = given.flatMap((one) => (isPiece(one) ? one.params : [one]))
    return { sql: texts.map((text, i) => text + (words[i] ?? '')).join(''), params }
  }
  let text = joined.get(texts)
  if (text === undefined) {
    text = texts.join('?')
    joined.set(texts, text)
  }
  return { sql: text, params: given as readonly Value[] }
}

/** All of some conditions, without those that are false. */
export const all = (conditions: readonly (Piece | false)[]): Piece => {
  const given = conditions.filter((one) => one !== false)
  if (given.length === 0) return raw('1 = 1')
  return statement(
    given.map((one) => one.sql).join(' and '),
    ...given.flatMap(({ params }) => params),
  )
}

/** `(?, ?, ?)` */
export const listOf = (values: readonly Value[]): Piece =>
  statement(`(${values.map(() => '?').join(', ')})`, ...values)

/** Reads by a statement. */
export const ask = (read: Read, { sql, params }: Piece): Promise<Rows> => read(sql, params)

/** Whether a statement finds or changes a row. */
export function* touches(one: Statement): Step<boolean> {
  return (yield one).length > 0
}

/** The only row that a statement finds or changes, or null. */
export function* findOne(one: Statement): Step<Row | null> {
  return (yield one)[0] ?? null
}

/** The same step, with another way to the rows of each statement. */
export function* answerBy<Outcome>(
  step: Step<Outcome>,
  answer: (one: Statement) => Step<Rows>,
): Step<Outcome> {
  let next = step.next([])
  while (!next.done) next = step.next(yield* answer(next.value))
  return next.value
}

/** The statement that is the whole step, unless it changes nothing. */
export const asWhole = ({ sql, params }: Piece): Statement => ({ sql, params, whole: true })

/** A statement whose rows the step does not look at. */
export const asSendOnly = ({ sql, params }: Piece): Statement => ({ sql, params, sendOnly: true })

/** Rows go in pieces of these sizes, so that there are only so many texts of statements. */
const pieceSizes = [64, 16, 4, 1] as const

export function* cutPieces<Entry>(
  entries: readonly Entry[],
  sizes: readonly number[] = pieceSizes,
): Generator<readonly Entry[]> {
  let from = 0
  for (const size of sizes) {
    for (; entries.length - from >= size; from += size) yield entries.slice(from, from + size)
  }
}
