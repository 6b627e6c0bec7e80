/** OpenTelemetry: traces and metrics reach a real OTLP receiver, if the standard variables ask for it. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { loadSettings } from '../../src/config/load.ts'
import { readTelemetry } from '../../src/config/telemetry.ts'
import { openAskedTelemetry } from '../../src/events/telemetry.ts'
import { startService } from '../../src/server.ts'
import { nightlyReport } from '../support/demo-clients.ts'
import { memoryOr } from '../support/memory.ts'
import { basic } from '../support/start.ts'

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number }
}

interface Span {
  readonly name: string
  readonly traceId: string
  readonly parentSpanId?: string
  readonly kind: number
  readonly attributes: readonly Attribute[]
}

interface Metric {
  readonly name: string
  readonly sum?: { readonly isMonotonic: boolean; readonly dataPoints: readonly Point[] }
  readonly histogram?: { readonly dataPoints: readonly { readonly count: number }[] }
}

interface Point {
  readonly attributes: readonly Attribute[]
  readonly asDouble: number
}

interface Posted {
  readonly url: string
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a body of OTLP in JSON, read as far as it is compared.
  readonly body: any
}

const traceId = '0af7651916cd43dd8448eb211c80319c'
/** Of a sender who wants no trace. */
const hiddenId = '1af7651916cd43dd8448eb211c80319d'
const spanId = 'b7ad6b7169203331'

const requestNotice = {
  level: 'info',
  message: 'request',
  method: 'GET',
  status: 200,
  milliseconds: 1,
} as const

