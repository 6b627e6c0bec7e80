/** The tables as whole things, to be copied row by row on any engine. */
import { type Rows, type Statement, statement, type Value } from './statement.ts'

export interface Table {
  readonly name: string
  /** The columns of the primary key. */
  readonly key: readonly string[]
  /** All columns, in the order in which a row is written. */
  readonly columns: readonly string[]
}

/** The values of a row, in the order of the columns. */
export type Values = readonly Value[]

const table = (name: string, key: readonly string[], others: readonly string[]): Table => ({
  name,
  key,
  columns: [...key, ...others],
})

/**
 * All but `pings`, which keeps nothing that is not soon noted again. In this order no row refers to one that comes later.
 */
export const tables: readonly Table[] = [
  table(
    'clients',
    ['id'],
    [
      'name',
      'scope',
      'salt',
      'family_salt',
      'shortened_at',
      'shortened_to',
      'disabled',
      'has_endings',
      'revision',
      'details',
    ],
  ),
  table('client_logos', ['client_id'], ['uri', 'type', 'version', 'content', 'fetched_at']),
  table('registrations', ['client_id'], ['expires_at', 'due_at', 'network']),
  table('registration_counts', ['id'], ['clients', 'ends_at']),
  table(
    'owners',
    ['id'],
    [
      'username',
      'username_key',
      'name',
      'email',
      'password_hash',
      'password_changed_at',
      'disabled',
      'created_at',
      'passkey_only',
      'former_password_at',
    ],
  ),
  table(
    'sessions',
    ['id'],
    [
      'owner_id',
      'started_at',
      'expires_at',
      'handle',
      'user_agent',
      'network',
      'methods',
      'confirmed_at',
    ],
  ),
  table(
    'passkeys',
    ['id'],
    [
      'owner_id',
      'name',
      'public_key',
      'counter',
      'transports',
      'backup_eligible',
      'backed_up',
      'created_at',
      'last_used_at',
    ],
  ),
  table('one_time_codes', ['owner_id'], ['secret', 'last_step', 'created_at']),
  table('recovery_codes', ['owner_id', 'code'], []),
  table('finished_ceremonies', ['id'], ['expires_at']),
  table(
    'authorizations',
    ['id'],
    [
      'client_id',
      'owner_id',
      'permissions',
      'duration',
      'session_id',
      'expires_at',
      'created_at',
      'last_used_at',
      'salt',
      'approved_for',
      'revision',
    ],
  ),
  table(
    'families',
    ['id'],
    [
      'authorization_id',
      'generation',
      'started_at',
      'rotated_at',
      'rotated_from',
      'repeated_generation',
      'repeats',
      'expires_at',
      'ended',
      'has_endings',
    ],
  ),
  table('endings', ['id'], ['expires_at']),
  table('attempts', ['key'], ['tries', 'blocked_until', 'forget_at']),
  table('items', ['holder', 'resource', 'id'], ['version', 'fields']),
  table('item_counts', ['holder', 'resource'], ['items']),
  table('sealing_keys', ['id'], ['wrapped', 'usable_from', 'created_at']),
  table('sealing_turns', ['id'], ['key_id', 'usable_from']),
  table('facts', ['id'], ['value']),
  table(
    'events',
    ['id'],
    ['at', 'type', 'client_id', 'owner_id', 'authorization_id', 'request_id', 'details', 'actor'],
  ),
  table(
    'access_log',
    ['day', 'authorization_id'],
    ['revision', 'reads', 'writes', 'checks', 'refused', 'last_at', 'lines'],
  ),
]

const marks = (count: number): string => Array(count).fill('?').join(', ')

/** The next rows in the order of their keys. @param after a key, or null to begin */
export const pageOfRows = (
  { name, key, columns }: Table,
  after: Values | null,
  limit: number,
): Statement => {
  const keys = key.join(', ')
  const beyond = after === null ? '' : `where (${keys}) > (${marks(key.length)})`
  const sql = `select ${columns.join(', ')} from ${name} ${beyond} order by ${keys} limit ?`
  return statement(sql, ...(after ?? []), limit)
}

export const insertRows = ({ name, columns }: Table, rows: readonly Values[]): Statement => {
  const places = Array(rows.length)
    .fill(`(${marks(columns.length)})`)
    .join(', ')
  const sql = `insert into ${name} (${columns.join(', ')}) values ${places}`
  return statement(sql, ...rows.flat())
}

export const deleteRows = ({ name }: Table): Statement => statement(`delete from ${name}`)

export const countRows = ({ name }: Table): Statement =>
  statement(`select count(*) as rows from ${name}`)

export const anyRow = ({ name }: Table): Statement =>
  statement(`select 1 as found from ${name} limit 1`)

/** The key with the greatest value: where copying has got to. */
export const lastKey = ({ name, key }: Table): Statement =>
  statement(
    `select ${key.join(', ')} from ${name} order by ${key.map((one) => `${one} desc`).join(', ')} limit 1`,
  )

/** Rows as lists of values. */
export const valuesOf = (rows: Rows, columns: readonly string[]): readonly Values[] =>
  rows.map((row) => columns.map((column) => row[column] ?? null))
