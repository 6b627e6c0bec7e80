/**
 * Traces and metrics over OTLP, by the official SDK. The SDK is an optional dependency, loaded only where the
 * standard variables of OpenTelemetry ask for it.
 */
import type { MetricData, MetricProducer } from '@opentelemetry/sdk-metrics'
import { readTelemetry, type TelemetrySettings } from '../config/telemetry.ts'
import type { Clock } from '../model/ids.ts'
import type { MetricFamily, TracedRequest, TraceRequest } from '../model/metric.ts'
import type { AskMetrics } from './monitoring.ts'

/** The packages that an operator installs beside Latchkey. */
interface Packages {
  readonly api: typeof import('@opentelemetry/api')
  readonly core: typeof import('@opentelemetry/core')
  readonly resources: typeof import('@opentelemetry/resources')
  readonly 'sdk-trace-base': typeof import('@opentelemetry/sdk-trace-base')
  readonly 'sdk-metrics': Sdk
  readonly 'exporter-trace-otlp-http': typeof import('@opentelemetry/exporter-trace-otlp-http')
  readonly 'exporter-metrics-otlp-http': typeof import('@opentelemetry/exporter-metrics-otlp-http')
}

const packages =
  'api core resources sdk-trace-base sdk-metrics exporter-trace-otlp-http exporter-metrics-otlp-http'
const install = packages.replaceAll(/\S+/g, '@opentelemetry/$&')

/** By its name alone, so that no bundle takes it in. */
const load = async <Name extends keyof Packages>(name: Name): Promise<Packages[Name]> => {
  const full: string = `@opentelemetry/${name}`
  try {
    return await import(full)
  } catch {
    throw new Error(
      `OpenTelemetry is asked for by its variables, and ${full} is not installed: npm install ${install}`,
    )
  }
}

type OtelResource = ReturnType<typeof import('@opentelemetry/resources')['resourceFromAttributes']>

const makeResource = async (): Promise<OtelResource> => {
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } =
    await load('resources')
  // The variables OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES come last, so they count.
  return defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'latchkey' }))
    .merge(detectResources({ detectors: [envDetector] }))
}

/** Methods that the conventions know. A stranger may send others. */
const knownMethods = 'CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT TRACE'.split(' ')

/** For a server, a refused request (4xx) is no error. */
const isFault = (status: unknown): boolean => Number(status) >= 500

const openTracing = async (
  resource: OtelResource,
  { isSampled }: TelemetrySettings,
  scheme: string,
) => {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode } = await load('api')
  const { W3CTraceContextPropagator } = await load('core')
  const { AlwaysOnSampler, BasicTracerProvider, BatchSpanProcessor } = await load('sdk-trace-base')
  const { OTLPTraceExporter } = await load('exporter-trace-otlp-http')
  const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())]
  // The SDK's default obeys the sender, so a stranger's header could hide a request.
  const sampling = isSampled ? {} : { sampler: new AlwaysOnSampler() }
  const provider = new BasicTracerProvider({ resource, spanProcessors, ...sampling })
  const tracer = provider.getTracer('latchkey')
  const propagator = new W3CTraceContextPropagator()
  const getter = {
    keys: () => ['traceparent', 'tracestate'],
    get: ({ headers }: TracedRequest, name: string) => headers.get(name) ?? undefined,
  }
  return {
    trace(...[request, told, began]: Parameters<TraceRequest>): void {
      const { method, route, status, reason, milliseconds, requestId } = told
      const parent = propagator.extract(ROOT_CONTEXT, request, getter)
      const known = knownMethods.find((one) => one === method)
      // A request without a route has a word in brackets in its place.
      const path = String(route).startsWith('/') ? String(route) : null
      // The path may hold an id, and the query a code: neither is an attribute.
      const attributes = {
        'http.request.method': known ?? '_OTHER',
        ...(path === null ? {} : { 'http.route': path }),
        'url.scheme': scheme,
        'http.response.status_code': Number(status),
        'latchkey.request_id': String(requestId),
        ...(typeof reason === 'string' ? { 'latchkey.reason': reason } : {}),
        ...(isFault(status) ? { 'error.type': String(reason ?? status) } : {}),
      }
      const options = { kind: SpanKind.SERVER, startTime: began, attributes }
      // By the conventions for HTTP spans: few names, whatever strangers send.
      const name = [known ?? 'HTTP', ...(path === null ? [] : [path])].join(' ')
      const span = tracer.startSpan(name, options, parent)
      if (isFault(status)) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(began + Number(milliseconds))
    },
    close: () => provider.shutdown(),
  }
}

