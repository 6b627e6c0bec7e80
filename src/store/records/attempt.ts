/** Counters of wrong passwords and codes. */

import type { OwnerId } from '../../model/ids.ts'
import type { AttemptCounter, AttemptRule, BegunWait, GuessingSteps } from '../contract/owner.ts'
import { defineTable } from '../sql/columns.ts'
import { purgeAtEnd, type Reads, type Steps, type StoreRecord } from '../sql/record.ts'
import { integer, text } from '../sql/row.ts'
import {
  ask,
  findOne,
  listOf,
  type Piece,
  type Row,
  type Rows,
  raw,
  type Step,
  sql,
  touches,
} from '../sql/statement.ts'
import { tell } from './event/events.ts'

const attempts = defineTable(
  'attempts',
  { key: 'text', tries: 'small', blockedUntil: 'integer', forgetAt: 'integer', ownerId: 'text?' },
  {
    key: 'key',
    restored: 'all',
    isTrace: true,
    indexes: [
      'attempts_by_end (forget_at)',
      'attempts_by_owner (owner_id) where owner_id is not null',
    ],
  },
)

/** Counters that have to wait, each with how long. What is to be forgotten by now waits for nothing. */
const listWaits = (rows: Rows, at: number): ReadonlyMap<string, number> =>
  new Map(
    rows
      .filter((row) => integer(row.forget_at) > at)
      .map((row) => [text(row.key), integer(row.blocked_until) - at] as const)
      .filter(([, seconds]) => seconds > 0),
  )

/** No wait for the free tries, then 1 s, 2 s, 4 s ... up to the longest: an expression over `tries`. */
const waitAfter = (
  tries: string,
  { freeTries, longestWaitSeconds, isQuota }: AttemptRule,
): Piece => {
  if (isQuota) {
    return raw(`case when ${tries} <= ${freeTries} then 0 else ${longestWaitSeconds} end`)
  }
  const doublings = Math.ceil(Math.log2(longestWaitSeconds))
  return raw(`case when ${tries} <= ${freeTries} then 0
    when ${tries} > ${freeTries + doublings} then ${longestWaitSeconds}
    else 1 << (${tries} - ${freeTries + 1}) end`)
}

/** The end of the wait of a try; 0 for none: clocks of nodes differ. */
const computeWaitEnd = (tries: string, rule: AttemptRule, at: number): Piece =>
  sql`coalesce(cast(${at} as bigint) + nullif(${waitAfter(tries, rule)}, 0), 0)`

/**
 * Counts a try against a key unless the key has to wait. The count is one statement, so that of many tries
 * at once each is counted before the next one is looked at.
 *
 * @returns the seconds of the wait that it sets. Null: the key has to wait
 */
function* count({ key, rule, ownerId }: AttemptCounter, at: number): Step<number | null> {
  const forgetAt = raw(
    rule.forgetAfter === 'last try' ? 'excluded.forget_at' : 'attempts.forget_at',
  )
  const row = yield* findOne(sql`insert into attempts
      (key, tries, blocked_until, forget_at, owner_id)
    values (${key}, 1, ${computeWaitEnd('1', rule, at)},
      ${at + Math.max(rule.forgetSeconds, rule.longestWaitSeconds)}, ${ownerId ?? null})
    on conflict (key) do update set tries = attempts.tries + 1, forget_at = ${forgetAt},
      owner_id = excluded.owner_id,
      blocked_until = ${computeWaitEnd('attempts.tries + 1', rule, at)}
    where attempts.blocked_until <= ${at} returning blocked_until`)
  return row && Math.max(0, integer(row.blocked_until) - at)
}

/** Takes back a try of that time, and the wait that it set. */
function* giveBack({ key, rule }: AttemptCounter, at: number): Step<void> {
  const wait = waitAfter('tries', rule)
  yield sql`update attempts set tries = tries - 1, blocked_until = case
      when tries <= ${rule.freeTries + 1} or blocked_until = cast(${at} as bigint) + ${wait} then 0
      else blocked_until end
    where key = ${key} and tries > 0`
}

function* see(counters: readonly AttemptCounter[]): Step<Rows> {
  return yield sql`select key, blocked_until, forget_at from attempts
    where key in ${listOf(counters.map(({ key }) => key))}`
}

/** Always in the same order, so that two steps never wait for one another. */
const sortCounters = (counters: readonly AttemptCounter[]): readonly AttemptCounter[] =>
  [...new Map(counters.map((one) => [one.key, one])).values()].sort((a, b) =>
    a.key < b.key ? -1 : 1,
  )

