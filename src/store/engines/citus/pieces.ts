/**
 * Rows of one machine on their way to many, a few at a time. Each time the rows, their names, and the key that was
 * reached are written in one transaction.
 */
import type { ShardKeys } from '../../../crypto/shard-keys.ts'
import type { Table } from '../../schema/table.ts'
import { integer, text } from '../../sql/row.ts'
import { type Row, type Rows, type Step, statement, type Value } from '../../sql/statement.ts'
import { type Ask, runAsOne } from './cluster.ts'
import { insertNamed } from './names.ts'
import { places } from './place.ts'
import { findOwnerColumn, type PlacedRow, placeRow } from './placed-row.ts'

/** Where the old tables stay. */
export const plainSchema = 'latchkey_plain'

/** Rows of one transaction. */
const rowsTogether = 500

/** Sums of the rows of a table. */
export interface TableSums {
  /** Rows that were read and written. */
  readonly read: number
  readonly written: number
  /** Tokens that end, in `families`. */
  readonly ended: number
  /** Rows that have another id now. */
  readonly renamed: number
  /** Names of owners that were claimed. */
  readonly names: number
}

/** Rows after a key, and of whom each is. */
const readRows = (ask: Ask, schema: string, table: Table, reached: string): Promise<Rows> => {
  const { name, key, columns } = table
  const last = reached === '' ? [] : (JSON.parse(reached) as Value[])
  const beyond = `where (${key.join(', ')}) > (${last.map(() => '?').join(', ')})`
  const column = findOwnerColumn(name)
  const byAuthorization =
    places[name] !== undefined && column === null && columns.includes('authorization_id')
  const owner = byAuthorization
    ? `(select owner_id from ${schema}authorizations a where a.id = t.authorization_id)`
    : (column ?? 'null')
  return ask(
    `select ${columns.join(', ')}, ${owner} as row_owner from ${schema}${name} t
      ${last.length === 0 ? '' : beyond} order by ${key.join(', ')} limit ${rowsTogether}`,
    ...last,
  )
}

/** The names that the service would claim for a row. */
const listNames = (table: string, row: Row): readonly (readonly [Value, Value])[] => {
  const end = statement('')
  function* insertNothing(): Step<Rows> {
    return yield end
  }
  const step = insertNamed(table, row, false, insertNothing())
  const names: (readonly [Value, Value])[] = []
  let next = step.next([])
  for (; !next.done && next.value !== end; next = step.next([{}])) {
    const [name = null, owner = null] = next.value.params
    names.push([name, owner])
  }
  return names
}

const insert = async (
  ask: Ask,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Value[])[],
): Promise<void> => {
  if (rows.length === 0) return
  const places = `(${columns.map(() => '?').join(', ')})`
  const sql = `insert into ${table} (${columns.join(', ')}) values ${rows.map(() => places).join(', ')}`
  await ask(sql, ...rows.flat())
}

const add = (
  sums: TableSums,
  rows: Rows,
  placed: readonly PlacedRow[],
  names: number,
): TableSums => ({
  read: sums.read + rows.length,
  written: sums.written + placed.length,
  ended: sums.ended + placed.filter(({ isEnded }) => isEnded).length,
  renamed: sums.renamed + placed.filter(({ isRenamed }) => isRenamed).length,
  names: sums.names + names,
})

const decodeSums = (row: Row): TableSums => ({
  read: integer(row.read),
  written: integer(row.written),
  ended: integer(row.ended),
  renamed: integer(row.renamed),
  names: integer(row.names),
})

export interface CopiedPiece {
  readonly sums: TableSums
  readonly reached: string
  readonly isLast: boolean
}

const getReached = ({ key }: Table, rows: Rows, otherwise: string): string => {
  const last = rows.at(-1)
  return last === undefined ? otherwise : JSON.stringify(key.map((column) => last[column] ?? null))
}

const placeRows = ({ name }: Table, rows: Rows, keys: ShardKeys): readonly PlacedRow[] =>
  rows.flatMap(({ row_owner: owner = null, ...row }) => placeRow(name, row, owner, keys) ?? [])

/** The next rows of a table, with their names, and how far that is: all of it or nothing. */
export const copyPiece = (ask: Ask, table: Table, keys: ShardKeys): Promise<CopiedPiece> =>
  runAsOne(ask, async () => {
    // Whoever runs this beside waits here, and goes on behind.
    const [state = {}] = await ask(
      `select * from ${plainSchema}.progress where name = ? for update`,
      table.name,
    )
    const before = text(state.reached)
    const rows = await readRows(ask, `${plainSchema}.`, table, before)
    const placed = placeRows(table, rows, keys)
    const isOwners = places[table.name]?.with === 'owner'
    const columns = isOwners ? [...table.columns, 'shard_key'] : table.columns
    const values = placed.map(({ row }) => columns.map((column) => row[column] ?? null))
    await insert(ask, table.name, columns, values)
    const names = placed.flatMap(({ row }) => listNames(table.name, row))
    await insert(ask, 'names', ['name', 'owner_id'], names)
    const sums = add(decodeSums(state), rows, placed, names.length)
    const reached = getReached(table, rows, before)
    await ask(
      `update ${plainSchema}.progress set reached = ?, read = ?, written = ?, ended = ?,
        renamed = ?, names = ? where name = ?`,
      ...[reached, sums.read, sums.written, sums.ended, sums.renamed, sums.names, table.name],
    )
    return { sums, reached, isLast: rows.length < rowsTogether }
  })

/** The same without writing. */
export const tryPiece =
  (ask: Ask, table: Table, keys: ShardKeys) =>
  async ({ sums, reached }: CopiedPiece): Promise<CopiedPiece> => {
    const rows = await readRows(ask, '', table, reached)
    const placed = placeRows(table, rows, keys)
    return {
      sums: add(sums, rows, placed, 0),
      reached: getReached(table, rows, reached),
      isLast: rows.length < rowsTogether,
    }
  }

export const nothing: CopiedPiece = {
  sums: { read: 0, written: 0, ended: 0, renamed: 0, names: 0 },
  reached: '',
  isLast: false,
}
