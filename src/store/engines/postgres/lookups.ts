/**
 * Look-ups of one turn that differ in their key alone, asked as one statement. Of 32 look-ups, each then
 * costs a third of the processor time.
 */
import type { Rows, Statement, Value } from '../../sql/statement.ts'

/** A statement as PostgreSQL takes it: a list in place of one key. */
export interface Query {
  readonly sql: string
  readonly params: readonly (Value | readonly Value[])[]
}

interface AskedStatement {
  readonly statement: Statement
  readonly tries: number
}

/** What is alike but for the key. What failed once goes alone, so one bad key fails one look-up. */
const groupOf = ({ statement: { by, sql, params }, tries }: AskedStatement): string | null =>
  by === undefined || tries > 0 ? null : [sql, ...params.slice(1)].join('\n')

/** All of a turn, look-ups that are alike together. */
export const alike = <One extends AskedStatement>(
  all: readonly One[],
): readonly (readonly One[])[] => {
  const groups = new Map<string, One[]>()
  const alone: (readonly One[])[] = []
  for (const one of all) {
    const name = groupOf(one)
    const group = name === null ? undefined : groups.get(name)
    if (name === null) alone.push([one])
    else if (group === undefined) groups.set(name, [one])
    else group.push(one)
  }
  return [...groups.values(), ...alone]
}

const ofMany = new Map<string, string>()

const textOfMany = (sql: string, by: string): string => {
  let text = ofMany.get(sql)
  if (text === undefined) {
    const listed = sql.replace(`${by} = ?`, `${by} = any(?)`)
    text = listed.replace('select ', `select ${by} as looked_up, `)
    ofMany.set(sql, text)
  }
  return text
}

/** One query for look-ups that are alike. */
export const queryOf = (all: readonly AskedStatement[]): Query => {
  const [first] = all
  if (first === undefined) throw new Error('expected a look-up')
  const { sql, params, by } = first.statement
  if (all.length === 1 || by === undefined) return { sql, params }
  const keys = [...new Set(all.map(({ statement }) => statement.params[0] ?? null))]
  return { sql: textOfMany(sql, by), params: [keys, ...params.slice(1)] }
}

/** The rows of each look-up, in their order. */
export const rowsOfEach = (all: readonly AskedStatement[], rows: Rows): readonly Rows[] => {
  if (all.length === 1) return [rows]
  const found = Map.groupBy(rows, ({ looked_up: key }) => key ?? null)
  return all.map(({ statement }) => found.get(statement.params[0] ?? null) ?? [])
}
