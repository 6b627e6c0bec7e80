/**
 * The table of a record, with its columns written once. Creating the table, reading a row, writing one, and
 * the table of a backup derive from them.
 */
import type { RestoreRule, Table } from '../schema/table.ts'
import { blank, flag, integer, integerOrNull, json, permissions, text, textOrNull } from './row.ts'
import { type Piece, type Row, type Statement, statement, type Value } from './statement.ts'

/** How a member is written into its column, and read again. */
export interface Codec<Member> {
  /** The type of the column. */
  readonly sql: string
  readonly decode: (value: Value | undefined) => Member
  readonly encode: (member: Member) => Value
}

/** A codec of some member. */
interface AnyCodec extends Pick<Codec<unknown>, 'sql' | 'decode'> {
  readonly encode: (member: never) => Value
}

/** A column that is written from the whole record, for queries, and never read. */
interface Derived<Stored> {
  readonly sql: string
  readonly from: (stored: Stored) => Value
}

const same = (member: Value): Value => member

/**
 * `small`: an integer of four bytes. `blank`: JSON, or an empty text for null. `words`: a list in the
 * words of a scope, which is quicker to read than JSON.
 */
const codecs = {
  text: { sql: 'text not null', decode: text, encode: same },
  'text?': { sql: 'text', decode: textOrNull, encode: same },
  integer: { sql: 'bigint not null', decode: integer, encode: same },
  'integer?': { sql: 'bigint', decode: integerOrNull, encode: same },
  small: { sql: 'integer not null', decode: integer, encode: same },
  'small?': { sql: 'integer', decode: integerOrNull, encode: same },
  flag: { sql: 'smallint not null', decode: flag, encode: Number },
  wideflag: { sql: 'integer not null', decode: flag, encode: Number },
  json: { sql: 'text not null', decode: json, encode: JSON.stringify },
  'json?': {
    sql: 'text',
    decode: (value) => (value === null ? null : json(value)),
    encode: (member) => (member === null ? null : JSON.stringify(member)),
  },
  blank: {
    sql: 'text not null',
    decode: blank,
    encode: (member) => (member === null ? '' : JSON.stringify(member)),
  },
  words: {
    sql: 'text not null',
    decode: permissions,
    encode: (member) => (member as readonly string[]).join(' '),
  },
} as const satisfies Readonly<Record<string, AnyCodec>>

type ColumnKind = keyof typeof codecs

/** The kinds of column that a member fits into. */
type KindOf<Member> = [Member] extends [string]
  ? 'text'
  : [Member] extends [number]
    ? 'integer' | 'small'
    : [Member] extends [boolean]
      ? 'flag' | 'wideflag'
      : [Member] extends [string | null]
        ? 'text?'
        : [Member] extends [number | null]
          ? 'integer?' | 'small?'
          : [Member] extends [readonly string[]]
            ? 'words' | 'json'
            : null extends Member
              ? 'json?' | 'blank'
              : 'json'

/** A kind, and what else SQL is to know of the column. */
type Spec<Kind extends string> = Kind | `${Kind} ${string}`

/** `beside text`: a column that is no member of the record. Statements name it themselves. */
type Column<Stored> = Spec<ColumnKind | `beside ${ColumnKind}`> | AnyCodec | Derived<Stored>

type ColumnsOf<Stored> = {
  readonly [Member in keyof Stored]-?: Spec<KindOf<Stored[Member]>> | Codec<Stored[Member]>
} & Readonly<Record<string, Column<Stored>>>

interface TableOptions {
  /** The columns of the primary key, in one text. The table begins with them. */
  readonly key: string
  readonly restored: RestoreRule
  /** `NAME (COLUMNS) where ...`, or the same with `unique` before it. */
  readonly indexes?: readonly string[]
  /** Columns that are unique together. */
  readonly unique?: string
  readonly local?: Table['local']
  readonly isTrace?: true
}

export interface RecordTable<Stored> extends Table {
  /** The columns that are written, in the order of `encode`. */
  readonly names: readonly string[]
  readonly decode: (row: Row) => Stored
  /** The values of a row, in the order of the names. */
  readonly encode: (stored: Stored) => readonly Value[]
  /** `insert into TABLE (...) values (...)` */
  readonly insert: (stored: Stored) => Statement
  /** `insert into TABLE (...) select ...`, for a condition behind it. */
  readonly insertIf: (stored: Stored) => Piece
  /** `on conflict (KEY) do update set ...`, for a row that takes the place of another. */
  readonly overwrite: Piece
  /** `a = ?, b = ?` for some members, behind `update TABLE set`. */
  readonly set: (members: Partial<Stored>) => Piece
  /** The columns of a row `a`, under names that no other table has: `a.id as a_id`. */
  readonly selectedAs: (a: string) => string
  readonly decodeAs: (a: string) => (row: Row) => Stored
}

