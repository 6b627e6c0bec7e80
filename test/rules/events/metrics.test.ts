/** The counters as text, in the format of Prometheus 0.0.4. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatMetrics } from '../../../src/events/counter.ts'
import { metricLimits } from '../../../src/events/limits.ts'
import { createMetrics } from '../../../src/events/metrics.ts'
import type { ClientId } from '../../../src/model/ids.ts'
import { readMetrics } from '../../support/metrics.ts'

const textOf = (metrics: ReturnType<typeof createMetrics>): string =>
  formatMetrics(metrics.families())

/** The samples of one family, as the text has them. */
const linesOf = (text: string, name: string): readonly string[] =>
  text.split('\n').filter((line) => line.startsWith(name))

const client = 'printer' as ClientId

test('what was counted is rendered, each family with its help and type', () => {
  const metrics = createMetrics(() => 7)
  metrics.countRequest('/token', 'POST', 200, 4, null)
  metrics.countRequest('/token', 'POST', 200, 30, null)
  metrics.countRequest('/token', 'POST', 400, 30_000, null)
  metrics.countRefusal('wrong_secret')
  metrics.countRefusal('wrong_secret')
  metrics.countLogin('passkey', 'succeeded')
  metrics.countLogin('password', 'refused')
  metrics.countGrant('refresh_token', 'issued')
  metrics.countGrant('unknown', 'unsupported_grant_type')
  metrics.countIssued({ access_token: 'a', refresh_token: 'b', token_type: 'Bearer' }, client)
  metrics.countRead(null)
  metrics.countIntrospected(true, null)
  metrics.countRevoked('refresh_token')
  metrics.countHash(20)
  metrics.countDroppedUses(3)
  metrics.countDroppedUses(2)
  metrics.countMail('sent')
  metrics.countMail('held_back')
  metrics.setMailsQueued(3, 61)
  assert.equal(
    textOf(metrics),
    `# HELP latchkey_requests_total Requests answered.
# TYPE latchkey_requests_total counter
latchkey_requests_total{route="/token",method="POST",status="200"} 2
latchkey_requests_total{route="/token",method="POST",status="400"} 1
# HELP latchkey_request_seconds How long requests took.
# TYPE latchkey_request_seconds histogram
latchkey_request_seconds_bucket{route="/token",le="0.005"} 1
latchkey_request_seconds_bucket{route="/token",le="0.01"} 1
latchkey_request_seconds_bucket{route="/token",le="0.025"} 1
latchkey_request_seconds_bucket{route="/token",le="0.05"} 2
latchkey_request_seconds_bucket{route="/token",le="0.1"} 2
latchkey_request_seconds_bucket{route="/token",le="0.25"} 2
latchkey_request_seconds_bucket{route="/token",le="0.5"} 2
latchkey_request_seconds_bucket{route="/token",le="1"} 2
latchkey_request_seconds_bucket{route="/token",le="2.5"} 2
latchkey_request_seconds_bucket{route="/token",le="5"} 2
latchkey_request_seconds_bucket{route="/token",le="+Inf"} 3
latchkey_request_seconds_sum{route="/token"} 30.034
latchkey_request_seconds_count{route="/token"} 3
# HELP latchkey_refusals_total Requests refused, by reason.
# TYPE latchkey_refusals_total counter
latchkey_refusals_total{reason="wrong_secret"} 2
# HELP latchkey_logins_total Logins, by the way and the outcome.
# TYPE latchkey_logins_total counter
latchkey_logins_total{way="password",outcome="succeeded"} 0
latchkey_logins_total{way="password",outcome="refused"} 1
latchkey_logins_total{way="second_factor",outcome="succeeded"} 0
latchkey_logins_total{way="second_factor",outcome="refused"} 0
latchkey_logins_total{way="passkey",outcome="succeeded"} 1
latchkey_logins_total{way="passkey",outcome="refused"} 0
latchkey_logins_total{way="upstream",outcome="succeeded"} 0
latchkey_logins_total{way="upstream",outcome="refused"} 0
# HELP latchkey_grants_total Token requests, by grant type. The outcome is issued, or an error code.
# TYPE latchkey_grants_total counter
latchkey_grants_total{type="refresh_token",outcome="issued"} 1
latchkey_grants_total{type="unknown",outcome="unsupported_grant_type"} 1
# HELP latchkey_tokens_issued_total Tokens issued, by kind.
# TYPE latchkey_tokens_issued_total counter
latchkey_tokens_issued_total{kind="access_token"} 1
latchkey_tokens_issued_total{kind="refresh_token"} 1
latchkey_tokens_issued_total{kind="id_token"} 0
# HELP latchkey_tokens_read_total Access tokens that came to a protected resource.
# TYPE latchkey_tokens_read_total counter
latchkey_tokens_read_total{outcome="accepted"} 0
latchkey_tokens_read_total{outcome="refused"} 1
# HELP latchkey_tokens_introspected_total Tokens introspected.
# TYPE latchkey_tokens_introspected_total counter
latchkey_tokens_introspected_total{active="true"} 1
latchkey_tokens_introspected_total{active="false"} 0
# HELP latchkey_tokens_revoked_total Tokens revoked by their clients, by kind.
# TYPE latchkey_tokens_revoked_total counter
latchkey_tokens_revoked_total{kind="access_token"} 0
latchkey_tokens_revoked_total{kind="refresh_token"} 1
# HELP latchkey_password_hash_seconds How long hashes of passwords took, without their wait in the queue.
# TYPE latchkey_password_hash_seconds histogram
latchkey_password_hash_seconds_bucket{le="0.01"} 0
latchkey_password_hash_seconds_bucket{le="0.025"} 1
latchkey_password_hash_seconds_bucket{le="0.05"} 1
latchkey_password_hash_seconds_bucket{le="0.1"} 1
latchkey_password_hash_seconds_bucket{le="0.25"} 1
latchkey_password_hash_seconds_bucket{le="0.5"} 1
latchkey_password_hash_seconds_bucket{le="1"} 1
latchkey_password_hash_seconds_bucket{le="+Inf"} 1
latchkey_password_hash_seconds_sum 0.02
latchkey_password_hash_seconds_count 1
# HELP latchkey_mails_total Mails by this node, by outcome.
# TYPE latchkey_mails_total counter
latchkey_mails_total{outcome="sent"} 1
latchkey_mails_total{outcome="retried"} 0
latchkey_mails_total{outcome="failed"} 0
latchkey_mails_total{outcome="held_back"} 1
# HELP latchkey_webhooks_total Tries to send an event to a webhook, by outcome.
# TYPE latchkey_webhooks_total counter
# HELP latchkey_uses_dropped_total Uses of authorizations that no ledger has, for want of room.
# TYPE latchkey_uses_dropped_total counter
latchkey_uses_dropped_total 5
# HELP latchkey_mails_queued Mails that wait to be sent.
# TYPE latchkey_mails_queued gauge
latchkey_mails_queued 3
# HELP latchkey_mail_oldest_seconds How long the oldest mail has waited.
# TYPE latchkey_mail_oldest_seconds gauge
latchkey_mail_oldest_seconds 61
# HELP latchkey_log_lines_dropped_total Lines of the log that were dropped.
# TYPE latchkey_log_lines_dropped_total counter
latchkey_log_lines_dropped_total 7
`,
  )
})

