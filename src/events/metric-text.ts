/** Metrics as text, in the format of Prometheus (version 0.0.4). */
import type { Labels, MetricFamily, Spread } from '../model/metric.ts'

const escaped = (text: string): string =>
  text.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))

const labelText = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
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

const linesOf = (family: MetricFamily): string[] => {
  const { name } = family
  if (family.type === 'histogram') {
    return family.spreads.flatMap((spread) => spreadLines(name, family.bounds, spread))
  }
  return family.samples.map(
    ({ labels, value }) => `${name}${labelText(labels)} ${numberText(value)}`,
  )
}

export const metricText = (families: readonly MetricFamily[]): string =>
  families
    .flatMap((family) => [
      `# HELP ${family.name} ${family.help}`,
      `# TYPE ${family.name} ${family.type}`,
      ...linesOf(family),
    ])
    .map((line) => `${line}\n`)
    .join('')
