/** Metrics in the words of the OpenTelemetry SDK: what Prometheus is told, once more. */
import type { MetricData, MetricProducer } from '@opentelemetry/sdk-metrics'
import type { Clock } from '../model/ids.ts'
import type { MetricFamily } from '../model/metric.ts'
import type { AskMetrics } from './open-metrics.ts'

type Sdk = Pick<
  typeof import('@opentelemetry/sdk-metrics'),
  'AggregationTemporality' | 'DataPointType'
>

type Moment = [number, number]

const momentOf = (milliseconds: number): Moment => [
  Math.floor(milliseconds / 1000),
  (milliseconds % 1000) * 1e6,
]

const dataOf = (family: MetricFamily, startTime: Moment, endTime: Moment, sdk: Sdk): MetricData => {
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
        startTime,
        endTime,
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
    startTime,
    endTime,
    attributes: labels,
    value,
  }))
  return family.type === 'counter'
    ? { ...common, dataPointType: sdk.DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...common, dataPointType: sdk.DataPointType.GAUGE, dataPoints }
}

/** @param startedAt unix milliseconds: since then counters count */
export const producerOf = (
  ask: AskMetrics,
  startedAt: number,
  clock: Clock,
  sdk: Sdk,
): MetricProducer => ({
  async collect() {
    const [start, end] = [momentOf(startedAt), momentOf(clock())]
    const metrics = (await ask()).map((family) => dataOf(family, start, end, sdk))
    return {
      resourceMetrics: {
        // The reader puts the resource of the SDK in its place.
        resource: { attributes: {}, merge: () => assertUnused(), getRawAttributes: () => [] },
        scopeMetrics: [{ scope: { name: 'latchkey' }, metrics }],
      },
      errors: [],
    }
  },
})

const assertUnused = (): never => {
  throw new Error('the resource of a producer of metrics is not used')
}
