/**
 * The columns of a record, written once. Reading a row, writing one, and the table of a backup derive
 * from them.
 */
import { flag, integer, integerOrNull, json, text, textOrNull } from './row.ts'
import { type Piece, type Row, type Statement, statement, type Value } from './statement.ts'

/** How a member is written into its column, and read again. */
export interface Codec<Member> {
  readonly decode: (value: Value | undefined) => Member
  readonly encode: (member: Member) => Value
}

/** A codec of some member. */
interface AnyCodec {
  readonly decode: (value: Value | undefined) => unknown
  readonly encode: (member: never) => Value
}

const same = (member: Value): Value => member

/** `words`: a list in the words of a scope, which is quicker to read than JSON. */
const codecs = {
  text: { decode: text, encode: same },
  'text?': { decode: textOrNull, encode: same },
  integer: { decode: integer, encode: same },
  'integer?': { decode: integerOrNull, encode: same },
  flag: { decode: flag, encode: Number },
  json: { decode: json, encode: JSON.stringify },
  'json?': {
    decode: (value) => (value === null ? null : json(value)),
    encode: (member) => (member === null ? null : JSON.stringify(member)),
  },
  words: {
    decode: (value) => text(value).split(' ').filter(Boolean),
    encode: (member) => (member as readonly string[]).join(' '),
  },
} as const satisfies Readonly<Record<string, AnyCodec>>

type ColumnKind = keyof typeof codecs

/** The kinds of column that a member fits into. */
type KindOf<Member> = [Member] extends [string]
  ? 'text'
  : [Member] extends [number]
    ? 'integer'
    : [Member] extends [boolean]
      ? 'flag'
      : [Member] extends [string | null]
        ? 'text?'
        : [Member] extends [number | null]
          ? 'integer?'
          : [Member] extends [readonly string[]]
            ? 'words' | 'json'
            : null extends Member
              ? 'json?'
              : 'json'

type ColumnsOf<Stored> = {
  readonly [Member in keyof Stored]-?: KindOf<Stored[Member]> | Codec<Stored[Member]>
}

/** A flag is called `isFinal`, and its column `final`. */
const columnOf = (member: string): string =>
  member
    .replace(/^is([A-Z])/, '$1')
    .replace(/[A-Z]/g, (letter, at) => `${at === 0 ? '' : '_'}${letter.toLowerCase()}`)

/** A parameter in a `select`, where PostgreSQL does not know its type from the column. */
const castOf = (kind: ColumnKind | AnyCodec): string => {
  if (kind === 'flag') return 'cast(? as integer)'
  if (kind === 'integer' || kind === 'integer?') return 'cast(? as bigint)'
  return kind === 'text?' || kind === 'json?' ? 'cast(? as text)' : '?'
}

export interface RecordColumns<Stored> {
  /** In the order in which a row is written. */
  readonly names: readonly string[]
  readonly decode: (row: Row) => Stored
  /** The values of a row, in the order of the names. */
  readonly encode: (stored: Stored) => readonly Value[]
  /** `insert into TABLE (...) values (...)` */
  readonly insert: (stored: Stored) => Statement
  /** `insert into TABLE (...) select ...`, for a condition behind it. */
  readonly insertIf: (stored: Stored) => Piece
  /** The columns of a row `a`, under names that no other table has: `a.id as a_id`. */
  readonly selectedAs: (a: string) => string
  readonly decodeAs: (a: string) => (row: Row) => Stored
}

/** @param columns by member, in the order in which a row is written */
export const defineColumns = <Stored extends object>(
  table: string,
  columns: ColumnsOf<Stored>,
): RecordColumns<Stored> => {
  const given = Object.entries(columns) as [string, ColumnKind | AnyCodec][]
  const all = given.map(([member, kind]) => ({
    member,
    name: columnOf(member),
    codec: (typeof kind === 'string' ? codecs[kind] : kind) as Codec<unknown>,
  }))
  const names = all.map(({ name }) => name)
  const begin = `insert into ${table} (${names.join(', ')})`
  const insert = `${begin} values (${names.map(() => '?').join(', ')})`
  const insertIf = `${begin} select ${given.map(([, kind]) => castOf(kind)).join(', ')}`
  const encode = (stored: Stored): readonly Value[] =>
    all.map(({ member, codec }) => codec.encode((stored as Record<string, unknown>)[member]))
  const decodeAs = (prefix: string) => {
    const read = all.map(({ name, ...one }) => ({ ...one, name: prefix + name }))
    return (row: Row): Stored => {
      const stored: Record<string, unknown> = {}
      for (const { member, name, codec } of read) stored[member] = codec.decode(row[name])
      return stored as Stored
    }
  }
  return {
    names,
    decode: decodeAs(''),
    encode,
    insert: (stored) => statement(insert, ...encode(stored)),
    insertIf: (stored) => statement(insertIf, ...encode(stored)),
    selectedAs: (a) => names.map((name) => `${a}.${name} as ${a}_${name}`).join(', '),
    decodeAs: (a) => decodeAs(`${a}_`),
  }
}
