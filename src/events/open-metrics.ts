/** Opens the metrics of a node: counters of requests, and gauges that are read on demand. */

import { newId, type Random } from '../model/ids.ts'
import type { Meter } from '../model/meter.ts'
import type { MetricFamily } from '../model/metric.ts'
import { createGauges, type GaugeParts } from './gauges.ts'
import { createKeptCounts, type KeptCounts } from './kept-counts.ts'
import type { Metrics } from './metrics.ts'

/** All metrics of a node at this moment. */
export type AskMetrics = () => Promise<readonly MetricFamily[]>

/** The counters, and the traces if there are any. */
export const meterOf = (metrics: Metrics, { trace }: Pick<Meter, 'trace'>): Meter =>
  trace === undefined ? metrics : { ...metrics, trace }

/** What a node monitors of itself. */
export interface Monitoring {
  readonly ask: AskMetrics
  /** Written for charts. */
  readonly counts: KeptCounts
}

export const openMetrics = (
  { totals, takeSteps, families }: Metrics,
  parts: GaugeParts & { readonly random: Random },
): Monitoring => {
  const gauges = createGauges(parts)
  const { store, clock, random } = parts
  const collector = newId(clock(), random(10))
  return {
    ask: async () => [...families(), ...(await gauges())],
    counts: createKeptCounts({ store, clock, collector, totals, takeSteps }),
  }
}

/** Measures each hash. @param elapsed running time in milliseconds */
export const timedBy =
  (metrics: Pick<Metrics, 'countHash'>, elapsed: () => number) =>
  async <Result>(hash: () => Promise<Result>): Promise<Result> => {
    const began = elapsed()
    try {
      return await hash()
    } finally {
      metrics.countHash(elapsed() - began)
    }
  }
