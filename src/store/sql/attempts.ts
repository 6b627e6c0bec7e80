/** Guessing is slowed by counting each attempt before it is made (RFC 6749 section 10.10). */
import { limits } from '../../config/limits.ts'
import type { AdmittedAttempt, AttemptRule, Trace } from '../store.ts'
import { integer } from './row.ts'
import { type Row, type Rows, type Step, statement } from './statement.ts'

const secondsToWait = (rows: Rows, at: number): number =>
  Math.max(0, ...rows.map((row) => integer(row.blocked_until) - at))

/** Takes the counter of a key for this transaction, so that nobody else counts on it meanwhile. */
function* claimCounter(key: string, trace: Trace): Step<Rows> {
  return yield statement(
    `insert into attempts (key, tries, blocked_until, forget_at) values (?, 0, 0, ?)
     on conflict (key) do update set tries = attempts.tries
     returning tries, blocked_until, forget_at`,
    key,
    trace.at,
  )
}

function* count(key: string, counter: Row | undefined, rule: AttemptRule, at: number): Step<void> {
  const forgotten = integer(counter?.forget_at) <= at
  const tries = (forgotten ? 0 : integer(counter?.tries)) + 1
  const over = tries - rule.freeTries
  const wait = over < 0 ? 0 : Math.min(rule.longestWaitSeconds, 2 ** over)
  yield statement(
    'update attempts set tries = ?, blocked_until = ?, forget_at = ? where key = ?',
    tries,
    at + wait,
    at + Math.max(rule.forgetSeconds, wait),
    key,
  )
}

export function* admitAttempt(
  keys: readonly string[],
  rule: AttemptRule,
  trace: Trace,
): Step<AdmittedAttempt> {
  // Always in the same order, so that two attempts never wait for one another.
  const ordered = [...new Set(keys)].sort()
  // Whoever has to wait is told so without a write: throttled guessing must cost us nothing.
  const marks = ordered.map(() => '?').join(', ')
  const seen = yield statement(
    `select blocked_until from attempts where key in (${marks})`,
    ...ordered,
  )
  let seconds = secondsToWait(seen, trace.at)
  if (seconds > 0) return { outcome: 'wait', seconds }
  const counters: Row[] = []
  for (const key of ordered) counters.push(...(yield* claimCounter(key, trace)))
  seconds = secondsToWait(counters, trace.at)
  if (seconds > 0) return { outcome: 'wait', seconds }
  for (const [i, key] of ordered.entries()) yield* count(key, counters[i], rule, trace.at)
  return { outcome: 'admitted' }
}

export function* clearAttempts(forget: string, giveBack: string): Step<void> {
  yield statement('delete from attempts where key = ?', forget)
  yield statement(
    `update attempts set tries = tries - 1,
       blocked_until = case when tries <= ? then 0 else blocked_until end
     where key = ? and tries > 0`,
    limits.attempts.freeTries,
    giveBack,
  )
}
