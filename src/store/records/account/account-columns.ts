/** Columns for the times of sessions, the pages of owners, and deletion. */

export const accountColumns = [
  'alter table sessions add column seen_at bigint not null default 0',
  'update sessions set seen_at = started_at',
  "alter table owners add column pages text not null default ''",
  'alter table owners add column deletion_at bigint',
  'create index owners_to_delete on owners (deletion_at) where deletion_at is not null',
]

/** The kind of an imported password hash; '' for hashes of our own. */
export const passwordKinds = [
  "alter table owners add column password_kind text not null default ''",
  `create index owners_by_password_kind on owners (password_kind) where password_kind > ''`,
]
