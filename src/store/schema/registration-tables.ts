/** Registrations by strangers, and their counts. */

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
