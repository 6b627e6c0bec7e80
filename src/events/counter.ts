/** A counter with labels, and a histogram with one: an increment is one look-up in a map. */

import type { MetricFamily } from '../model/metric.ts'
import { metricLimits } from './limits.ts'

/** The place of all values beyond the limit. */
const other = 'other'

export interface LabelledCounter {
  /** @param values of the labels, in their order */
  add(by: number, first?: string, second?: string, third?: string): void
  /** Counts by the values of the labels, which a space joins. */
  entries(): ReadonlyMap<string, number>
  family(): MetricFamily
}

/**
 * @param labels only the first one may have values with a space. Beyond the limit of series all is counted as `other`.
 * @param known series that are there from the start, so that a rate is known from the first increment
 */
export const createCounter = (
  name: string,
  help: string,
  labels: readonly string[],
  known: readonly string[] = [],
): LabelledCounter => {
  const counts = new Map<string, number>(known.map((key) => [key, 0]))
  const beyond = labels.map(() => other).join(' ')
  return {
    add(by, first = '', second, third) {
      let key = first
      if (second !== undefined) key += ` ${second}`
      if (third !== undefined) key += ` ${third}`
      const count = counts.get(key)
      if (count !== undefined) counts.set(key, count + by)
      else if (counts.size < metricLimits.series) counts.set(key, by)
      else counts.set(beyond, (counts.get(beyond) ?? 0) + by)
    },
    entries: () => counts,
    family: () => ({
      name,
      help,
      type: 'counter',
      samples: [...counts].map(([key, value]) => {
        const parts = key.split(' ')
        const further = labels.length === 0 ? [] : parts.splice(parts.length - labels.length + 1)
        const values = [parts.join(' '), ...further]
        return { labels: Object.fromEntries(labels.map((of, i) => [of, values[i] ?? ''])), value }
      }),
    }),
  }
}

interface Series {
  readonly counts: number[]
  sum: number
}

export interface Histogram {
  add(milliseconds: number, of?: string): void
  /** The counts of these series together, by bucket. */
  counts(of: (label: string) => boolean): readonly number[]
  family(): MetricFamily
}

/** @param bounds in milliseconds; the family tells seconds */
export const createHistogram = (
  name: string,
  help: string,
  label: string | null,
  bounds: readonly number[],
): Histogram => {
  const made = new Map<string, Series>()
  const create = (of: string): Series => {
    const series: Series = { counts: [...bounds, 0].map(() => 0), sum: 0 }
    made.set(of, series)
    return series
  }
  return {
    add(milliseconds, of = '') {
      const series = made.get(of) ?? create(made.size < metricLimits.series ? of : other)
      let bucket = 0
      while (bucket < bounds.length && milliseconds > (bounds[bucket] ?? 0)) bucket++
      series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
      series.sum += milliseconds
    },
    counts(isOf) {
      const series = [...made].filter(([label]) => isOf(label)).map(([, { counts }]) => counts)
      return [...bounds, 0].map((_, i) => series.reduce((sum, counts) => sum + (counts[i] ?? 0), 0))
    },
    family: () => ({
      name,
      help,
      type: 'histogram',
      bounds: bounds.map((bound) => bound / 1000),
      spreads: [...made].map(([of, { counts, sum }]) => ({
        labels: label === null ? {} : { [label]: of },
        counts,
        sum: sum / 1000,
      })),
    }),
  }
}