describe('OpenTelemetry', () => {
  const folder = mkdtempSync(join(memoryOr(), 'latchkey-otlp-'))
  const posted: Posted[] = []
  const collector = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (piece: string) => {
      text += piece
    })
    request.on('end', () => {
      posted.push({ url: request.url ?? '', text, body: JSON.parse(text) })
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
    })
  })

  before(async () => {
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
    const { port } = collector.address() as AddressInfo
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${port}`
    process.env.OTEL_SERVICE_NAME = 'logins'
    const env = { PORT: '0', LATCHKEY_STORE: `sqlite:${join(folder, 'latchkey.db')}` }
    const settings = loadSettings({ env })
    const service = await startService({ settings, tell: () => {} })
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(service.issuer + path, init).then((answer) => answer.text())
    await ask('/token', {
      method: 'POST',
      headers: { authorization: basic(nightlyReport), traceparent: `00-${traceId}-${spanId}-01` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
    await ask('/api/photos/hidden-id?access_token=hush-hush')
    await ask('/authorize?client_id=photo-printer&state=hush-hush&login_hint=hush@example.com')
    await ask('/hidden-id/hush-hush')
    await ask('/jwks', { method: 'PROPFIND' })
    await ask('/jwks', { headers: { traceparent: `00-${hiddenId}-${spanId}-00` } })
    // The end sends all that waits.
    await service.close()
  })
  after(() => {
    delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT
    delete process.env.OTEL_SERVICE_NAME
    collector.closeAllConnections()
    collector.close()
    rmSync(folder, { recursive: true })
  })

  const bodiesAt = (url: string) => posted.filter((one) => one.url === url).map(({ body }) => body)
  /** Those of all posts: what takes more than a few seconds is sent in parts. */
  const spansSent = (): readonly Span[] =>
    bodiesAt('/v1/traces').flatMap(({ resourceSpans }) => resourceSpans[0].scopeSpans[0].spans)
  const attributesOf = (attributes: readonly Attribute[]) =>
    Object.fromEntries(
      attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]),
    )

  test('gets a span of each request, in the trace of its sender', () => {
    const [body] = bodiesAt('/v1/traces')
    const [{ resource }] = body.resourceSpans
    assert.equal(attributesOf(resource.attributes)['service.name'], 'logins')
    const [token, item, authorize, unknown, strange] = spansSent()
    assert.deepEqual(
      [token?.name, token?.traceId, token?.parentSpanId, token?.kind],
      ['POST /token', traceId, spanId, 2],
    )
    const { 'latchkey.request_id': id, ...told } = attributesOf(token?.attributes ?? [])
    assert.match(String(id), /^[0-9a-z]{26}$/)
    assert.deepEqual(told, {
      'http.request.method': 'POST',
      'http.route': '/token',
      'http.response.status_code': 200,
      'url.scheme': 'http',
    })
    assert.equal(item?.name, 'GET /api/:resource/:id')
    assert.notEqual(item?.traceId, traceId)
    const refused = attributesOf(item?.attributes ?? [])
    assert.equal(refused['http.response.status_code'], 400)
    assert.equal(typeof refused['latchkey.reason'], 'string')
    // By the conventions, a status of 4xx is no error of the server.
    assert.equal(refused['error.type'], undefined)
    assert.deepEqual(
      [authorize?.name, unknown?.name, strange?.name],
      ['GET /authorize', 'GET', 'HTTP /jwks'],
    )
    const { 'http.request.method': method, 'http.route': route } = attributesOf(
      strange?.attributes ?? [],
    )
    assert.deepEqual([method, route], ['_OTHER', '/jwks'])
    assert.equal('http.route' in attributesOf(unknown?.attributes ?? []), false)
  })

  test('gets a span whatever the sender wants, in the same trace', () => {
    const hidden = spansSent().find(({ name }) => name === 'GET /jwks')
    assert.deepEqual([hidden?.traceId, hidden?.parentSpanId], [hiddenId, spanId])
  })

  test('gets what OTEL_TRACES_SAMPLER lets through', async () => {
    const told = { ...requestNotice, route: '/sampled' }
    const sent = async (sampler: string): Promise<boolean> => {
      const before = posted.length
      process.env.OTEL_TRACES_SAMPLER = sampler
      const telemetry = await openAskedTelemetry(() => 0, 'https://auth.example')
      const headers = new Headers({ traceparent: `00-${hiddenId}-${spanId}-00` })
      telemetry?.tracing.trace?.({ headers }, told, 0)
      await telemetry?.close()
      delete process.env.OTEL_TRACES_SAMPLER
      return posted.slice(before).some(({ text }) => text.includes('/sampled'))
    }
    assert.deepEqual(
      [
        await sent('parentbased_always_on'),
        await sent('always_off'),
        await sent('always_on'),
        await sent(' '),
      ],
      [false, false, true, true],
    )
  })

  test('gets the metrics of Prometheus, histograms as well', () => {
    const body = bodiesAt('/v1/metrics').at(-1)
    const metrics: readonly Metric[] = body.resourceMetrics[0].scopeMetrics.flatMap(
      (scope: { readonly metrics: readonly Metric[] }) => scope.metrics,
    )
    const find = (name: string) => metrics.find((metric) => metric.name === name)
    const grants = find('latchkey_grants_total')?.sum
    assert.equal(grants?.isMonotonic, true)
    assert.deepEqual(
      grants?.dataPoints.map((point) => [attributesOf(point.attributes), point.asDouble]),
      [[{ type: 'client_credentials', outcome: 'issued' }, 1]],
    )
    const points = find('latchkey_request_seconds')?.histogram?.dataPoints ?? []
    assert.deepEqual(
      points.map(({ count }) => count),
      [1, 1, 1, 1, 1, 1],
    )
  })

  test('is told no token, no id of a path, and no secret', () => {
    assert.ok(posted.length >= 2)
    for (const { text } of posted) {
      assert.doesNotMatch(text, /hush|hidden-id|nightly-report-secret|lk_at_/)
    }
  })

  test('is off without the variables, and by those that turn it off', () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
    assert.equal(readTelemetry({}), null)
    assert.equal(readTelemetry({ ...endpoint, OTEL_SDK_DISABLED: 'true' }), null)
    assert.deepEqual(readTelemetry({ ...endpoint, OTEL_METRICS_EXPORTER: 'none' }), {
      traces: true,
      metrics: false,
      metricMilliseconds: 60_000,
      isSampled: false,
    })
    const one = { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://127.0.0.1:4318/v1/metrics' }
    assert.deepEqual(readTelemetry({ ...one, OTEL_METRIC_EXPORT_INTERVAL: '5000' }), {
      traces: false,
      metrics: true,
      metricMilliseconds: 5000,
      isSampled: false,
    })
  })
})
