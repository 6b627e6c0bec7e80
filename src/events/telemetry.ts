/**
 * Traces and metrics over OTLP, by the official SDK. It is an optional dependency, loaded only where the
 * standard variables of OpenTelemetry ask for it.
 */
import type { TelemetrySettings } from '../config/telemetry.ts'
import type { Clock } from '../model/ids.ts'
import type { Meter, TracedRequest, TraceRequest } from '../model/meter.ts'
import type { AskMetrics } from './open-metrics.ts'
import { producerOf } from './otlp-metrics.ts'

export interface Telemetry {
  /** Empty where no traces are sent. */
  readonly tracing: Pick<Meter, 'trace'>
  /** Sends the metrics from now on. */
  watch(ask: AskMetrics): void
  /** Sends what is left. */
  close(): Promise<void>
}

/** The packages that an operator installs beside Latchkey. */
const packages = [
  '@opentelemetry/api',
  '@opentelemetry/core',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-base',
  '@opentelemetry/sdk-metrics',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/exporter-metrics-otlp-http',
] as const

/** By its name alone, so that no bundle takes it in. */
const load = async <Module>(name: (typeof packages)[number]): Promise<Module> => {
  try {
    return (await import(name)) as Module
  } catch {
    throw new Error(
      `OpenTelemetry is asked for by its variables, and ${name} is not installed: npm install ${packages.join(' ')}`,
    )
  }
}

type OtelResource = ReturnType<typeof import('@opentelemetry/resources')['resourceFromAttributes']>

const resourceOf = async (): Promise<OtelResource> => {
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = await load<
    typeof import('@opentelemetry/resources')
  >('@opentelemetry/resources')
  // The variables OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES come last, so they count.
  return defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'latchkey' }))
    .merge(detectResources({ detectors: [envDetector] }))
}

interface Tracing {
  readonly trace: TraceRequest
  close(): Promise<void>
}

/** Methods that the conventions know. A stranger may send others. */
const knownMethods = [
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'TRACE',
]

interface NamedBy {
  readonly 'http.request.method': string
  readonly 'http.route'?: string
}

/** A request without a route has a word in brackets in its place. */
const namedBy = (method: string, route: string): NamedBy => ({
  'http.request.method': knownMethods.includes(method) ? method : '_OTHER',
  ...(route.startsWith('/') ? { 'http.route': route } : {}),
})

/** By the conventions for HTTP spans: few names, whatever strangers send. */
const spanNameOf = ({ 'http.request.method': method, 'http.route': route }: NamedBy): string =>
  [method === '_OTHER' ? 'HTTP' : method, ...(route === undefined ? [] : [route])].join(' ')

/** For a server, a refused request (4xx) is no error. */
const isFault = (status: unknown): boolean => Number(status) >= 500

const openTracing = async (
  resource: OtelResource,
  { isSampled }: TelemetrySettings,
  scheme: string,
): Promise<Tracing> => {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode } =
    await load<typeof import('@opentelemetry/api')>('@opentelemetry/api')
  const { W3CTraceContextPropagator } =
    await load<typeof import('@opentelemetry/core')>('@opentelemetry/core')
  const { AlwaysOnSampler, BasicTracerProvider, BatchSpanProcessor } = await load<
    typeof import('@opentelemetry/sdk-trace-base')
  >('@opentelemetry/sdk-trace-base')
  const { OTLPTraceExporter } = await load<
    typeof import('@opentelemetry/exporter-trace-otlp-http')
  >('@opentelemetry/exporter-trace-otlp-http')
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
    trace(request, { method, route, status, reason, milliseconds, requestId }, began) {
      const parent = propagator.extract(ROOT_CONTEXT, request, getter)
      // The path may hold an id, and the query a code: neither is an attribute.
      const attributes = {
        ...namedBy(String(method), String(route)),
        'url.scheme': scheme,
        'http.response.status_code': Number(status),
        'latchkey.request_id': String(requestId),
        ...(typeof reason === 'string' ? { 'latchkey.reason': reason } : {}),
        ...(isFault(status) ? { 'error.type': String(reason ?? status) } : {}),
      }
      const options = { kind: SpanKind.SERVER, startTime: began, attributes }
      const span = tracer.startSpan(spanNameOf(attributes), options, parent)
      if (isFault(status)) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(began + Number(milliseconds))
    },
    close: () => provider.shutdown(),
  }
}

const openMetering = async (
  resource: OtelResource,
  { metricMilliseconds }: TelemetrySettings,
  clock: Clock,
) => {
  const sdk = await load<typeof import('@opentelemetry/sdk-metrics')>('@opentelemetry/sdk-metrics')
  const { OTLPMetricExporter } = await load<
    typeof import('@opentelemetry/exporter-metrics-otlp-http')
  >('@opentelemetry/exporter-metrics-otlp-http')
  const startedAt = clock()
  let close = async (): Promise<void> => {}
  return {
    watch(ask: AskMetrics): void {
      const reader = new sdk.PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter(),
        exportIntervalMillis: metricMilliseconds,
        exportTimeoutMillis: Math.min(metricMilliseconds, 30_000),
        metricProducers: [producerOf(ask, startedAt, clock, sdk)],
      })
      const provider = new sdk.MeterProvider({ resource, readers: [reader] })
      close = () => provider.shutdown()
    },
    close: () => close(),
  }
}

/** @throws Error where a package is missing */
export const openTelemetry = async (
  settings: TelemetrySettings,
  clock: Clock,
  issuer: string,
): Promise<Telemetry> => {
  const resource = await resourceOf()
  const tracing = settings.traces
    ? await openTracing(resource, settings, new URL(issuer).protocol.slice(0, -1))
    : null
  const metering = settings.metrics ? await openMetering(resource, settings, clock) : null
  return {
    tracing: tracing === null ? {} : { trace: tracing.trace },
    watch: (ask) => metering?.watch(ask),
    async close() {
      // A collector that is gone must not keep the service from ending.
      await Promise.allSettled([tracing?.close(), metering?.close()])
    },
  }
}