const admitAttempt: Steps['admitAttempt'] = function* (counters, trace) {
  const ordered = sortCounters(counters)
  // A throttled try writes nothing: guessing must cost the service nothing.
  const seen = yield* see(ordered)
  const waits = listWaits(seen, trace.at)
  const waiting = ordered.filter(({ key }) => waits.has(key))
  let seconds = 0
  for (const { key, rule } of waiting) {
    const [wait, longest] = [waits.get(key) ?? 0, rule.longestWaitSeconds]
    seconds = Math.max(seconds, Math.min(wait, longest))
    if (wait <= longest) continue
    // A wait beyond the longest is left from before the clock was set back.
    yield sql`update attempts set blocked_until = ${trace.at + longest}
      where key = ${key} and blocked_until > ${trace.at + longest}`
  }
  if (waiting.length > 0) {
    return { outcome: 'wait', seconds, keys: waiting.map(({ key }) => key) }
  }
  for (const { key } of seen.filter((row) => integer(row.forget_at) <= trace.at)) {
    yield sql`delete from attempts where key = ${text(key)} and forget_at <= ${trace.at}`
  }
  const begun: BegunWait[] = []
  for (const [i, counter] of ordered.entries()) {
    const wait = yield* count(counter, trace.at)
    if (wait !== null) {
      if (wait > 0) begun.push({ key: counter.key, seconds: wait })
      continue
    }
    // Somebody else was quicker; what was counted for this try until now is not made.
    for (const earlier of ordered.slice(0, i)) yield* giveBack(earlier, trace.at)
    const left = listWaits(yield* see([counter]), trace.at).get(counter.key) ?? 1
    return { outcome: 'wait', seconds: left, keys: [counter.key] }
  }
  return { outcome: 'admitted', begun }
}

const clearAttempts: Steps['clearAttempts'] = function* (forget, returned, trace) {
  const forgotten = new Set(forget.map(({ key }) => key))
  for (const counter of sortCounters([...forget, ...returned])) {
    if (!forgotten.has(counter.key)) yield* giveBack(counter, trace.at)
    else yield sql`delete from attempts where key = ${counter.key}`
  }
}

const matchWaiting = (now: number): Piece =>
  sql`owner_id is not null and blocked_until > ${now} and forget_at > ${now}`

const listWaitsOf: Reads['listWaits'] = async (read, ownerId, now) => {
  const query = sql`select key, blocked_until from attempts
    where owner_id = ${ownerId} and ${matchWaiting(now)} order by blocked_until desc, key`
  const rows = await ask(read, query)
  return rows.map(({ key, blocked_until }) => ({ key: text(key), until: integer(blocked_until) }))
}

const countWaitingOwners: Reads['countWaitingOwners'] = async (read, now) => {
  const query = sql`select count(distinct owner_id) as owners from attempts
    where ${matchWaiting(now)}`
  const [row] = await ask(read, query)
  return integer(row?.owners ?? 0)
}

function* findKeys(ownerId: OwnerId): Step<readonly string[]> {
  const rows = yield sql`select key from attempts where owner_id = ${ownerId}`
  return rows.map((row) => text(row.key))
}

/** In one order, so that two steps never wait for one another. */
function* forget(keys: readonly string[]): Step<Rows> {
  const gone: Row[] = []
  for (const key of [...new Set(keys)].sort()) {
    gone.push(...(yield sql`delete from attempts where key = ${key} returning *`))
  }
  return gone
}

/** Wrong passwords count no more after a new one. Wrong one-time codes still do. */
export function* forgetPasswordTries(ownerId: OwnerId): Step<void> {
  yield* forget((yield* findKeys(ownerId)).filter((key) => !key.startsWith('second')))
}

const endWaits: Steps['endWaits'] = function* (ownerId, also, trace, checked) {
  const isThere = yield* touches(sql`update owners set roles = roles where id = ${ownerId}
    and deleted_at is null and roles = coalesce(${checked?.join(' ') ?? null}, roles) returning id`)
  if (!isThere) return false
  const keys = [...(yield* findKeys(ownerId)), ...also.map(({ key }) => key)]
  const counters = listWaits(yield* forget(keys), trace.at).size
  if (counters > 0) yield* tell('owner.unlocked', { ownerId }, { counters }, trace)
  return true
}

export const attemptRecord: StoreRecord<GuessingSteps> = {
  tables: [attempts],
  reads: { listWaits: listWaitsOf, countWaitingOwners },
  steps: { admitAttempt, clearAttempts, endWaits },
  invalidates: 'nothing',
  endPurges: [purgeAtEnd('attempts', 'key', 'forget_at')],
}