/** A flag is called `isFinal`, and its column `final`. */
const columnOf = (member: string): string =>
  member
    .replace(/^is([A-Z])/, '$1')
    .replace(/[A-Z]/g, (letter, at) => `${at === 0 ? '' : '_'}${letter.toLowerCase()}`)

/** A parameter in a `select`, where PostgreSQL does not know its type from the column. */
const castOf = (sql: string): string => {
  if (sql.startsWith('text not null')) return '?'
  return `cast(? as ${sql.startsWith('small') ? 'integer' : (sql.split(' ')[0] ?? sql)})`
}

interface ColumnPart extends Pick<Codec<unknown>, 'sql'>, Partial<Pick<Codec<unknown>, 'decode'>> {
  readonly encode?: (stored: object) => Value
}

const partOf = <Stored>(member: string, column: Column<Stored>): ColumnPart => {
  if (typeof column !== 'string') {
    if ('from' in column)
      return { sql: column.sql, encode: column.from as (stored: object) => Value }
    const { sql, decode, encode } = column as Codec<unknown>
    return { sql, decode, encode: (stored) => encode(stored[member as never]) }
  }
  const [, beside, kind = '', clause = ''] = /^(beside )?(\S+)(.*)$/.exec(column) ?? []
  const codec = codecs[kind as ColumnKind]
  const part = partOf(member, { ...codec, sql: codec.sql + clause })
  return beside === undefined ? part : { sql: part.sql }
}

/** @param columns by member, in the order of a backup */
export const defineTable = <Stored extends object = Record<never, never>>(
  table: string,
  columns: NoInfer<ColumnsOf<Stored>>,
  { key: keys, restored, indexes = [], unique, local = {}, isTrace }: TableOptions,
): RecordTable<Stored> => {
  const key = keys.split(' ')
  const all = Object.entries<Column<Stored>>(columns).map(([member, column]) => ({
    member,
    name: columnOf(member),
    ...partOf(member, column),
  }))
  const written = all.filter(({ encode }) => encode !== undefined)
  const names = written.map(({ name }) => name)
  const begin = `insert into ${table} (${names.join(', ')})`
  const insert = `${begin} values (${names.map(() => '?').join(', ')})`
  const insertIf = `${begin} select ${written.map(({ sql }) => castOf(sql)).join(', ')}`
  const encode = (stored: Stored): readonly Value[] =>
    written.map((one) => one.encode?.(stored) ?? null)
  const others = names.filter((name) => !key.includes(name))
  const decodeAs = (prefix: string) => {
    const read = all.flatMap(({ member, name, decode }) =>
      decode === undefined ? [] : [{ member, name: prefix + name, decode }],
    )
    return (row: Row): Stored => {
      const stored: Record<string, unknown> = {}
      for (const { member, name, decode } of read) stored[member] = decode(row[name])
      return stored as Stored
    }
  }
  const lines = all.map(({ name, sql }) => `${name} ${sql}${keys === name ? ' primary key' : ''}`)
  if (key.length > 1) lines.push(`primary key (${key.join(', ')})`)
  if (unique !== undefined) lines.push(`unique (${unique})`)
  return {
    name: table,
    key,
    columns: all.map(({ name }) => name),
    create: [
      `create table ${table} (\n  ${lines.join(',\n  ')}\n)`,
      ...indexes.map((index) =>
        index.replace(/^(unique )?(\w+) /, `create $1index $2 on ${table} `),
      ),
    ],
    restored,
    local,
    isTrace: isTrace ?? false,
    names,
    decode: decodeAs(''),
    encode,
    insert: (stored) => statement(insert, ...encode(stored)),
    insertIf: (stored) => statement(insertIf, ...encode(stored)),
    overwrite: statement(
      `on conflict (${key.join(', ')}) do update set ${others
        .map((name) => `${name} = excluded.${name}`)
        .join(', ')}`,
    ),
    set: (members) => {
      const given = members as Readonly<Record<string, unknown>>
      const changed = written.filter(({ member }) => given[member] !== undefined)
      return statement(
        changed.map(({ name }) => `${name} = ?`).join(', '),
        ...changed.map((one) => one.encode?.(members) ?? null),
      )
    },
    selectedAs: (a) => names.map((name) => `${a}.${name} as ${a}_${name}`).join(', '),
    decodeAs: (a) => decodeAs(`${a}_`),
  }
}
