/** Keys of every use. Until version 20 there were sealing keys only. */

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
