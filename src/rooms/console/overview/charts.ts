/** The charts of the console: drawings of the counters in the store, and the numbers behind them. */
import { metricLimits } from '../../../events/limits.ts'
import {
  type ChartLine,
  type ChartRange,
  chartRanges,
  type Funnel,
  type Overview,
} from '../../../events/series.ts'
import type { Exchange } from '../../../http/exchange.ts'
import { queryOf } from '../../../http/request.ts'
import type { Language } from '../../../model/language.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { formatDay, number } from '../../../paper/time.ts'
import { pageUrl, type View } from '../../../paper/view.ts'
import { renderColumns, renderLines } from './plot.ts'
import { chartWords } from './words.ts'

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0)

/** The beginning of a period, in UTC. */
const timeText = (start: number, range: ChartRange, language: Language): string =>
  range === 'month'
    ? formatDay(Math.floor(start / 86_400), language)
    : new Date(start * 1000).toISOString().slice(11, 16)

const listEdges = ({ starts, range }: Overview, language: Language): readonly string[] =>
  [starts[0], starts.at(-1)].map((start) => timeText(start ?? 0, range, language))

/** A round number at or above the highest column. */
const computeCeiling = (layers: readonly (readonly number[])[]): number => {
  const totals = (layers[0] ?? []).map((_, i) => sum(layers.map((values) => values[i] ?? 0)))
  const most = Math.max(2, ...totals)
  const unit = 10 ** Math.floor(Math.log10(most))
  return [1, 2, 5, 10].map((times) => times * unit).find((round) => round >= most) ?? most
}

const renderPair = (
  overview: Overview,
  heading: string,
  names: readonly [string, string],
  values: readonly [readonly number[], readonly number[]],
  language: Language,
): Markup => {
  const most = computeCeiling(values)
  const told = names.map((name, i) => `${name}: ${number(sum(values[i] ?? []), language)}`)
  const plot = renderColumns({
    label: `${heading}. ${told.join(', ')}`,
    layers: [
      { look: 'reads', name: told[0] ?? '', values: values[0] },
      { look: 'refused', name: told[1] ?? '', values: values[1] },
    ],
    most,
    scale: [number(most, language), number(most / 2, language), '0'],
    times: listEdges(overview, language),
  })
  return html`<section class="card"><h2>${heading}</h2>${plot}</section>`
}

const bounds: readonly number[] = metricLimits.requestMilliseconds

/** A bound in words: the last bucket has none. */
const boundText = (bound: number | null, language: Language): string => {
  const words = chartWords(language)
  if (bound === null) return ''
  if (Number.isFinite(bound)) return words.atMost({ time: bound })
  return words.longer({ time: bounds.at(-1) ?? 0 })
}

/** Bounds grow like powers, so a step of the drawing is one bucket. */
const stepOf = (bound: number | null): number | null => {
  if (bound === null) return null
  const index = bounds.indexOf(bound)
  return (index === -1 ? bounds.length : index) + 1
}

const renderLatency = (overview: Overview, language: Language): Markup => {
  const words = chartWords(language)
  const { median, slowest } = overview.latency
  const most = bounds.length + 1
  const middle = bounds[Math.floor(bounds.length / 2)] ?? 0
  const plot = renderLines({
    label: words.latency,
    layers: [
      { look: 'top', name: words.hundredth, values: slowest.map(stepOf) },
      { look: 'low', name: words.median, values: median.map(stepOf) },
    ],
    most,
    scale: [boundText(bounds.at(-1) ?? 0, language), boundText(middle, language), '0'],
    times: listEdges(overview, language),
  })
  return html`<section class="card"><h2>${words.latency}</h2>${plot}</section>`
}

const share = (part: number, whole: number, look: 'reads' | 'refused'): Markup =>
  html`<svg class="share" aria-hidden="true" focusable="false"><rect class="${look}" width="${Math.round((part / Math.max(1, whole)) * 1000) / 10}%" height="100%"/></svg>`

const renderReasons = (refusals: readonly ChartLine[], language: Language): Markup => {
  const words = chartWords(language)
  const totals = refusals.map(({ name, values }) => ({ name, count: sum(values) }))
  const most = Math.max(...totals.map(({ count }) => count))
  const line = ({ name, count }: { readonly name: string; readonly count: number }): Markup =>
    html`<li><span>${name === 'other' ? words.other : html`<code>${name}</code>`}<b>${number(count, language)}</b></span>${share(count, most, 'refused')}</li>`
  const list =
    totals.length === 0
      ? html`<p class="quiet">${words.noReasons}</p>`
      : html`<ol class="bars">${totals.map(line)}</ol>`
  return html`<section class="card"><h2>${words.reasons}</h2>${list}</section>`
}

