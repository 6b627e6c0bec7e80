/**
 * A strict reader of the text format of Prometheus (version 0.0.4). It throws where the text breaks
 * a rule: help and type come first and once, samples of a family stand together, and none comes twice.
 */
import assert from 'node:assert/strict'

export interface ReadSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface ReadFamily {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly samples: readonly ReadSample[]
}

const sampleLine = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const labelPart = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/y

const readLabels = (text: string): Record<string, string> => {
  const labels: Record<string, string> = {}
  labelPart.lastIndex = 0
  while (labelPart.lastIndex < text.length) {
    const at = labelPart.lastIndex
    const [, name = '', value = ''] =
      labelPart.exec(text) ?? assert.fail(`labels at ${at}: ${text}`)
    assert.ok(!(name in labels), `the label ${name} comes twice: ${text}`)
    labels[name] = value.replaceAll(/\\(.)/g, (_, c) => (c === 'n' ? '\n' : c))
  }
  return labels
}

const readSample = (line: string): ReadSample => {
  const [, name = '', labels = '', value = ''] =
    sampleLine.exec(line) ?? assert.fail(`no sample: ${line}`)
  assert.match(value, /^-?\d+(\.\d+)?(e-?\d+)?$/, line)
  return { name, labels: readLabels(labels), value: Number(value) }
}

/** Buckets grow, end with `+Inf`, and that is the count. */
const checkHistogram = ({ name, samples }: ReadFamily): void => {
  const of = ({ le, ...others }: Readonly<Record<string, string>>) => JSON.stringify(others)
  for (const [key, alike] of Map.groupBy(samples, ({ labels }) => of(labels))) {
    const buckets = alike.filter((sample) => sample.name === `${name}_bucket`)
    const bounds = buckets.map(({ labels }) => Number(labels.le?.replace('+Inf', 'Infinity')))
    assert.deepEqual(
      bounds,
      bounds.toSorted((a, b) => a - b),
      `${name} ${key}`,
    )
    assert.equal(bounds.at(-1), Number.POSITIVE_INFINITY)
    const counts = buckets.map(({ value }) => value)
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
      `${name} ${key}`,
    )
    const count = alike.find((sample) => sample.name === `${name}_count`)
    assert.equal(count?.value, counts.at(-1))
    assert.ok(alike.some((sample) => sample.name === `${name}_sum`))
  }
}

const suffixes: Readonly<Record<string, readonly string[]>> = {
  histogram: ['_bucket', '_sum', '_count'],
  counter: [''],
  gauge: [''],
}

const checkFamily = (family: ReadFamily): void => {
  const { name, type, samples } = family
  const names = (suffixes[type] ?? assert.fail(`no type: ${type}`)).map((end) => name + end)
  for (const sample of samples) assert.ok(names.includes(sample.name), `${sample.name} in ${name}`)
  if (type === 'counter') {
    assert.match(name, /_total$/)
    assert.ok(samples.every(({ value }) => value >= 0))
  }
  const keys = samples.map((sample) => JSON.stringify([sample.name, sample.labels]))
  assert.equal(new Set(keys).size, keys.length, `a sample of ${name} comes twice`)
  if (type === 'histogram') checkHistogram(family)
}

export const readMetrics = (text: string): ReadonlyMap<string, ReadFamily> => {
  assert.ok(text.endsWith('\n'))
  const families = new Map<string, ReadFamily & { samples: ReadSample[] }>()
  const lines = text.slice(0, -1).split('\n')
  for (let i = 0; i < lines.length; ) {
    const [, name = '', help = ''] =
      /^# HELP (\S+) (.+)$/.exec(lines[i++] ?? '') ?? assert.fail(`no help: ${lines[i - 1]}`)
    const [, type = ''] =
      new RegExp(`^# TYPE ${name} (\\w+)$`).exec(lines[i++] ?? '') ?? assert.fail(`type of ${name}`)
    assert.ok(!families.has(name), `the family ${name} comes twice`)
    const samples: ReadSample[] = []
    for (; i < lines.length && !lines[i]?.startsWith('#'); i++)
      samples.push(readSample(lines[i] ?? ''))
    const family = { name, help, type, samples }
    checkFamily(family)
    families.set(name, family)
  }
  return families
}
