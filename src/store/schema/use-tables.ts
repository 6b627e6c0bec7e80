/** Tables of the access log, and of its former versions. */

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
