/**
 * Lists with filters. One filter leads: its index holds the rows in the order of the list. The others
 * are examined row by row, so a page examines a limited number of rows and may be short or empty.
 */
import { text } from './row.ts'
import { ask, listOf, type Piece, type Read, raw, sql, statement } from './statement.ts'

/** A page with filters examines so many entries of one index for each row that was asked. */
export const examinedPerRow = 100

/** Columns, or expressions, and what they have to be. */
export type Filter = readonly (readonly [column: string, value: string])[]

/** Written so that no index serves it. */
export const examinedBy = (filter: Filter): readonly Piece[] =>
  filter.map(([column, value]) => statement(`${column} || '' = ?`, value))

/** The direction of the ids. */
export type Direction = 'asc' | 'desc'

/** A part of the index that leads: the columns of the filter, and behind them the ids. */
export interface Stretch {
  readonly filter: Filter
  readonly direction: Direction
  /** The ids after this one; an empty text is before all. */
  readonly above: string
  /** The ids before this one. */
  readonly below: string
  /** The last id that a page examines; null without a limit. */
  readonly stop: string | null
}

/** Sorts after all ids. */
export const afterAll = '\u{10ffff}'

/** @param after the cursor of a page; @param within ids to stay between */
export const stretchOf = (
  filter: Filter,
  direction: Direction,
  after: string | null,
  within: { readonly above?: string; readonly below?: string } = {},
): Stretch => {
  const { above = '', below = afterAll } = within
  const up = direction === 'asc'
  return {
    filter,
    direction,
    above: up && after !== null && after > above ? after : above,
    below: !up && after !== null && after < below ? after : below,
    stop: null,
  }
}

/** The type of the actor of an event by an operator. */
export const operatorType = `case substr(operator, 1, 4) when 'cli:' then 'cli' else 'operator' end`

/** A pause is JSON or an empty text, so its first letter is what an index needs of it. */
export const pauseMark = 'substr(paused, 1, 1)'

/** Indexes of a part of the rows need its condition. */
const parts: Readonly<Record<string, string>> = {
  operator: " and operator > ''",
  [operatorType]: " and operator > ''",
  [pauseMark]: " and paused > ''",
}

const isExpression = (filter: Filter): boolean => filter.some(([column]) => column.includes('('))

const keyOf = (filter: Filter): readonly string[] => [...filter.map(([column]) => column), 'id']

/**
 * Written as a range of whole keys of the index. With `column = ?`, PostgreSQL may take the primary key
 * instead, and walk through the rows of all others in hope of some that fit. SQLite finds no such range
 * in an index of an expression.
 */
export const rangeOf = ({ filter, direction, above, below, stop }: Stretch): Piece => {
  const values = filter.map(([, value]) => value)
  const [atLeast, atMost] = direction === 'asc' ? ['>', '<='] : ['>=', '<']
  const [low, high] = direction === 'asc' ? [above, stop ?? below] : [stop ?? above, below]
  const part = parts[filter[0]?.[0] ?? ''] ?? ''
  if (isExpression(filter)) {
    const equal = filter.map(([column]) => `${column} = ? and `).join('')
    return statement(`${equal}id ${atLeast} ? and id ${atMost} ?${part}`, ...values, low, high)
  }
  const key = raw(`(${keyOf(filter).join(', ')})`)
  return sql`${key} ${raw(atLeast)} ${listOf([...values, low])}
    and ${key} ${raw(atMost)} ${listOf([...values, high])}${raw(part)}`
}

export const orderOf = ({ filter, direction }: Stretch): Piece => {
  const columns = isExpression(filter) ? ['id'] : keyOf(filter)
  return raw(`order by ${columns.map((column) => `${column} ${direction}`).join(', ')}`)
}

/** The stretch that one page examines. Its end is found in the index alone. */
export const limited = async (
  read: Read,
  table: 'events' | 'authorizations' | 'clients',
  stretch: Stretch,
  limit: number,
): Promise<Stretch> => {
  const [row] = await ask(
    read,
    sql`select id from ${raw(table)} where ${rangeOf(stretch)} ${orderOf(stretch)}
      limit 1 offset ${limit * examinedPerRow - 1}`,
  )
  return row === undefined ? stretch : { ...stretch, stop: text(row.id) }
}
