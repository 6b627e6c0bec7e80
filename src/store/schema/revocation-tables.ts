/** Revocations, and the one row that says how far the feed has got. */

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
