/** The tables of a database over many machines: the same, with the shard key in those with the rows of owners. */
import { eventTable } from '../../records/event/events.ts'
import { places } from './place.ts'
import { splitAt } from './words.ts'

/** Names that no two owners may have. A table of their own has them, since no index reaches over shards. */
const globallyUnique = new Set(['owners_by_verified_email', 'scim_users_by_external_id'])

const shardKey = 'shard_key integer not null'

const splitLines = (body: string): readonly string[] =>
  splitAt(body, ',').map((line) => line.trim())

/** A column or a constraint, without what reaches over shards. */
const writeLine = (line: string, keys: string[], foreign: string[]): string | null => {
  const primary = /^primary key \((.*)\)$/.exec(line)
  if (primary) {
    keys.push(primary[1] ?? '')
    return null
  }
  if (line.startsWith('unique (')) return line.replace('unique (', 'unique (shard_key, ')
  const [name = ''] = line.split(' ')
  let text = line
  if (/ primary key$/.test(text)) {
    keys.push(name)
    text = text.replace(/ primary key$/, '')
  }
  text = text.replace(/ unique$/, '')
  const toShared = / (references (?:clients|groups) \(id\) on delete cascade)/
  const shared = toShared.exec(text)
  if (shared) {
    foreign.push(`foreign key (${name}) ${shared[1]}`)
    text = text.replace(toShared, '')
  }
  if (/ primary key$/.test(text)) {
    keys.push(name)
    text = text.replace(/ primary key$/, '')
  }
  const reference = / references owners \(id\) on delete cascade/
  if (reference.test(text)) {
    foreign.push(
      `foreign key (shard_key, ${name}) references owners (shard_key, id) on delete cascade`,
    )
    text = text.replace(reference, '')
  }
  return text
}

/**
 * Citus counts a row of the coordinator as a part of its transaction only in a table that it knows. Otherwise a
 * worker commits first, and a coordinator that dies then has lost its row.
 */
const register = (name: string): string =>
  `select citus_add_local_table_to_metadata('${name}', true)`

const writeTable = (sql: string): readonly string[] => {
  const [, name = '', body = ''] = /^create table (\w+) \(\s*(.*?)\s*\)$/s.exec(sql) ?? []
  const place = places[name]
  if (place === undefined) {
    // Rows of one machine cannot refer to rows of others.
    return [sql.replaceAll(/ references owners \(id\) on delete cascade/g, ''), register(name)]
  }
  switch (place.with) {
    case 'everywhere':
      return [sql, `select create_reference_table('${name}')`]
    case 'own':
      return [
        sql,
        `select create_distributed_table('${name}', '${place.by}', colocate_with := 'none')`,
      ]
    case 'owner': {
      const keys: string[] = []
      const foreign: string[] = []
      const lines = splitLines(body).flatMap((line) => writeLine(line, keys, foreign) ?? [])
      const all = [shardKey, ...lines, `primary key (shard_key, ${keys.join(', ')})`]
      const near = name === 'owners' ? 'none' : 'owners'
      return [
        `create table ${name} (\n  ${all.join(',\n  ')}\n)`,
        `select create_distributed_table('${name}', 'shard_key', colocate_with := '${near}')`,
        ...foreign.map((one) => `alter table ${name} add ${one}`),
      ]
    }
  }
}

const writeIndex = (sql: string): string => {
  const [, unique, name = '', table = ''] = /^create (unique )?index (\w+) on (\w+)/.exec(sql) ?? []
  if (unique === undefined || places[table]?.with !== 'owner') return sql
  if (globallyUnique.has(name)) return sql.replace('create unique', 'create')
  return sql.replace(/ on (\w+) \(/, ' on $1 (shard_key, ')
}

/** Events that wait beside their owners. */
export const outboxSchema: readonly string[] = [
  ...eventTable.create
    .filter((sql) => sql.startsWith('create table '))
    .flatMap((sql) => writeTable(sql.replace('create table events', 'create table event_outbox'))),
  // Looks at all shards begin somewhere.
  'create index waiting_events on event_outbox (id)',
]

/** A column of events is also one of those that wait. */
const writeOther = (sql: string): readonly string[] => {
  const waiting = sql.replace(
    /^alter table events (?=add column)/,
    'alter table if exists event_outbox ',
  )
  return waiting === sql ? [writeIndex(sql)] : [sql, waiting]
}

/** What makes a table or an index there. */
export const writeSchema = (sql: string): readonly string[] =>
  sql.startsWith('create table') ? writeTable(sql) : writeOther(sql)
