/** The schema of a new database, which the records make together, and the numbered migrations of older ones. */
import { localTables, tables } from '../sql/records.ts'

/** Done in one transaction, and never changed once released. */
export interface Migration {
  readonly version: number
  /** `create table` without further clauses: a driver adds those that suit its engine. */
  readonly statements: readonly string[]
}

/** Older databases are brought up to date by versions that still know how. */
const oldestVersion = 50

/** The marks of roles, which stand in one text. No function that finds a space is of both engines. */
const listRoles = [
  `insert into owner_words (word, place, id) with recursive letters (id, place, role, rest) as (
      select id, username_key, substr(roles, 1, 0), roles || ' ' from owners
        where roles <> '' and deleted_at is null
      union all
      select id, place,
        case when substr(rest, 1, 1) = ' ' then substr(rest, 1, 0) else role || substr(rest, 1, 1) end,
        substr(rest, 2) from letters where rest <> '')
    select '=role:' || role || ';', place, id from letters
      where role <> '' and substr(rest, 1, 1) = ' ' on conflict do nothing`,
  `insert into owner_words (word, place, id) select '=roles;', username_key, id from owners
    where roles <> '' and deleted_at is null`,
]

/** Lists of roles and states are whole at once. Housekeeping writes the words. */
export const listStates = [
  ...listRoles,
  `insert into owner_words (word, place, id) select '=disabled;', username_key, id from owners
    where disabled = 1 and deleted_at is null`,
  `insert into owner_words (word, place, id) select '=leaving;', username_key, id from owners
    where deletion_at is not null and deleted_at is null`,
]

/** Of clients that counts of today know. */
export const fillLastUse = `update clients set last_used_at = u.last_at from (
    select client_id, max(last_at) as last_at from counts
      where last_at is not null and kind in ('acts', 'actGuests') and name = 'token'
      group by client_id) u
  where u.client_id = clients.id and last_used_at is null`