test('nothing counted is a text of all families, and a rate is known from the first increment on', () => {
  const families = readMetrics(textOf(createMetrics(() => 0)))
  assert.equal(families.size, 16)
  const samples = [...families.values()].flatMap((family) => family.samples)
  assert.deepEqual(new Set(samples.map(({ value }) => value)), new Set([0]))
})

test('a bound belongs to its bucket', () => {
  const metrics = createMetrics(() => 0)
  for (const milliseconds of [0, ...metricLimits.requestMilliseconds]) {
    metrics.countRequest('/', 'GET', 200, milliseconds, null)
  }
  const counts = linesOf(textOf(metrics), 'latchkey_request_seconds_bucket').map((line) =>
    Number(line.split(' ')[1]),
  )
  assert.deepEqual(counts, [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11])
})

test('a label keeps quotes, backslashes and line breaks', () => {
  const value = 'a"b\\c\nd'
  const samples = [{ labels: { is: value }, value: 1 }]
  const text = formatMetrics([{ name: 'one', help: 'One.', type: 'gauge', samples }])
  assert.equal(text, '# HELP one One.\n# TYPE one gauge\none{is="a\\"b\\\\c\\nd"} 1\n')
  assert.equal(readMetrics(text).get('one')?.samples[0]?.labels.is, value)
})

test('an extension with endless reasons fills no memory', () => {
  const metrics = createMetrics(() => 0)
  const many = metricLimits.series + 50
  for (let i = 0; i < many; i++) metrics.countRefusal(`reason_${i}`)
  const { samples = [] } = readMetrics(textOf(metrics)).get('latchkey_refusals_total') ?? {}
  assert.equal(samples.length, metricLimits.series + 1)
  assert.deepEqual(samples.at(-1), {
    name: 'latchkey_refusals_total',
    labels: { reason: 'other' },
    value: 50,
  })
})

test('every text is one that a scraper can read, and no request is lost', () => {
  const request = fc.record({
    route: fc.constantFrom('/token', '/api/:resource', '(unknown)'),
    method: fc.constantFrom('GET', 'POST'),
    status: fc.constantFrom(200, 401, 503),
    milliseconds: fc.nat({ max: 10_000 }),
  })
  fc.assert(
    fc.property(fc.array(request), (requests) => {
      const metrics = createMetrics(() => 0)
      for (const { route, method, status, milliseconds } of requests) {
        metrics.countRequest(route, method, status, milliseconds, null)
      }
      const { samples = [] } = readMetrics(textOf(metrics)).get('latchkey_requests_total') ?? {}
      assert.equal(
        samples.reduce((sum, { value }) => sum + value, 0),
        requests.length,
      )
    }),
  )
})