type Sdk = typeof import('@opentelemetry/sdk-metrics')

type Moment = [number, number]
type Times = Readonly<Record<'startTime' | 'endTime', Moment>>

const convertTime = (milliseconds: number): Moment => [
  Math.floor(milliseconds / 1000),
  (milliseconds % 1000) * 1e6,
]

const makeData = (family: MetricFamily, times: Times, sdk: Sdk): MetricData => {
  const { name, help } = family
  const common = {
    descriptor: { name, description: help, unit: '', valueType: 1, advice: {} },
    aggregationTemporality: sdk.AggregationTemporality.CUMULATIVE,
  }
  if (family.type === 'histogram') {
    return {
      ...common,
      dataPointType: sdk.DataPointType.HISTOGRAM,
      dataPoints: family.spreads.map(({ labels, counts, sum }) => ({
        ...times,
        attributes: labels,
        value: {
          buckets: { boundaries: [...family.bounds], counts: [...counts] },
          sum,
          count: counts.reduce((all, one) => all + one, 0),
        },
      })),
    }
  }
  const dataPoints = family.samples.map(({ labels, value }) => ({
    ...times,
    attributes: labels,
    value,
  }))
  return family.type === 'counter'
    ? { ...common, dataPointType: sdk.DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...common, dataPointType: sdk.DataPointType.GAUGE, dataPoints }
}

const assertUnused = (): never => {
  throw new Error('the resource of a producer of metrics is not used')
}

/** @param startedAt unix milliseconds: since then counters count */
const makeProducer = (
  ask: AskMetrics,
  startedAt: number,
  clock: Clock,
  sdk: Sdk,
): MetricProducer => ({
  async collect() {
    const times = { startTime: convertTime(startedAt), endTime: convertTime(clock()) }
    const metrics = (await ask()).map((family) => makeData(family, times, sdk))
    return {
      resourceMetrics: {
        // The reader puts the resource of the SDK in its place.
        resource: { attributes: {}, merge: assertUnused, getRawAttributes: () => [] },
        scopeMetrics: [{ scope: { name: 'latchkey' }, metrics }],
      },
      errors: [],
    }
  },
})

const openMetering = async (
  resource: OtelResource,
  { metricMilliseconds }: TelemetrySettings,
  clock: Clock,
) => {
  const sdk = await load('sdk-metrics')
  const { OTLPMetricExporter } = await load('exporter-metrics-otlp-http')
  const startedAt = clock()
  let close = async (): Promise<void> => {}
  return {
    watch(ask: AskMetrics): void {
      const reader = new sdk.PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter(),
        exportIntervalMillis: metricMilliseconds,
        exportTimeoutMillis: Math.min(metricMilliseconds, 30_000),
        metricProducers: [makeProducer(ask, startedAt, clock, sdk)],
      })
      const provider = new sdk.MeterProvider({ resource, readers: [reader] })
      close = () => provider.shutdown()
    },
    close: () => close(),
  }
}

/**
 * Null where no variable asks for it.
 *
 * @throws Error for a missing package
 */
export const openAskedTelemetry = async (clock: Clock, issuer: string) => {
  const settings = readTelemetry()
  if (settings === null) return null
  const resource = await makeResource()
  const tracing = settings.traces
    ? await openTracing(resource, settings, new URL(issuer).protocol.slice(0, -1))
    : null
  const metering = settings.metrics ? await openMetering(resource, settings, clock) : null
  return {
    /** Empty where no traces are sent. */
    tracing: tracing === null ? {} : { trace: tracing.trace },
    watch: (ask: AskMetrics) => metering?.watch(ask),
    async close(): Promise<void> {
      // A collector that is gone must not keep the service from ending.
      await Promise.allSettled([tracing?.close(), metering?.close()])
    },
  }
}