const migrations: readonly Migration[] = [
  {
    version: 51,
    statements: [
      "create index deleted_owners on events (owner_id, id) where type = 'owner.deleted'",
    ],
  },
  {
    version: 52,
    statements: ['clients', 'owners'].flatMap((table) => [
      `alter table ${table} add column deleted_at bigint`,
      `create index ${table}_deleted on ${table} (id) where deleted_at is not null`,
    ]),
  },
  {
    version: 53,
    statements: [
      // The first owner who is not disabled keeps an address as confirmed.
      `update owners set email_verified = 0 where email_verified = 1 and email <> '' and exists
        (select 1 from owners x where lower(x.email) = lower(owners.email) and x.email_verified = 1
         and (x.disabled < owners.disabled or (x.disabled = owners.disabled
           and (x.created_at < owners.created_at
             or (x.created_at = owners.created_at and x.id < owners.id)))))`,
      `create unique index owners_by_verified_email on owners (lower(email))
        where email_verified = 1 and email <> ''`,
    ],
  },
  {
    version: 54,
    statements: ["alter table authorizations add column details text not null default ''"],
  },
  {
    version: 55,
    statements: [
      `create table device_authorizations (id text not null primary key,
        secret_digest text not null, user_code text not null unique, client_id text not null,
        parameters text not null, network text not null, created_at bigint not null,
        expires_at bigint not null, state text not null, authorization_id text,
        salt text, terms text)`,
      'create index device_authorizations_by_network on device_authorizations (network, expires_at)',
      'create index device_authorizations_by_end on device_authorizations (expires_at)',
    ],
  },
  {
    version: 56,
    statements: ['parent_id', 'taken_by'].map(
      (column) => `alter table authorizations add column ${column} text not null default ''`,
    ),
  },
  {
    version: 57,
    statements: [
      "alter table authorizations add column allowed_by text not null default ''",
      `create table trusted_issuers (id text not null primary key, issuer text not null unique,
        details text not null, created_at bigint not null, revision bigint not null,
        ended_at bigint)`,
      `create table issuer_accesses (
        owner_id text not null references owners (id) on delete cascade,
        client_id text not null references clients (id) on delete cascade,
        issuer_id text not null, authorization_id text not null, offered text not null,
        primary key (owner_id, client_id, issuer_id))`,
      'create index issuer_accesses_by_client on issuer_accesses (client_id)',
      'create index issuer_accesses_by_issuer on issuer_accesses (issuer_id, authorization_id)',
    ],
  },
  {
    version: 58,
    statements: [
      `create table backchannel_requests (id text not null primary key,
        secret_digest text not null, client_id text not null, owner_id text, hint text not null,
        parameters text not null, message text, network text not null, created_at bigint not null,
        expires_at bigint not null, state text not null, authorization_id text, salt text,
        terms text, ping text, ping_at bigint, tries integer not null default 0)`,
      'create index backchannel_requests_by_hint on backchannel_requests (client_id, hint, expires_at)',
      'create index backchannel_requests_by_owner on backchannel_requests (owner_id, expires_at)',
      'create index backchannel_requests_by_network on backchannel_requests (network, expires_at)',
      'create index backchannel_requests_by_end on backchannel_requests (expires_at)',
      `create index backchannel_requests_by_ping on backchannel_requests (ping_at)
        where ping_at is not null`,
    ],
  },
  {
    version: 59,
    statements: [
      `create table signal_streams (id text not null primary key, client_id text not null,
        created_at bigint not null, description text not null, endpoint_url text not null,
        credential text, requested text, status text not null, reason text not null,
        epoch text not null, position bigint not null, taken text not null, verification text,
        verified_at bigint not null, took_milliseconds bigint, tries integer not null,
        due_at bigint not null, revision bigint not null)`,
      'create index signal_streams_by_client on signal_streams (client_id, id)',
    ],
  },
  {
    version: 60,
    statements: [
      'alter table backchannel_requests add column of_stranger smallint not null default 0',
      'alter table backchannel_requests add column kept_until bigint',
    ],
  },
  {
    version: 61,
    statements: ['alter table signal_streams add column taken_at bigint'],
  },
  {
    version: 62,
    statements: [
      "alter table owners add column picture_name text not null default ''",
      `create table owner_pictures (owner_id text not null primary key
        references owners (id) on delete cascade, name text not null unique, type text not null,
        content text not null)`,
    ],
  },
  {
    version: 63,
    statements: [
      "alter table owners add column picture_source text not null default ''",
      "update owners set picture_source = 'own' where picture_name <> ''",
    ],
  },
  {
    version: 64,
    statements: [
      'alter table attempts add column owner_id text',
      'create index attempts_by_owner on attempts (owner_id) where owner_id is not null',
      'alter table counts add column last_at bigint',
    ],
  },
  {
    version: 65,
    statements: [
      `create table groups (id text not null primary key, name text not null unique,
        created_at bigint not null, changed_at bigint not null, revision bigint not null)`,
      `create table group_members (
        owner_id text not null references owners (id) on delete cascade,
        group_id text not null references groups (id) on delete cascade,
        source text not null, primary key (owner_id, group_id, source))`,
      'create index group_members_by_group on group_members (group_id, owner_id)',
      ...['allowed_groups', 'told_groups'].map(
        (column) => `alter table clients add column ${column} text not null default ''`,
      ),
      `create index clients_of_groups on clients (id)
        where allowed_groups > '' or told_groups > ''`,
      `create table upstream_roles (
        owner_id text not null references owners (id) on delete cascade, upstream text not null,
        role text not null, primary key (owner_id, upstream, role))`,
      "alter table upstream_links add column made_by text not null default ''",
    ],
  },
  {
    version: 66,
    statements: [
      ...['owner', 'client'].flatMap((one) => [
        `create table ${one}_words (word text not null, place text not null,
          id text not null references ${one}s (id) on delete cascade, primary key (word, place, id))`,
        `create index ${one}_words_of_row on ${one}_words (id, word)`,
        // Housekeeping writes the words of these.
        `alter table ${one}s add column words_kept smallint not null default 0`,
        `create index ${one}s_without_words on ${one}s (id) where words_kept = 0`,
        `drop index ${one}s_by_name`,
      ]),
      ...listStates,
      'alter table owners add column last_login_at bigint',
      `create index owners_by_last_login on owners (last_login_at, username_key)
        where deleted_at is null`,
      'drop index owners_with_roles',
      'alter table clients add column last_used_at bigint',
      fillLastUse,
      'create index clients_by_last_use on clients (last_used_at, id) where deleted_at is null',
    ],
  },
  {
    version: 67,
    statements: [
      `create table scim_users (
        owner_id text not null primary key references owners (id) on delete cascade,
        client_id text not null references clients (id) on delete cascade,
        external_id text not null, formatted text not null, changed_at bigint not null,
        disabled_here smallint not null)`,
      'create index scim_users_by_client on scim_users (client_id, owner_id)',
      `create unique index scim_users_by_external_id on scim_users (client_id, external_id)
        where external_id > ''`,
      `create table scim_groups (
        group_id text not null primary key references groups (id) on delete cascade,
        client_id text not null references clients (id) on delete cascade,
        external_id text not null)`,
      'create index scim_groups_by_client on scim_groups (client_id, group_id)',
      `create unique index scim_groups_by_external_id on scim_groups (client_id, external_id)
        where external_id > ''`,
    ],
  },
  {
    version: 68,
    statements: [
      `create table event_seals (number bigint not null primary key, until text not null,
        late integer not null, statement text not null, entries text not null,
        position text not null)`,
      'create index event_seals_by_end on event_seals (until)',
      'create index late_event_seals on event_seals (number) where late > 0',
    ],
  },
  {
    version: 69,
    statements: [
      `create table directory_checks (upstream text not null primary key,
        started_at bigint not null, checked_at bigint not null, missing bigint not null)`,
      `create table directory_leavers (
        owner_id text not null references owners (id) on delete cascade,
        upstream text not null, disabled_at bigint not null, disabled_here smallint not null,
        times integer not null, primary key (owner_id, upstream))`,
      'create index directory_leavers_by_time on directory_leavers (upstream, disabled_at)',
    ],
  },
]

export const schemaVersion = Math.max(...migrations.map(({ version }) => version))

/** All that a new database begins with. */
export const schema: Migration = {
  version: schemaVersion,
  statements: [...tables, ...localTables].flatMap(({ create }) => create),
}

/**
 * The migrations that a database needs.
 *
 * @param version of its schema; 0 for a new one
 */
export const listMigrations = (version: number): readonly Migration[] =>
  version === 0 ? [schema] : migrations.filter((one) => one.version > version)

/** The fault of a database with a schema, as a message says it; null for none. */
export const findSchemaFault = (version: number): string | null => {
  if (version > schemaVersion) {
    return `was written by a newer version of this program (its schema is ${version}, this one knows ${schemaVersion})`
  }
  if (version === 0 || version >= oldestVersion) return null
  return (
    `was written by a version of this program that is too old (its schema is ${version}, this one needs ` +
    `${oldestVersion} or later): start the service once with a version of schema ${oldestVersion} to ` +
    `${schemaVersion} that still takes it, or export what you need with the version that wrote it`
  )
}
