/** The numbered migrations: each is done in one transaction and never changed once released. */

import { accountColumns, passwordKinds } from '../records/account/record.ts'
import { clientLogos } from '../records/client/record.ts'
import { countTables } from '../records/count/record.ts'
import { placeColumns } from '../records/event/places.ts'
import { logoutTables } from '../records/logout/record.ts'
import { mailTables } from '../records/mail/record.ts'
import { deletionIndex } from '../records/owner/forgetting.ts'
import { verifiedAddressIndex } from '../records/owner/verified-address.ts'
import { refusalTables } from '../records/refusal/record.ts'
import { deletionColumns } from '../records/removal/record.ts'
import { upstreamTables } from '../records/upstream/record.ts'
import { webhookTables } from '../records/webhook/record.ts'
import { searchIndexes } from '../sql/search.ts'
import type { Step } from '../sql/statement.ts'
import { firstSchema } from './first-schema.ts'
import {
  accessLog,
  consoleColumns,
  keyPermissions,
  keyTables,
  registrationTables,
  resourceTables,
  revocationTables,
  secondFactors,
  useDays,
  useEntries,
} from './later-tables.ts'
import { listIndexes, nameOperators } from './list-indexes.ts'
import { moveUses } from './move-uses.ts'

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
  { version: 1, statements: firstSchema },
  { version: 2, statements: describedSessions },
  { version: 3, statements: secondFactors },
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
  { version: 8, statements: actorsAndCredentials },
  { version: 9, statements: [...repeatedRefreshes, ...approvedRequesters] },
  { version: 10, statements: [facts] },
  { version: 12, statements: [accessLog], move: moveUses },
  { version: 13, statements: ['drop table use_days', 'drop table use_entries'] },
  { version: 14, statements: [clientLogos] },
  { version: 15, statements: passkeyOnly },
  // For a while this was version 7, so databases of later versions may have the tables or not.
  { version: 16, statements: registrationTables },
  // The network with this client in its quota; null for none.
  { version: 17, statements: ['alter table registrations add column network text'] },
  { version: 18, statements: ownerClaims },
  { version: 20, statements: keyTables },
  // The admin API has a resource of this name now.
  { version: 21, statements: [...resourceTables, ...withoutFormer('resources')] },
  {
    version: 24,
    // Earlier scopes were limits, and some were narrowed by an operator.
    statements: ['alter table clients add column scope_limits integer not null default 1'],
  },
  { version: 25, statements: pauses },
  { version: 26, statements: logoutTables },
  { version: 27, statements: revocationTables },
  { version: 28, statements: ['alter table keys add column keep_until bigint'] },
  {
    version: 29,
    statements: ["alter table owners add column attributes text not null default '{}'"],
  },
  { version: 30, statements: mailTables },
  { version: 31, statements: passwordKinds },
  { version: 33, statements: accountColumns },
  { version: 34, statements: upstreamTables },
  { version: 38, statements: ['alter table mails add column waits integer not null default 0'] },
  { version: 39, statements: searchIndexes },
  // Purges walk through the endings (`purgeEndings`), so a revocation writes one tree less.
  { version: 40, statements: ['drop index endings_by_end'] },
  {
    version: 41,
    // For the nodes on one PostgreSQL (`changes.ts`); an embedded database leaves it empty.
    statements: [
      'create table changes (xid xid8 not null primary key, things text not null, swept_at bigint)',
    ],
  },
  { version: 42, statements: refusalTables },
  { version: 43, statements: countTables },
  { version: 44, statements: consoleColumns },
  { version: 45, statements: listIndexes, move: nameOperators },
  { version: 48, statements: webhookTables },
  { version: 49, statements: [...withoutFormer('keys'), ...keyPermissions] },
  { version: 50, statements: placeColumns },
  { version: 51, statements: [deletionIndex] },
  { version: 52, statements: deletionColumns },
  { version: 53, statements: verifiedAddressIndex },
]

export const schemaVersion = Math.max(...migrations.map(({ version }) => version))
