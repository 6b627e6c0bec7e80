/** The standard variables of OpenTelemetry. Its SDK reads most of them by itself. */

/** What is to be sent over OTLP. */
export interface TelemetrySettings {
  readonly traces: boolean
  readonly metrics: boolean
  /** Between two sendings of metrics. */
  readonly metricMilliseconds: number
  /** Whether the variables choose which traces are sent. */
  readonly isSampled: boolean
}

/** Null where nothing is to be sent: then no part of the SDK is loaded. */
export const readTelemetry = (
  env: Readonly<Record<string, string | undefined>> = process.env,
): TelemetrySettings | null => {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return null
  const isAsked = (signal: 'TRACES' | 'METRICS'): boolean => {
    const exporter = env[`OTEL_${signal}_EXPORTER`] ?? 'otlp'
    const endpoint =
      env.OTEL_EXPORTER_OTLP_ENDPOINT ?? env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] ?? ''
    return exporter !== 'none' && endpoint !== ''
  }
  const [traces, metrics] = [isAsked('TRACES'), isAsked('METRICS')]
  const interval = Number(env.OTEL_METRIC_EXPORT_INTERVAL)
  const metricMilliseconds = interval >= 100 ? interval : 60_000
  const isSampled = (env.OTEL_TRACES_SAMPLER ?? '').trim() !== ''
  return traces || metrics ? { traces, metrics, metricMilliseconds, isSampled } : null
}
