/** Counters for monitoring, in the text format of Prometheus. Labels are route patterns and stable words, never input. */

export interface Metrics {
  countRequest(route: string, method: string, status: number, milliseconds: number): void
  countRefusal(reason: string): void
  /** Uses of authorizations that are in no ledger, because too many were waiting to be written. */
  countDroppedUses(uses: number): void
  /** A mail was sent, failed for good, or was held back because its mailbox got too many. */
  countMail(outcome: 'sent' | 'failed' | 'held_back'): void
  /** Mails that wait. */
  setMailsQueued(mails: number): void
  render(): string
}

/** Upper bounds in milliseconds; what takes longer is counted behind the last one. */
const bounds = [5, 25, 100, 500, 2500] as const

/** What is counted of one route; it becomes text only when somebody asks for it. */
interface RouteCounts {
  /** Answers by method and status. */
  readonly answers: Map<string, Map<number, number>>
  /** Answers by the first bound that they were within. */
  readonly within: number[]
  milliseconds: number
}

const add = <Key>(counts: Map<Key, number>, key: Key): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** The value of a key; a new one is inserted first. */
const under = <Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value => {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}

const noCounts = (): RouteCounts => ({
  answers: new Map(),
  within: [...bounds, 0].map(() => 0),
  milliseconds: 0,
})

const renderAnswers = (route: string, { answers }: RouteCounts): string[] =>
  [...answers].flatMap(([method, statuses]) =>
    [...statuses].map(
      ([status, count]) =>
        `latchkey_requests_total{route="${route}",method="${method}",status="${status}"} ${count}`,
    ),
  )

const renderTiming = (route: string, { within, milliseconds }: RouteCounts): string[] => {
  const name = 'latchkey_request_seconds'
  let count = 0
  const buckets = within.map((answers, i) => {
    const bound = bounds[i]
    count += answers
    return `${name}_bucket{route="${route}",le="${bound === undefined ? '+Inf' : bound / 1000}"} ${count}`
  })
  return [
    ...buckets,
    `${name}_sum{route="${route}"} ${(milliseconds / 1000).toFixed(3)}`,
    `${name}_count{route="${route}"} ${count}`,
  ]
}

/** @param droppedLines how many lines of the log were dropped so far */
export const createMetrics = (droppedLines: () => number): Metrics => {
  const routes = new Map<string, RouteCounts>()
  const refusals = new Map<string, number>()
  const mails = { sent: 0, failed: 0, held_back: 0 }
  let mailsQueued = 0
  let droppedUses = 0
  return {
    countRequest(route, method, status, milliseconds) {
      const counts = under(routes, route, noCounts)
      add(
        under(counts.answers, method, () => new Map<number, number>()),
        status,
      )
      const bound = bounds.findIndex((most) => milliseconds <= most)
      const bucket = bound === -1 ? bounds.length : bound
      counts.within[bucket] = (counts.within[bucket] ?? 0) + 1
      counts.milliseconds += milliseconds
    },
    countRefusal(reason) {
      add(refusals, reason)
    },
    countDroppedUses(uses) {
      droppedUses += uses
    },
    countMail(outcome) {
      mails[outcome]++
    },
    setMailsQueued(waiting) {
      mailsQueued = waiting
    },
    render() {
      const lines = [
        '# HELP latchkey_requests_total Requests answered.',
        '# TYPE latchkey_requests_total counter',
        ...[...routes].flatMap(([route, counts]) => renderAnswers(route, counts)),
        '# HELP latchkey_mails_total Mails by this node, by outcome.',
        '# TYPE latchkey_mails_total counter',
        ...Object.entries(mails).map(([is, n]) => `latchkey_mails_total{outcome="${is}"} ${n}`),
        '# HELP latchkey_mails_queued Mails that wait to be sent.',
        '# TYPE latchkey_mails_queued gauge',
        `latchkey_mails_queued ${mailsQueued}`,
        '# HELP latchkey_refusals_total Requests refused, by reason.',
        '# TYPE latchkey_refusals_total counter',
        ...[...refusals].map(
          ([reason, count]) => `latchkey_refusals_total{reason="${reason}"} ${count}`,
        ),
        '# HELP latchkey_log_lines_dropped_total Lines of the log that were dropped.',
        '# TYPE latchkey_log_lines_dropped_total counter',
        `latchkey_log_lines_dropped_total ${droppedLines()}`,
        '# HELP latchkey_request_seconds How long requests took.',
        '# TYPE latchkey_request_seconds histogram',
        ...[...routes].flatMap(([route, counts]) => renderTiming(route, counts)),
        '# HELP latchkey_uses_dropped_total Uses of authorizations that no ledger has, for want of room.',
        '# TYPE latchkey_uses_dropped_total counter',
        `latchkey_uses_dropped_total ${droppedUses}`,
      ]
      return `${lines.join('\n')}\n`
    },
  }
}
