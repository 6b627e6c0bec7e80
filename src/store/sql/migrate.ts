/** The numbered migrations: each is done in one transaction and never changed once released. */

import { accountColumns } from './account-columns.ts'
import { clientLogos } from './client-logos.ts'
import { firstSchema } from './first-schema.ts'
import { keyTables } from './key-tables.ts'
import { logoutTables } from './logouts.ts'
import { mailTables } from './mails.ts'
import { moveUses } from './move-uses.ts'
import { passkeys } from './passkey-table.ts'
import { registrationTables } from './registration-tables.ts'
import { resourceTables } from './resource-tables.ts'
import { revocationTables } from './revocation-tables.ts'
import type { Step } from './statement.ts'
import { upstreamTables } from './upstreams.ts'

export interface Migration {
  readonly version: number
  /** `create table` without further clauses: a driver adds those that suit its engine. */
  readonly statements: readonly string[]
  /** After the statements: moves rows that SQL alone cannot bring into their new form. */
  readonly move?: () => Step<void>
}

/** Older sessions get a handle from random values that nobody outside knows. */
const describedSessions = [
  "alter table sessions add column handle text not null default ''",
  "alter table sessions add column user_agent text not null default ''",
  "alter table sessions add column network text not null default ''",
  'update sessions set handle = substr(id, 1, 26)',
]

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
const secondFactors = [
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
const useDays = `create table use_days (
  id text not null primary key,
  authorization_id text not null,
  reads bigint not null,
  writes bigint not null,
  checks bigint not null,
  refused bigint not null
)`

const useEntries = `create table use_entries (
  id text not null primary key,
  authorization_id text not null,
  uses bigint not null,
  last_at bigint not null
)`

/**
 * Events name their actor. One salt of a client can end everything under its authorizations, and
 * bounds tokens from before a shorter lifetime.
 */
const actorsAndCredentials = [
  "alter table events add column actor text not null default ''",
  "alter table clients add column family_salt text not null default ''",
  'alter table clients add column shortened_at bigint',
  'alter table clients add column shortened_to bigint',
]

/**
 * The network of the latest refresh, the generation of the latest repeat, and its number of
 * repeats.
 */
const repeatedRefreshes = [
  "alter table families add column rotated_from text not null default ''",
  'alter table families add column repeated_generation integer',
  'alter table families add column repeats integer not null default 0',
]

/**
 * One row for each authorization and day, which many uses change. The day leads the key, so what is
 * written is near its end, and on PostgreSQL the table can be partitioned by it. From then on
 * `authorizations.last_used_at` is the first use of the last day; the row of that day knows the last.
 */
const accessLog = `create table access_log (
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
 * Until now every passkey made the password alone insufficient. For its owners that stays so: an
 * upgrade must not open an account by less than before.
 */
const passkeyOnly = [
  'alter table owners add column passkey_only smallint not null default 0',
  'alter table owners add column former_password_at bigint not null default 0',
  `update owners set passkey_only = 1
   where exists (select 1 from passkeys p where p.owner_id = owners.id)`,
]

/**
 * The requester of each approval; unknown for earlier ones. The index is for owners, who see a
 * client's changes of itself.
 */
const approvedRequesters = [
  "alter table authorizations add column approved_for text not null default ''",
  "create index own_changes on events (client_id, id) where type = 'client.changed_itself'",
]

const facts = `create table facts (
  id text not null primary key,
  value text not null
)`

/** Takes the permissions of a resource away whose name is reserved from now on. */
const withoutFormer = (resource: string): readonly string[] => {
  const left = (column: string): string =>
    `trim(replace(replace(' ' || ${column} || ' ', ' ${resource}:read ', ' '), ' ${resource}:write ', ' '))`
  return [
    `update clients set scope = ${left('scope')} where scope like '%${resource}:%'`,
    `update authorizations set permissions = ${left('permissions')}
     where permissions like '%${resource}:%'`,
    `update authorizations set expires_at = 0 where permissions = ''`,
  ]
}

/**
 * What `/userinfo` tells about owners; of those from before nothing is verified. No resource can be
 * named `profile` any more, so approvals for it end.
 */
const ownerClaims = [
  ...withoutFormer('profile'),
  'alter table owners add column email_verified smallint not null default 0',
  "alter table owners add column claims text not null default '{}'",
  'alter table owners add column updated_at bigint not null default 0',
  'update owners set updated_at = created_at',
]

/** JSON of the pause, or empty; and the latest end of one, in unix seconds. */
const pauses = [
  "alter table authorizations add column paused text not null default ''",
  'alter table authorizations add column resumed_at bigint',
]

export const migrations: readonly Migration[] = [
  {
    version: 1,
    statements: firstSchema,
  },
  {
    version: 2,
    statements: describedSessions,
  },
  {
    version: 3,
    statements: secondFactors,
  },
  {
    // For a while there was a version 4 with other tables of these names.
    version: 5,
    statements: [
      'drop table if exists use_days',
      'drop table if exists use_entries',
      useDays,
      useEntries,
    ],
  },
  {
    version: 8,
    statements: actorsAndCredentials,
  },
  {
    version: 9,
    statements: [...repeatedRefreshes, ...approvedRequesters],
  },
  {
    version: 10,
    statements: [facts],
  },
  {
    version: 12,
    statements: [accessLog],
    move: moveUses,
  },
  {
    version: 13,
    statements: ['drop table use_days', 'drop table use_entries'],
  },
  {
    version: 14,
    statements: [clientLogos],
  },
  {
    version: 15,
    statements: passkeyOnly,
  },
  {
    // For a while this was version 7, so databases of later versions may have the tables or not.
    version: 16,
    statements: registrationTables,
  },
  {
    // The network with this client in its quota; null for none.
    version: 17,
    statements: ['alter table registrations add column network text'],
  },
  {
    version: 18,
    statements: ownerClaims,
  },
  {
    version: 20,
    statements: keyTables,
  },
  {
    version: 21,
    // The admin API has a resource of this name now.
    statements: [...resourceTables, ...withoutFormer('resources')],
  },
  {
    version: 24,
    // Earlier scopes were limits, and some were narrowed by an operator.
    statements: ['alter table clients add column scope_limits integer not null default 1'],
  },
  {
    version: 25,
    statements: pauses,
  },
  {
    version: 26,
    statements: logoutTables,
  },
  {
    version: 27,
    statements: revocationTables,
  },
  {
    version: 28,
    statements: ['alter table keys add column keep_until bigint'],
  },
  {
    version: 29,
    statements: ["alter table owners add column attributes text not null default '{}'"],
  },
  {
    version: 30,
    statements: mailTables,
  },
  {
    version: 31,
    // The kind of an imported password hash; '' for hashes of our own.
    statements: [
      "alter table owners add column password_kind text not null default ''",
      `create index owners_by_password_kind on owners (password_kind) where password_kind > ''`,
    ],
  },
  {
    version: 33,
    statements: accountColumns,
  },
  {
    version: 34,
    statements: upstreamTables,
  },
]

export const schemaVersion = Math.max(...migrations.map(({ version }) => version))
