/**
 * Tables of checkouts between two versions. Before any release, migrations were still changed or added after a
 * checkout had run later ones, all on 27 November 2026. So the schema of such a database is right and its form is not.
 */
import { tables } from '../sql/records.ts'
import { fillLastUse, listStates } from './migrate.ts'
import type { Table } from './table.ts'

/** A column of a database, as its engine describes it. */
export interface FoundColumn {
  readonly table: string
  readonly name: string
  readonly isNullable: boolean
}

/** A column, its fault, and the statements against it. */
type Mend = readonly [
  table: string,
  column: string,
  fault: ReturnType<typeof getState>,
  statements: readonly string[],
]

const getState = (columns: readonly FoundColumn[], name: string) => {
  const found = columns.find((one) => one.name === name)
  if (found === undefined) return columns.length === 0 ? 'without table' : 'missing'
  return found.isNullable ? 'nullable' : 'required'
}

const getTable = (name: string): Table => {
  const table = tables.find((one) => one.name === name)
  if (table === undefined) throw new Error(`there is no table ${name}`)
  return table
}

const addColumn = (table: string, column: string, type: string): Mend => [
  table,
  column,
  'missing',
  [`alter table ${table} add column ${column} ${type}`],
]

/** No engine changes a column where it stands, so another takes its place. */
const replaceColumn = (table: string, column: string, type: string, value: string) => [
  `alter table ${table} rename column ${column} to former_${column}`,
  `alter table ${table} add column ${column} ${type}`,
  `update ${table} set ${column} = ${value}`,
  `alter table ${table} drop column former_${column}`,
]

/** The time of a latest use was 0 where nobody knew it. Nothing is to be known of a deleted row. */
const replaceTime = (table: string, column: string, index: string) => [
  `drop index ${index}`,
  ...replaceColumn(
    table,
    column,
    'bigint',
    `case when deleted_at is null then nullif(former_${column}, 0) else 0 end`,
  ),
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

const createTables = (...names: readonly string[]) => names.flatMap((name) => getTable(name).create)

const pictureName = ["text not null default ''", "coalesce(former_picture_name, '')"] as const

const renewLists = [
  ...replaceTime('owners', 'last_login_at', 'owners_by_last_login'),
  ...replaceTime('clients', 'last_used_at', 'clients_by_last_use'),
  fillLastUse,
  // The key of words lacked the id, so of two clients with one name only one was found.
  ...['owner', 'client'].flatMap((one) => [
    `drop table ${one}_words`,
    ...createTables(`${one}_words`),
    `update ${one}s set words_kept = 0`,
  ]),
  ...listStates,
]

const mends: readonly Mend[] = [
  addColumn('device_authorizations', 'salt', 'text'),
  addColumn('backchannel_requests', 'kept_until', 'bigint'),
  addColumn('upstream_links', 'made_by', "text not null default ''"),
  ['scim_users', 'owner_id', 'without table', createTables('scim_users', 'scim_groups')],
  ['scim_users', 'disabled_here', 'missing', replaceTable('scim_users', { disabled_here: '0' })],
  ['owners', 'picture_name', 'nullable', replaceColumn('owners', 'picture_name', ...pictureName)],
  ['owners', 'last_login_at', 'required', renewLists],
  [
    'directory_checks',
    'checked_at',
    'missing',
    [
      ...replaceTable('directory_checks', { checked_at: 'started_at' }),
      ...replaceTable('directory_leavers', { times: '1' }),
    ],
  ],
]

/**
 * The statements that bring such a database into the form of its schema; none for any other.
 *
 * @param found all columns of all tables
 */
export const listMends = (found: readonly FoundColumn[]): readonly string[] =>
  mends.flatMap(([table, column, fault, statements]) => {
    const columns = found.filter((one) => one.table === table)
    return getState(columns, column) === fault ? statements : []
  })
