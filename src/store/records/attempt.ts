/** Counters of wrong passwords and codes. */

import type { AttemptCounter, AttemptRule, GuessingSteps } from '../contract/owner.ts'
import { defineTable } from '../sql/columns.ts'
import { purgeAtEnd, type Steps, type StoreRecord } from '../sql/record.ts'
import { integer, text } from '../sql/row.ts'
import { listOf, type Piece, type Rows, raw, type Step, sql, touches } from '../sql/statement.ts'

const attempts = defineTable(
  'attempts',
  { key: 'text', tries: 'small', blockedUntil: 'integer', forgetAt: 'integer' },
  { key: 'key', restored: 'all', isTrace: true, indexes: ['attempts_by_end (forget_at)'] },
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

/**
 * Counts a try against a key unless the key has to wait. The count is one statement, so that of many tries
 * at once each is counted before the next one is looked at.
 *
 * @returns false where the key has to wait
 */
function* count({ key, rule }: AttemptCounter, at: number): Step<boolean> {
  const forgetAt = raw(
    rule.forgetAfter === 'last try' ? 'excluded.forget_at' : 'attempts.forget_at',
  )
  return yield* touches(sql`insert into attempts (key, tries, blocked_until, forget_at)
    values (${key}, 1, cast(${at} as bigint) + ${waitAfter('1', rule)},
      ${at + Math.max(rule.forgetSeconds, rule.longestWaitSeconds)})
    on conflict (key) do update set tries = attempts.tries + 1, forget_at = ${forgetAt},
      blocked_until = cast(${at} as bigint) + ${waitAfter('attempts.tries + 1', rule)}
    where attempts.blocked_until <= ${at} returning tries`)
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
  for (const [i, counter] of ordered.entries()) {
    if (yield* count(counter, trace.at)) continue
    // Somebody else was quicker; what was counted for this try until now is not made.
    for (const earlier of ordered.slice(0, i)) yield* giveBack(earlier, trace.at)
    const left = listWaits(yield* see([counter]), trace.at).get(counter.key) ?? 1
    return { outcome: 'wait', seconds: left, keys: [counter.key] }
  }
  return { outcome: 'admitted' }
}

const clearAttempts: Steps['clearAttempts'] = function* (forget, returned, trace) {
  const forgotten = new Set(forget.map(({ key }) => key))
  for (const counter of sortCounters([...forget, ...returned])) {
    if (!forgotten.has(counter.key)) yield* giveBack(counter, trace.at)
    else yield sql`delete from attempts where key = ${counter.key}`
  }
}

export const attemptRecord: StoreRecord<GuessingSteps> = {
  tables: [attempts],
  reads: {},
  steps: { admitAttempt, clearAttempts },
  invalidates: 'nothing',
  endPurges: [purgeAtEnd('attempts', 'key', 'forget_at')],
}
