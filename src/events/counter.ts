/** A counter with labels, a histogram with one, and their text: an increment is one look-up in a map. */
import type { Labels, MetricFamily, Spread } from '../model/metric.ts'
import { metricLimits } from './limits.ts'

/** A metric without labels, at this moment. */
const makeFamily =
  (type: 'counter' | 'gauge') =>
  (name: string, help: string, value: number): MetricFamily => ({
    name,
    help,
    type,
    samples: [{ labels: {}, value }],
  })

export const makeCounter = makeFamily('counter')
export const gauge = makeFamily('gauge')

/** The place of all values beyond the limit. */
const other = 'other'

/**
 * A counter by the values of its labels, joined by spaces.
 *
 * @param labels only the first one may have values with a space. Beyond the limit of series all is counted as `other`.
 * @param known series that are there from the start, so that a rate is known from the first increment
 */
export const createCounter = (
  name: string,
  help: string,
  labels: readonly string[],
  known: readonly string[] = [],
) => {
  const counts = new Map<string, number>(known.map((key) => [key, 0]))
  const beyond = labels.map(() => other).join(' ')
  return {
    add(by: number, first = '', second?: string, third?: string): void {
      let key = first
      if (second !== undefined) key += ` ${second}`
      if (third !== undefined) key += ` ${third}`
      const count = counts.get(key)
      if (count !== undefined) counts.set(key, count + by)
      else if (counts.size < metricLimits.series) counts.set(key, by)
      else counts.set(beyond, (counts.get(beyond) ?? 0) + by)
    },
    entries: (): ReadonlyMap<string, number> => counts,
    family: (): MetricFamily => ({
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

/** @param bounds in milliseconds; the family tells seconds */
export const createHistogram = (
  name: string,
  help: string,
  label: string | null,
  bounds: readonly number[],
) => {
  const made = new Map<string, { readonly counts: number[]; sum: number }>()
  const create = (of: string) => {
    const series = { counts: [...bounds, 0].map(() => 0), sum: 0 }
    made.set(of, series)
    return series
  }
  return {
    add(milliseconds: number, of = ''): void {
      const series = made.get(of) ?? create(made.size < metricLimits.series ? of : other)
      let bucket = 0
      while (bucket < bounds.length && milliseconds > (bounds[bucket] ?? 0)) bucket++
      series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
      series.sum += milliseconds
    },
    /** The counts of these series together, by bucket. */
    counts(isOf: (label: string) => boolean): readonly number[] {
      const series = [...made].filter(([label]) => isOf(label)).map(([, { counts }]) => counts)
      return [...bounds, 0].map((_, i) => series.reduce((sum, counts) => sum + (counts[i] ?? 0), 0))
    },
    family: (): MetricFamily => ({
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

const escapeText = (text: string): string =>
  text.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))

const labelText = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeText(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

/** Sums of seconds do not end in the rounding of binary fractions. */
const numberText = (value: number): string => String(Number(value.toFixed(6)))

const spreadLines = (
  name: string,
  bounds: readonly number[],
  { labels, counts, sum }: Spread,
): string[] => {
  let total = 0
  const buckets = counts.map((count, i) => {
    total += count
    const le = bounds[i] === undefined ? '+Inf' : String(bounds[i])
    return `${name}_bucket${labelText({ ...labels, le })} ${total}`
  })
  return [
    ...buckets,
    `${name}_sum${labelText(labels)} ${numberText(sum)}`,
    `${name}_count${labelText(labels)} ${total}`,
  ]
}

const listLines = (family: MetricFamily): string[] => {
  const { name } = family
  if (family.type === 'histogram') {
    return family.spreads.flatMap((spread) => spreadLines(name, family.bounds, spread))
  }
  return family.samples.map(
    ({ labels, value }) => `${name}${labelText(labels)} ${numberText(value)}`,
  )
}

/** Metrics as text, in the format of Prometheus (version 0.0.4). */
export const formatMetrics = (families: readonly MetricFamily[]): string =>
  families
    .flatMap((family) => [
      `# HELP ${family.name} ${family.help}`,
      `# TYPE ${family.name} ${family.type}`,
      ...listLines(family),
    ])
    .map((line) => `${line}\n`)
    .join('')
