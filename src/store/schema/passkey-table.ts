/** The table of passkeys. */

export const passkeys = `create table passkeys (
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
