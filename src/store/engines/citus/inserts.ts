/**
 * Rows that are inserted under a condition. `insert ... select` goes to all shards whatever the condition says. So
 * the values are selected first, and inserted then, in the same transaction.
 */
import {
  cutPieces,
  type Row,
  type Rows,
  type Step,
  statement,
  type Value,
} from '../../sql/statement.ts'
import { hasNames, insertNamed } from './names.ts'
import { parse } from './parse.ts'
import { places, type ReadKey, type TellingKind } from './place.ts'
import { countPlaces, findWord, hasOwned, splitAt } from './words.ts'

export interface Insert {
  readonly table: string
  readonly columns: readonly string[]
  /** The columns that tell the shard key; null for a table without rows of owners. */
  readonly by: Readonly<Record<string, TellingKind>> | null
  /** `(...), (...)` or `select ...` */
  readonly source: string
  readonly isSelect: boolean
  /** The column with the place of an event: the server that inserts the event counts the places. */
  readonly placeColumn: string | null
  readonly conflict: string
  readonly returning: string
}

/** See `fillPlaces`. */
const placeWord = 'next_place()'

const head = /^\s*insert into (\w+)\s+\(([^)]*)\)\s*(values\b|select\b)/i

/** An insert that one machine cannot do as it is; null for any other statement. */
export const parseInsert = (sql: string): Insert | null => {
  const found = head.exec(sql)
  if (found === null) return null
  const [whole, table = '', columns = '', word = ''] = found
  const isSelect = word.toLowerCase() === 'select'
  const place = places[table]
  const by = place?.with === 'owner' ? place.by : null
  if (by === null && !(isSelect && hasOwned(sql.slice(whole.length)))) return null
  const from = whole.length - (isSelect ? word.length : 0)
  const returningAt = findWord(sql, /returning\b/iy, from)
  const conflictEnd = returningAt === -1 ? sql.length : returningAt
  const conflictAt = findWord(sql, /on conflict\b/iy, from)
  const end = conflictAt === -1 ? conflictEnd : conflictAt
  const source = sql.slice(from, end)
  const listed = columns.split(',').map((one) => one.trim())
  return {
    ...{ table, by, isSelect, source },
    columns: listed,
    placeColumn: source.includes(placeWord) ? (listed.at(-1) ?? null) : null,
    conflict: sql.slice(end, conflictEnd),
    returning: sql.slice(conflictEnd),
  }
}

/** A parameter in place of a value. */
const parameter = /^(\?|cast\(\? as \w+\))$/i

