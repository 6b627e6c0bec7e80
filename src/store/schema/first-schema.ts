/** The tables of the first version; migrations change them from there. */

const clients = `create table clients (
  id text not null primary key,
  name text not null,
  scope text not null,
  salt text not null,
  disabled smallint not null,
  has_endings smallint not null,
  revision integer not null,
  details text not null
)`

const owners = `create table owners (
  id text not null primary key,
  username text not null,
  username_key text not null unique,
  name text not null,
  email text not null,
  password_hash text not null,
  password_changed_at bigint not null,
  disabled smallint not null,
  created_at bigint not null
)`

const sessions = `create table sessions (
  id text not null primary key,
  owner_id text not null references owners (id) on delete cascade,
  started_at bigint not null,
  expires_at bigint not null
)`

/** The unique key leads to the authorizations of an owner, and makes approving twice one approval. */
const authorizations = `create table authorizations (
  id text not null primary key,
  client_id text not null references clients (id) on delete cascade,
  owner_id text not null references owners (id) on delete cascade,
  permissions text not null,
  duration text not null,
  session_id text not null,
  expires_at bigint,
  created_at bigint not null,
  last_used_at bigint,
  salt text not null,
  revision integer not null,
  unique (owner_id, client_id, duration, session_id)
)`

/** Nothing but the key leads to a family, and it begins with the time: new rows are appended. */
const families = `create table families (
  id text not null primary key,
  authorization_id text not null,
  generation integer not null,
  started_at bigint not null,
  rotated_at bigint not null,
  expires_at bigint,
  ended smallint not null,
  has_endings smallint not null
)`

const endings = `create table endings (
  id text not null primary key,
  expires_at bigint
)`

const attempts = `create table attempts (
  key text not null primary key,
  tries integer not null,
  blocked_until bigint not null,
  forget_at bigint not null
)`

const items = `create table items (
  holder text not null,
  resource text not null,
  id text not null,
  version text not null,
  fields text not null,
  primary key (holder, resource, id)
)`

const itemCounts = `create table item_counts (
  holder text not null,
  resource text not null,
  items integer not null,
  primary key (holder, resource)
)`

const sealingKeys = `create table sealing_keys (
  id text not null primary key,
  wrapped text not null,
  usable_from bigint not null,
  created_at bigint not null
)`

const sealingTurns = `create table sealing_turns (
  id text not null primary key,
  key_id text not null,
  usable_from bigint not null
)`

const events = `create table events (
  id text not null primary key,
  at bigint not null,
  type text not null,
  client_id text,
  owner_id text,
  authorization_id text,
  request_id text,
  details text not null
)`

const pings = `create table pings (
  id text not null primary key,
  turn bigint not null
)`

export const firstSchema: readonly string[] = [
  clients,
  owners,
  sessions,
  authorizations,
  families,
  endings,
  attempts,
  items,
  itemCounts,
  sealingKeys,
  sealingTurns,
  events,
  pings,
  'create index sessions_by_owner on sessions (owner_id)',
  'create index sessions_by_end on sessions (expires_at)',
  'create index authorizations_by_client on authorizations (client_id, id)',
  'create index endings_by_end on endings (expires_at)',
  'create index attempts_by_end on attempts (forget_at)',
  'create index events_by_owner on events (owner_id, id)',
  'create index events_by_client on events (client_id, id)',
]
