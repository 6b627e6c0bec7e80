/** The counters as text, in the format of Prometheus 0.0.4. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createMetrics } from '../../../src/events/metrics.ts'

test('what was counted is rendered, each family with its help and type', () => {
  const metrics = createMetrics(() => 7)
  metrics.countRequest('/token', 'POST', 200, 4)
  metrics.countRequest('/token', 'POST', 200, 30)
  metrics.countRequest('/token', 'POST', 400, 3000)
  metrics.countRefusal('wrong_secret')
  metrics.countRefusal('wrong_secret')
  metrics.countDroppedUses(3)
  metrics.countDroppedUses(2)
  metrics.countMail('sent')
  metrics.countMail('sent')
  metrics.countMail('held_back')
  metrics.setMailsQueued(3)
  assert.equal(
    metrics.render(),
    `# HELP latchkey_requests_total Requests answered.
# TYPE latchkey_requests_total counter
latchkey_requests_total{route="/token",method="POST",status="200"} 2
latchkey_requests_total{route="/token",method="POST",status="400"} 1
# HELP latchkey_mails_total Mails by this node, by outcome.
# TYPE latchkey_mails_total counter
latchkey_mails_total{outcome="sent"} 2
latchkey_mails_total{outcome="failed"} 0
latchkey_mails_total{outcome="held_back"} 1
# HELP latchkey_mails_queued Mails that wait to be sent.
# TYPE latchkey_mails_queued gauge
latchkey_mails_queued 3
# HELP latchkey_refusals_total Requests refused, by reason.
# TYPE latchkey_refusals_total counter
latchkey_refusals_total{reason="wrong_secret"} 2
# HELP latchkey_log_lines_dropped_total Lines of the log that were dropped.
# TYPE latchkey_log_lines_dropped_total counter
latchkey_log_lines_dropped_total 7
# HELP latchkey_request_seconds How long requests took.
# TYPE latchkey_request_seconds histogram
latchkey_request_seconds_bucket{route="/token",le="0.005"} 1
latchkey_request_seconds_bucket{route="/token",le="0.025"} 1
latchkey_request_seconds_bucket{route="/token",le="0.1"} 2
latchkey_request_seconds_bucket{route="/token",le="0.5"} 2
latchkey_request_seconds_bucket{route="/token",le="2.5"} 2
latchkey_request_seconds_bucket{route="/token",le="+Inf"} 3
latchkey_request_seconds_sum{route="/token"} 3.034
latchkey_request_seconds_count{route="/token"} 3
# HELP latchkey_uses_dropped_total Uses of authorizations that no ledger has, for want of room.
# TYPE latchkey_uses_dropped_total counter
latchkey_uses_dropped_total 5
`,
  )
})

test('nothing counted is still a text with all families', () => {
  const lines = createMetrics(() => 0)
    .render()
    .split('\n')
  assert.equal(lines.filter((line) => line.startsWith('# TYPE ')).length, 7)
  assert.deepEqual(
    lines.filter((line) => /^[a-z]/.test(line)),
    [
      'latchkey_mails_total{outcome="sent"} 0',
      'latchkey_mails_total{outcome="failed"} 0',
      'latchkey_mails_total{outcome="held_back"} 0',
      'latchkey_mails_queued 0',
      'latchkey_log_lines_dropped_total 0',
      'latchkey_uses_dropped_total 0',
    ],
  )
  assert.equal(lines.at(-1), '')
})

test('a bound belongs to its bucket', () => {
  const metrics = createMetrics(() => 0)
  for (const milliseconds of [0, 5, 25, 100, 500, 2500]) {
    metrics.countRequest('/', 'GET', 200, milliseconds)
  }
  const counts = [...metrics.render().matchAll(/_bucket\{[^}]*\} (\d+)/g)].map(([, n]) => Number(n))
  assert.deepEqual(counts, [2, 3, 4, 5, 6, 6])
})

test('every line is one that a scraper can read, and buckets never shrink', () => {
  const request = fc.record({
    route: fc.constantFrom('/token', '/api/:resource', '(unknown)'),
    method: fc.constantFrom('GET', 'POST'),
    status: fc.constantFrom(200, 401, 503),
    milliseconds: fc.nat({ max: 10_000 }),
  })
  const sample = /^latchkey_[a-z_]+(\{[a-z]+="[^"\\\n]*"(,[a-z]+="[^"\\\n]*")*\})? \d+(\.\d+)?$/
  fc.assert(
    fc.property(fc.array(request), (requests) => {
      const metrics = createMetrics(() => 0)
      for (const { route, method, status, milliseconds } of requests) {
        metrics.countRequest(route, method, status, milliseconds)
      }
      const lines = metrics.render().trimEnd().split('\n')
      for (const line of lines)
        assert.match(line, line.startsWith('#') ? /^# (HELP|TYPE) / : sample)
      const total = lines
        .filter((line) => line.startsWith('latchkey_requests_total{'))
        .reduce((sum, line) => sum + Number(line.split(' ')[1]), 0)
      assert.equal(total, requests.length)
      const buckets = lines.filter((line) => line.includes('_bucket{'))
      for (const [i, line] of buckets.entries()) {
        const next = buckets[i + 1]
        if (next === undefined || line.includes('+Inf')) continue
        assert.ok(Number(line.split(' ')[1]) <= Number(next.split(' ')[1]))
      }
    }),
  )
})
