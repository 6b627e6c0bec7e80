/**
 * Names have one owner: a username, a confirmed address, a passkey, an account of an upstream. No index reaches
 * over shards. So each such name is a row of a table of names, whose key is the name. The row is written in
 * the transaction that writes the owner.
 */
import { DatabaseError } from 'pg'
import type { OwnerId } from '../../../model/ids.ts'
import { lowerAscii } from '../../sql/page.ts'
import { type Row, type Rows, type Step, statement, type Value } from '../../sql/statement.ts'
import { findWord } from './words.ts'

/** One kind of name that rows of a table have. */
interface NameKind {
  readonly kind: string
  readonly columns: readonly string[]
  /** The name of a row; null for a row without one. */
  readonly nameOf: (row: Row) => string | null
}

interface NamedTable {
  readonly holder: string
  readonly kinds: readonly NameKind[]
}

const readText = (value: Value | undefined): string => String(value ?? '')

const owners: NamedTable = {
  holder: 'id',
  kinds: [
    {
      kind: 'username',
      columns: ['username_key'],
      nameOf: ({ username_key: key }) => readText(key),
    },
    {
      kind: 'address',
      columns: ['email', 'email_verified'],
      nameOf: ({ email, email_verified: verified }) =>
        Number(verified ?? 0) === 1 && readText(email) !== '' ? lowerAscii(readText(email)) : null,
    },
  ],
}

const named: Readonly<Record<string, NamedTable>> = {
  owners,
  passkeys: {
    holder: 'owner_id',
    kinds: [{ kind: 'passkey', columns: ['id'], nameOf: ({ id }) => readText(id) }],
  },
  upstream_links: {
    holder: 'owner_id',
    kinds: [
      {
        kind: 'account',
        columns: ['upstream', 'issuer', 'subject'],
        nameOf: (row) =>
          JSON.stringify([readText(row.upstream), readText(row.issuer), readText(row.subject)]),
      },
    ],
  },
  scim_users: {
    holder: 'owner_id',
    kinds: [
      {
        kind: 'external',
        columns: ['client_id', 'external_id'],
        nameOf: ({ client_id: client, external_id: external }) =>
          readText(external) === '' ? null : JSON.stringify([readText(client), readText(external)]),
      },
    ],
  },
}

export const namesSchema = [
  'create table names (name text not null primary key, owner_id text not null)',
  `select create_distributed_table('names', 'name', colocate_with := 'none')`,
  'create index names_by_owner on names (owner_id, name)',
]

const isTaken = (): DatabaseError => {
  const error = new DatabaseError('a name belongs to another owner', 0, 'error')
  // As of a unique index. The step looks again, and sees the row of the other owner.
  error.code = '23505'
  return error
}

/** @returns `new`, or `own` where the owner has it already, or `taken` */
function* claim(name: string, owner: Value): Step<'new' | 'own' | 'taken'> {
  const claimed = yield statement(
    'insert into names (name, owner_id) values (?, ?) on conflict (name) do nothing returning name',
    name,
    owner,
  )
  if (claimed.length > 0) return 'new'
  const [row] = yield statement('select owner_id from names where name = ?', name)
  return row?.owner_id === owner ? 'own' : 'taken'
}

const listNames = ({ kinds }: NamedTable, row: Row): readonly string[] =>
  kinds.flatMap(({ kind, nameOf }) => {
    const name = nameOf(row)
    return name === null ? [] : [`${kind}:${name}`]
  })

/** The name of a kind that a row of a table would have. */
export const writeName = (table: string, kind: string, row: Row): string => {
  const kinds = named[table]?.kinds.filter((one) => one.kind === kind) ?? []
  const [name = ''] = listNames({ holder: '', kinds }, row)
  return name
}

export const hasNames = (table: string): boolean => named[table] !== undefined

/**
 * Inserts a row with its names.
 *
 * @param insert the step that inserts it
 * @param doesNothing whether a taken name means that nothing is inserted
 */
export function* insertNamed(
  table: string,
  row: Row,
  doesNothing: boolean,
  insert: Step<Rows>,
): Step<Rows> {
  const of = named[table]
  if (of === undefined) return yield* insert
  const owner = row[of.holder] ?? ''
  const fresh: string[] = []
  let isFree = true
  for (const name of listNames(of, row)) {
    const claimed = yield* claim(name, owner)
    if (claimed === 'taken') isFree = false
    if (claimed === 'taken' && !doesNothing) throw isTaken()
    if (claimed === 'new') fresh.push(name)
  }
  const inserted = isFree ? yield* insert : []
  if (inserted.length === 0) {
    for (const name of fresh) yield statement('delete from names where name = ?', name)
  }
  return inserted
}

export interface NamedChange {
  readonly sql: string
  readonly of: NamedTable
  readonly kinds: readonly NameKind[]
  readonly isDelete: boolean
}

/** A change or a deletion of rows that have names; null for any other statement. */
export const parseNamed = (sql: string): NamedChange | null => {
  const [, verb = '', table = ''] = /^\s*(update|delete from) (\w+)\b/i.exec(sql) ?? []
  const of = named[table]
  if (of === undefined) return null
  const isDelete = verb.toLowerCase() !== 'update'
  const setAt = findWord(sql, /set\b/iy)
  const whereAt = findWord(sql, /(from|where|returning)\b/iy, Math.max(setAt, 12))
  const changed = sql.slice(setAt, whereAt === -1 ? undefined : whereAt)
  const isSet = (column: string) => new RegExp(`(set|,)\\s*${column}\\s*=`, 'i').test(changed)
  const kinds = isDelete ? of.kinds : of.kinds.filter(({ columns }) => columns.some(isSet))
  if (kinds.length === 0) return null
  const columns = [of.holder, ...of.kinds.flatMap((one) => one.columns)]
  const listed = columns.map((column, i) => `${table}.${column} as named_${i}`).join(', ')
  const alias = /^\s*(?:update|delete from) \w+ (?:as )?(?!set\b|where\b|using\b)(\w+)/i.exec(sql)
  const said = alias ? listed.replaceAll(`${table}.`, `${alias[1]}.`) : listed
  const returns = findWord(sql, /returning\b/iy) !== -1
  return { sql: `${sql} ${returns ? ',' : 'returning'} ${said}`, of, kinds, isDelete }
}

export function* changeNamed(
  { sql, of, kinds, isDelete }: NamedChange,
  params: readonly Value[],
): Step<Rows> {
  const rows = yield statement(sql, ...params)
  const columns = [of.holder, ...of.kinds.flatMap((one) => one.columns)]
  for (const row of rows) {
    const known = Object.fromEntries(
      columns.map((column, i) => [column, row[`named_${i}`] ?? null]),
    )
    const owner = (known[of.holder] ?? '') as OwnerId
    if (isDelete && of === owners) {
      yield statement('delete from names where owner_id = ?', owner)
    } else if (isDelete) {
      for (const name of listNames(of, known)) {
        yield statement('delete from names where name = ?', name)
      }
    } else {
      for (const one of kinds) {
        const [name = ''] = listNames({ ...of, kinds: [one] }, known)
        const claimed = name === '' ? 'new' : yield* claim(name, owner)
        if (claimed === 'taken') throw isTaken()
        // An owner has one name of a kind, so there is no other.
        if (claimed === 'own') continue
        yield statement(
          'delete from names where owner_id = ? and name >= ? and name < ? and name <> ?',
          ...[owner, `${one.kind}:`, `${one.kind};`, name],
        )
      }
    }
  }
  return rows
}
