/** Counters for monitoring, in the text format of Prometheus. Labels are route patterns and stable words, never input. */

export interface Metrics {
  countRequest(route: string, method: string, status: number, milliseconds: number): void
  countRefusal(reason: string): void
  render(): string
}

/** Upper bounds in seconds. */
const buckets = [0.005, 0.025, 0.1, 0.5, 2.5] as const

/** The counts of one route: how many took at most so long, how long all took. */
interface Timing {
  readonly within: number[]
  count: number
  seconds: number
}

const labels = (of: Readonly<Record<string, string | number>>): string =>
  Object.entries(of)
    .map(([name, value]) => `${name}="${value}"`)
    .join(',')

const renderTiming = (route: string, { within, count, seconds }: Timing): string[] => {
  const name = 'latchkey_request_seconds'
  return [
    ...buckets.map((le, i) => `${name}_bucket{${labels({ route, le })}} ${within[i] ?? 0}`),
    `${name}_bucket{${labels({ route, le: '+Inf' })}} ${count}`,
    `${name}_sum{${labels({ route })}} ${seconds.toFixed(3)}`,
    `${name}_count{${labels({ route })}} ${count}`,
  ]
}

export const createMetrics = (): Metrics => {
  const requests = new Map<string, number>()
  const refusals = new Map<string, number>()
  const timings = new Map<string, Timing>()
  const add = (counts: Map<string, number>, key: string): void => {
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return {
    countRequest(route, method, status, milliseconds) {
      add(requests, labels({ route, method, status }))
      const timing = timings.get(route) ?? { within: buckets.map(() => 0), count: 0, seconds: 0 }
      timings.set(route, timing)
      timing.count++
      timing.seconds += milliseconds / 1000
      buckets.forEach((bound, i) => {
        if (milliseconds / 1000 <= bound) timing.within[i] = (timing.within[i] ?? 0) + 1
      })
    },
    countRefusal(reason) {
      add(refusals, labels({ reason }))
    },
    render() {
      const lines = [
        '# HELP latchkey_requests_total Requests answered.',
        '# TYPE latchkey_requests_total counter',
        ...[...requests].map(([of, count]) => `latchkey_requests_total{${of}} ${count}`),
        '# HELP latchkey_refusals_total Requests refused, by reason.',
        '# TYPE latchkey_refusals_total counter',
        ...[...refusals].map(([of, count]) => `latchkey_refusals_total{${of}} ${count}`),
        '# HELP latchkey_request_seconds How long requests took.',
        '# TYPE latchkey_request_seconds histogram',
        ...[...timings].flatMap(([route, timing]) => renderTiming(route, timing)),
      ]
      return `${lines.join('\n')}\n`
    },
  }
}
