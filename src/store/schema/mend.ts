/**
 * Tables of checkouts between two versions. Before any release, migrations were still changed after a checkout
 * could have run them, all on 27 November 2026. So the schema of such a database is right and its form is not.
 */
import { tables } from '../sql/records.ts'
import { listStates } from './migrate.ts'
import type { Table } from './table.ts'

/** A column of a database, as its engine describes it. */
export interface FoundColumn {
  readonly table: string
  readonly name: string
  readonly isNullable: boolean
}

interface Mend {
  readonly table: string
  readonly column: string
  /** What is wrong with the column. */
  readonly fault: 'missing' | 'nullable' | 'required'
  readonly statements: readonly string[]
}

const getTable = (name: string): Table => {
  const table = tables.find((one) => one.name === name)
  if (table === undefined) throw new Error(`there is no table ${name}`)
  return table
}

const addColumn = (table: string, column: string, type: string): Mend => ({
  table,
  column,
  fault: 'missing',
  statements: [`alter table ${table} add column ${column} ${type}`],
})

/** No engine changes a column where it stands, so another takes its place. */
const replaceColumn = (table: string, column: string, type: string, value: string) => [
  `alter table ${table} rename column ${column} to former_${column}`,
  `alter table ${table} add column ${column} ${type}`,
  `update ${table} set ${column} = ${value}`,
  `alter table ${table} drop column former_${column}`,
]

/** The time of a latest use was 0 where nobody knew it. */
const replaceTime = (table: string, column: string, index: string) => [
  `drop index ${index}`,
  ...replaceColumn(table, column, 'bigint', `nullif(former_${column}, 0)`),
  ...getTable(table).create.filter((sql) => sql.startsWith(`create index ${index} `)),
]

/** No other table refers to this one. */
const replaceTable = (name: string, values: Readonly<Record<string, string>>) => {
  const { columns, create } = getTable(name)
  const indexes = create.flatMap((sql) => /^create (?:unique )?index (\w+)/.exec(sql)?.[1] ?? [])
  const read = columns.map((column) => values[column] ?? column)
  return [
    `alter table ${name} rename to former_${name}`,
    ...indexes.map((index) => `drop index ${index}`),
    ...create,
    `insert into ${name} (${columns.join(', ')}) select ${read.join(', ')} from former_${name}`,
    `drop table former_${name}`,
  ]
}

const mends: readonly Mend[] = [
  addColumn('device_authorizations', 'salt', 'text'),
  addColumn('backchannel_requests', 'kept_until', 'bigint'),
  addColumn('upstream_links', 'made_by', "text not null default ''"),
  {
    table: 'scim_users',
    column: 'disabled_here',
    fault: 'missing',
    statements: replaceTable('scim_users', { disabled_here: '0' }),
  },
  {
    table: 'owners',
    column: 'picture_name',
    fault: 'nullable',
    statements: replaceColumn(
      'owners',
      'picture_name',
      "text not null default ''",
      "coalesce(former_picture_name, '')",
    ),
  },
  {
    table: 'owners',
    column: 'last_login_at',
    fault: 'required',
    statements: [
      ...replaceTime('owners', 'last_login_at', 'owners_by_last_login'),
      ...replaceTime('clients', 'last_used_at', 'clients_by_last_use'),
      // The key of words lacked the id, so of two clients with one name only one was found.
      ...['owner', 'client'].flatMap((one) => [
        `drop table ${one}_words`,
        ...getTable(`${one}_words`).create,
        `update ${one}s set words_kept = 0`,
      ]),
      ...listStates,
    ],
  },
  {
    table: 'directory_checks',
    column: 'checked_at',
    fault: 'missing',
    statements: [
      ...replaceTable('directory_checks', { checked_at: 'started_at' }),
      ...replaceTable('directory_leavers', { times: '1' }),
    ],
  },
]

/**
 * The statements that bring such a database into the form of its schema; none for any other.
 *
 * @param found all columns of all tables
 */
export const listMends = (found: readonly FoundColumn[]): readonly string[] =>
  mends.flatMap(({ table, column, fault, statements }) => {
    const columns = found.filter((one) => one.table === table)
    const there = columns.find(({ name }) => name === column)
    if (there === undefined) return columns.length > 0 && fault === 'missing' ? statements : []
    return fault === (there.isNullable ? 'nullable' : 'required') ? statements : []
  })