const renderNumbers = (overview: Overview, language: Language): Markup => {
  const words = chartWords(language)
  const { starts, range, grants, logins, latency, refusals } = overview
  const refused = starts.map((_, i) => sum(refusals.map(({ values }) => values[i] ?? 0)))
  const columns = [grants.issued, refused, logins.succeeded, logins.refused]
  const row = (start: number, i: number): readonly Markup[] => {
    const counts = columns.map((values) => values[i] ?? 0)
    const median = latency.median[i] ?? null
    if (sum(counts) === 0 && median === null) return []
    const times = [median, latency.slowest[i] ?? null].map((bound) => boundText(bound, language))
    return [
      html`<tr><th scope="row">${timeText(start, range, language)}</th>${counts.map((count) => html`<td>${number(count, language)}</td>`)}${times.map((text) => html`<td>${text}</td>`)}</tr>
`,
    ]
  }
  const names = Object.values(words.columns)
  return html`<details class="numbers"><summary>${words.numbers}</summary>
<div class="wide"><table><thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>
${starts.flatMap(row)}</tbody></table></div></details>`
}

const renderTiles = ({ grants, logins, refusals, latency }: Overview, language: Language) => {
  const words = chartWords(language)
  const slowest = Math.max(...latency.slowest.map((bound) => bound ?? 0))
  const tiles: readonly (readonly [string, string, string])[] = [
    [words.tiles.issued, number(sum(grants.issued), language), ''],
    [words.tiles.refusals, number(sum(refusals.flatMap(({ values }) => values)), language), ''],
    [
      words.tiles.logins,
      number(sum(logins.succeeded), language),
      words.tiles.refusedLogins({ count: sum(logins.refused) }),
    ],
    [words.tiles.slowest, slowest === 0 ? '–' : boundText(slowest, language), ''],
  ]
  return html`<ul class="figures">${tiles.map(([name, value, more]) => html`<li><span>${name}</span><b>${value}</b>${more === '' ? null : html`<span>${more}</span>`}</li>`)}</ul>`
}

/** The range that the query of a page names. */
export const readRange = ({ request }: Pick<Exchange, 'request'>, otherwise: ChartRange) => {
  const asked = queryOf(request).find('range')
  return (Object.keys(chartRanges) as ChartRange[]).find((range) => range === asked) ?? otherwise
}

/** Links to the same page with other ranges. */
export const renderRanges = (current: ChartRange, path: string, view: View): Markup => {
  const words = chartWords(view.language)
  const ranges = ['hour', 'day', 'month'] as const
  const link = (range: ChartRange): Markup =>
    html`<li><a href="${pageUrl(view, path, { range })}"${range === current ? html` aria-current="page"` : null}>${words.ranges[range]}</a></li>`
  return html`<nav class="parts tabs" aria-label="${words.range}"><ul>${ranges.map(link)}</ul></nav>`
}

export const renderCharts = (overview: Overview, language: Language): Markup => {
  const words = chartWords(language)
  const { grants, logins, refusals, funnel } = overview
  return html`${renderTiles(overview, language)}
<div class="board">${renderPair(overview, words.grants, [words.issued, words.refused], [grants.issued, grants.refused], language)}
${renderReasons(refusals, language)}
${renderPair(overview, words.logins, [words.succeeded, words.refused], [logins.succeeded, logins.refused], language)}
${renderLatency(overview, language)}
<section class="card"><h2>${words.funnel}</h2>${renderFunnel(funnel, language)}</section></div>
${renderNumbers(overview, language)}
<p class="quiet small">${words.about}</p>`
}

/**
 * How many users of one client got how far, for the page of the client in the console. Its numbers are
 * those of `readFunnel` (`events/series.ts`), and `renderRanges` links to the other ranges.
 */
export const renderFunnel = (funnel: Funnel, language: Language): Markup => {
  const words = chartWords(language)
  const most = Math.max(...funnel.map(({ count }) => count))
  if (most === 0) return html`<p class="quiet">${words.nobody}</p>`
  const line = ({ step, count }: Funnel[number], i: number): Markup => {
    const before = funnel[i - 1]?.count ?? 0
    const kept =
      before === 0 ? null : html` <span class="quiet">${Math.round((count / before) * 100)}%</span>`
    return html`<li><span>${words.steps[step]}</span>${share(count, most, 'reads')}<span><b>${number(count, language)}</b>${kept}</span></li>`
  }
  return html`<ol class="funnel">${funnel.map(line)}</ol>`
}
