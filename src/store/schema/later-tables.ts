/** Tables and columns of later versions that belong to no single record, or were changed since. */

const passkeys = `create table passkeys (
  id text not null primary key,
  owner_id text not null references owners (id) on delete cascade,
  name text not null,
  public_key text not null,
  counter bigint not null,
  transports text not null,
  backup_eligible smallint not null,
  backed_up smallint not null,
  created_at bigint not null,
  last_used_at bigint
)`

const oneTimeCodes = `create table one_time_codes (
  owner_id text not null primary key references owners (id) on delete cascade,
  secret text not null,
  last_step bigint not null,
  created_at bigint not null
)`

const recoveryCodes = `create table recovery_codes (
  owner_id text not null references owners (id) on delete cascade,
  code text not null,
  primary key (owner_id, code)
)`

const finishedCeremonies = `create table finished_ceremonies (
  id text not null primary key,
  expires_at bigint not null
)`

/** Until now there was nothing but passwords to log in with. */
export const secondFactors = [
  passkeys,
  oneTimeCodes,
  recoveryCodes,
  finishedCeremonies,
  'create index passkeys_by_owner on passkeys (owner_id, id)',
  'create index finished_ceremonies_by_end on finished_ceremonies (expires_at)',
  "alter table sessions add column methods text not null default 'pwd'",
  'alter table sessions add column confirmed_at bigint not null default 0',
]

/**
 * The key begins with the day and the authorization. So all writes are near the end of the table,
 * and all purges at its beginning.
 */
export const useDays = `create table use_days (
  id text not null primary key,
  authorization_id text not null,
  reads bigint not null,
  writes bigint not null,
  checks bigint not null,
  refused bigint not null
)`

export const useEntries = `create table use_entries (
  id text not null primary key,
  authorization_id text not null,
  uses bigint not null,
  last_at bigint not null
)`

/**
 * One row for each authorization and day, which many uses change. The day leads the key, so what is
 * written is near its end. From the first use of a day on
 * `authorizations.last_used_at` is the first use of the last day; the row of that day knows the last.
 */
export const accessLog = `create table access_log (
  day integer not null,
  authorization_id text not null,
  revision integer not null,
  reads bigint not null,
  writes bigint not null,
  checks bigint not null,
  refused bigint not null,
  last_at bigint,
  lines text not null,
  primary key (day, authorization_id)
)`

/**
 * A row for each client of a stranger; it outlives a client that deletes itself. At `expires_at`
 * the client's use is checked. An unused client is deleted.
 */
export const registrationTables: readonly string[] = [
  `create table if not exists registrations (
  client_id text not null primary key,
  expires_at bigint not null,
  due_at bigint not null
)`,
  'create index if not exists registrations_by_due on registrations (due_at)',
  `create table if not exists registration_counts (
  id text not null primary key,
  clients bigint not null,
  ends_at bigint
)`,
  'create index if not exists registration_counts_by_end on registration_counts (ends_at)',
]

const resources = `create table resources (
  name text not null primary key,
  position bigint not null,
  uri text,
  details text not null,
  revision bigint not null,
  deleted_at bigint
)`

/** The resource of the row has the URI: the primary key keeps others from it. */
const resourceUris = `create table resource_uris (
  uri text not null primary key,
  name text not null
)`

export const resourceTables: readonly string[] = [resources, resourceUris]

const revocations = `create table revocations (
  id text not null primary key,
  at bigint not null,
  position bigint,
  subject text not null,
  subject_id text not null,
  final smallint not null,
  permissions text
)`

const feed = `create table revocation_feed (
  id text not null primary key,
  epoch text not null,
  position bigint not null
)`

export const revocationTables: readonly string[] = [
  revocations,
  'create index revocations_by_position on revocations (position)',
  feed,
]

const keys = `create table keys (
  id text not null primary key,
  use text not null,
  algorithm text not null,
  wrapped text not null,
  public_key text,
  usable_from bigint not null,
  created_at bigint not null
)`

/** One row for each use and algorithm names the newest key. */
const keyTurns = `create table key_turns (
  use text not null,
  algorithm text not null,
  key_id text not null,
  usable_from bigint not null,
  primary key (use, algorithm)
)`

export const keyTables: readonly string[] = [
  keys,
  keyTurns,
  `insert into keys (id, use, algorithm, wrapped, public_key, usable_from, created_at)
   select id, 'sealing', 'HS256', wrapped, null, usable_from, created_at from sealing_keys`,
  `insert into key_turns (use, algorithm, key_id, usable_from)
   select 'sealing', 'HS256', key_id, usable_from from sealing_turns`,
  'drop table sealing_keys',
  'drop table sealing_turns',
]

const before = 'authorizations:read authorizations:write clients:read clients:write events:read'
const after = 'owners:read owners:write resources:read resources:write'

/**
 * The name of the permissions on keys is reserved from now on: a resource with it is deleted. A
 * client with all permissions of an operator gets the new ones, so that it stays one.
 */
export const keyPermissions: readonly string[] = [
  `update resources set uri = null, revision = revision + 1, deleted_at = 0
   where name = 'keys' and deleted_at is null`,
  `delete from resource_uris where name = 'keys'`,
  `update clients set scope = '${before} keys:read keys:write ${after}'
   where scope = '${before} ${after}'`,
]

export const consoleColumns = [
  "alter table owners add column roles text not null default ''",
  "create index owners_with_roles on owners (id) where roles > ''",
  // An operator acts rarely, so this index stays small.
  "alter table events add column operator text not null default ''",
  "create index events_of_operators on events (operator, id) where operator > ''",
  'create index events_by_type on events (type, id)',
]