/** A key of a table with rows of owners begins with the shard key. */
const addShardKey = (conflict: string): string =>
  conflict.replace(/^(on conflict)\s*\(/i, '$1 (shard_key, ')

/** The client of such a row is not removed for want of rows, as long as nobody adds one. */
const keeping = new Set(['authorizations', 'scim_users'])

/** `insert ... select` of one shard, as the machine of the shard can do it. */
export interface NearInsert {
  /** With the shard key as one more column and value. */
  readonly sql: string
  /** The place of the shard key among the parameters. */
  readonly keyAt: number
  /** Parameters that have to tell the same shard key. */
  readonly told: readonly { readonly place: number; readonly kind: TellingKind }[]
  /** Of a row that keeps its client: the parameters with the client and the owner. */
  readonly keeps: { readonly clientAt: number; readonly ownerAt: number } | null
}

/** @returns null where the shard key of the row depends on more than parameters and columns of the shard */
export const parseNearInsert = (sql: string): NearInsert | null => {
  const insert = parseInsert(sql)
  if (insert === null || insert.by === null || !insert.isSelect) return null
  const { table, columns, by, source, conflict, returning } = insert
  const list = source.replace(/^\s*select\s/i, '')
  const fromAt = findWord(list, /from\b/iy)
  const items = splitAt(list.slice(0, fromAt), ',').map((one) => one.trim())
  const refs = parse(sql).queries.flatMap((query) => query.refs)
  const isTelling = (item: string): boolean => {
    const [alias, column = ''] = item.split('.')
    return refs.some((ref) => ref.alias === alias && ref.by?.[column] !== undefined)
  }
  const told: NearInsert['told'][number][] = []
  const placeOf = new Map<string | undefined, number>()
  let keyAt = 0
  for (const [i, item] of items.entries()) {
    const kind = by[columns[i] ?? '']
    if (parameter.test(item)) placeOf.set(columns[i], keyAt)
    if (kind !== undefined && parameter.test(item)) told.push({ place: keyAt, kind })
    else if (kind !== undefined && !isTelling(item)) return null
    keyAt += countPlaces(item)
  }
  const [clientAt, ownerAt] = [placeOf.get('client_id'), placeOf.get('owner_id')]
  const isKnown = clientAt !== undefined && ownerAt !== undefined
  if (fromAt === -1 || (keeping.has(table) && !isKnown)) return null
  const keeps = keeping.has(table) && isKnown ? { clientAt, ownerAt } : null
  const into = `insert into ${table} (${[...columns, 'shard_key'].join(', ')})`
  const select = `select ${items.join(', ')}, cast(? as integer) ${list.slice(fromAt)}`
  return { sql: `${into} ${select} ${addShardKey(conflict)} ${returning}`, keyAt, told, keeps }
}

const findKey = (
  { columns, by, table }: Insert,
  values: readonly Value[],
  readKey: ReadKey,
): number | null => {
  if (by === null) return null
  const keys = columns.flatMap((column, i) => {
    const kind = by[column]
    return kind === undefined ? [] : (readKey(kind, values[i]) ?? [])
  })
  const [key] = keys
  // Another key would hide the row from those who look for it by one of the columns.
  if (key !== undefined && keys.every((one) => one === key)) return key
  throw new Error(`a row for ${table} tells ${new Set(keys).size} shard keys, expected one`)
}

/** The row that was inserted, as `returning` with a query in it wants to see it. */
function* findInserted(
  insert: Insert,
  row: readonly Value[],
  params: readonly Value[],
): Step<Rows> {
  const { table, columns, by, returning } = insert
  const telling = columns.flatMap((column, i) => (by?.[column] === undefined ? [] : [i]))
  const known = telling.map((i) => `${columns[i]} = ?`).join(' and ')
  return yield statement(
    `select ${returning.replace(/^\s*returning/i, '')} from ${table} where ${known}`,
    ...params,
    ...telling.map((i) => row[i] ?? null),
  )
}

/** @param key of all rows; null for a table without rows of owners */
function* insertRows(
  insert: Insert,
  rows: readonly (readonly Value[])[],
  params: readonly Value[],
  key: number | null,
): Step<Rows> {
  const { table, columns, returning, placeColumn } = insert
  const names = key === null ? columns : [...columns, 'shard_key']
  const conflict = key === null ? insert.conflict : addShardKey(insert.conflict)
  const hasQuery = /\(\s*select\b/i.test(returning)
  const ofConflict = countPlaces(conflict)
  const places = `(${names.map((name) => (name === placeColumn ? placeWord : '?')).join(', ')})`
  const valuesOf = (row: readonly Value[]): readonly Value[] =>
    row.filter((_, i) => columns[i] !== placeColumn)
  const done = yield statement(
    `insert into ${table} (${names.join(', ')}) values ${rows.map(() => places).join(', ')} ${conflict}
      ${hasQuery ? 'returning 1 as inserted' : returning}`,
    ...rows.flatMap((row) => (key === null ? valuesOf(row) : [...valuesOf(row), key])),
    ...(hasQuery ? params.slice(0, ofConflict) : params),
  )
  const [row] = rows
  if (!hasQuery || done.length === 0 || row === undefined) return done
  return yield* findInserted(insert, row, params.slice(ofConflict))
}

/** The value that is written at a place of `values`. */
const readValue = (written: string, left: Value[]): Value => {
  if (parameter.test(written)) return left.shift() ?? null
  if (/^-?\d+$/.test(written)) return Number(written)
  if (/^'[^']*'$/.test(written)) return written.slice(1, -1)
  if (written === 'null') return null
  throw new Error(`a value of an insert is written as ${written}`)
}

/** The rows to insert, and the parameters behind them. */
function* listRows({ isSelect, source, columns }: Insert, params: readonly Value[]) {
  if (!isSelect) {
    const left = [...params]
    const rows = splitAt(source, ',').map((row) =>
      splitAt(row.trim().slice(1, -1), ',').map((one) => readValue(one.trim(), left)),
    )
    return { rows, left }
  }
  const list = source.replace(/^\s*select\s/i, '')
  const fromAt = findWord(list, /(from|where)\b/iy)
  const end = fromAt === -1 ? list.length : fromAt
  const named = splitAt(list.slice(0, end), ',').map(
    (one, i) => `${one.trim() === placeWord ? '0' : one.trim()} as ${columns[i]}`,
  )
  const count = countPlaces(source)
  const select = `select ${named.join(', ')} ${list.slice(end)}`
  const found: Rows = yield statement(select, ...params.slice(0, count))
  const rows = found.map((row) => columns.map((column) => row[column] ?? null))
  return { rows, left: params.slice(count) }
}

/**
 * A removal locks the client at the coordinator, and the worker of a new row would not notice. So the row waits there.
 *
 * @returns the rows whose clients are still there
 */
function* holdClients(
  { table, columns }: Insert,
  rows: readonly (readonly Value[])[],
): Step<readonly (readonly Value[])[]> {
  const at = keeping.has(table) ? columns.indexOf('client_id') : -1
  if (at === -1) return rows
  const held = new Set<Value>()
  for (const client of new Set(rows.map((row) => row[at] ?? null))) {
    const lock = 'select id from clients where id = ? and deleted_at is null for key share'
    if ((yield statement(lock, client)).length > 0) held.add(client)
  }
  return rows.filter((row) => held.has(row[at] ?? null))
}

export function* insertApart(
  insert: Insert,
  params: readonly Value[],
  readKey: ReadKey,
): Step<Rows> {
  const { rows: found, left } = yield* listRows(insert, params)
  const rows = yield* holdClients(insert, found)
  const inserted: Row[] = []
  const doesNothing = /do nothing/i.test(insert.conflict)
  for (const [key, ofKey] of Map.groupBy(rows, (row) => findKey(insert, row, readKey))) {
    for (const piece of cutPieces(ofKey, hasNames(insert.table) ? [1] : undefined)) {
      const known = Object.fromEntries(
        insert.columns.map((column, i) => [column, piece[0]?.[i] ?? null]),
      )
      const step = insertRows(insert, piece, left, key)
      inserted.push(...(yield* insertNamed(insert.table, known, doesNothing, step)))
    }
  }
  return inserted
}
