/** Housekeeping in small steps: what can never be found again goes, in the order of its key. */
import { limits } from '../../config/limits.ts'
import { endedVisit, ending, lookedBackTo, unexpired } from './authorization-row.ts'
import { first, integer, text } from './row.ts'
import { type Step, statement, wholeStatement } from './statement.ts'

/** Where a walk over a table goes on, or null at its end, and how many rows went. */
export interface Purged {
  readonly next: string | null
  readonly went: number
}

/** The last key of the next so many rows. */
function* walk(table: string, after: string, rows: number): Step<string | null> {
  const sql = `select max(id) as last from
    (select id from ${table} where id > ? order by id limit ?) walked`
  const row = first(yield statement(sql, after, rows))
  return row?.last == null ? null : text(row.last)
}

/**
 * Families that expired, ended or lost their authorization. A row stays as long as its journey, or
 * the code that it came from, could be used again: without it they would count as fresh.
 */
export function* purgeFamilies(after: string, now: number, rows: number): Step<Purged> {
  const last = yield* walk('families', after, rows)
  if (last === null) return { next: null, went: 0 }
  const gone = yield statement(
    `delete from families where id > ? and id <= ? and started_at < ?
       and (ended = 1 or expires_at <= ? or not exists
         (select 1 from authorizations a where a.id = families.authorization_id and ${unexpired}))
     returning id`,
    after,
    last,
    now - limits.journeySeconds - limits.purgeAfterSeconds,
    now,
    now,
    now,
  )
  return { next: last, went: gone.length }
}

/** Authorizations that expired or outlived their visit end for good, and go when nobody looks back at them any more. */
export function* purgeAuthorizations(after: string, now: number, rows: number): Step<Purged> {
  const last = yield* walk('authorizations', after, rows)
  if (last === null) return { next: null, went: 0 }
  const ended = yield statement(
    `update authorizations set ${ending} where id > ? and id <= ? and session_id <> ?
       and (expires_at <= ? or (session_id <> '' and not exists
         (select 1 from sessions s where s.id = authorizations.session_id and s.expires_at > ?)))
     returning id`,
    now,
    now,
    after,
    last,
    endedVisit,
    now,
    now,
  )
  const gone = yield statement(
    'delete from authorizations where id > ? and id <= ? and expires_at <= ? returning id',
    after,
    last,
    lookedBackTo(now),
  )
  return { next: last, went: ended.length + gone.length }
}

const purgeByTime = [
  {
    sql: `delete from sessions where id in
      (select id from sessions where expires_at <= ? order by expires_at limit ?) returning id`,
    afterSeconds: 0,
  },
  {
    // Without its row a revoked token would live again wherever it has not expired yet.
    sql: `delete from endings where id in
      (select id from endings where expires_at <= ? order by expires_at limit ?) returning id`,
    afterSeconds: limits.purgeAfterSeconds,
  },
  {
    // Without its row a ceremony could be finished once more, for as long as it is not too old.
    sql: `delete from finished_ceremonies where id in
      (select id from finished_ceremonies where expires_at <= ? order by expires_at limit ?)
      returning id`,
    afterSeconds: limits.purgeAfterSeconds,
  },
  {
    sql: `delete from attempts where key in
      (select key from attempts where forget_at <= ? order by forget_at limit ?) returning key`,
    afterSeconds: 0,
  },
  {
    sql: `delete from registration_counts where id in
      (select id from registration_counts where ends_at <= ? order by ends_at limit ?)
      returning id`,
    afterSeconds: 0,
  },
  {
    // A node that runs has noted a later time.
    sql: `delete from pings where id in
      (select id from pings where id >= 'time' and id < 'time!' and turn <= ?
       order by id limit ?) returning id`,
    afterSeconds: limits.nodeSeconds,
  },
  {
    sql: `delete from pings where id in
      (select p.id from pings p where p.id >= 'ping' and p.id < 'ping!' and not exists
        (select 1 from pings t where t.id = 'time' || substr(p.id, 5) and t.turn > ?)
       order by p.id limit ?) returning id`,
    afterSeconds: limits.nodeSeconds,
  },
]

/** Sessions, endings, finished ceremonies, counters and rows of stopped nodes, each found by its end. */
export function* purgeByEnd(now: number, rows: number): Step<number> {
  let went = 0
  for (const { sql, afterSeconds } of purgeByTime) {
    went += (yield statement(sql, now - afterSeconds, rows - went)).length
  }
  return went
}

/** Events that were kept for long enough: their ids begin with the time, so the oldest are the first. */
export function* purgeEvents(before: number, rows: number): Step<number> {
  const gone = yield statement(
    `delete from events where at < ? and id in (select id from events order by id limit ?)
     returning id`,
    before,
    rows,
  )
  return gone.length
}

/** A durable write that changes nothing anybody reads, in a row of the node's own. */
export function* ping(node: string): Step<void> {
  const row = first(
    yield wholeStatement(
      `insert into pings (id, turn) values (?, 1)
       on conflict (id) do update set turn = pings.turn + 1 returning turn`,
      `ping ${node}`,
    ),
  )
  integer(row?.turn)
}
